// Which paths a folder or a pattern names. Reads names, never content.

import { basename, join, relative, resolve, sep } from 'node:path';
import { compareText } from '../core/json.ts';
import { hasWildcard, isPathLike } from '../core/text/glob.ts';
import { tryTo } from '../core/try.ts';
import { pathTypeAt, type PathType } from '../platform/paths.ts';
import { filesBelow, namesIn } from '../platform/read.ts';

/** Maximum number of files and folders that a pattern visits. */
const MAX_ENTRIES = 100_000;

/** What is at the path; errors are reported when it is read. */
export function placeOf(path: string): PathType | 'unknown' {
  return tryTo(() => pathTypeAt(path)) ?? 'unknown';
}

/** The paths that `-f PATH` names: all files of a pattern, the manifest files of a folder, or the path itself. */
export function pathsNamed(path: string, cwd: string): string[] {
  const place = placeOf(resolve(cwd, path));
  if (hasWildcard(path) && place === 'nothing') return glob(path, cwd);
  return place === 'folder' ? inDirectory(path, cwd) : [path];
}

/** The folders and manifest files that a pattern matches, sorted. */
export function stacksLike(pattern: string, cwd: string): string[] {
  return glob(pattern, cwd, true).filter(
    (path) => placeOf(resolve(cwd, path)) === 'folder' || isManifestName(basename(path)),
  );
}

/** The whole folders before the first wildcard. */
export function fixedPart(pattern: string): string {
  return pattern.slice(0, pattern.lastIndexOf('/', pattern.search(/[*?]|$/)) + 1);
}

function isManifestName(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith('.');
}

function inDirectory(path: string, cwd: string): string[] {
  return namesIn(resolve(cwd, path))
    .filter(isManifestName)
    .sort(compareText)
    .map((name) => join(path, name));
}

function glob(pattern: string, cwd: string, withFolders = false): string[] {
  const base = fixedPart(pattern);
  const rest = pattern.slice(base.length);
  const start = resolve(cwd, base);
  if (placeOf(start) === 'nothing') return [];
  const parts = rest.split('/');
  const depth = parts.includes('**') ? Infinity : parts.length;
  return filesBelow(start, MAX_ENTRIES, { depth, withFolders })
    .map((file) => slashed(relative(start, file)))
    .filter((name) => isPathLike(name, rest))
    .map((name) => join(base, name))
    .sort(compareText);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
