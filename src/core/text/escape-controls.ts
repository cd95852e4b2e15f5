// Makes text of unknown origin safe to print on one line: replaces whatever a terminal or a CI log parser would act on, or a
// reader cannot see, by an escape. Does not know where the text goes.

import { BLANK } from './text.ts';

/**
 * Control, format, surrogate, private-use and default-ignorable characters, non-characters, the empty Braille pattern, and all
 * white space except the plain space. Includes C0, DEL, C1, bidirectional marks, zero-width characters and line separators.
 */
const UNSAFE = new RegExp(`[${BLANK}\\p{Cs}]|[^\\S ]`, 'gu');

/** `##[command]` and `##name[command]`, which some CI log parsers act on anywhere in a line. */
const LOG_MARKER = /##(\w*\[)/g;

/** `::command::`, which CI log parsers act on at the beginning of a line; in wrapped text any word may begin one. */
const LOG_COMMAND = /(?<![^ ])::/g;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The text with every unsafe character as a visible escape. The result has no line break. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, escapeCharacter).replace(LOG_MARKER, '#\\x23$1').replace(LOG_COMMAND, '\\x3a:');
}

/** The same for every text within a value, except what its functions return. */
export function escapeTexts<T>(value: T): T {
  return escapedIn(value) as T;
}

function escapedIn(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value);
  if (Array.isArray(value)) return value.map(escapedIn);
  if (value instanceof Map) return new Map(escapedIn([...value]) as [unknown, unknown][]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapedIn(inner)]));
}

function escapeCharacter(character: string): string {
  const named = NAMED.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/** The same for JSON text, with JSON escapes: it parses to the same value. Line breaks between tokens stay. */
export function escapeControlsInJson(json: string): string {
  return json
    .replace(UNSAFE, (character) => (character === '\n' ? character : escapeUnits(character)))
    .replace(LOG_MARKER, '#\\u0023$1');
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
