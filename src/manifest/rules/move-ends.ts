// The two ends of a `moved` entry, whichever stacks they are in: addresses of one kind, and a target that is there.

import { parseAddress } from '../../catalog/address.ts';
import type { ProblemText } from '../../core/diagnostic.ts';
import type { Suggestions } from '../../core/text/closest.ts';
import { withArticle } from '../../core/text/text.ts';
import type { Move } from '../../resource/marker/moves.ts';
import { noAddress } from '../../schema/fix-unknown.ts';

/** What is wrong, and with which end. */
interface EndProblem {
  readonly end: keyof Move;
  readonly words: ProblemText;
}

/** An end that is no address, or one of another kind than the other end. */
export function problemsOfEnds(move: Move): EndProblem[] {
  const [old, next] = [parseAddress(move.from), parseAddress(move.to)];
  if (old === undefined || next === undefined) {
    const none = (['from', 'to'] as const).filter((end) => parseAddress(move[end]) === undefined);
    return none.map((end) => ({ end, words: noAddress(move[end]) }));
  }
  if (old.kind === next.kind) return [];
  const message = `${withArticle(old.kind.title)} cannot become ${withArticle(next.kind.title)}`;
  return [{ end: 'to', words: { message, fix: 'name an address of the same kind, or remove the entry' } }];
}

/**
 * The new address has no block: a mistake while an object still has the old one, and of no account once its work is done. Only a
 * plan knows which.
 */
export function noResource(address: string, likely: Suggestions): ProblemText {
  return {
    message: `no resource has the address ${address}`,
    fix:
      likely.didYouMean(address) ??
      'use the address of a resource in the manifest; an entry whose work is done may stay, or be removed',
  };
}

export function movedTwice(address: string): ProblemText {
  return { message: `${address} is renamed twice`, fix: 'keep one of the entries' };
}

/** Two entries that end at the same address: often, both were written for one object that was renamed twice. */
export function sameEnd(address: string): ProblemText {
  return {
    message: `two entries lead to ${address}`,
    fix: 'keep the one whose old address still has an object; an object that was renamed twice has a chain, `{ from: A, to: B }, { from: B, to: C }`',
  };
}
