// Mistakes that people make, and what the program says of each, in a line.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** One mistake: the files that have it, and the command that meets it. */
export interface Mistake {
  readonly section: string;
  readonly mistake: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

interface Row {
  readonly mistake: string;
  /** What stands below `version` and `stack`. */
  readonly text?: string;
  /** The whole manifest. */
  readonly whole?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly run?: string;
}

const HEAD = 'version: 1\nstack: shop\n';

export function allMistakes(): readonly Mistake[] {
  const source = readFileSync(new URL('cases.yaml', import.meta.url), 'utf8');
  const sections = parse(source) as Readonly<Record<string, readonly Row[]>>;
  return Object.entries(sections).flatMap(([section, rows]) =>
    rows.map(({ mistake, text = '', whole = `${HEAD}${text}\n`, files, run = 'validate' }) => ({
      section,
      mistake,
      files: files ?? { 'edgeform.yaml': whole.replace('LONG', 'a'.repeat(256)) },
      args: run.split(' '),
    })),
  );
}

/** Each problem in one line with its fix: without frames, positions and codes. */
export function saidIn(output: string): string {
  const said: string[] = [];
  let isOpen = false;
  for (const line of output.split('\n')) {
    const begins = /^(?:(?:error|warning): |\(Did you mean| {3}= fix: )/.test(line);
    if (begins) said.push(line.replace(/^ {3}= fix: /, '→ '));
    else if (isOpen && /^ {2,8}\S/.test(line) && !/^ *(?:-->|\||= )/.test(line))
      said.push(`${said.pop() ?? ''} ${line.trim()}`);
    isOpen = begins || (isOpen && /^ {2,8}\S/.test(line) && !/^ *(?:-->|\||= )/.test(line));
  }
  return said.map((line) => line.replace(/ +\[[a-z-]+\]$/, '')).join(' ');
}
