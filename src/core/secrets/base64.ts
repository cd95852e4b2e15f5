// Base64 of a text, whatever that text is made of: found by what it says, wherever it begins.

import type { TextRewrite } from './view.ts';

/** White space inside of base64: what stands before it is longer than words are, and no longer than lines are. */
export const FOLDS: TextRewrite = { tokens: /(?=\s)(?<=(?<![\w+/-])[\w+/-]{16,128})\s+(?=[\w+/-])/g, change: () => '' };

/** Each byte as one character: those of UTF-8 are an escape like others. */
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

/** Characters in UTF-8, which twelve bytes of another sort hardly ever are. */
const TEXT = /(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){12,}/g;

/** How much of a run is looked at: a text is one from its beginning. */
const SAMPLE = 1_024;

/** Where the text in a run begins, for a name of the same letters may stand before it. Undefined for what is hardly any. */
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
