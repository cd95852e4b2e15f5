// Which entries of a fleet differ from a revision: by the names of changed files, never by their content. Asks git through a port.

import { dirname, relative, resolve } from 'node:path';
import type { Result } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { hasWildcard } from '../core/text/glob.ts';
import { tryTo } from '../core/try.ts';
import { fixedPart, isBelow, placeOf } from '../manifest/manifest-paths.ts';
import type { Git } from '../platform/git.ts';
import { throughLinks } from '../platform/paths.ts';
import { commitOf, firstLine, wrongRevision } from '../platform/revision.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Link } from './order.ts';

const OPTION = '--changed-since';

interface Asked {
  readonly rev: string;
  readonly cwd: string;
  readonly git: Git;
}

interface Since {
  readonly cwd: string;
  readonly git: Git;
  /** Paths from the working directory that concern every entry: the fleet file, and its policies. */
  readonly shared: readonly string[];
  readonly loaded: readonly Pick<LoadedEntry, 'entry' | 'files'>[];
  readonly links: readonly Link[];
}

/**
 * The names of entries that read a changed file, lost one below their path, or import from such an entry; all of them if a shared
 * file changed. The working tree is compared with the revision; files that git ignores do not count.
 */
export async function changedSince(rev: string, fleet: Since): Promise<Result<ReadonlySet<string>>> {
  const { cwd, git, shared, loaded, links } = fleet;
  const here = throughLinks(cwd);
  const { value: files, diagnostics } = await changedFiles({ rev, cwd, git });
  if (files === undefined) return { diagnostics };
  const changes = new ChangedFiles(files, { cwd, here });
  const isAll = shared.some((path) => changes.isChanged(path) || changes.hasBelow(path));
  const changed = loaded.filter(
    ({ entry, files: read }) =>
      isAll || read.some((path) => changes.isChanged(path)) || entry.paths.some((path) => changes.hasLostBelow(path)),
  );
  const names = changed.map(({ entry }) => entry.name);
  return { value: withImporters(names, links), diagnostics: [] };
}

/** The entries, and all that import from one of them, directly or not. */
function withImporters(entries: readonly string[], links: readonly Link[]): ReadonlySet<string> {
  const importers = groupBy(links, ({ from }) => from);
  const names = new Set(entries);
  // A set visits what is added to it on the way.
  for (const name of names) for (const { to } of importers.get(name) ?? []) names.add(to);
  return names;
}

/** Files that differ from a revision, by full paths, asked by paths from the working directory. */
class ChangedFiles {
  readonly #files: ReadonlySet<string>;
  readonly #list: readonly string[];
  /** Those that no longer exist. */
  readonly #lost: readonly string[];
  readonly #cwd: string;
  /** The working directory without links. */
  readonly #here: string;

  constructor(files: ReadonlySet<string>, { cwd, here }: { readonly cwd: string; readonly here: string }) {
    this.#files = files;
    this.#list = [...files];
    this.#lost = this.#list.filter((file) => placeOf(file) === 'nothing');
    this.#cwd = cwd;
    this.#here = here;
  }

  isChanged(path: string): boolean {
    return this.#namesOf(path).some((name) => isIn(this.#files, name));
  }

  hasBelow(path: string, files = this.#list): boolean {
    return this.#namesOf(path).some((name) => files.some((file) => isBelow(name, file)));
  }

  hasLostBelow(path: string): boolean {
    return this.hasBelow(hasWildcard(path) ? fixedPart(path) : path, this.#lost);
  }

  /** How git may name a path: as it is written, and where its links lead. */
  #namesOf(path: string): readonly string[] {
    const full = resolve(this.#here, relative(this.#cwd, resolve(this.#cwd, path)));
    return [full, tryTo(() => throughLinks(full)) ?? full];
  }
}

/** True for a changed file, and for what is below a changed link or submodule. */
function isIn(files: ReadonlySet<string>, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (files.has(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Full paths. */
async function changedFiles({ rev, ...asked }: Asked): Promise<Result<ReadonlySet<string>>> {
  const otherwise = 'name entries with --only';
  const { value: found, diagnostics } = await commitOf({ ...asked, option: OPTION, rev, otherwise });
  if (found === undefined) return { diagnostics };
  const { git } = asked;
  const { top, commit } = found;
  const diff = 'diff --name-only --no-renames --no-ext-diff --no-textconv -z'.split(' ');
  const tracked = await git(top, [...diff, commit, '--']);
  const untracked = await git(top, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (tracked.code !== 0 || untracked.code !== 0) {
    const why = firstLine(tracked.stderr || untracked.stderr);
    return wrongRevision(
      OPTION,
      `git could not compare with ${JSON.stringify(rev)} (${why})`,
      'run `git diff` to see why',
    );
  }
  const names = `${tracked.stdout}${untracked.stdout}`.split('\0').filter((one) => one !== '');
  return { value: new Set(names.map((one) => resolve(top, one))), diagnostics: [] };
}
