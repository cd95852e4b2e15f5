// Texts that are no data of ours: summaries of a pipeline, events, and starter files that belong into a repository. Each
// passes the output filter.

import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { filterText } from '../base/filter.ts';
import { attempt } from './error.ts';

/** Most bytes of UTF-8 for one unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/** Appends a text that keeps the file within a size; the text is told how many characters it may have. */
export function appendBounded(path: string, render: (limit: number) => string, maxBytes: number): void {
  attempt(path, 'written', () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const gap = size > 0 ? '\n\n' : '';
    const text = filtered(path, `${gap}${render(Math.floor((maxBytes - size) / BYTES_PER_UNIT) - 3)}\n`);
    if (size + Buffer.byteLength(text) > maxBytes) throw Object.assign(new Error('full'), { code: 'EFBIG' });
    appendFileSync(path, text, { mode: 0o600 });
  });
}

/** Writes a file that everybody may read and that must not be there yet; makes the folders on the way. */
export function writeNew(path: string, text: string): void {
  attempt(path, 'written', () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, filtered(path, text), { flag: 'wx' });
  });
}

/** Adds to the end of a file; what is in it stays. */
export function addTo(path: string, text: string): void {
  attempt(path, 'written', () => {
    appendFileSync(path, filtered(path, text));
  });
}

/** Adds to the end of a file of its owner, which is made when it is not there. */
export function addOwn(path: string, text: string): void {
  attempt(path, 'written', () => {
    appendFileSync(path, filtered(path, text), { mode: 0o600 });
  });
}

function filtered(path: string, text: string): string {
  return filterText(text, JSON.stringify(path));
}
