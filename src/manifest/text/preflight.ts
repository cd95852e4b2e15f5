// Stops what must not reach the YAML parser: text that is too large, and characters that hide the content of a file.
// Works on plain text, in one pass. Nesting depth is checked later, on tokens: see `parse.ts`.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { byteLength, codePoint, UNSEEN } from '../../core/text/text.ts';
import type { Lines } from './lines.ts';

export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Limit for all files of a stack together, and for all text that is filled in. */
export const MAX_TOTAL_BYTES = 4 * MAX_FILE_BYTES;

export interface PreflightResult {
  /** The text with each hidden character replaced by a visible one. */
  readonly text: string;
  /** True when the text must not be parsed at all. */
  readonly isRejected: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The text, made safe to parse. */
export function preflight(text: string, lines: Lines): PreflightResult {
  if (byteLength(text) > MAX_FILE_BYTES) {
    const words = { message: 'the file is larger than 4 MiB', fix: 'split the stack into several files' };
    return { text: '', isRejected: true, diagnostics: [lines.error('file-too-large', 0, 0, words)] };
  }
  const found = [...text.matchAll(UNSEEN)];
  return {
    text: found.length === 0 ? text : text.replace(UNSEEN, '_'),
    isRejected: false,
    diagnostics: hiddenCharacters(found, lines),
  };
}

/** Maximum number that is reported individually. */
const MOST = 20;

function hiddenCharacters(found: readonly RegExpExecArray[], lines: Lines): Diagnostic[] {
  return found.slice(0, MOST).map(({ 0: character, index }) => {
    return lines.error('hidden-character', index, index + 1, {
      message: `the character ${codePoint(character)} is not allowed, because it is invisible`,
      fix: 'remove it',
    });
  });
}
