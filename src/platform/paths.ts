// What a path refers to: a file, a folder or nothing, with or without symbolic links resolved. Reads no content.

import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { failure, withFileError } from './file-error.ts';

/** The platform's own limit for following symbolic links. */
export const MOST_LINKS = 40;

/** What is at a path, symbolic links resolved. */
export type PathType = 'nothing' | 'file' | 'folder' | 'other';

export function pathTypeAt(path: string): PathType {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/** True when anything exists at the path, even a dangling symbolic link. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The permissions of a file; 0 when nothing is there. */
export function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}

export function realPath(path: string): string {
  return withFileError(path, 'read', () => realpathSync(path));
}

/** The path with all symbolic links resolved as the platform does, even if nothing exists there yet. */
export function throughLinks(path: string): string {
  const full = resolve(path);
  let at = parse(full).root;
  let links = 0;
  const names = namesOf(full);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const next = join(at, name);
    if (!isLink(next)) {
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

function namesOf(path: string): string[] {
  return path.slice(parse(path).root.length).split(sep).reverse();
}

/** The same key for all paths and links to a regular file, even in folders that do not exist yet; undefined for anything else. */
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

/** The number of the descriptor that a path names; shells pass `<(…)` like this. */
export function descriptorOf(path: string): number | undefined {
  const name = { '/dev/stdin': '0', '/dev/stdout': '1', '/dev/stderr': '2' }[path];
  const found = name ?? /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/.exec(path)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Fails for what another program reads: a file that is open already would be written at two places at once. */
export function refuseStream(path: string): void {
  if (descriptorOf(path) !== undefined) throw failure('a descriptor');
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true) throw failure('a pipe');
}
