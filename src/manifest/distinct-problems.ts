// Several reports of one mistake → one problem. A mistake in a preset is reported wherever the preset is used, and it is one problem
// with its uses, however many blocks have it.

import { rangeText, type Diagnostic } from '../core/diagnostic.ts';
import { groupBy, partition } from '../core/group.ts';
import { plural } from '../core/text/text.ts';

/** Codes for errors in the form of a value or key: they have to be fixed before anything else can be said about it. */
const OF_THE_FORM: ReadonlySet<string> = new Set(['wrong-type', 'bad-key', 'hidden-character']);

/** Most uses that a problem lists. */
const SHOWN_USES = 3;

type Problems = readonly [Diagnostic, ...Diagnostic[]];

/** One problem per place and message, and only the first one where the form is wrong. */
export function distinctProblems(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const codesOfForm = new Map<string, string>();
  for (const problem of diagnostics) {
    const place = placeOf(problem);
    if (OF_THE_FORM.has(problem.code) && !codesOfForm.has(place)) codesOfForm.set(place, problem.code);
  }
  const kept = diagnostics.filter((problem) => (codesOfForm.get(placeOf(problem)) ?? problem.code) === problem.code);
  return [...groupBy(kept, (problem) => `${problem.code} ${placeOf(problem)}`).values()].flatMap(distinctAtPlace);
}

function placeOf({ range, message }: Diagnostic): string {
  return range === undefined ? message : `${range.file} ${range.line} ${range.column}`;
}

/** Problems of one code and place: what the first use says is wrong, and that other uses have it, too, perhaps in other words. */
function distinctAtPlace(problems: Problems): Diagnostic[] {
  const [first] = problems;
  if (OF_THE_FORM.has(first.code)) return [withUses(problems)];
  const firstUse = useOf(first);
  const [ofFirst, ofOthers] = partition(problems, (problem) => useOf(problem) === firstUse);
  const mistakes = [...groupBy(ofFirst, ({ message }) => message).values()];
  return mistakes.map(([mistake, ...same]) => withUses([mistake, ...same, ...ofOthers]));
}

function useOf({ uses = [] }: Diagnostic): string {
  return uses.map(({ message, range }) => `${rangeText(range)} ${message}`).join('\n');
}

/** The first of several equal problems, with the places that use it. */
function withUses([first, ...others]: Problems): Diagnostic {
  if (first.uses === undefined) return first;
  const { uses: _, ...problem } = first;
  const all = [first, ...others].flatMap(({ uses = [] }) => uses);
  const uses = [...new Map(all.map((use) => [`${rangeText(use.range)} ${use.message}`, use])).values()];
  return { ...problem, related: [...(problem.related ?? []), ...shownUses(uses)] };
}

function shownUses(uses: readonly NonNullable<Diagnostic['uses']>[number][]) {
  const shown = uses.slice(0, SHOWN_USES);
  const last = shown.at(-1);
  const more = uses.length - shown.length;
  if (more === 0 || last === undefined) return shown;
  return [...shown.slice(0, -1), { ...last, message: `${last.message}, and in ${plural(more, 'more place')}` }];
}
