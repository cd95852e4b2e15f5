// Text for terminals and logs: the summary first and last; in between the steps, reasons, losses and every value.

import { columns, pad } from '../../core/text/columns.ts';
import { fitted, wrap } from './lines.ts';
import { problemBlocks } from './problems.ts';
import { reportBlocks } from './report.ts';
import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import type { Line } from '../view/values/value.ts';
import { groupsOf, type Item, type Problem, type View } from '../view/view.ts';

export interface Block {
  readonly head: string;
  /** The first line without colour. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True when something is lost, so that it should not be folded. */
  readonly loses: boolean;
}

/** Wraps a block for folding in a log viewer. */
type Fold = (block: Block, index: number) => string[];

/** The view without a final line break; '' for a list of problems without any. */
export function drawText(view: View, style: RenderOptions, fold?: Fold): string {
  return blocksOf(view, style, fold)
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function blocksOf(view: View, style: RenderOptions, fold: Fold | undefined): string[][] {
  if (view.is === 'report') return reportBlocks(view, style);
  if (view.is === 'problems') return problemBlocks(view, style);
  const { is, sentence, at, advice, items, lists, problems, outputs, rest } = view;
  const strong = fitted(sentence, style).map((line) => paint(style, 'strong', line));
  const stack = at === undefined ? [] : fitted(`Stack ${at.stack} at ${at.service}`, style);
  const place = stack.map((line) => paint(style, is === 'plan' ? 'quiet' : undefined, line));
  const body = [
    advice === undefined ? [] : wrap(advice, style.width, ''),
    ...(is === 'plan' ? stepBlocks(items, style, fold) : items.map((one) => findingLines(one, style))),
    ...lists.map(({ title, entries }) => [`${title}:`, ...indented(entries)]),
    ...groupLines(problems, 'blocked', style),
    ...groupLines(problems, 'refused', style),
    problems.flatMap((one) => noteLines(one, style)),
    outputLines(outputs),
    rest.text === ''
      ? []
      : wrap(rest.text, style.width, '')
          .map((line) => paint(style, 'quiet', line))
          .concat(indented(rest.entries)),
  ].filter((lines) => lines.length > 0);
  return [[...place, ...strong], ...body, is === 'plan' && body.length > 0 ? strong : []];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function stepBlocks(items: readonly Item[], style: RenderOptions, fold: Fold | undefined): string[][] {
  if (style.detail === 'names') return [items.flatMap((one) => headLines(one, style))];
  if (fold === undefined) return items.map((one) => stepLines(one, style));
  const lines = items.flatMap((one, index) => {
    const [head = '', ...rest] = stepLines(one, style);
    const [title = ''] = stepLines(one, { ...style, color: false });
    return fold({ head, title, lines: rest, loses: one.loses !== undefined }, index);
  });
  return [lines];
}

/** The action and the object, with the id on its own line where a terminal has no room for it. */
function headLines({ symbol, word, tone, address, liveId }: Item, style: RenderOptions): string[] {
  const head = `${paint(style, tone, `${symbol} ${word}`)} ${paint(style, 'strong', address)}`;
  if (liveId === undefined) return [head];
  const isWide = fitted(`${symbol} ${word} ${address} (${liveId})`, style).length > 1;
  return isWide ? [head, `    (${liveId})`] : [`${head} (${liveId})`];
}

function stepLines(item: Item, style: RenderOptions): string[] {
  const head = headLines(item, style);
  const isWide =
    head.length > 1 || columns(`${headLines(item, { ...style, color: false }).join('')}  ${item.meta}`) > style.width;
  const meta = fitted(item.meta, { ...style, width: style.width - 4 }).map((line) => paint(style, 'quiet', line));
  return [
    ...(isWide ? [...head, ...meta.map((line) => `    ${line}`)] : [`${head.join('')}  ${meta.join('')}`]),
    ...bodyLines(item, style),
    ...item.requests.map((line) => `    ${paint(style, 'quiet', line)}`),
  ];
}

function findingLines(item: Item, style: RenderOptions): string[] {
  const known = item.fingerprint === undefined ? [] : [paint(style, 'quiet', `fingerprint: ${item.fingerprint}`)];
  return [
    ...headLines(item, style),
    ...bodyLines(item, style),
    ...[...item.notes, ...known].map((note) => `    ${note}`),
  ];
}

/** The reason, losses and every difference; lines of a new object have no marks. */
function bodyLines({ why, loses, repair, lines, isNew }: Item, style: RenderOptions): string[] {
  const said = (text: string | undefined, lead: string) =>
    text === undefined
      ? []
      : wrap(`${lead} ${text}`, style.width - 4, ' '.repeat(lead.length + 1)).map((line) => `    ${line}`);
  return [
    ...said(why, 'why:'),
    ...said(loses, 'loses:').map((line) => `    ${paint(style, 'bad', line.slice(4))}`),
    ...lines.map((line) =>
      printLine(isNew ? { ...line, mark: ' ', depth: line.depth + 1 } : { ...line, depth: line.depth + 2 }, style),
    ),
    ...said(repair, 'apply:'),
  ];
}

const MARK_STYLES: Readonly<Record<Line['mark'], TextStyle | undefined>> = {
  '+': 'good',
  '-': 'bad',
  '~': 'warn',
  ' ': undefined,
};

/** One printed line; depth 0 is the left margin. */
function printLine({ mark, depth, text }: Line, style: RenderOptions): string {
  const content = `${mark} ${text}`.trimEnd();
  if (content.trim() === '') return '';
  const painted =
    mark === '~' ? `${paint(style, 'warn', mark)}${content.slice(1)}` : paint(style, MARK_STYLES[mark], content);
  return `${'  '.repeat(depth)}${painted}`;
}

function groupLines(problems: readonly Problem[], group: 'blocked' | 'refused', style: RenderOptions): string[][] {
  const found = groupsOf(problems).filter((one) => one.group === group);
  return found.map(({ title, members }) => [
    paint(style, 'bad', `${title}:`),
    ...members.flatMap((one) => itemLines(one, style)),
  ]);
}

function itemLines({ text, code, addresses, details }: Problem, style: RenderOptions): string[] {
  return [
    ...indented(wrap(`! ${text}${code === undefined ? '' : ` [${code}]`}`, style.width - 2, '  ')),
    ...addresses.map((address) => `      ${address}`),
    ...details.map((fact) => `    ${fact.lead} ${paint(style, 'strong', fact.text)}`),
  ];
}

function noteLines({ group, text, code }: Problem, style: RenderOptions): string[] {
  if (group !== 'error' && group !== 'warning') return [];
  const tone = group === 'error' ? 'bad' : 'warn';
  return wrap(`${group}: ${text} [${code ?? ''}]`, style.width, '  ').map((line) => paint(style, tone, line));
}

function outputLines(outputs: View['outputs']): string[] {
  const width = Math.max(0, ...outputs.map(([name]) => columns(name)));
  return outputs.length === 0
    ? []
    : ['Outputs:', ...outputs.map(([name, value]) => `  ${pad(name, width)} = ${value}`)];
}
