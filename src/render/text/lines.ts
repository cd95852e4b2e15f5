// Turns lines with marks into text: indentation, colour by mark, no trailing spaces.

import type { RenderOptions, TextStyle } from '../render-options.ts';
import { paint } from '../render-options.ts';
import type { Line } from '../view/value.ts';

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

/** Columns a text takes: code points, which is exact for everything but wide and combining characters. */
export function columns(text: string): number {
  return Array.from(text).length;
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
