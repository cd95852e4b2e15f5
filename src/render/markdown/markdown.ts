// Markdown in which text of unknown origin is inert: words of letters stand as they are, everything else is code.
// Expects text without line breaks, as `visible` gives it. Knows nothing of plans.

import { maskSecrets } from '../../core/secrets/find-secrets.ts';

/** A word that no Markdown reader acts on: letters, a short number or a percent sign, with the punctuation of a sentence. */
const PLAIN_WORD = /^["'(]*(?:\p{L}\p{M}*)+(?:['’-](?:\p{L}\p{M}*)+)*["')]*[.,:;!?]*$|^\(?\d{1,6}(?:\.\d)?[,:;]?$|^%$/u;
/** Letters that could be the short name of a commit. */
const COMMIT = /^\W*[0-9a-f]{7,}\W*$/i;

/** A sentence: plain words as they are, all others as code. */
export function sentence(text: string): string {
  const runs: { readonly plain: boolean; readonly words: string[] }[] = [];
  for (const word of wordsOf(text)) {
    const plain = word === '' || (PLAIN_WORD.test(word) && !COMMIT.test(word));
    const last = runs.at(-1);
    if (last?.plain === plain) last.words.push(word);
    else runs.push({ plain, words: [word] });
  }
  return runs.map(({ plain, words }) => (plain ? words.join(' ') : codeWords(words))).join(' ');
}

/** What stands in back quotes is one word. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let open: string[] = [];
  let ticks = 0;
  for (const word of text.split(' ')) {
    open.push(word);
    ticks += word.split('`').length - 1;
    if (ticks % 2 === 1) continue;
    words.push(open.join(' '));
    open = [];
  }
  return [...words, ...open];
}

/** Words as one code span, without our own back quotes around a word, and with a final mark of the sentence outside. */
function codeWords(words: readonly string[]): string {
  const text = words.map((word) => word.replace(/^(\(?)`([^`]+)`([.,:;!?)]*)$/, '$1$2$3')).join(' ');
  const [, body = text, mark = ''] = /^(.*[^.,:;!?])([.,:;!?])$/.exec(text) ?? [];
  return `${code(body)}${mark}`;
}

/** Text as a code span, also inside a table, where a bar would end the cell whatever stands before it. */
export function code(text: string): string {
  const inert = text.replaceAll('|', '\\x7c');
  const ticks = '`'.repeat(longestRun(inert) + 1);
  const pad = /^`|`$|^ .* $|^$/.test(inert) ? ' ' : '';
  return `${ticks}${pad}${inert}${pad}${ticks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Lines as a block of code, with a fence that nothing inside can close. */
export function fenced(lines: readonly string[], language: string): string[] {
  const longest = lines.reduce((most, line) => Math.max(most, longestRun(line)), 0);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}${language}`, ...lines, fence];
}

/** A section to unfold. Its summary is HTML. */
export function folded(summary: string, body: readonly string[], isOpen = false): string[] {
  return [isOpen ? '<details open>' : '<details>', `<summary>${summary}</summary>`, '', ...body, '', '</details>'];
}

/** A table; cells are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** At most `length` characters, with a sign where something was cut; masked first, so that no half of a secret is left. */
export function truncate(whole: string, length: number): string {
  const text = whole.length <= length ? whole : maskSecrets(whole);
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
