// A revision of the checkout: the commit that a name stands for, and the files of a manifest as they are there. Asks git for names
// and contents only: nothing is checked out, so no hook, filter or external program of the repository is run.

import { resolve } from 'node:path';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { failure } from './file-error.ts';
import { GitTree, pathFrom, treeEntries, type Blobs } from './git-tree.ts';
import type { Git, ReadObjects } from './git.ts';
import { throughLinks } from './paths.ts';
import { diskFiles, type SourceFiles, type Sources } from './source-files.ts';

/** A commit in a checkout. */
export interface Commit {
  /** The working directory, without links. */
  readonly here: string;
  /** The top folder of the checkout. */
  readonly top: string;
  readonly commit: string;
}

interface Asked {
  /** The option that names the revision, in messages. */
  readonly option: string;
  readonly rev: string;
  readonly cwd: string;
  readonly git: Git;
  /** What to do where there is no git. */
  readonly otherwise: string;
}

/** The commit that a revision names. What begins with a hyphen is none, so that git never takes it for an option. */
export async function commitOf({ option, rev, cwd, git, otherwise }: Asked): Promise<Result<Commit>> {
  const wrong = (message: string, fix: string) => wrongRevision(option, message, fix);
  const here = throughLinks(cwd);
  const top = await git(here, ['rev-parse', '--show-cdup']);
  if (top.code === 'missing') return wrong('git could not be run', `install git, or ${otherwise}`);
  if (top.code !== 0)
    return wrong(`this is not a checkout of git (${firstLine(top.stderr)})`, `run it in one, or ${otherwise}`);
  const root = resolve(here, top.stdout.replace(/\n$/, ''));
  const isRevision = !/^-|\0/.test(rev);
  const commit = isRevision && (await git(root, ['rev-parse', '--verify', '--quiet', `${rev}^{commit}`])).stdout.trim();
  if (commit === false || !/^[0-9a-f]{40,64}$/.test(commit))
    return wrong(`git does not know the revision ${JSON.stringify(rev)}`, howToGet(rev));
  return { value: { here, top: root, commit }, diagnostics: [] };
}

export function wrongRevision(
  option: string,
  message: string,
  fix: string,
): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [{ code: 'invalid-setting', severity: 'error', message: `${option}: ${message}`, fix }] };
}

/** What a shallow clone lacks can be fetched. */
function howToGet(rev: string): string {
  const name = /^\w[\w./-]*$/.test(rev) ? rev.replace(/^origin\//, '') : undefined;
  const fetched = name === undefined ? 'the history of the branch' : `it with \`git fetch origin ${name}\``;
  return `name a commit, branch or tag that is in the checkout; a shallow one may lack it: fetch ${fetched}`;
}

export function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

interface Opening {
  readonly git: Git;
  readonly readObjects: ReadObjects;
}

/** The files of a commit. Of values, those that git does not track at all are read from the disk. */
export async function sourcesAt({ top, commit }: Commit, { git, readObjects }: Opening): Promise<Result<Sources>> {
  const listing = await git(top, ['ls-tree', '-r', '-z', '--full-tree', commit]);
  const index = await git(top, ['ls-files', '-z']);
  if (listing.code !== 0 || index.code !== 0) {
    const why = firstLine(listing.stderr || index.stderr);
    return wrongRevision(
      '--base',
      `git could not list the files of ${commit} (${why})`,
      'run `git ls-tree` to see why',
    );
  }
  const entries = treeEntries(listing.stdout);
  const tree = new GitTree({ top, entries, blobs: blobsOf(top, readObjects) });
  const tracked = new Set(index.stdout.split('\0'));
  return { value: { files: tree, values: withUntracked(tree, { top, tracked }) }, diagnostics: [] };
}

/** The most that is asked for at once. */
const MAX_TOGETHER_BYTES = 64 * 1024 * 1024;
const HEADER_BYTES = 256;

/** Contents from git; what is expected is asked for together, when any of it is wanted. */
function blobsOf(top: string, readObjects: ReadObjects): Blobs {
  const ask = (oids: Iterable<string>, maxBytes: number) =>
    readObjects(top, ['cat-file', '--batch'], [...oids].map((oid) => `${oid}\n`).join(''), maxBytes);
  const known = new Map<string, Uint8Array>();
  const expected = new Set<string>();
  return {
    expect: (oids) => {
      for (const oid of oids) if (!known.has(oid)) expected.add(oid);
    },
    read: (oid, { maxBytes }) => {
      if (expected.has(oid)) {
        for (const [name, bytes] of contentsIn(ask(expected, MAX_TOGETHER_BYTES))) known.set(name, bytes);
        expected.clear();
      }
      const found = known.get(oid);
      if (found !== undefined) return found;
      const answer = ask([oid], maxBytes + HEADER_BYTES);
      if (answer === undefined) throw failure('too large');
      return contentsIn(answer).get(oid);
    },
  };
}

/** `OID blob SIZE`, the content and a line break, for each; `OID missing` for what is not there. */
function contentsIn(answer: Buffer = Buffer.alloc(0)): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(0x0a, at);
    if (end < 0) break;
    const [oid = '', type, size] = answer.toString('latin1', at, end).split(' ');
    const isThere = type === 'blob' && size !== undefined;
    const start = end + 1;
    if (isThere) found.set(oid, answer.subarray(start, start + Number(size)));
    at = isThere ? start + Number(size) + 1 : start;
  }
  return found;
}

interface Tracked {
  readonly top: string;
  /** Paths from the top, with slashes, of what git tracks now. */
  readonly tracked: ReadonlySet<string>;
}

/** What is outside the repository, and what a pipeline wrote beside its files, is in no revision: it is read as it is. */
function withUntracked(tree: GitTree, { top, tracked }: Tracked): SourceFiles {
  const from = (full: string): SourceFiles => {
    const path = pathFrom(top, full);
    if (path === undefined) return diskFiles;
    return tracked.has(path) || isIn(tree, full) ? tree : diskFiles;
  };
  return {
    typeAt: (path) => from(path).typeAt(path),
    realPath: (path) => from(path).realPath(path),
    throughLinks: (path) => from(path).throughLinks(path),
    expect: tree.expect,
    read: (path, limit) => from(path).read(path, limit),
    namesIn: (folder) => from(folder).namesIn(folder),
    filesBelow: (folder, most, search) => from(folder).filesBelow(folder, most, search),
  };
}

/** True also for what cannot be read there. */
function isIn(tree: GitTree, path: string): boolean {
  try {
    return tree.typeAt(path) !== 'nothing';
  } catch {
    return true;
  }
}
