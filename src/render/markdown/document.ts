// Markdown for comments and job summaries: how it stands, what needs a person, a table, and each change to unfold.

import { plural } from '../../core/text.ts';
import { escapeHtml } from '../html/html.ts';
import type { RenderOptions } from '../render-options.ts';
import type { Line } from '../view/value.ts';
import type { Item, List, Problem, Row, View } from '../view/view.ts';
import { factsOf, HEADINGS, headline, placeText, PROBLEM_GROUPS } from '../view/view.ts';
import { marker } from './marker.ts';
import { truncate, code, fenced, firstThatFits, folded, sentence, table } from './markdown.ts';

/** Below the 65,536 characters that comments may have, with room for what a pipeline puts around it. */
export const COMMENT_LIMIT = 60_000;

/** How much is shown; the next smaller size is taken when a document would be too long. */
interface Size {
  readonly changes: boolean;
  readonly rows: number;
  readonly problems: number;
  /** Characters of one text. */
  readonly maxTextLength: number;
  /** What is left out, in words. */
  readonly missing?: string;
}

const SIZES: readonly Size[] = [
  { changes: true, rows: Infinity, problems: Infinity, maxTextLength: Infinity },
  {
    changes: false,
    rows: Infinity,
    problems: Infinity,
    maxTextLength: Infinity,
    missing: 'The changes of each step are left out.',
  },
  { changes: false, rows: 60, problems: 10, maxTextLength: 100, missing: 'Most steps and long texts are left out.' },
  { changes: false, rows: 0, problems: 0, maxTextLength: 100, missing: 'Only the counts are shown.' },
];

/** The view without a final line break, at most `limit` characters long. */
export function drawMarkdown(view: View, _style: RenderOptions, limit = COMMENT_LIMIT): string {
  return firstThatFits(
    limit,
    SIZES.map((size) => () => {
      const blocks = blocksOf(view, size).filter((lines) => lines.length > 0);
      return blocks.map((lines) => lines.join('\n')).join('\n\n');
    }),
  );
}

function blocksOf(view: View, size: Size): string[][] {
  const { is, at, advice, rest } = view;
  const problems = problemBlocks(view, size);
  const rows = view.rows.map((row) => rowCells(row, size));
  const items = view.items.map((item) => itemCells(item, size));
  return [
    [marker(view)],
    [`**${sentence(view.sentence)}**`],
    at === undefined ? [] : [`Stack ${text(at.stack, size)} at ${text(at.service, size)}`],
    missingLines(size),
    advice === undefined ? [] : [advice],
    ...(is === 'drift' ? [] : problems),
    tableOf(['', 'action', 'address', 'outcome', 'why'], rows, 'step', size),
    tableOf(['', is === 'drift' ? 'finding' : 'action', 'address', 'what'], items, 'resource', size),
    ...(size.changes ? view.items.flatMap(changeBlocks) : []),
    ...view.lists.flatMap((list) => listBlocks(list, size)),
    ...(is === 'drift' ? problems : []),
    size.changes ? outputLines(view.outputs) : [],
    rest.text === ''
      ? []
      : [rest.text, ...(size.changes && rest.entries.length > 0 ? ['', ...bullets(rest.entries)] : [])],
  ];
}

function text(whole: string, size: Size): string {
  return code(truncate(whole, size.maxTextLength));
}

function prose(whole: string, size: Size): string {
  return sentence(truncate(whole, size.maxTextLength));
}

function bullets(entries: readonly string[]): string[] {
  return entries.map((entry) => `- ${sentence(entry)}`);
}

function missingLines({ missing }: Size): string[] {
  if (missing === undefined) return [];
  return [`_This is too long to show in full. ${missing} The log of the run, or \`--format html\`, has everything._`];
}

/** A heading and a list for each group of problems. */
function problemBlocks({ problems, more }: View, size: Size): string[][] {
  const groups = PROBLEM_GROUPS.flatMap((group) => {
    const members = problems.filter((problem) => problem.group === group);
    const shown = members.slice(0, size.problems);
    const items = shown.flatMap((problem) => problemItem(problem, size));
    return members.length === 0 ? [] : listOf(HEADINGS[group], items, members.length - shown.length, members.length);
  });
  return [...groups, size.problems === 0 ? [] : bullets(more)];
}

function listBlocks({ title, entries }: List, size: Size): string[][] {
  const shown = entries.slice(0, size.problems);
  const items = shown.map((entry) => `- ${prose(entry, size)}`);
  return listOf(title, items, entries.length - shown.length, entries.length);
}

/** A heading above its items, or with their number when none are shown. */
function listOf(title: string, items: readonly string[], more: number, count: number): string[][] {
  if (items.length === 0) return [[`**${title}:** ${count}`]];
  return [[`**${title}:**`], [...items, ...(more > 0 ? [`- and ${more} more`] : [])]];
}

function problemItem(problem: Problem, size: Size): string[] {
  const { code: name, place, addresses } = problem;
  const at = place === undefined ? '' : `${text(placeText(place), size)}: `;
  const rule = name === undefined ? '' : ` [${text(name, size)}]`;
  const facts = factsOf(problem).map((fact) => `  - ${fact.lead} ${(fact.isCode ? text : prose)(fact.text, size)}`);
  return [
    `- ${at}${prose(headline(problem), size)}${rule}`,
    ...(addresses.length === 0 ? [] : [`  - ${names(addresses, size.problems, size)}`]),
    ...facts,
  ];
}

function names(list: readonly string[], most: number, size: Size): string {
  const shown = list.slice(0, most).map((name) => text(name, size));
  return `${shown.join(', ')}${list.length > shown.length ? ` and ${list.length - shown.length} more` : ''}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[], noun: string, size: Size): string[] {
  const shown = rows.slice(0, size.rows);
  const more = rows.length - shown.length;
  if (shown.length === 0) return [];
  return [...table(head, shown), ...(more > 0 ? ['', `and ${plural(more, `more ${noun}`)}`] : [])];
}

function rowCells(row: Row, size: Size): string[] {
  const { action, phase, status, outcome, said } = row;
  const why = said.length === 0 ? '' : prose(said.join('; '), size);
  const shown = status === 'done' ? outcome : `**${outcome}**`;
  return [code(action.symbol), `${action.word}${phase}`, nameCell(row, size), shown, why];
}

function itemCells(item: Item, size: Size): string[] {
  return [code(item.symbol), item.word, nameCell(item, size), whatCell(item, size)];
}

function nameCell({ address, liveId }: Pick<Item, 'address' | 'liveId'>, size: Size): string {
  return `${text(address, size)}${liveId === undefined ? '' : ` (${text(liveId, size)})`}`;
}

/** More fields than this are counted in the table. */
const MAX_FIELDS = 6;

function whatCell({ why, loses, fields, causes, notes }: Item, size: Size): string {
  return [
    ...(why === undefined ? [] : [prose(why, size)]),
    ...(fields.length === 0 ? [] : [names(fields, MAX_FIELDS, size)]),
    ...causes.map((cause) => `${cause.words}: ${names(cause.fields, MAX_FIELDS, size)}`),
    ...notes.map((note) => prose(note, size)),
    ...(loses === undefined ? [] : [`**loses:** ${prose(loses, size)}`]),
  ].join('<br>');
}

function changeBlocks({ symbol, word, address, meta, lines, requests }: Item): string[][] {
  if (lines.length === 0 && requests.length === 0) return [];
  const blocks = [
    meta === '' ? [] : [`Step ${code(meta)}`],
    lines.length === 0 ? [] : fenced(lines.map(diffLine), 'diff'),
    requests.length === 0 ? [] : fenced(requests, ''),
  ];
  const body = blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
  return [folded(`${symbol} ${word} <code>${escapeHtml(address)}</code>`, body)];
}

/** A line as readers of diffs colour it: the mark comes first, and `!` is a change in place. */
function diffLine({ mark, depth, text: shown }: Line): string {
  return `${mark === '~' ? '!' : mark} ${'  '.repeat(depth)}${shown}`.trimEnd();
}

function outputLines(outputs: View['outputs']): string[] {
  if (outputs.length === 0) return [];
  return ['**Outputs:**', '', ...outputs.map(([name, value]) => `- ${code(name)} = ${code(value)}`)];
}
