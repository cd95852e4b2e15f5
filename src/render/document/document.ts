// A view as a document: which blocks there are, in which order and how important each is. The same for text, Markdown and HTML.

import { groupBy, partition } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import { EFFECTS } from '../view/exposures.ts';
import { totalsOf } from '../view/plan.ts';
import { headline, isCode, isDangerous, leadOf, placeText, type Problem, type Row, type View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type BlockOf, type Phrase } from './blocks.ts';
import { comparedLosses, comparedSteps, isCompared } from './compared.ts';
import { fleetBlocks } from './fleet.ts';
import { entriesOf, type Entry, type Shown } from './folds.ts';

/** With more rows than this, they are folded. */
const FEW = 10;

/** A log shows these elsewhere. */
const DOCUMENTS = { only: ['markdown', 'html'] } as const;

/** `shown` is what the sections before have shown, for a section about some stacks of a fleet. */
export function documentOf(view: View, shown?: Shown): Block[] {
  const { is, lists, rest } = view;
  if (is === 'fleet') return [headingOf(view), ...fleetBlocks(view, documentOf), ...lists.flatMap(noteList)];
  const isMember = shown !== undefined;
  const [losses, others] = partition(entriesOf(view, shown ?? new Set()), ({ fold }) => fold.isKept);
  const besideLog = (of: View['is'], blocks: readonly Block[]) =>
    is === of ? blocks.map((block) => ({ ...block, ...DOCUMENTS })) : blocks;
  const beside = (blocks: readonly Block[]) => besideLog('report', blocks);
  // A log has them before the report, but not between those of other stacks.
  const problems = isMember ? problemBlocks(view) : beside(problemBlocks(view));
  const isDrift = is === 'drift';
  return [
    headingOf(view),
    ...(isDrift ? exposureBlocks(view) : []),
    ...(isDrift ? [] : [...beside(lossesOf(view, losses, isMember)), ...beside(exposureBlocks(view)), ...problems]),
    ...rowBlocks(view),
    ...beside(stepsOf(view, others)),
    ...(isDrift ? problems : []),
    ...besideLog('plan', lists.flatMap(noteList)),
    ...beside(outputBlocks(view)),
    ...(rest.text === '' ? [] : [{ is: 'paragraph', phrase: [rest.text], tone: 'quiet' } as const]),
    ...listOf(rest.entries.map(alone), { noun: 'object', rank: RANKS.detail }),
  ];
}

/** A plan of one stack also says that nothing is lost: only of all that it does, never of a part (ADR-0085). */
function lossesOf(view: View, losses: readonly Entry[], isMember: boolean): Block[] {
  const isSaid = view.isCalm === true && !isMember;
  const draw = (some: readonly Entry[], title?: string) => lossBlocks(some, isSaid, title);
  return isCompared(view) ? comparedLosses(losses, draw) : draw(losses);
}

function stepsOf(view: View, entries: readonly Entry[]): Block[] {
  const draw = (some: readonly Entry[]) => stepBlocks(view.is, some);
  return isCompared(view) ? comparedSteps(view, entries, draw) : draw(entries);
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

/** Everything that is deleted, replaced or lost, with its values; nowhere else. */
function lossBlocks(losses: readonly Entry[], isSaid: boolean, title = 'Deletes and replacements'): Block[] {
  const folds = losses.map(({ fold }) => fold);
  if (folds.length > 0) return [{ ...sectionOf(title, folds), tone: 'bad' }];
  return isSaid ? [{ ...DOCUMENTS, is: 'paragraph', phrase: ['Nothing is deleted or replaced.'], tone: 'quiet' }] : [];
}

/** Who can get in, in one line for each effect; what opens comes first. */
function exposureBlocks({ is, exposures }: View): Block[] {
  if (exposures.length === 0) return [];
  const toneOf = new Map(EFFECTS.map(({ effect, tone }) => [effect, tone]));
  const entries = exposures.map(({ effect, address, text }) => ({
    phrase: [own(effect, toneOf.get(effect)), own(' '), nameOf(address), own(' '), text],
  }));
  const title = is === 'drift' ? 'Who can get in since then' : 'Who can get in';
  return [{ is: 'list', title, noun: 'effect', rank: RANKS.loss, entries }];
}

/** The groups of problems with their headings, most important first. */
const GROUPS: readonly (readonly [Problem['group'], string])[] = [
  ['refused', 'Policy violations; apply changes nothing until they are resolved'],
  ['blocked', 'Blocked, because the service cannot do it'],
  ['error', 'Errors'],
  ['warning', 'Warnings'],
];

function problemBlocks({ is, problems, more, items }: View): Block[] {
  const lost = new Set(items.filter(isDangerous).flatMap(({ address, children = [] }) => [address, ...children]));
  // A report as a log has no items.
  const above = { lost, only: is === 'report' ? (['text'] as const) : [] };
  const groups = GROUPS.flatMap(([group, title]): Block[] => {
    const entries = problems.filter((problem) => problem.group === group).map((one) => problemEntry(one, above));
    const tone = group === 'warning' ? 'warn' : 'bad';
    return entries.length === 0 ? [] : [{ is: 'list', title, tone, noun: 'problem', rank: RANKS.problem, entries }];
  });
  return [...groups, ...listOf(more.map(alone), { noun: 'note', rank: RANKS.note })];
}

/** Addresses that are lost, which a section above names, and the formats without that section. */
interface Above extends Pick<Block, 'only'> {
  readonly lost: ReadonlySet<string>;
}

/** What happened, where, what was expected and got, and how to fix or allow it. */
function problemEntry(problem: Problem, { lost, only = [] }: Above): BlockOf<'list'>['entries'][number] {
  const { group, code, addresses, related, details } = problem;
  const name: Phrase = code === undefined ? [] : [own('  ['), nameOf(code), own(']')];
  return {
    lead: group,
    phrase: [headline(problem), ...name],
    blocks: [
      ...placeBlocks(problem),
      ...addresses.map((one): Block => ({ is: 'paragraph', phrase: [nameOf(one)], ...(lost.has(one) && { only }) })),
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
    list.length === 0
      ? []
      : [{ is: 'table', noun: 'step', head, rows: rowGroups(list).map(tableRow), rank: RANKS.row }];
  const open = rows.filter(({ status }) => status !== 'done');
  const done = rows.filter(({ status }) => status === 'done');
  const folded = sectionOf(`${done.length} done`, tableOf(done), done.length <= FEW ? 'open' : 'closed');
  const blocks = [...tableOf(open), ...(done.length === 0 ? [] : [{ ...folded, ...DOCUMENTS }])];
  return blocks.length === 0 ? [] : [sectionOf('Steps', blocks)];
}

/** The same outcome for the same reason is said once. */
function rowGroups(rows: readonly Row[]): (readonly [Row, ...Row[]])[] {
  const keyOf = (row: Row) => {
    const { status, action, phase, said } = row;
    const isAlone = said.length === 0 || action.tone === 'bad';
    return isAlone ? row : JSON.stringify([status, action.word, phase, said]);
  };
  return [...groupBy(rows, keyOf).values()];
}

function tableRow(rows: readonly [Row, ...Row[]]): BlockOf<'table'>['rows'][number] {
  const [{ id, action, address, live_id, phase, outcome, tone, said }] = rows;
  const isOne = rows.length === 1;
  const what: Phrase = isOne ? [nameOf(address, live_id)] : [own(plural(rows.length, 'resource'))];
  const step: Phrase = [...(isOne ? [nameOf(id), own(' ')] : []), signOf(action, phase), own(' '), ...what];
  const names = isOne ? [] : [rows.map((row) => [nameOfRow(row), ...placeOfRow(row)].join(' ')).join(', ')];
  return { cells: [[own(outcome, tone)], step], said: [...said, ...names, ...(isOne ? placeOfRow(rows[0]) : [])] };
}

function nameOfRow({ address, live_id }: Row): string {
  return live_id === undefined ? address : `${address} (${live_id})`;
}

function placeOfRow({ place, status }: Row): string[] {
  return place === undefined || status === 'done' ? [] : [placeText(place)];
}

/** What happens to each object, by action, or the findings by type; of what is lost, a section of its own says it. */
function stepBlocks(is: View['is'], entries: readonly Entry[]): Block[] {
  if (entries.length === 0) return [];
  const sections = [...groupBy(entries, ({ first }) => first.word)].map(([word, list]) => {
    const count = totalsOf(list.flatMap(({ members }) => members)).get(word) ?? 0;
    const title = `${count} ${is === 'drift' ? '' : 'to '}${word}`;
    return sectionOf(
      title,
      list.map(({ fold }) => fold),
      list.length <= FEW ? 'open' : 'closed',
    );
  });
  return [sectionOf(is === 'drift' ? 'Findings' : 'Steps', sections)];
}

function outputBlocks({ outputs }: View): Block[] {
  const phrases = outputs.map(([name, value]): Phrase => [nameOf(name), own(' = '), nameOf(value)]);
  return listOf(phrases, { title: 'Outputs', noun: 'output', rank: RANKS.detail });
}
