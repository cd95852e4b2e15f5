// Paths of files where other programs expect the address of one.

import { percentEncoded } from '../../core/text/text.ts';

/** The path without `.` and, as far as it goes, without `..`. */
export function plainPath(path: string): string {
  const root = path.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.' && !(part === '..' && root !== '')) parts.push(part);
  }
  return root + (parts.join('/') || (root === '' ? '.' : ''));
}

/** A relative path as a relative reference, an absolute one as a `file:` address; every other character is part of a name. */
export function uriOfPath(path: string): string {
  const plain = plainPath(path);
  const encoded = plain.replace(/[^\w.!~*'()/-]/gu, percentEncoded);
  return plain.startsWith('/') ? `file://${encoded}` : encoded;
}
