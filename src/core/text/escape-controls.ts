// Makes text of unknown origin safe to print on one line: what a terminal or a CI log parser would act on, or what
// the eye cannot see, becomes an escape. Knows nothing of where the text goes.

import { BLANK } from './text.ts';

/**
 * Control, format, surrogate, private and default-ignorable characters, non-characters, the empty Braille pattern, and every
 * white space but the plain space: this includes C0, DEL, C1, bidirectional marks, zero-width characters and the line separators.
 */
const UNSAFE = new RegExp(`[${BLANK}\\p{Cs}]|[^\\S ]`, 'gu');

/** `##[command]` and `##name[command]`, which some CI log parsers act on anywhere in a line. */
const LOG_MARKER = /##(?=\w*\[)/g;

/** `::command::`, which CI log parsers act on at the beginning of a line; wrapped text may begin one with any word. */
const LOG_COMMAND = /(?<![^ ])::/g;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The text with every unsafe character as a visible escape. The result holds no line break. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, escapeCharacter).replace(LOG_MARKER, '#\\x23').replace(LOG_COMMAND, '\\x3a:');
}

function escapeCharacter(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/** JSON text (which may have line breaks between its tokens) with the same characters as JSON escapes: it parses to the same value. */
export function escapeControlsInJson(json: string): string {
  return json
    .replace(UNSAFE, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replace(LOG_MARKER, '#\\u0023');
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
