// Finds base64 text inside other text, at any offset, by checking whether it decodes to readable text.

import type { TextRewrite } from './view.ts';

/** White space inside base64. The run before it must be longer than a word and no longer than a line. */
export const FOLDS: TextRewrite = { tokens: /(?=\s)(?<=(?<![\w+/-])[\w+/-]{16,128})\s+(?=[\w+/-])/g, change: () => '' };

/** Decodes each byte to one character; UTF-8 sequences are decoded later, like any other escape. */
export const BASE64: TextRewrite = {
  tokens: /[\w+/-]{16}[\w+/-]*/g,
  change: (run) => {
    const begin = beginOf(run);
    return begin === undefined ? run : bytesIn(run, begin);
  },
  spansIn: (run) => {
    const begin = beginOf(run);
    if (begin === undefined) return undefined;
    return (byte) => ({ start: begin + Math.floor((byte * 4) / 3), end: begin + Math.ceil(((byte + 1) * 4) / 3) });
  },
};

/** UTF-8 text; twelve bytes of other data almost never match. */
const TEXT = /(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){12,}/g;

/** How much of a run is tested: text is readable from its beginning. */
const SAMPLE = 1_024;

/** Where the encoded text begins, because a name of base64 letters may precede it. Undefined if it is probably not text. */
function beginOf(run: string): number | undefined {
  const sample = run.slice(0, SAMPLE);
  const sizes = [0, 1, 2, 3].map((begin) => bytesIn(sample, begin).match(TEXT)?.join('').length ?? 0);
  const most = Math.max(...sizes);
  return most * LEAST_SHARE < sample.length ? undefined : sizes.indexOf(most);
}

const LEAST_SHARE = 2;

function bytesIn(run: string, begin: number): string {
  return Buffer.from(run.slice(begin), 'base64').toString('latin1');
}
