// Names with what is said of them, in two columns that fit the terminal. Pure.

import { columns, pad } from '../../core/text/columns.ts';
import { indented, wrap } from './lines.ts';

/** A name, and what is said of it. */
export interface Definition {
  readonly name: string;
  readonly text: string;
}

const INDENT = '  ';
const DEEP = '      ';

/** One entry after the other: text beside the names, or below them where names leave it too little room. */
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
