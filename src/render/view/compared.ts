// What of a plan only the change since a revision causes, what was pending already, and what was changed outside.

import { groupBy } from '../../core/group.ts';
import type { Action, Plan, Step } from '../../plan/plan.ts';
import { groupSteps } from './group.ts';
import type { PartName, Sign, View } from './view.ts';

const PARTS: readonly PartName[] = ['this change', 'already pending', 'drifted'];

/** What a plan says of a comparison; undefined if it was not compared, or could not be. */
export type ComparedView = NonNullable<View['compared']>;

/** The part that the steps of one item are in; undefined for a plan that was not compared. */
export function partOf(steps: readonly Step[]): PartName | undefined {
  const origins = new Set(steps.map(({ origin }) => origin));
  if (origins.has('this-change')) return 'this change';
  if (!origins.has('already-pending')) return undefined;
  return steps.every(isDriftOnly) ? 'drifted' : 'already pending';
}

/** True for a step that only puts back what was changed outside. */
function isDriftOnly({ changes, deleted_outside: deleted }: Step): boolean {
  return deleted !== undefined || (changes.length > 0 && changes.every(({ cause }) => cause === 'drift'));
}

/** `signs` are those of the actions. */
export function comparedOf({ base, steps }: Plan, signs: Readonly<Record<Action, Sign>>): View['compared'] {
  if (base === undefined || base.status === 'unreadable') return undefined;
  const groups = groupSteps(steps);
  const places = groupBy(groups.keys(), (index) => partOf(groups[index]?.steps ?? []));
  const parts = PARTS.flatMap((name): ComparedView['parts'] => {
    const items = places.get(name) ?? [];
    const whole = items.flatMap((index) => groups[index]?.first ?? []).filter(({ phase }) => phase !== 'detach');
    return items.length === 0 ? [] : [{ name, items, totals: countsOf(whole.map(({ action }) => signs[action])) }];
  });
  const whole = base.no_longer_planned.filter(({ phase }) => phase === undefined || phase === 'create');
  const former = whole.map(({ action, address, live_id: id }) => ({
    ...signs[action],
    address,
    live_id: id ?? undefined,
  }));
  return { rev: base.rev, parts, former };
}

/** The number of signs by word, in their order. */
export function countsOf(signs: readonly Pick<Sign, 'word'>[]): ReadonlyMap<string, number> {
  return new Map([...groupBy(signs, ({ word }) => word)].map(([word, list]) => [word, list.length]));
}

const ORDER = ['create', 'update', 'replace', 'delete', 'adopt', 'release'];

/** `This change: 2 to update. Already pending: 1 to create.` for one plan, or all of a fleet; our own words and counts only. */
export function comparedSentence(views: readonly ComparedView[]): string {
  const named = PARTS.map((name) => {
    const totals = views.flatMap(({ parts }) => parts.flatMap((part) => (part.name === name ? [...part.totals] : [])));
    return [name, totals] as const;
  });
  const former = views.flatMap((view) => [...countsOf(view.former)]);
  return [...named, ['no longer planned', former] as const]
    .filter(([name, totals]) => name === 'this change' || totals.length > 0)
    .map(([name, totals]) => `${name.replace(/^./, (letter) => letter.toUpperCase())}: ${countText(totals)}.`)
    .join(' ');
}

export function countText(totals: readonly (readonly [word: string, count: number])[]): string {
  const counts = ORDER.flatMap((word) => {
    const sum = totals.reduce((all, [name, count]) => (name === word ? all + count : all), 0);
    return sum === 0 ? [] : [`${sum} to ${word}`];
  });
  return counts.length === 0 ? 'nothing' : counts.join(', ');
}
