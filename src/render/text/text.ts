// A document as text for terminals and logs: the summary first and last; in between everything, unfolded, so that sections
// need no titles.

import { columns, pad } from '../../core/text/columns.ts';
import { blocksFor, type Block, type BlockOf, type Phrase } from '../document/blocks.ts';
import { documentOf } from '../document/document.ts';
import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import type { Line } from '../view/values/value.ts';
import { narrowed } from '../view/problems.ts';
import { placeText, type View } from '../view/view.ts';
import { indented, wrap } from './lines.ts';

const PLAIN: RenderOptions = { color: false, width: Infinity, detail: 'full' };

export interface Folded {
  readonly head: string;
  /** The first line without colour. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True when something is lost, so that it should not be folded. */
  readonly loses: boolean;
}

/** How it is drawn: the style, and what a log viewer folds; `folded` counts that. */
interface Pen {
  readonly style: RenderOptions;
  readonly fold?: ((item: Folded, index: number) => string[]) | undefined;
  folded: number;
}

/** The view without a final line break; '' for a list of problems without any. */
export function drawText(view: View, style: RenderOptions, fold?: Pen['fold']): string {
  const pen: Pen = { style, fold, folded: 0 };
  const [heading, ...rest] = documentOf(view);
  const body = partsOf(rest, pen);
  const first = heading === undefined || view.is === 'problems' ? [] : partsOf([heading], pen);
  return [...first, ...body, body.length === 0 ? [] : endOf(view, style)]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** What is told again at the end, where the reader of a terminal is: what to do, and the sentence. */
function endOf({ is, advice = '', sentence }: View, style: RenderOptions): string[] {
  return is === 'drift' ? [] : [...(advice === '' ? [] : wrap(advice, style.width, '')), ...strong(sentence, style)];
}

/** A line without values, wrapped for a terminal; a pipe gets it whole. */
function fitted(text: string, { isTerminal, width }: RenderOptions, indent = ''): string[] {
  return isTerminal === true ? wrap(text, width, indent) : [text];
}

function strong(text: string, style: RenderOptions): string[] {
  return fitted(text, style).map((line) => paint(style, 'strong', line));
}

/** The lines of each part; an empty line is drawn between two of them, but not between folds that are one line each. */
function partsOf(blocks: readonly Block[], pen: Pen): string[][] {
  const parts = blocksFor('text', blocks)
    .flatMap((block) => blockParts(block, pen))
    .filter((lines) => lines.length > 0);
  const isDense =
    blocks[0]?.is === 'fold' &&
    blocks[0].noun === 'resource' &&
    (pen.fold !== undefined || pen.style.detail === 'names');
  return isDense ? [parts.flat()] : parts;
}

function blockParts(block: Block, pen: Pen): string[][] {
  const { style } = pen;
  switch (block.is) {
    case 'heading': {
      const { at, sentence, advice = '', of } = block;
      const place = at === undefined || of === 'report' ? [] : fitted(`Stack ${at.stack} at ${at.service}`, style);
      const first = [...place.map((line) => paint(style, 'quiet', line)), ...strong(sentence, style)];
      return [first, of === 'report' || advice === '' ? [] : wrap(advice, style.width, '')];
    }
    case 'list':
      return listParts(block, style);
    case 'table':
      return [tableLines(block, style)];
    case 'fold':
      return [foldLines(block, pen)];
    case 'section':
      return partsOf(block.blocks, pen);
    default:
      return [innerLines([block], style, '')];
  }
}

/** What a person should read first has a part for each entry; the words error and warning need no title. */
function listParts({ title, tone, entries }: BlockOf<'list'>, style: RenderOptions): string[][] {
  if (tone === undefined) {
    const lines = entries.map(({ phrase }) => `  ${textOf(phrase)}`);
    return [[...(title === undefined ? [] : [`${title}:`]), ...lines]];
  }
  const parts = entries.map(({ lead = '', phrase, blocks }) => {
    const [first = '', ...rest] = wrap(`${lead}: ${textOf(phrase)}`, style.width, '  ');
    const head = `${paint(style, tone, `${lead}:`)}${first.slice(lead.length + 1)}`;
    return [head, ...rest, ...innerLines(blocks, style, '   ', '= ')];
  });
  const isNamed = tone === 'bad' && entries[0]?.lead !== 'error';
  return isNamed ? [fitted(`${title}:`, style).map((line) => paint(style, tone, line)), ...parts] : parts;
}

/** Columns, with what a row says below its second one; rows that say something need no head. Numbers that have no room become words. */
function tableLines(table: BlockOf<'table'>, style: RenderOptions): string[] {
  const { head, rows } = table;
  const lines = [...(rows.some(({ said }) => said) ? [] : [{ cells: head }]), ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map(({ cells }) => columns(cellText(cells[at] ?? [], style)))));
  const isCounted = rows.some(({ cells }) => cells.some((cell) => typeof cell === 'number'));
  if (isCounted && widths.reduce((sum, width) => sum + width + 2, -2) > style.width) return countLines(table, style);
  const margin = ' '.repeat((widths[0] ?? 0) + 2);
  return lines.flatMap((row) => {
    const texts = row.cells.map((cell) => cellText(cell, style));
    const cells = texts.map((text, at) => (at === texts.length - 1 ? text : pad(text, widths[at] ?? 0)));
    const said = 'said' in row ? (row.said ?? []) : [];
    return [
      ...fitted(cells.join('  ').trimEnd(), style, margin),
      ...said.flatMap((text) => indented(text, style.width, margin)),
    ];
  });
}

/** A number that is not there is a blank. */
function cellText(cell: Phrase | number, style: RenderOptions): string {
  if (typeof cell === 'number') return cell === 0 ? '' : String(cell);
  return textOf(cell, style);
}

/** Each row with its numbers in words, beside its first two cells or below them. */
function countLines({ head, rows }: BlockOf<'table'>, style: RenderOptions): string[] {
  const texts = rows.map(({ cells }) => {
    const [first = '', second = '', ...others] = cells.map((cell, at) => {
      if (typeof cell !== 'number') return cellText(cell, style);
      return cell === 0 ? '' : `${cell}${UNBROKEN}${textOf(head[at] ?? [])}`;
    });
    return { first, second, rest: others.filter((text) => text !== '').join(', ') };
  });
  const most = (of: 'first' | 'second') => Math.max(...texts.map((row) => columns(row[of])));
  const widths = [most('first'), most('second')] as const;
  const beside = widths[0] + widths[1] + 4;
  const isBeside = beside < style.width / 2;
  return texts.flatMap(({ first, second, rest }) => {
    const start = `${pad(first, widths[0])}  ${second}`;
    const margin = isBeside ? beside : 4;
    const lines = wrap(rest, style.width - margin, '').map((text) => text.replaceAll(UNBROKEN, ' '));
    const [line = '', ...more] = isBeside ? lines : ['', ...lines];
    const all = [`${pad(start, margin)}${line}`, ...more.map((text) => ' '.repeat(margin) + text)];
    return all.map((text) => text.trimEnd()).filter((text) => text !== '');
  });
}

/** A blank at which no line is broken. */
const UNBROKEN = '\u{a0}';

/** The title, and apart from it the word in parentheses that may end it. */
function beforeParenthesis(title: string): string[] {
  const at = title.lastIndexOf(' ');
  const isSplit = at >= 0 && title.startsWith('(', at + 1) && title.endsWith(')');
  return isSplit ? [title.slice(0, at), title.slice(at + 1)] : [title];
}

/** The sign and the name, with what there is no room for on lines below. */
function foldLines({ phrase, meta, blocks, isKept, noun }: BlockOf<'fold'>, pen: Pen): string[] {
  const { style, fold } = pen;
  const head = textOf(phrase, style, 'strong');
  const title = textOf(phrase);
  const [first = '', ...below] = fitted(title, style).length > 1 ? beforeParenthesis(head) : [head];
  if (noun === 'resource' && style.detail === 'names') {
    const names = innerLines(
      blocks.filter(({ is }) => is === 'diff' || is === 'names'),
      style,
      '    ',
    );
    return [first, ...below.map((line) => `    ${line}`), ...names];
  }
  const places = fitted(textOf(meta), { ...style, width: style.width - 4 });
  const isBeside = below.length === 0 && columns(`${title}  ${textOf(meta)}`) <= style.width;
  const beside = isBeside ? `  ${paint(style, 'quiet', places[0] ?? '')}` : '';
  const lines = [
    ...[...below, ...(isBeside ? [] : places.map((line) => paint(style, 'quiet', line)))].map((line) => `    ${line}`),
    ...innerLines(blocks, style, '    '),
  ];
  if (fold === undefined || noun !== 'resource') return [`${first}${beside}`.trimEnd(), ...lines];
  const plain = `${title}${isBeside ? `  ${textOf(meta)}` : ''}`;
  return fold({ head: `${first}${beside}`, title: plain, lines, loses: isKept }, pen.folded++);
}

/** What is below an entry or a fold. */
function innerLines(blocks: readonly Block[] | undefined, style: RenderOptions, margin: string, hang = ''): string[] {
  return blocksFor('text', blocks).flatMap((block) => {
    switch (block.is) {
      case 'paragraph':
        return paragraphLines(block, style, margin, hang);
      case 'place':
        return placeLines(block, style);
      case 'names':
        return namesLines(block, style, margin);
      case 'list':
        return block.entries.flatMap(({ phrase }) => {
          const room = { ...style, width: style.width - margin.length };
          return fitted(textOf(phrase), room, '  ').map((line) => `${margin}${line}`);
        });
      case 'diff':
        // Lines of a new object have no marks.
        return block.lines.map((line) =>
          block.isNew ? `${margin}${'  '.repeat(line.depth)}${line.text}`.trimEnd() : diffLine(line, style, margin),
        );
      case 'code':
        return block.lines.map((line) => `${margin}${paint(style, 'quiet', line)}`);
      default:
        return [];
    }
  });
}

/** As many names on a line as there is room for; their ids would hide them. */
function namesLines({ phrase, names }: BlockOf<'names'>, style: RenderOptions, margin: string): string[] {
  const lead = phrase.length === 0 ? '' : `${textOf(phrase)}: `;
  const list = names.map(({ text }) => text).join(', ');
  return indented(`${lead}${list}`, style.width, margin, lead === '' ? '' : '  ');
}

function paragraphLines(
  { lead, phrase, tone }: BlockOf<'paragraph'>,
  style: RenderOptions,
  margin: string,
  hang: string,
): string[] {
  const text = `${hang}${lead === undefined ? '' : `${lead} `}${textOf(phrase)}`;
  const width = style.width - margin.length;
  const indent = ' '.repeat(hang === '' && lead !== undefined ? lead.length + 1 : hang.length);
  return wrap(text, width, indent).map((line) => `${margin}${paint(style, tone, line)}`.trimEnd());
}

function textOf(phrase: Phrase, style = PLAIN, name?: TextStyle): string {
  const spans = phrase.map((span) => {
    if (typeof span === 'string') return span;
    if (span.is === 'sign') return paint(style, span.sign.tone, `${span.sign.symbol} ${span.sign.word}`);
    if (span.is === 'own') return paint(style, span.tone, span.text);
    return `${paint(style, name, span.text)}${span.id === undefined ? '' : ` (${span.id})`}`;
  });
  return spans.join('');
}

/** The place, the line before it, the line itself and a mark under the text. */
function placeLines({ place, frame: whole }: BlockOf<'place'>, style: RenderOptions): string[] {
  const at = `  --> ${placeText(place)}`;
  if (whole === undefined) return [at];
  const width = String(place.line).length;
  // Beside the number, a bar, and an ellipsis at either end.
  const frame = style.isTerminal === true ? narrowed(whole, Math.max(20, style.width - width - 6)) : whole;
  const widthOf = (from: number, to: number) => columns(Array.from(frame.line).slice(from, to).join(''));
  const mark = '^'.repeat(Math.max(1, widthOf(frame.lead, frame.lead + frame.length)));
  const bar = (label: string, text: string) =>
    `${paint(style, 'quiet', ` ${label.padStart(width)} |`)} ${text}`.trimEnd();
  return [
    at,
    bar('', ''),
    ...(frame.before.trim() === '' ? [] : [bar(String(place.line - 1), frame.before)]),
    bar(String(place.line), frame.line),
    bar('', `${' '.repeat(widthOf(0, frame.lead))}${paint(style, 'bad', mark)}`),
  ];
}

const MARK_STYLES: Readonly<Record<Line['mark'], TextStyle | undefined>> = {
  '+': 'good',
  '-': 'bad',
  '~': 'warn',
  ' ': undefined,
};

function diffLine({ mark, depth, text }: Line, style: RenderOptions, margin: string): string {
  const content = `${mark} ${text}`.trimEnd();
  if (content.trim() === '') return '';
  const shown =
    mark === '~' ? `${paint(style, 'warn', mark)}${content.slice(1)}` : paint(style, MARK_STYLES[mark], content);
  return `${margin}${'  '.repeat(depth)}${shown}`;
}
