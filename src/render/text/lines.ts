// Turns lines with marks into text: indentation, colour by mark, no trailing spaces.

import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import { characterColumns, columns } from '../../core/text/columns.ts';
import { maskSecrets } from '../../core/secrets/find-secrets.ts';
import type { Line } from '../view/values/value.ts';

const MARK_STYLES: Readonly<Record<Line['mark'], TextStyle | undefined>> = {
  '+': 'good',
  '-': 'bad',
  '~': 'warn',
  ' ': undefined,
};

/** One printed line; depth 0 is the left margin. */
export function printLine({ mark, depth, text }: Line, style: RenderOptions): string {
  const content = `${mark} ${text}`.trimEnd();
  if (content.trim() === '') return '';
  const painted =
    mark === '~' ? `${paint(style, 'warn', mark)}${content.slice(1)}` : paint(style, MARK_STYLES[mark], content);
  return `${'  '.repeat(depth)}${painted}`;
}

/** A text in so many columns: what is too much is left out in its middle, where names say least. Secrets are masked before. */
export function squeeze(text: string, width: number): string {
  if (columns(text) <= width) return text;
  const characters = Array.from(maskSecrets(text));
  const head = fitting(characters, Math.ceil((width - 1) / 2));
  const tail = fitting(characters.reverse(), width - 1 - columns(head.join('')));
  return `${head.join('')}…${tail.reverse().join('')}`;
}

/** As many of the first characters as there is room for. */
function fitting(characters: readonly string[], room: number): string[] {
  let left = room;
  const end = characters.findIndex((one) => (left -= characterColumns(one)) < 0);
  return characters.slice(0, end < 0 ? undefined : end);
}

/** Words put on lines of at most `width` columns, later lines indented; a word longer than a line stays whole. */
export function wrap(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    const candidate = current === '' ? word : `${current} ${word}`;
    if (current !== '' && columns(candidate) + columns(lines.length > 0 ? indent : '') > width) {
      lines.push(current);
      current = word;
    } else current = candidate;
  }
  lines.push(current);
  return lines.map((line, index) => `${index === 0 ? '' : indent}${line}`.trimEnd());
}

/** A line that holds no value, wrapped where it is on a terminal: what reads a pipe gets it whole. */
export function fitted(text: string, { isTerminal, width }: RenderOptions, indent = ''): string[] {
  return isTerminal === true ? wrap(text, width, indent) : [text];
}

/** Text at a margin; later lines go `hang` further in. */
export function indented(text: string, width: number, margin = '', hang = ''): string[] {
  return wrap(text, width - columns(margin), hang).map((line) => `${margin}${line}`);
}
