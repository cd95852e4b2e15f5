// What a path leads to: a file, a folder or nothing, through symbolic links or not. Reads no content.

import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { failure, withFileError } from './file-error.ts';

/** As deep as the platform follows symbolic links. */
const MOST_LINKS = 40;

/** What a path leads to, through symbolic links. Throws the platform's error when that cannot be said. */
export function pathTypeAt(path: string): 'nothing' | 'file' | 'folder' | 'other' {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** True for a named pipe; a link to one is none. */
export function isPipe(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** True when the name is taken, by whatever it may be, also by a symbolic link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** True for a file that others than its owner may read. */
export function isReadByOthers(path: string): boolean {
  return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

export function realPath(path: string): string {
  return withFileError(path, 'read', () => realpathSync(path));
}

/** Where a path leads through all symbolic links, as the platform follows them, also when nothing is there yet. */
export function throughLinks(path: string): string {
  const full = resolve(path);
  let at = parse(full).root;
  let links = 0;
  const names = namesOf(full);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = join(at, name);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    if ((links += 1) > MOST_LINKS) throw failure('ELOOP');
    const target = readlinkSync(next);
    if (isAbsolute(target)) at = parse(target).root;
    names.push(...namesOf(target));
  }
  return at;
}

/** The names in a path, the last one first. */
function namesOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep).reverse();
}

/** One key for all paths and links to a regular file, also to one in folders that are not there yet; undefined for what is none. */
export function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (found !== undefined) return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
    const target = throughLinks(path);
    let there = target;
    while (!isTaken(there)) there = dirname(there);
    const { dev, ino } = statSync(there, { bigint: true });
    return `${dev}:${ino}:${relative(there, target)}`;
  } catch {
    return path;
  }
}

export function linkTarget(path: string): string {
  return withFileError(path, 'read', () => readlinkSync(path));
}
