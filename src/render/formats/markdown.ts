// Markdown for comments and job summaries: the summary line, losses, problems, and the rest folded. A document that is too long
// is shortened in steps; the summary line and the names of what is lost go last.

import { escapeControls } from '../../core/text/escape-controls.ts';
import { byteLength } from '../../core/text/text.ts';
import type { RenderOptions } from '../render-options.ts';
import {
  factsOf,
  groupsOf,
  headline as problemText,
  isDangerous,
  placeText,
  type Problem,
  type View,
} from '../view/view.ts';
import { headline, marker } from '../markdown/headline.ts';
import { dangerLines, fingerprintLines, graphBlocks, itemBlocks } from '../markdown/items.ts';
import { code, sentence, truncate } from '../markdown/markdown.ts';
import { forgeOf, names, prose, text, type Page, type Size } from '../markdown/page.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'markdown', position: 30, isLog: false, draw: drawMarkdown } as const satisfies Writer;

const WHOLE: Size = {
  changes: true,
  rows: Infinity,
  problems: Infinity,
  maxTextLength: Infinity,
  names: Infinity,
  costs: 'object',
};
const SMALLEST: Size = {
  ...WHOLE,
  changes: false,
  rows: 0,
  problems: 0,
  maxTextLength: 60,
  costs: 'none',
  missing: 'Only the counts are shown, and what is deleted or replaced.',
};
const SIZES: readonly Size[] = [
  WHOLE,
  { ...WHOLE, changes: false, missing: 'The changes of each step are left out.' },
  {
    ...WHOLE,
    changes: false,
    rows: 60,
    problems: 10,
    maxTextLength: 100,
    missing: 'Most steps and long texts are left out.',
  },
  { ...SMALLEST, problems: 3, costs: 'object' },
  { ...SMALLEST, problems: 3, costs: 'kind' },
  { ...SMALLEST, costs: 'kind' },
  SMALLEST,
];

/** The view without a final line break, at most `limit` bytes long (default: the forge's limit). */
function drawMarkdown(view: View, { comment = {} }: RenderOptions, limit?: number): string {
  const forge = forgeOf(comment.forge);
  const most = limit ?? forge.limit;
  const draw = (size: Size) => documentOf(view, { size, forge, comment });
  for (const size of SIZES) {
    const text = draw(size);
    if (byteLength(text) <= most) return text;
  }
  // As many names as fit.
  let [fits, tooMany] = [0, view.items.length];
  while (tooMany - fits > 1) {
    const names = Math.floor((fits + tooMany) / 2);
    if (byteLength(draw({ ...SMALLEST, names })) <= most) fits = names;
    else tooMany = names;
  }
  return draw({ ...SMALLEST, names: fits });
}

function documentOf(view: View, page: Page): string {
  const footer = view.is === 'problems' ? [] : footerLines(view, page);
  const blocks = [...verdictBlocks(view, page), ...bodyBlocks(view, page), footer];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function verdictBlocks(view: View, page: Page): string[][] {
  const { is, at, advice } = view;
  return [
    [marker(view, page.forge.hasHtml)],
    [headline(view, page.size.maxTextLength)],
    is === 'problems' ? [] : [sentence(view.sentence)],
    at === undefined ? [] : [`Stack ${text(at.stack, page)} at ${text(at.service, page)}`],
    missingLines(page),
    advice === undefined ? [] : [sentence(advice)],
    dangerLines(view.items.filter(isDangerous), page),
  ];
}

function bodyBlocks(view: View, page: Page): string[][] {
  const { is, rest } = view;
  const { changes } = page.size;
  const problems = problemBlocks(view, page);
  return [
    ...(is === 'drift' ? [] : problems),
    ...itemBlocks(view, page),
    ...(is === 'drift' ? problems : []),
    ...graphBlocks(view.items, page),
    ...view.lists.flatMap((list) => listBlocks(list, page)),
    changes ? outputLines(view.outputs) : [],
    rest.text === '' ? [] : [rest.text],
    rest.entries.length === 0 || !changes ? [] : bullets(rest.entries),
    fingerprintLines(view.items, page),
  ];
}

function bullets(entries: readonly string[]): string[] {
  return entries.map((entry) => `- ${sentence(entry)}`);
}

function missingLines({ size: { missing } }: Page): string[] {
  if (missing === undefined) return [];
  return [`_This is too long to show in full. ${missing} The log of the run, or \`--format html\`, has everything._`];
}

/** A heading and a list per group of problems. */
function problemBlocks({ problems, more }: View, page: Page): string[][] {
  const groups = groupsOf(problems).flatMap(({ title, members }) => {
    const shown = members.slice(0, page.size.problems);
    const items = shown.flatMap((problem) => problemItem(problem, page));
    return listOf(title, items, members.length - shown.length, members.length);
  });
  return [...groups, page.size.problems === 0 ? [] : bullets(more)];
}

function listBlocks({ title, entries }: View['lists'][number], page: Page): string[][] {
  const shown = entries.slice(0, page.size.problems);
  const items = shown.map((entry) => `- ${prose(entry, page)}`);
  return listOf(title, items, entries.length - shown.length, entries.length);
}

/** A heading above its items, or with their number if none are shown. */
function listOf(title: string, items: readonly string[], more: number, count: number): string[][] {
  if (items.length === 0) return [[`**${title}:** ${count}`]];
  return [[`**${title}:**`], [...items, ...(more > 0 ? [`- and ${more} more`] : [])]];
}

function problemItem(problem: Problem, page: Page): string[] {
  const { code: name, place, addresses } = problem;
  const at = place === undefined ? '' : `${text(placeText(place), page)}: `;
  const rule = name === undefined ? '' : ` [${text(name, page)}]`;
  const facts = factsOf(problem).map((fact) => `  - ${fact.lead} ${(fact.isCode ? text : prose)(fact.text, page)}`);
  return [
    `- ${at}${prose(problemText(problem), page)}${rule}`,
    ...(addresses.length === 0 ? [] : [`  - ${names(addresses, page.size.problems, page)}`]),
    ...facts,
  ];
}

function outputLines(outputs: View['outputs']): string[] {
  if (outputs.length === 0) return [];
  return ['**Outputs:**', '', ...outputs.map(([name, value]) => `- ${code(name)} = ${code(value)}`)];
}

/** Maximum length of a command to run. */
const MAX_COMMAND = 500;

/** Drift omits the commit: its issue outlives commits, and the same drift should give the same text. */
function footerLines({ is }: View, { comment: { version, commit, command }, size }: Page): string[] {
  const shown = (whole: string) => code(truncate(escapeControls(whole), Math.min(size.maxTextLength, MAX_COMMAND)));
  const said = [
    ...(version === undefined ? [] : [`edgeform ${shown(version)}`]),
    ...(commit === undefined || is === 'drift' ? [] : [`commit ${shown(commit)}`]),
    ...(command === undefined ? [] : [`to see this again, run ${shown(command)}`]),
  ];
  return said.length === 0 ? [] : ['---', '', said.join(' · ')];
}
