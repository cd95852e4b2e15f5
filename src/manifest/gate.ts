// Refuses text that must not reach the YAML parser: too large, too deep (which can abort the process), or with
// characters that hide what a file says. Works on plain text, in one pass each.

import type { Diagnostic } from '../base/diagnostic.ts';
import { byteLength } from '../base/text.ts';
import type { Lines } from './lines.ts';

export const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;

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
  return [...hiddenCharacters(text, lines), ...tooDeep(text, lines)];
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

/** Counts open brackets outside quotes and comments, and `- - -` and indentation at line starts; may count too much, never too little. */
function tooDeep(text: string, lines: Lines): Diagnostic[] {
  let flow = 0;
  let offset = 0;
  for (const line of text.split('\n')) {
    const [indent = ''] = /^[ \t]*(?:[-?:][ \t]+)*/.exec(line) ?? [];
    const block = Math.max(indent.replace(/[ \t]/g, '').length, 0);
    const opened = brackets(line);
    flow = Math.max(0, flow + opened.peak);
    if (block > MAX_DEPTH || flow > MAX_DEPTH || indentLevels(indent) > MAX_DEPTH * 8) {
      return [
        lines.error('too-deep', offset, offset + Math.min(line.length, 1), {
          message: `the file is nested deeper than ${MAX_DEPTH} levels`,
          fix: 'a manifest needs far fewer levels; check for unclosed brackets',
        }),
      ];
    }
    flow = Math.max(0, flow - opened.peak + opened.net);
    offset += line.length + 1;
  }
  return [];
}

function indentLevels(indent: string): number {
  return indent.length - indent.trimStart().length;
}

/** Net and highest number of brackets opened in one line; brackets in quotes count too, which errs on the safe side. */
function brackets(line: string): { readonly net: number; readonly peak: number } {
  let net = 0;
  let peak = 0;
  let quote = '';
  for (const char of line) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#') break;
    else if (char === '[' || char === '{') peak = Math.max(peak, ++net);
    else if (char === ']' || char === '}') net -= 1;
  }
  return { net, peak };
}
