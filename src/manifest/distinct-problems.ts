// The problems of a manifest, each told once: several checks may find the same, and what is wrong in a preset is wrong wherever it is
// used.

import { rangeText, type Diagnostic } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { plural } from '../core/text/text.ts';

/** Codes for errors in the form of a value or key: they have to be fixed before anything else can be said about it. */
const OF_THE_FORM: readonly string[] = ['wrong-type', 'bad-key', 'hidden-character'];

/**
 * Keeps one problem per place and message, and only the first one where the form is wrong. What is wrong in a preset is one problem,
 * however many blocks use it.
 */
export function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const placeOf = ({ range, message }: Diagnostic) =>
    range === undefined ? message : `${range.file} ${range.line} ${range.column}`;
  const firstOfForm = new Map<string, Diagnostic>();
  for (const problem of diagnostics)
    if (OF_THE_FORM.includes(problem.code) && !firstOfForm.has(placeOf(problem)))
      firstOfForm.set(placeOf(problem), problem);
  const isKept = (problem: Diagnostic) => {
    const first = firstOfForm.get(placeOf(problem)) ?? problem;
    return first === problem || (problem.uses !== undefined && first.code === problem.code);
  };
  const same = groupBy(diagnostics.filter(isKept), (problem) =>
    [placeOf(problem), problem.code, problem.uses === undefined ? problem.message : ''].join(' '),
  );
  return [...same.values()].map(withUses);
}

/** Most uses that a problem lists. */
const SHOWN_USES = 3;

/** One of several equal problems, with the places that use it. */
function withUses([first, ...others]: readonly [Diagnostic, ...Diagnostic[]]): Diagnostic {
  if (first.uses === undefined) return first;
  const { uses: _, ...problem } = first;
  const all = [first, ...others].flatMap(({ uses = [] }) => uses);
  const uses = [...new Map(all.map((use) => [`${rangeText(use.range)} ${use.message}`, use])).values()];
  const shown = uses.slice(0, SHOWN_USES);
  const more = uses.length - shown.length;
  const last = shown.at(-1);
  const counted =
    more === 0 || last === undefined
      ? shown
      : [...shown.slice(0, -1), { ...last, message: `${last.message}, and in ${plural(more, 'more place')}` }];
  return { ...problem, related: [...(problem.related ?? []), ...counted] };
}
