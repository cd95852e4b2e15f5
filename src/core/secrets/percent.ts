// Percent codes of a text, decoded (RFC 3986): which characters an encoder writes so, and in which case, makes no difference.

import { countWhile } from '../bisect.ts';
import { tryTo } from '../try.ts';

const CODE = /%[0-9A-Fa-f]{2}/g;

interface Decoded {
  readonly text: string;
  /** Where the character at an index of the decoded text begins in the other one; also for its end. */
  readonly startOf: (index: number) => number;
}

/** The text with characters in place of its codes; undefined when it has none. Codes of no character stay as they are. */
export function percentDecoded(text: string): Decoded | undefined {
  if (!text.includes('%')) return undefined;
  const pieces: string[] = [];
  const ends: number[] = [];
  const moved: number[] = [];
  let [from, length, saved] = [0, 0, 0];
  for (const { 0: code, index } of text.matchAll(CODE)) {
    if (index < from) continue;
    const character = characterAt(text, index, Number.parseInt(code.slice(1), 16));
    if (character === undefined) continue;
    pieces.push(text.slice(from, index), character.text);
    length += index - from + character.text.length;
    from = index + character.length;
    saved += character.length - character.text.length;
    ends.push(length);
    moved.push(saved);
  }
  if (pieces.length === 0) return undefined;
  pieces.push(text.slice(from));
  return {
    text: pieces.join(''),
    startOf: (index) => index + (moved[countWhile(ends.length, (at) => (ends[at] ?? 0) <= index) - 1] ?? 0),
  };
}

/** Number of bytes of a character of UTF-8 by its first byte. */
function bytesOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const FURTHER_BYTES = /^(?:%[89ABab][0-9A-Fa-f])*$/;

/** The character whose codes begin there, and how long they are. */
function characterAt(text: string, at: number, first: number) {
  const length = 3 * bytesOf(first);
  if (length === 0 || at + length > text.length || !FURTHER_BYTES.test(text.slice(at + 3, at + length)))
    return undefined;
  const character = tryTo(() => decodeURIComponent(text.slice(at, at + length)));
  return character === undefined ? undefined : { text: character, length };
}
