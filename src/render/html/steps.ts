// What is done to each resource, or what was found of it: a row that unfolds, in groups by action.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text.ts';
import type { Item, ItemStep, Row, View } from '../view/view.ts';
import { placeText } from '../view/view.ts';
import type { Facet } from './filter.ts';
import { filterOf } from './filter.ts';
import type { Content, Markup } from './html.ts';
import { element, stacked } from './html.ts';
import { diffLine, nameText, prose, section, signText } from './parts.ts';

/** More rows than this are folded, but for those that take something away. */
const MAX_OPEN = 30;

/** Where the details of an item are; steps that it waits for are found by their ids. */
export type Targets = ReadonlyMap<string, string>;

/** The id of each step → the fragment of the item that it belongs to. */
export function targetsOf(items: readonly Item[]): Targets {
  return new Map(items.flatMap(({ steps }, index) => steps.map(({ id }) => [id, fragmentOf(index)] as const)));
}

function fragmentOf(index: number): string {
  return `step-${index + 1}`;
}

/** True for what a person has to agree to: something is deleted, replaced or lost. */
function takesAway({ tone, loses }: Item): boolean {
  return tone === 'bad' || loses !== undefined;
}

/** Everything that is deleted, replaced or lost, by name; or that nothing is. */
export function dangerSection({ is, items }: View): Markup[] {
  if (is !== 'plan' || items.length === 0) return [];
  const rows = items.flatMap((item, index) => {
    if (!takesAway(item)) return [];
    const link = element('a', element('code', item.address, { class: 'name' }), { href: `#${fragmentOf(index)}` });
    const id = item.liveId === undefined ? '' : [' ', element('code', item.liveId, { class: 'meta' })];
    const lost = item.loses ?? item.why;
    return [element('li', [signText(item), ' ', link, id, lost === undefined ? '' : element('p', prose(lost))])];
  });
  if (rows.length === 0) return [element('p', 'Nothing is deleted or replaced.', { class: 'calm' })];
  return section('Deletes and replacements', [element('ul', stacked(rows))], 'danger bad');
}

const KIND: Facet<Item> = { name: 'kind', title: 'Kind', valuesOf: ({ kind }) => [kind] };

/** Who made the difference that a step takes back or carries out. */
function causeOf({ isDrifted, isNew }: Item): string {
  return isDrifted ? `${isNew ? 'deleted' : 'changed'} outside` : 'manifest';
}

const CAUSE: Facet<Item> = {
  name: 'cause',
  title: 'Cause',
  valuesOf: (item) => (item.steps.length === 0 ? item.causes.map(({ words }) => words) : [causeOf(item)]),
};

function actionFacet<T>(title: string, signOf: (row: T) => Parameters<typeof signText>[0]): Facet<T> {
  return {
    name: 'action',
    title,
    valuesOf: (row) => [signOf(row).word],
    shown: (_, row) => signText(signOf(row)),
  };
}

/** All items of a plan, or all findings. */
export function itemSection({ is, items }: View): Markup[] {
  if (items.length === 0) return [];
  const isPlan = is === 'plan';
  const facets = [actionFacet<Item>(isPlan ? 'Action' : 'Finding', (item) => item), CAUSE, KIND];
  const { controls, attributesOf } = filterOf(items, isPlan ? 'resource' : 'finding', facets, true);
  const targets = targetsOf(items);
  const rows = items.map((item, index) => {
    const isOpen = items.length <= MAX_OPEN || item.loses !== undefined;
    const fold = element(
      'details',
      [summaryOf(item), bodyOf(item, targets, fragmentOf(index))],
      isOpen ? { open: '' } : {},
    );
    return { word: item.word, markup: element('li', fold, attributesOf(item)) };
  });
  const groups = [...groupBy(rows, ({ word }) => word)].map(([word, list]) =>
    element(
      'section',
      [
        element('h3', [word, ' ', element('span', String(list.length), { class: 'meta' })]),
        element('ul', stacked(list.map(({ markup }) => markup)), { class: 'rows' }),
      ],
      { 'data-group': '' },
    ),
  );
  return section(isPlan ? 'Steps' : 'Findings', [...controls, ...groups], 'list');
}

function summaryOf(item: Item): Markup {
  const { fields, isDrifted, steps, isNew } = item;
  const isOutside = isDrifted && steps.length > 0;
  return element('summary', [
    signText(item),
    ' ',
    element('span', nameText(item)),
    isOutside ? [' ', element('span', causeOf(item), { class: 'tag' })] : '',
    fields.length === 0 || isNew ? '' : [' ', element('span', fields.join(', '), { class: 'hint' })],
  ]);
}

function bodyOf(item: Item, targets: Targets, id: string): Markup {
  const { why, loses, causes, notes, lines, requests, fingerprint } = item;
  const parts = [
    ...(why === undefined ? [] : [element('p', prose(why))]),
    ...(loses === undefined ? [] : [element('p', [element('strong', 'loses: '), prose(loses)], { class: 'loses' })]),
    ...(lines.length > 0 ? [] : causes).map(({ words, fields }) => element('p', [`${words}: `, codes(fields)])),
    ...notes
      .filter((note) => fingerprint === undefined || !note.includes(fingerprint))
      .map((note) => element('p', prose(note))),
    ...[lines.map(diffLine), requests.map((line) => element('span', line))].flatMap((block) =>
      block.length === 0 ? [] : [element('pre', block)],
    ),
    ...footOf(item, targets),
  ];
  return element('div', parts, { class: 'body', id });
}

function codes(names: readonly string[]): Content {
  return names.map((name, index) => [index === 0 ? '' : ', ', element('code', name)]);
}

/** Its steps with those that they wait for, its place in the manifest, and which finding it is. */
function footOf({ steps, place, fingerprint }: Item, targets: Targets): Markup[] {
  const parts: Content[] = [
    ...steps.map((step) => stepText(step, targets)),
    ...(place === undefined ? [] : [element('code', placeText(place))]),
    ...(fingerprint === undefined ? [] : [['fingerprint ', element('code', fingerprint)]]),
  ];
  if (parts.length === 0) return [];
  return [
    element(
      'p',
      parts.map((part, index) => [index === 0 ? '' : ' · ', part]),
      { class: 'meta' },
    ),
  ];
}

function stepText({ id, phase, after }: ItemStep, targets: Targets): Content {
  const links = after.map((other, index) => {
    const target = targets.get(other);
    return [index === 0 ? '' : ', ', target === undefined ? other : element('a', other, { href: `#${target}` })];
  });
  return [`step ${id}${phase}`, links.length === 0 ? '' : [' after ', links]];
}

const OUTCOME: Facet<Row> = { name: 'outcome', title: 'Outcome', valuesOf: ({ outcome }) => [outcome] };

/** How each step of a run ended. */
export function rowSection({ rows }: View): Markup[] {
  if (rows.length === 0) return [];
  const facets = [OUTCOME, actionFacet<Row>('Action', ({ action }) => action)];
  const { controls, attributesOf } = filterOf(rows, 'step', facets, false);
  const lines = rows.map((row) => {
    const { action, phase, outcome, tone, said, place } = row;
    const why = [
      ...said.map((text) => element('p', prose(text))),
      ...(place === undefined ? [] : [element('p', element('code', placeText(place)), { class: 'meta' })]),
    ];
    return element(
      'tr',
      [
        element('td', element('span', outcome, { class: `status ${tone}` })),
        element('td', [signText(action, phase), ' ', element('span', nameText(row))]),
        element('td', why),
      ],
      attributesOf(row),
    );
  });
  const head = ['Outcome', 'Step', 'What happened'].map((title) => element('th', title, { scope: 'col' }));
  const table = element('table', [element('thead', element('tr', head)), element('tbody', stacked(lines))]);
  return section(`Steps`, [...controls, table], 'list');
}

/** What is done to how many objects of each kind. */
export function countSection({ is, counts, items }: View): Markup[] {
  if (counts.length === 0) return [];
  const signs = [...new Map(items.map((item) => [item.word, item])).values()];
  const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  const isPlan = is === 'plan';
  const columns: readonly (readonly [Content, readonly number[]])[] = [
    ...signs.map((sign) => [signText(sign), counts.map(({ byWord }) => byWord.get(sign.word) ?? 0)] as const),
    ...(isPlan ? [['drift', counts.map(({ drifted }) => drifted)] as const] : []),
  ];
  const cell = (count: number) => element('td', String(count), count === 0 ? { class: 'none' } : {});
  const head = columns.map(([title]) => element('th', title, { scope: 'col' }));
  const rows = counts.map(({ kind }, at) =>
    element('tr', [
      element('th', element('code', kind), { scope: 'row' }),
      columns.map(([, numbers]) => cell(numbers[at] ?? 0)),
    ]),
  );
  const sums = element('tr', [
    element('th', plural(counts.length, 'kind'), { scope: 'row' }),
    columns.map(([, numbers]) => cell(total(numbers))),
  ]);
  const table = element('table', [
    element('thead', element('tr', [element('th', 'Kind', { scope: 'col' }), head])),
    element('tbody', stacked(rows)),
    element('tfoot', sums),
  ]);
  return section('By kind', [table], 'counts');
}
