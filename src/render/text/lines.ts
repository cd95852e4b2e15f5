// Fits text to a width: wraps words, and lays out definitions in two columns.

import { columns, pad } from '../../core/text/columns.ts';

/** Words on lines of at most `width` columns, with later lines indented; a word longer than a line stays whole. */
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

/** Text with a margin; later lines are indented by `hang` more. */
export function indented(text: string, width: number, margin = '', hang = ''): string[] {
  return wrap(text, width - columns(margin), hang).map((line) => `${margin}${line}`);
}

export interface Definition {
  readonly name: string;
  readonly text: string;
}

const INDENT = '  ';
const DEEP = '      ';

/** One entry per row: text next to the names, or below them when there is too little room. */
export function definitionLines(entries: readonly Definition[], width: number): string[] {
  const longest = Math.max(0, ...entries.map(({ name }) => columns(name)));
  const beside = INDENT.length + longest + 2;
  const isNarrow = beside > width / 2;
  return entries.flatMap(({ name, text }) => {
    if (isNarrow) return [`${INDENT}${name}`.trimEnd(), ...indented(text, width, DEEP)];
    const [first = '', ...rest] = wrap(text, width - beside, '');
    return [`${INDENT}${pad(name, longest)}  ${first}`.trimEnd(), ...rest.map((line) => ' '.repeat(beside) + line)];
  });
}
