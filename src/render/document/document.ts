// A view as a document: which blocks there are, in which order and how important each is. The same for text, Markdown and HTML.

import { groupBy } from '../../core/group.ts';
import { withoutChildren } from '../../core/text/text.ts';
import { groupsOf, isDangerous, placeText, type Row, type View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type Facets, type Fold, type Phrase, type Section } from './blocks.ts';
import { fleetBlocks } from './fleet.ts';
import { foldsOf } from './folds.ts';
import { problemEntry } from './problems.ts';
import { stepGraph } from './step-graph.ts';
import { verdictOf } from './verdict.ts';

/** With more rows than this, they are folded. */
const FEW = 10;

/** A log shows these elsewhere. */
const DOCUMENTS = { only: ['markdown', 'html'] } as const;

/** Of one stack of a fleet with `facets`, which are added to whatever can be filtered. */
export function documentOf(view: View, facets?: Facets): Block[] {
  const { is, lists, rest } = view;
  if (is === 'fleet') return [headingOf(view), ...fleetBlocks(view, documentOf)];
  const folds = foldsOf(view, facets);
  const beside = (blocks: readonly Block[]) => blocks.map((block) => ({ ...block, ...(is === 'report' && DOCUMENTS) }));
  // A log has them before the report, but not between those of other stacks.
  const problems = facets === undefined ? beside(problemBlocks(view)) : problemBlocks(view);
  const isDrift = is === 'drift';
  return [
    headingOf(view),
    ...(isDrift ? [] : [...lossBlocks(view, folds), ...problems]),
    ...countBlocks(view),
    ...rowBlocks(view, facets),
    ...beside(itemBlocks(view, folds)),
    ...(isDrift ? problems : []),
    ...lists.flatMap(({ title, entries }) =>
      listOf(
        entries.map((one) => [one]),
        { title, noun: 'line', rank: RANKS.note },
      ),
    ),
    ...beside(outputBlocks(view)),
    ...fingerprintBlocks(view),
    ...(rest.text === '' ? [] : [{ is: 'paragraph', phrase: [rest.text], tone: 'quiet' } as const]),
    ...listOf(
      rest.entries.map((one) => [one]),
      { noun: 'object', rank: RANKS.detail },
    ),
  ];
}

function headingOf(view: View): Block {
  const { is: of, sentence, at, advice, items, rows, stacks = [] } = view;
  const tones = [stacks, rows, items].find(({ length }) => length > 0)?.map(({ tone }) => tone) ?? [];
  return { is: 'heading', of, verdict: verdictOf(view), sentence, tones, ...(at && { at }), ...(advice && { advice }) };
}

function listOf(
  phrases: readonly Phrase[],
  rest: { readonly title?: string; readonly noun: string; readonly rank: number },
): Block[] {
  return phrases.length === 0 ? [] : [{ is: 'list', entries: phrases.map((phrase) => ({ phrase })), ...rest }];
}

function sectionOf(title: string, blocks: readonly Block[], fold?: Section['fold']): Section {
  return { is: 'section', title, blocks, ...(fold && { fold }) };
}

/** Everything that is deleted, replaced or lost, by name. */
function lossBlocks({ items }: View, folds: readonly Fold[]): Block[] {
  const entries = items.flatMap((item, index) => {
    if (!isDangerous(item)) return [];
    const { cost, names } = withoutChildren(item.loses ?? item.why ?? '');
    const inside = names.flatMap((name, at) => [own(at === 0 ? ' with ' : ', '), nameOf(name)]);
    const phrase = [signOf(item), own(' '), nameOf(item.address, undefined, () => folds[index]), ...inside];
    const facts: Phrase[] = [
      ...(item.liveId === undefined ? [] : [[nameOf(item.liveId)]]),
      ...(cost === '' ? [] : [[cost]]),
    ];
    return [{ phrase, blocks: facts.map((fact): Block => ({ is: 'paragraph', phrase: fact })) }];
  });
  const title = 'Deletes and replacements';
  if (entries.length > 0)
    return [{ ...DOCUMENTS, is: 'list', title, tone: 'bad', noun: 'loss', rank: RANKS.loss, entries }];
  return items.length === 0
    ? []
    : [{ ...DOCUMENTS, is: 'paragraph', phrase: ['Nothing is deleted or replaced.'], tone: 'quiet' }];
}

function problemBlocks({ problems, more }: View): Block[] {
  const groups = groupsOf(problems).map(({ group, title, members }): Block => {
    const tone = group === 'warning' ? 'warn' : 'bad';
    return { is: 'list', title, tone, noun: 'problem', rank: RANKS.problem, entries: members.map(problemEntry) };
  });
  return [
    ...groups,
    ...listOf(
      more.map((one) => [one]),
      { noun: 'note', rank: RANKS.note },
    ),
  ];
}

/** The number of objects of each kind by action, and how many of them were changed or deleted outside. */
function countBlocks({ is, counts, items }: View): Block[] {
  if (counts.length === 0) return [];
  const signs = [...new Map(items.map((item) => [item.word, item])).values()];
  const rest = is === 'drift' ? [] : [['changed outside']];
  const rows = counts.map(({ kind, byWord, drifted }) => {
    const numbers = [...signs.map(({ word }) => byWord.get(word) ?? 0), ...rest.map(() => drifted)];
    return { cells: [[nameOf(kind)], ...numbers] };
  });
  const table: Block = {
    is: 'table',
    noun: 'kind',
    head: [['kind'], ...signs.map((sign) => [signOf(sign)]), ...rest],
    rows,
    rank: RANKS.note,
  };
  return [{ ...DOCUMENTS, ...sectionOf('By kind', [table]) }];
}

/** The result of each step: what needs a person is shown, what is done is folded. */
function rowBlocks({ rows, isBrief }: View, facets?: Facets): Block[] {
  const head = [['outcome'], ['step'], ['what happened']];
  const tableOf = (list: readonly Row[]): Block[] =>
    list.length === 0
      ? []
      : [{ is: 'table', noun: 'step', head, rows: list.map((row) => tableRow(row, facets)), rank: RANKS.row, isBrief }];
  const open = rows.filter(({ status }) => status !== 'done');
  const done = rows.filter(({ status }) => status === 'done');
  const folded = sectionOf(`${done.length} done`, tableOf(done), done.length <= FEW ? 'open' : 'closed');
  const blocks = [...tableOf(open), ...(done.length === 0 ? [] : [{ ...folded, ...DOCUMENTS }])];
  return blocks.length === 0 ? [] : [sectionOf('Steps', blocks)];
}

function tableRow({ id, action, address, liveId, phase, outcome, tone, status, place, said }: Row, facets?: Facets) {
  const step = [nameOf(id), own(' '), signOf(action, phase), own(' '), nameOf(address, liveId)];
  const where = place === undefined || status === 'done' ? [] : [placeText(place)];
  return {
    cells: [[own(outcome, tone)], step],
    said: [...said, ...where],
    facets: { ...facets, Outcome: outcome, Action: action },
  };
}

/** What happens to each object, grouped by action, or the findings by type. */
function itemBlocks({ is, items, totals }: View, folds: readonly Fold[]): Block[] {
  if (items.length === 0) return [];
  const groups = [...groupBy(items.keys(), (index) => items[index]?.word ?? '')].map(([word, places]) => {
    const members = places.flatMap((place) => folds[place] ?? []);
    const title = `${totals.get(word) ?? 0} ${is === 'drift' ? '' : 'to '}${word}`;
    return sectionOf(title, members, members.length <= FEW ? 'open' : 'closed');
  });
  const lines = stepGraph(items);
  const graph: Block = { is: 'code', language: 'mermaid', noun: 'graph', lines, rank: RANKS.detail };
  const order: Block = { ...sectionOf('Dependencies between steps', [graph], 'closed'), only: ['markdown'] };
  return [sectionOf(is === 'drift' ? 'Findings' : 'Steps', [...groups, ...(lines.length === 0 ? [] : [order])])];
}

function outputBlocks({ outputs }: View): Block[] {
  const phrases = outputs.map(([name, value]): Phrase => [nameOf(name), own(' = '), nameOf(value)]);
  return listOf(phrases, { title: 'Outputs', noun: 'output', rank: RANKS.detail });
}

/** Fingerprints for copying, where findings do not show them. */
function fingerprintBlocks({ items }: View): Block[] {
  const lines = items.flatMap(({ fingerprint, address }) =>
    fingerprint === undefined ? [] : [`${fingerprint} ${address}`],
  );
  const code: Block = { is: 'code', noun: 'list', lines, rank: RANKS.detail };
  return lines.length === 0
    ? []
    : [{ ...sectionOf('Fingerprints, for the ignore file', [code], 'closed'), only: ['markdown'] }];
}
