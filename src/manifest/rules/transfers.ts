// Checks the entries of `moved` that name another stack against the manifest.

import type { Suggestions } from '../../core/text/closest.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { ofAbsent, type SourceMap } from '../source-map.ts';
import type { LocatedTransfer } from '../transfers.ts';
import { noResource, problemsOfEnds, sameEnd } from './move-ends.ts';

interface TransferRules {
  /** The addresses in the manifest. */
  readonly likely: Suggestions;
  /** True for an address that a block has or may have, or that other entries lead on from. */
  readonly isTarget: (address: string) => boolean;
  /** The path of the rename within the stack that has the address as its target. */
  readonly renamedAt: ReadonlyMap<string, readonly string[]>;
  readonly sourceMap: SourceMap;
}

/** Every invalid transfer. */
export function checkTransfers(transfers: readonly LocatedTransfer[], rules: TransferRules): Diagnostic[] {
  const [takenAt, targetAt] = [new Map<string, readonly string[]>(), new Map(rules.renamedAt)];
  return transfers.flatMap((transfer) => {
    const problems = problemsOf(transfer, rules);
    if (problems.length > 0) return problems;
    const { stack, ends, path } = transfer;
    const taken = `${stack} ${ends?.from ?? ''}`;
    const first = takenAt.get(taken);
    takenAt.set(taken, first ?? path);
    if (first !== undefined) return [repeated([path, 'from'], [first, 'from'], takenTwice(transfer), rules)];
    if (ends === undefined) return [];
    const other = targetAt.get(ends.to);
    targetAt.set(ends.to, other ?? path);
    return other === undefined
      ? unmatched(transfer, rules)
      : [repeated([path, 'to'], [other, 'to'], sameEnd(ends.to), rules)];
  });
}

function unmatched({ ends, path }: LocatedTransfer, { sourceMap, likely, isTarget }: TransferRules): Diagnostic[] {
  if (ends === undefined || isTarget(ends.to)) return [];
  const problem = sourceMap.warning('move-matches-nothing', [...path, 'to'], noResource(ends.to, likely));
  return [ofAbsent(problem, sourceMap.dropOf(ends.to.split('.')))];
}

function problemsOf({ ends, path }: LocatedTransfer, { sourceMap }: TransferRules): Diagnostic[] {
  if (ends === undefined) return [];
  return problemsOfEnds(ends).map(({ end, words }) =>
    sourceMap.error('bad-move', end === 'to' ? [...path, 'to'] : [...path, 'from', 'address'], words),
  );
}

function takenTwice({ stack, ends }: LocatedTransfer): ProblemText {
  const what = ends === undefined ? `everything of stack ${stack}` : `${ends.from} of stack ${stack}`;
  return { message: `${what} is moved twice`, fix: 'keep one of the entries' };
}

/** An entry, and the key in it that repeats another one. */
type End = readonly [path: readonly string[], key: keyof { from: string; to: string }];

function repeated(
  [path, key]: End,
  [first, firstKey]: End,
  words: ProblemText,
  { sourceMap }: TransferRules,
): Diagnostic {
  const range = sourceMap.value([...first, firstKey]);
  return { ...sourceMap.error('bad-move', [...path, key], words), related: [{ message: 'first here', range }] };
}
