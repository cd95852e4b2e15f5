// Stacks of which the same is shown, as one: what they have in common as the view of one stack, and what differs with their names.

import { groupBy, groupEntries } from '../../core/group.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { alike, likenessOf } from './likeness.ts';
import { placeText, type Item, type Problem, type Row, type StackView, type View } from './view.ts';

/** Stacks that are one row of the table and one section. */
export interface StackGroup {
  readonly first: StackView;
  readonly members: readonly StackView[];
  /** Undefined when none was run. */
  readonly view: View | undefined;
  /** Those of all members. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Each group stands where its first stack does. */
export function groupStacks(stacks: readonly StackView[]): StackGroup[] {
  return alike(stacks).map(groupOf);
}

function groupOf(members: readonly [StackView, ...StackView[]]): StackGroup {
  const [first] = members;
  const view = members.length === 1 || first.view === undefined ? first.view : commonView(first.view, members);
  const counts = groupEntries(members.flatMap(({ counts: own }) => [...own]));
  const sums = [...counts].map(([word, list]) => [word, list.reduce((sum, one) => sum + one, 0)] as const);
  return { first, members, view, counts: new Map(sums) };
}

/** The same for stacks of which the same is shown; undefined for one that loses something, which is always shown alone. */
export function likenessOfStack({ result, by, after, wave, service, view }: StackView): string | undefined {
  if (
    view?.items.some(({ likeness }) => likeness === undefined) ||
    view?.rows.some(({ action }) => action.tone === 'bad')
  )
    return undefined;
  return likenessOf({
    result,
    by: by ?? null,
    after: after ?? null,
    wave: wave ?? null,
    service: service ?? null,
    view: view === undefined ? null : factsOf(view),
  });
}

/** What is shown of a stack besides ids, places and what differs from stack to stack. */
function factsOf(view: View): JsonObject {
  const { is, sentence, common = sentence, advice, items, exposures, rows, problems, more, compared } = view;
  return {
    is,
    common,
    advice: advice ?? null,
    items: items.map(({ address, likeness, within }) => [address, likeness ?? null, within ?? null]),
    exposures: exposures.map(({ effect, address, text }) => [effect, address, text]),
    rows: rows.map(({ action, phase, address, outcome, said }) => [action.word, phase, address, outcome, [...said]]),
    problems: problems.map(factsOfProblem),
    more: [...more],
    former: compared?.former.map(({ word, address }) => [word, address]) ?? null,
  };
}

function factsOfProblem({ group, code, text, address, addresses, related, details }: Problem): Json {
  const others = related.map((other) => other.text);
  return [
    group,
    code ?? null,
    text,
    address ?? null,
    [...addresses],
    others,
    details.map((detail) => [detail.is, detail.text]),
  ];
}

function commonView(first: View, members: readonly StackView[]): View {
  const views = members.flatMap(({ name, view }) => (view === undefined ? [] : [{ name, view }]));
  const { at: _, compared, ...shown } = first;
  return {
    ...shown,
    compared: compared && { ...compared, former: compared.former.map((one) => ({ ...one, live_id: undefined })) },
    sentence: `For each: ${first.common ?? first.sentence}`,
    items: first.items.map((item, at) =>
      commonItem(
        item,
        views.map(({ name, view }) => [name, view.items[at] ?? item]),
      ),
    ),
    rows: first.rows.map((row, at) =>
      commonRow(
        row,
        views.map(({ view }) => view.rows[at] ?? row),
      ),
    ),
    problems: first.problems.map((problem, at) =>
      commonProblem(
        problem,
        views.map(({ name, view }) => [name, view.problems[at] ?? problem]),
      ),
    ),
    lists: commonLists(
      views.flatMap(({ name, view }) => view.lists.map((list) => ({ name, ...list }))),
      views.length,
    ),
    outputs: commonOutputs(views),
    rest: {
      text: sharedBy(views.map(({ name, view }) => [name, [view.rest.text]])).join(' '),
      entries: sharedBy(views.map(({ name, view }) => [name, view.rest.entries])),
    },
  };
}

type Named<T> = readonly (readonly [stack: string, value: T])[];

/** Without an id, and with its place if that is the same. Findings keep their fingerprints. */
function commonItem(first: Item, all: Named<Item>): Item {
  const objects = all.map(([stack, { live_id, fingerprint }]) => ({ stack, live_id, fingerprint }));
  return {
    ...first,
    live_id: undefined,
    fingerprint: undefined,
    appliedFrom: undefined,
    place: commonPlace(all.map(([, { place }]) => place)),
    steps: hasSame(all, ([, { steps }]) => JSON.stringify(steps)) ? first.steps : [],
    ...(first.fingerprint !== undefined && { objects }),
  };
}

function commonRow(first: Row, all: readonly Row[]): Row {
  return { ...first, live_id: undefined, place: commonPlace(all.map(({ place }) => place)) };
}

/** A place that differs is among the related ones, with the names of its stacks. */
function commonProblem(first: Problem, all: Named<Problem>): Problem {
  if (hasSame(all, ([, { place }]) => (place === undefined ? '' : placeText(place)))) return first;
  const byPlace = groupBy(all, ([, { place }]) => (place === undefined ? undefined : placeText(place)));
  const places = [...byPlace.values()].map((list) => ({
    text: list.map(([stack]) => stack).join(', '),
    place: list[0][1].place,
  }));
  return { ...first, place: undefined, frame: undefined, related: [...places, ...first.related] };
}

function commonPlace(places: readonly Row['place'][]): Row['place'] {
  return hasSame(places, (place) => JSON.stringify(place)) ? places[0] : undefined;
}

function hasSame<T>(list: readonly T[], keyOf: (one: T) => string | undefined): boolean {
  return new Set(list.map(keyOf)).size < 2;
}

function commonLists(
  lists: readonly ({ readonly name: string } & View['lists'][number])[],
  stacks: number,
): View['lists'] {
  return [...groupBy(lists, ({ title }) => title)].map(([title, own]) => ({
    title,
    entries: sharedBy(
      own.map(({ name, entries }) => [name, entries]),
      stacks,
    ),
  }));
}

function commonOutputs(views: readonly { readonly name: string; readonly view: View }[]): View['outputs'] {
  const byValue = groupBy(
    views.flatMap(({ name, view }) => view.outputs.map((output) => ({ name, output }))),
    ({ output }) => JSON.stringify(output),
  );
  return [...byValue.values()].map((list) => {
    const [name, value] = list[0].output;
    return [list.length === views.length ? name : `${list.map((one) => one.name).join(', ')}: ${name}`, value];
  });
}

/** Each text once, with the names of its stacks unless it is that of all. */
function sharedBy(texts: Named<readonly string[]>, stacks = texts.length): string[] {
  const byText = groupEntries(texts.flatMap(([name, list]) => [...new Set(list)].map((text) => [text, name] as const)));
  return [...byText].map(([text, names]) =>
    names.length === stacks || text === '' ? text : `${names.join(', ')}: ${text}`,
  );
}
