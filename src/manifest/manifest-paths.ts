// Which paths a folder or a pattern names. Reads names, never content.

import { basename, join, relative, resolve, sep } from 'node:path';
import { compareText } from '../core/json.ts';
import { hasWildcard, isPathLike } from '../core/text/glob.ts';
import { tryTo } from '../core/try.ts';
import type { PathType } from '../platform/paths.ts';
import { diskFiles, type SourceFiles } from '../platform/source-files.ts';

/** Maximum number of files and folders that a pattern visits. */
const MAX_ENTRIES = 100_000;

/** What is at the path; errors are reported when it is read. */
export function placeOf(path: string, files = diskFiles): PathType | 'unknown' {
  return tryTo(() => files.typeAt(path)) ?? 'unknown';
}

/** The paths that `-f PATH` names: all files of a pattern, the manifest files of a folder, or the path itself. */
export function pathsNamed(path: string, cwd: string, files = diskFiles): string[] {
  const place = placeOf(resolve(cwd, path), files);
  if (hasWildcard(path) && place === 'nothing') return glob(path, cwd, { files });
  return place === 'folder' ? inDirectory(path, cwd, files) : [path];
}

/** True unless it is certain that the path names nothing. */
export function namesAnything(path: string, cwd: string, files = diskFiles): boolean {
  const named = tryTo(() => pathsNamed(path, cwd, files)) ?? [path];
  return named.some((name) => placeOf(resolve(cwd, name), files) !== 'nothing');
}

/** The folders and manifest files that a pattern matches, sorted. */
export function stacksLike(pattern: string, cwd: string, files = diskFiles): string[] {
  return glob(pattern, cwd, { files, withFolders: true }).filter(
    (path) => placeOf(resolve(cwd, path), files) === 'folder' || isManifestName(basename(path)),
  );
}

/** The whole folders before the first wildcard. */
export function fixedPart(pattern: string): string {
  return pattern.slice(0, pattern.lastIndexOf('/', pattern.search(/[*?]|$/)) + 1);
}

function isManifestName(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !name.startsWith('.');
}

function inDirectory(path: string, cwd: string, files: SourceFiles): string[] {
  return files
    .namesIn(resolve(cwd, path))
    .filter(isManifestName)
    .sort(compareText)
    .map((name) => join(path, name));
}

interface Search {
  readonly files: SourceFiles;
  readonly withFolders?: boolean;
}

function glob(pattern: string, cwd: string, { files, withFolders = false }: Search): string[] {
  const base = fixedPart(pattern);
  const rest = pattern.slice(base.length);
  const start = resolve(cwd, base);
  if (placeOf(start, files) === 'nothing') return [];
  const parts = rest.split('/');
  const depth = parts.includes('**') ? Infinity : parts.length;
  return files
    .filesBelow(start, MAX_ENTRIES, { depth, withFolders })
    .map((file) => slashed(relative(start, file)))
    .filter((name) => isPathLike(name, rest))
    .map((name) => join(base, name))
    .sort(compareText);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

export function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
