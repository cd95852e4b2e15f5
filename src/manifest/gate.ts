// Refuses text that must not reach the YAML parser: too large, or with characters that hide what a file says.
// Works on plain text, in one pass. How deep a text is, only its tokens tell: see `parse.ts`.

import type { Diagnostic } from '../base/diagnostic.ts';
import { byteLength } from '../base/text.ts';
import type { Lines } from './lines.ts';

export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Problems that forbid parsing; empty when the text may be parsed. */
export function gate(text: string, lines: Lines): Diagnostic[] {
  if (byteLength(text) > MAX_FILE_BYTES) {
    return [
      lines.error('file-too-large', 0, 0, {
        message: 'the file is larger than 4 MiB',
        fix: 'split the stack into several files',
      }),
    ];
  }
  return hiddenCharacters(text, lines);
}

// Control characters but tab and line ends, bidirectional overrides, line separators, lone surrogates.
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function hiddenCharacters(text: string, lines: Lines): Diagnostic[] {
  return [...text.matchAll(HIDDEN)].slice(0, 20).map((found) => {
    const code = found[0].codePointAt(0) ?? 0;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    return lines.error('hidden-character', found.index, found.index + 1, {
      message: `the character ${name} is not allowed, because it cannot be seen`,
      fix: 'remove it, or write it as an escape inside a quoted string if it is really meant',
    });
  });
}
