// What happens to each resource, or what was found about it: rows that unfold, grouped by action.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Line } from '../view/values/value.ts';
import { isDangerous, placeText, type Item, type Row, type Sign, type View } from '../view/view.ts';
import { filterOf, type Facet } from './filter.ts';
import { element, HIDDEN, prose, section, stacked, type Content, type Markup } from './html.ts';

/** With more rows than this, only those that lose something are open. */
const MAX_OPEN = 30;

/** Step ids → the fragment of their item, to link to the steps that an item waits for. */
type Targets = ReadonlyMap<string, string>;

/** The id of each step → the fragment of its item. */
function targetsOf(items: readonly Item[]): Targets {
  return new Map(items.flatMap(({ steps }, index) => steps.map(({ id }) => [id, fragmentOf(index)] as const)));
}

function fragmentOf(index: number): string {
  return `step-${index + 1}`;
}

/** Everything that is deleted, replaced or lost, by name, or a statement that nothing is. */
export function dangerSection({ is, items }: View): Markup[] {
  if (is === 'drift' || items.length === 0) return [];
  const rows = items.flatMap((item, index) => {
    if (!isDangerous(item)) return [];
    const link = element('a', element('code', item.address, { class: 'name' }), { href: `#${fragmentOf(index)}` });
    const id = item.liveId === undefined ? '' : [' ', element('code', item.liveId, { class: 'meta' })];
    const lost = item.loses ?? item.why;
    return [element('li', [signText(item), ' ', link, id, lost === undefined ? '' : element('p', prose(lost))])];
  });
  if (rows.length === 0) return [element('p', 'Nothing is deleted or replaced.', { class: 'calm' })];
  return section('Deletes and replacements', [element('ul', stacked(rows))], 'danger bad');
}

function signText({ symbol, word, tone }: Sign, phase = ''): Markup {
  const sign = element('span', symbol, { class: 'sym', ...HIDDEN });
  return element('span', [sign, ' ', element('span', `${word}${phase}`)], { class: `act ${tone}` });
}

function nameText({ address, liveId }: Pick<Row, 'address' | 'liveId'>): Content {
  return [
    element('code', address, { class: 'name' }),
    liveId === undefined ? '' : [' ', element('code', liveId, { class: 'meta' })],
  ];
}

const TAGS = { '+': 'ins', '-': 'del', '~': 'span', ' ': 'span' } as const;

function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  return element(TAGS[mark], content, mark === '~' ? { class: 'changed' } : {});
}

const KIND: Facet<Item> = { name: 'kind', title: 'Kind', valuesOf: ({ kind }) => [kind] };

/** Who caused a difference that a step reverts or applies. */
function causeOf({ isDrifted, isNew }: Item): string {
  return isDrifted ? `${isNew ? 'deleted' : 'changed'} outside` : 'manifest';
}

const CAUSE: Facet<Item> = { name: 'cause', title: 'Cause', valuesOf: (item) => [causeOf(item)] };

function actionFacet<T>(title: string, signOf: (row: T) => Parameters<typeof signText>[0]): Facet<T> {
  return { name: 'action', title, valuesOf: (row) => [signOf(row).word], shown: (_, row) => signText(signOf(row)) };
}

/** The steps of a run with their results, and all items of a plan or all findings. */
export function listSections(view: View): Markup[] {
  return [...rowSection(view), ...itemSection(view)];
}

function itemSection({ is, items, totals }: View): Markup[] {
  if (items.length === 0) return [];
  const isPlan = is !== 'drift';
  const action = actionFacet<Item>(isPlan ? 'Action' : 'Finding', (item) => item);
  const facets = isPlan ? [action, CAUSE, KIND] : [action, KIND];
  const noun = isPlan ? 'resource' : 'finding';
  const isCounted = ({ isAside }: Item) => isAside !== true;
  const { controls, attributesOf } = filterOf(items, facets, { noun, canFold: true, isCounted });
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
        element('h3', [word, ' ', element('span', String(totals.get(word) ?? 0), { class: 'meta' })]),
        element('ul', stacked(list.map(({ markup }) => markup)), { class: 'rows' }),
      ],
      { 'data-group': '' },
    ),
  );
  return section(isPlan ? 'Steps' : 'Findings', [...controls, ...groups], 'list');
}

function summaryOf(item: Item): Markup {
  const { fields, isDrifted, steps, isNew, repair } = item;
  const isOutside = isDrifted && steps.length > 0;
  const hint = repair === undefined ? (isNew ? '' : fields.join(', ')) : `apply ${repair}`;
  return element('summary', [
    signText(item),
    ' ',
    element('span', nameText(item)),
    isOutside ? [' ', element('span', causeOf(item), { class: 'tag' })] : '',
    hint === '' ? '' : [' ', element('span', hint, { class: 'hint' })],
  ]);
}

function bodyOf(item: Item, targets: Targets, id: string): Markup {
  const { why, loses, repair, causes, notes, lines, requests } = item;
  const parts = [
    ...(why === undefined ? [] : [element('p', prose(why))]),
    ...(loses === undefined ? [] : [element('p', [element('strong', 'loses: '), prose(loses)], { class: 'loses' })]),
    ...(lines.length > 0 ? [] : causes).map(({ words, fields }) => element('p', [`${words}: `, codes(fields)])),
    ...notes.map((note) => element('p', prose(note))),
    ...[lines.map(diffLine), requests.map((line) => element('span', line))].flatMap((block) =>
      block.length === 0 ? [] : [element('pre', block)],
    ),
    ...(repair === undefined ? [] : [element('p', [element('strong', 'apply '), prose(repair)])]),
    ...footOf(item, targets),
  ];
  return element('div', parts, { class: 'body', id });
}

function codes(names: readonly string[]): Content {
  return names.map((name, index) => [index === 0 ? '' : ', ', element('code', name)]);
}

/** Its steps and those they wait for, its place in the manifest, and the fingerprint of a finding. */
function footOf({ steps, place, fingerprint }: Item, targets: Targets): Markup[] {
  const parts: Content[] = [
    ...steps.map((step) => stepText(step, targets)),
    ...(place === undefined ? [] : [element('code', placeText(place))]),
    ...(fingerprint === undefined ? [] : [['fingerprint ', element('code', fingerprint)]]),
  ];
  if (parts.length === 0) return [];
  const listed = parts.map((part, index) => [index === 0 ? '' : ' · ', part]);
  return [element('p', listed, { class: 'meta' })];
}

function stepText({ id, phase, after }: Item['steps'][number], targets: Targets): Content {
  const links = after.map((other, index) => {
    const target = targets.get(other);
    return [index === 0 ? '' : ', ', target === undefined ? other : element('a', other, { href: `#${target}` })];
  });
  return [`step ${id}${phase}`, links.length === 0 ? '' : [' after ', links]];
}

const OUTCOME: Facet<Row> = { name: 'outcome', title: 'Outcome', valuesOf: ({ outcome }) => [outcome] };

/** The result of each step of a run. */
function rowSection({ rows }: View): Markup[] {
  if (rows.length === 0) return [];
  const facets = [OUTCOME, actionFacet<Row>('Action', ({ action }) => action)];
  const { controls, attributesOf } = filterOf(rows, facets, { noun: 'step' });
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
  const table = element('table', [tableHead(['Outcome', 'Step', 'What happened']), element('tbody', stacked(lines))]);
  return section('Steps', [...controls, table], 'list');
}

function tableHead(titles: readonly Content[]): Markup {
  const cells = titles.map((title) => element('th', title, { scope: 'col' }));
  return element('thead', element('tr', cells));
}

/** The number of objects of each kind by action or finding. */
export function countSection({ is, counts, items }: View): Markup[] {
  if (counts.length === 0) return [];
  const signs = [...new Map(items.map((item) => [item.word, item])).values()];
  return section('By kind', [is !== 'drift' ? actionTable(counts, signs) : findingTable(counts, signs)], 'counts');
}

function actionTable(counts: View['counts'], signs: readonly Item[]): Markup {
  const columns: readonly (readonly [Content, readonly number[]])[] = [
    ...signs.map((sign) => [signText(sign), counts.map(({ byWord }) => byWord.get(sign.word) ?? 0)] as const),
    ['drift', counts.map(({ drifted }) => drifted)],
  ];
  const cell = (count: number) => element('td', String(count), count === 0 ? { class: 'none' } : {});
  const cellsAt = (at: number) => columns.map(([, numbers]) => cell(numbers[at] ?? 0));
  const rows = counts.map(({ kind }, at) => kindRow(element('code', kind), cellsAt(at)));
  const totals = columns.map(([, numbers]) => cell(numbers.reduce((sum, number) => sum + number, 0)));
  return element('table', [
    tableHead(['Kind', ...columns.map(([title]) => title)]),
    element('tbody', stacked(rows)),
    element('tfoot', kindRow(plural(counts.length, 'kind'), totals)),
  ]);
}

function findingTable(counts: View['counts'], signs: readonly Item[]): Markup {
  const rows = counts.map(({ kind, byWord }) => {
    const found = signs.filter(({ word }) => byWord.has(word));
    const parts = found.map((sign) => element('p', [String(byWord.get(sign.word)), ' ', signText(sign)]));
    return kindRow(element('code', kind), [element('td', parts)]);
  });
  return element('table', [tableHead(['Kind', 'Findings']), element('tbody', stacked(rows))]);
}

function kindRow(kind: Content, cells: readonly Markup[]): Markup {
  return element('tr', [element('th', kind, { scope: 'row' }), cells]);
}
