// The files of a revision: what `git ls-tree` lists, with symbolic links followed inside the repository. Knows no command of git;
// contents come from a port.

import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { groupEntries } from '../core/group.ts';
import { failure, FileError, withFileError } from './file-error.ts';
import { MOST_LINKS, type PathType } from './paths.ts';
import type { ReadLimit, Search } from './read.ts';
import type { SourceFiles } from './source-files.ts';

/** A file, link or submodule in a tree. */
export interface TreeEntry {
  readonly mode: string;
  /** Name of its content. */
  readonly oid: string;
}

const LINK = '120000';
const SUBMODULE = '160000';
/** Far above the length of any path. */
const LINK_BYTES = { maxBytes: 64 * 1024 };
const LFS = 'version https://git-lfs.github.com/spec/';

/** Contents by their names. */
export interface Blobs {
  readonly expect: (oids: readonly string[]) => void;
  /** Undefined if the checkout does not have it. Throws if it is too large. */
  readonly read: (oid: string, limit: ReadLimit) => Uint8Array | undefined;
}

interface Tree {
  /** The top folder of the checkout, without links. */
  readonly top: string;
  /** By path from the top, with slashes. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly blobs: Blobs;
}

/** `-z ls-tree -r` as entries by path. */
export function treeEntries(listing: string): ReadonlyMap<string, TreeEntry> {
  return new Map(
    listing.split('\0').flatMap((line): [string, TreeEntry][] => {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return mode === undefined || oid === undefined || path === undefined ? [] : [[path, { mode, oid }]];
    }),
  );
}

/** A place in a tree, without links; the path is from the top, and empty for the top itself. */
interface Place {
  readonly path: string;
  readonly type: PathType;
  readonly entry?: TreeEntry;
}

/** The files of a tree by their full paths in the checkout. What is outside the repository cannot be read. */
export class GitTree implements SourceFiles {
  readonly #tree: Tree;
  /** Names in each folder, by its path from the top. */
  readonly #names: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#names = foldersOf(tree.entries.keys());
  }

  readonly typeAt = (path: string): PathType => this.#placeOf(path).type;

  readonly realPath = (path: string): string => {
    return withFileError(path, 'read', () => {
      const place = this.#placeOf(path);
      if (place.type === 'nothing') throw failure('ENOENT');
      return join(this.#tree.top, place.path);
    });
  };

  readonly throughLinks = (path: string): string => join(this.#tree.top, this.#placeOf(path).path);

  readonly expect = (paths: readonly string[]): void => {
    const { top, entries, blobs } = this.#tree;
    blobs.expect(paths.flatMap((path) => entries.get(pathFrom(top, path) ?? '')?.oid ?? []));
  };

  readonly read = (path: string, limit: ReadLimit): Uint8Array => {
    return withFileError(path, 'read', () => {
      const { type, entry } = this.#placeOf(path);
      if (type === 'nothing') throw failure('ENOENT');
      if (entry === undefined) throw failure('not a regular file');
      const bytes = this.#contentOf(entry, limit);
      if (startsWith(bytes, LFS)) throw failure('in Git LFS');
      return bytes;
    });
  };

  readonly namesIn = (folder: string): readonly string[] => {
    return withFileError(folder, 'read', () => [...this.#namesAt(this.#placeOf(folder))]);
  };

  readonly filesBelow = (folder: string, most: number, search: Search = {}): readonly string[] => {
    const { depth = Infinity, withFolders = false } = search;
    const start = withFileError(folder, 'read', () => this.#placeOf(folder).path);
    const found: string[] = [];
    const folders = [{ path: '', level: 1 }];
    let count = 0;
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      const { path, level } = at;
      for (const name of this.#names.get(joined(start, path)) ?? []) {
        count += 1;
        if (count > most) throw new FileError(folder, 'too many files', 'read');
        const below = joined(path, name);
        const isFolder = this.#names.has(joined(start, below));
        if (!isFolder || withFolders) found.push(join(folder, below));
        if (isFolder && level < depth) folders.push({ path: below, level: level + 1 });
      }
    }
    return found;
  };

  #namesAt({ path, type }: Place): ReadonlySet<string> {
    if (type === 'nothing') throw failure('ENOENT');
    const names = this.#names.get(path);
    if (names === undefined) throw failure('ENOTDIR');
    return names;
  }

  #contentOf({ oid }: TreeEntry, limit: ReadLimit): Uint8Array {
    const bytes = this.#tree.blobs.read(oid, limit);
    if (bytes === undefined) throw failure('not in this checkout');
    if (bytes.length > limit.maxBytes) throw failure('too large');
    return bytes;
  }

  /** What is at a path; links are followed, but never out of the repository. */
  #placeOf(full: string): Place {
    const { entries } = this.#tree;
    const left = this.#partsFromTop(full).reverse();
    let path = '';
    let links = 0;
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const next = joined(path, name);
      const entry = entries.get(next);
      if (entry?.mode === LINK) {
        if ((links += 1) > MOST_LINKS) throw failure('ELOOP');
        left.push(...this.#targetOf(entry, path).reverse());
        // A target begins at the top.
        path = '';
        continue;
      }
      if (entry?.mode === SUBMODULE) throw failure('in a submodule');
      if (entry !== undefined) return this.#endAt(next, entry, left);
      path = next;
      if (!this.#names.has(path)) return { path: [path, ...left.reverse()].join('/'), type: 'nothing' };
    }
    return { path, type: 'folder' };
  }

  /** A file, which has nothing below it. */
  #endAt(path: string, entry: TreeEntry, below: readonly string[]): Place {
    if (below.length === 0) return { path, type: 'file', entry };
    return { path: [path, ...[...below].reverse()].join('/'), type: 'nothing' };
  }

  /** The target of a link in a folder, in parts from the top. */
  #targetOf(entry: TreeEntry, folder: string): string[] {
    const target = Buffer.from(this.#contentOf(entry, LINK_BYTES)).toString('utf8');
    return this.#partsFromTop(isAbsolute(target) ? target : resolve(this.#tree.top, folder, target));
  }

  #partsFromTop(full: string): string[] {
    const path = pathFrom(this.#tree.top, full);
    if (path === undefined) throw failure('outside the repository');
    return path === '' ? [] : path.split('/');
  }
}

/** The names in every folder, those of folders among them. */
function foldersOf(paths: Iterable<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Set<string>();
  const pairs: [folder: string, name: string][] = [];
  for (const path of paths) {
    for (let at = path; at !== '' && !seen.has(at);) {
      seen.add(at);
      const end = at.lastIndexOf('/');
      const folder = at.slice(0, Math.max(0, end));
      pairs.push([folder, at.slice(end + 1)]);
      at = folder;
    }
  }
  const names = new Map([...groupEntries(pairs)].map(([folder, list]) => [folder, new Set(list)]));
  return names.has('') ? names : new Map([...names, ['', new Set<string>()]]);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}

function joined(folder: string, name: string): string {
  return folder === '' || name === '' ? `${folder}${name}` : `${folder}/${name}`;
}

/** The path from a folder, with slashes; undefined if it is outside. */
export function pathFrom(top: string, full: string): string | undefined {
  const path = relative(top, full);
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path.split(sep).join('/');
}
