// A view as a document: which blocks there are, in which order and how important each is. The same for text, Markdown and HTML.

import { groupBy } from '../../core/group.ts';
import { headline, isCode, isDangerous, leadOf, placeText, type Problem, type Row, type View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type BlockOf, type Phrase } from './blocks.ts';
import { comparedLosses, comparedSteps, isCompared } from './compared.ts';
import { fleetBlocks } from './fleet.ts';
import { foldsOf } from './folds.ts';

/** With more rows than this, they are folded. */
const FEW = 10;

/** A log shows these elsewhere. */
const DOCUMENTS = { only: ['markdown', 'html'] } as const;

/** `isMember` is true for the view of one stack of a fleet. */
export function documentOf(view: View, isMember = false): Block[] {
  const { is, lists, rest } = view;
  if (is === 'fleet')
    return [headingOf(view), ...fleetBlocks(view, (member) => documentOf(member, true)), ...lists.flatMap(noteList)];
  const folds = foldsOf(view);
  const besideLog = (of: View['is'], blocks: readonly Block[]) =>
    is === of ? blocks.map((block) => ({ ...block, ...DOCUMENTS })) : blocks;
  const beside = (blocks: readonly Block[]) => besideLog('report', blocks);
  // A log has them before the report, but not between those of other stacks.
  const problems = isMember ? problemBlocks(view) : beside(problemBlocks(view));
  const isDrift = is === 'drift';
  return [
    headingOf(view),
    ...(isDrift ? [] : [...lossesOf(view, folds), ...problems]),
    ...rowBlocks(view),
    ...beside(stepsOf(view, folds)),
    ...(isDrift ? problems : []),
    ...besideLog('plan', lists.flatMap(noteList)),
    ...beside(outputBlocks(view)),
    ...(rest.text === '' ? [] : [{ is: 'paragraph', phrase: [rest.text], tone: 'quiet' } as const]),
    ...listOf(rest.entries.map(alone), { noun: 'object', rank: RANKS.detail }),
  ];
}

function lossesOf(view: View, folds: readonly BlockOf<'fold'>[]): Block[] {
  return isCompared(view) ? comparedLosses(view, folds, lossBlocks) : lossBlocks(view, folds);
}

function stepsOf(view: View, folds: readonly BlockOf<'fold'>[]): Block[] {
  return isCompared(view) ? comparedSteps(view, folds, itemBlocks) : itemBlocks(view, folds);
}

function headingOf({ is: of, sentence, at, advice }: View): Block {
  return { is: 'heading', of, sentence, ...(at && { at }), ...(advice && { advice }) };
}

function noteList({ title, entries }: View['lists'][number]): Block[] {
  return listOf(entries.map(alone), { title, noun: 'line', rank: RANKS.note });
}

const alone = (text: string): Phrase => [text];

function listOf(
  phrases: readonly Phrase[],
  rest: { readonly title?: string; readonly noun: string; readonly rank: number },
): Block[] {
  return phrases.length === 0 ? [] : [{ is: 'list', entries: phrases.map((phrase) => ({ phrase })), ...rest }];
}

function sectionOf(title: string, blocks: readonly Block[], fold?: BlockOf<'section'>['fold']): BlockOf<'section'> {
  return { is: 'section', title, blocks, ...(fold && { fold }) };
}

/** Everything that is deleted, replaced or lost, by name. */
function lossBlocks({ items }: View, folds: readonly BlockOf<'fold'>[], title = 'Deletes and replacements'): Block[] {
  const entries = items.flatMap((item, index) => {
    if (!isDangerous(item)) return [];
    const { loses: cost = item.why ?? '', children = [] } = item;
    const inside = children.flatMap((name, at) => [own(at === 0 ? ' with ' : ', '), nameOf(name)]);
    const phrase = [signOf(item), own(' '), nameOf(item.address, undefined, () => folds[index]), ...inside];
    const facts: Phrase[] = [
      ...(item.live_id === undefined ? [] : [[nameOf(item.live_id)]]),
      ...(cost === '' ? [] : [[cost]]),
    ];
    return [{ phrase, blocks: facts.map((fact): Block => ({ is: 'paragraph', phrase: fact })) }];
  });
  if (entries.length > 0)
    return [{ ...DOCUMENTS, is: 'list', title, tone: 'bad', noun: 'loss', rank: RANKS.loss, entries }];
  return items.length === 0
    ? []
    : [{ ...DOCUMENTS, is: 'paragraph', phrase: ['Nothing is deleted or replaced.'], tone: 'quiet' }];
}

/** The groups of problems with their headings, most important first. */
const GROUPS: readonly (readonly [Problem['group'], string])[] = [
  ['refused', 'Policy violations; apply changes nothing until they are resolved'],
  ['blocked', 'Blocked, because the service cannot do it'],
  ['error', 'Errors'],
  ['warning', 'Warnings'],
];

function problemBlocks({ problems, more }: View): Block[] {
  const groups = GROUPS.flatMap(([group, title]): Block[] => {
    const entries = problems.filter((problem) => problem.group === group).map(problemEntry);
    const tone = group === 'warning' ? 'warn' : 'bad';
    return entries.length === 0 ? [] : [{ is: 'list', title, tone, noun: 'problem', rank: RANKS.problem, entries }];
  });
  return [...groups, ...listOf(more.map(alone), { noun: 'note', rank: RANKS.note })];
}

/** What happened, where, what was expected and got, and how to fix or allow it. */
function problemEntry(problem: Problem): BlockOf<'list'>['entries'][number] {
  const { group, code, addresses, related, details } = problem;
  const name: Phrase = code === undefined ? [] : [own('  ['), nameOf(code), own(']')];
  return {
    lead: group,
    phrase: [headline(problem), ...name],
    blocks: [
      ...placeBlocks(problem),
      ...addresses.map((one): Block => ({ is: 'paragraph', phrase: [nameOf(one)] })),
      ...related.flatMap((other): Block[] => [
        { is: 'paragraph', lead: leadOf({ is: 'related' }), phrase: [other.text] },
        ...placeBlocks(other),
      ]),
      ...details.map((detail): Block => {
        const { text } = detail;
        return { is: 'paragraph', lead: leadOf(detail), phrase: [isCode(detail) ? nameOf(text) : text] };
      }),
    ],
  };
}

function placeBlocks({ place, frame }: Pick<Problem, 'place' | 'frame'>): Block[] {
  return place === undefined ? [] : [{ is: 'place', place, frame }];
}

/** The result of each step: what needs a person is shown, what is done is folded. */
function rowBlocks({ rows }: View): Block[] {
  const head = [['outcome'], ['step'], ['what happened']];
  const tableOf = (list: readonly Row[]): Block[] =>
    list.length === 0 ? [] : [{ is: 'table', noun: 'step', head, rows: list.map(tableRow), rank: RANKS.row }];
  const open = rows.filter(({ status }) => status !== 'done');
  const done = rows.filter(({ status }) => status === 'done');
  const folded = sectionOf(`${done.length} done`, tableOf(done), done.length <= FEW ? 'open' : 'closed');
  const blocks = [...tableOf(open), ...(done.length === 0 ? [] : [{ ...folded, ...DOCUMENTS }])];
  return blocks.length === 0 ? [] : [sectionOf('Steps', blocks)];
}

function tableRow({ id, action, address, live_id, phase, outcome, tone, status, place, said }: Row) {
  const step = [nameOf(id), own(' '), signOf(action, phase), own(' '), nameOf(address, live_id)];
  const where = place === undefined || status === 'done' ? [] : [placeText(place)];
  return { cells: [[own(outcome, tone)], step], said: [...said, ...where] };
}

/** What happens to each object, grouped by action, or the findings by type. */
function itemBlocks({ is, items, totals }: View, folds: readonly BlockOf<'fold'>[]): Block[] {
  if (items.length === 0) return [];
  const groups = [...groupBy(items.keys(), (index) => items[index]?.word ?? '')].map(([word, places]) => {
    const members = places.flatMap((place) => folds[place] ?? []);
    const title = `${totals.get(word) ?? 0} ${is === 'drift' ? '' : 'to '}${word}`;
    return sectionOf(title, members, members.length <= FEW ? 'open' : 'closed');
  });
  return [sectionOf(is === 'drift' ? 'Findings' : 'Steps', groups)];
}

function outputBlocks({ outputs }: View): Block[] {
  const phrases = outputs.map(([name, value]): Phrase => [nameOf(name), own(' = '), nameOf(value)]);
  return listOf(phrases, { title: 'Outputs', noun: 'output', rank: RANKS.detail });
}
