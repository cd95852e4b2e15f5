// Markdown in which text of unknown origin is inert: plain words stay as they are, everything else becomes code.
// Expects text without line breaks, as `escapeControls` returns it. Knows nothing of plans.

import { escapeMarkup } from '../../core/text/escape-markup.ts';
import { knownSecrets } from '../../core/secrets/known.ts';

/** A word without meaning in Markdown: letters, a short number or a percentage, with punctuation. */
const PLAIN_WORD = /^["'(]*(?:\p{L}\p{M}*)+(?:['’-](?:\p{L}\p{M}*)+)*["')]*[.,:;!?]*$|^\(?\d{1,6}(?:\.\d)?[,:;]?$|^%$/u;
/** Letters that could be an abbreviated commit hash. */
const COMMIT = /^\W*[0-9a-f]{7,}\W*$/i;

/** A sentence: plain words stay as they are, all others become code. */
export function sentence(text: string, span = code): string {
  const runs: { readonly plain: boolean; readonly words: string[] }[] = [];
  for (const word of wordsOf(text)) {
    const plain = word === '' || (PLAIN_WORD.test(word) && !COMMIT.test(word));
    const last = runs.at(-1);
    if (last?.plain === plain) last.words.push(word);
    else runs.push({ plain, words: [word] });
  }
  return runs.map(({ plain, words }) => (plain ? words.join(' ') : codeWords(words, span))).join(' ');
}

/** Text in back quotes counts as one word. */
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

/** Words as one code span, without our own back quotes, and with final punctuation outside. */
function codeWords(words: readonly string[], span: typeof code): string {
  const text = words.map((word) => word.replace(/^(\(?)`([^`]+)`([.,:;!?)]*)$/, '$1$2$3')).join(' ');
  const [, body = text, mark = ''] = /^(.*[^.,:;!?])([.,:;!?])$/.exec(text) ?? [];
  return `${span(body)}${mark}`;
}

/** Text as a code span that also works in a table, where a bar would end the cell even inside code. */
export function code(text: string): string {
  const inert = text.replaceAll('|', '\\x7c');
  const ticks = '`'.repeat(longestRun(inert) + 1);
  const pad = /^`|`$|^ .* $|^$/.test(inert) ? ' ' : '';
  return `${ticks}${pad}${inert}${pad}${ticks}`;
}

/** Text as a code span of HTML, for a summary. */
export function htmlCode(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** Lines as a code block, with a fence that no line can close. */
export function fenced(lines: readonly string[], language: string): string {
  const longest = lines.reduce((most, line) => Math.max(most, longestRun(line)), 0);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

/** At most `length` characters, with an ellipsis where it was cut. Masks first, so that no half of a secret remains. */
export function truncate(whole: string, length: number): string {
  const text = whole.length <= length ? whole : knownSecrets.mask(whole);
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
