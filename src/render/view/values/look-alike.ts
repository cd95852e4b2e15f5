// Two different values of which a reader would see the same: composed against decomposed letters (NFC and NFD), a blank at the end
// of a line. They are shown so that the difference is seen; letters of different scripts that look alike are not compared.

import { trimEndOf } from '../../../core/text/trim.ts';

/** Any character that a keyboard of ASCII does not have. */
const NOT_ASCII = /[^\u0020-\u007e]/gu;

/**
 * What texts are shown as: as they are, or, where another of them is the same letters in another normal form, with every letter
 * outside ASCII as an escape: an accented word composed and decomposed become `"caf\u{e9}"` and `"cafe\u{301}"`.
 */
export function shownApart(texts: readonly string[]): readonly string[] {
  const countByLook = new Map<string, number>();
  for (const text of new Set(texts)) {
    const look = text.normalize();
    countByLook.set(look, (countByLook.get(look) ?? 0) + 1);
  }
  return texts.map((text) => ((countByLook.get(text.normalize()) ?? 0) > 1 ? escapeLetters(text) : text));
}

/** A changed line of a text: `"a  "` becomes `"a\x20\x20"`. */
export function showBlanksAtEnd(line: string): string {
  const shown = trimEndOf(line, ' ');
  return shown + '\\x20'.repeat(line.length - shown.length);
}

function escapeLetters(text: string): string {
  return text.replace(NOT_ASCII, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
