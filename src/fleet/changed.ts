// Which entries of a fleet differ from a revision: by the names of changed files, never by their content. Asks git through a port.

import { dirname, relative, resolve } from 'node:path';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { hasWildcard } from '../core/text/glob.ts';
import { tryTo } from '../core/try.ts';
import { fixedPart, placeOf } from '../manifest/manifest-paths.ts';
import { isBelow } from '../manifest/read-files.ts';
import type { gitIn } from '../platform/git.ts';
import { throughLinks } from '../platform/paths.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Link } from './order.ts';

type Git = ReturnType<typeof gitIn>;

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
export async function changedSince(
  rev: string,
  { cwd, git, shared, loaded, links }: Since,
): Promise<Result<ReadonlySet<string>>> {
  const here = throughLinks(cwd);
  const { value: files, diagnostics } = await changedFiles(rev, here, git);
  if (files === undefined) return { diagnostics };
  const gone = [...files].filter((file) => placeOf(file) === 'nothing');
  /** Where git may name a path: as it is written, and where its links lead. */
  const placesOf = (path: string) => {
    const full = resolve(here, relative(cwd, resolve(cwd, path)));
    return [full, tryTo(() => throughLinks(full)) ?? full];
  };
  const hasBelow = (path: string, list: readonly string[]) =>
    placesOf(path).some((place) => list.some((file) => isBelow(place, file)));
  const hasLost = (path: string) => hasBelow(hasWildcard(path) ? fixedPart(path) : path, gone);
  const isChanged = (path: string) => placesOf(path).some((place) => isIn(files, place));
  const isAll = shared.some((path) => isChanged(path) || hasBelow(path, [...files]));
  const changed = loaded.filter(({ entry, files: read }) => isAll || read.some(isChanged) || entry.paths.some(hasLost));
  const importers = groupBy(links, ({ from }) => from);
  const names = new Set(changed.map(({ entry }) => entry.name));
  for (const one of names) for (const { to } of importers.get(one) ?? []) names.add(to);
  return { value: names, diagnostics: [] };
}

/** True for a changed file, and for what is below a changed link or submodule. */
function isIn(files: ReadonlySet<string>, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (files.has(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** Full paths. */
async function changedFiles(rev: string, here: string, git: Git): Promise<Result<ReadonlySet<string>>> {
  const top = await git(here, ['rev-parse', '--show-cdup']);
  if (top.code === 'missing') return wrong('git could not be run', 'install git, or name entries with --only');
  if (top.code !== 0)
    return wrong(
      `this is not a checkout of git (${firstLine(top.stderr)})`,
      'run it in one, or name entries with --only',
    );
  const root = resolve(here, top.stdout.replace(/\n$/, ''));
  const isRevision = !/^-|\0/.test(rev);
  const commit = isRevision && (await git(root, ['rev-parse', '--verify', '--quiet', `${rev}^{commit}`])).stdout.trim();
  if (commit === false || !/^[0-9a-f]{40,64}$/.test(commit))
    return wrong(
      `git does not know the revision ${JSON.stringify(rev)}`,
      'name a commit, branch or tag that is in the checkout; a shallow one may have to be fetched with its history',
    );
  const diff = 'diff --name-only --no-renames --no-ext-diff --no-textconv -z'.split(' ');
  const tracked = await git(root, [...diff, commit, '--']);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (tracked.code !== 0 || untracked.code !== 0) {
    const why = firstLine(tracked.stderr || untracked.stderr);
    return wrong(`git could not compare with ${JSON.stringify(rev)} (${why})`, 'run `git diff` to see why');
  }
  const names = `${tracked.stdout}${untracked.stdout}`.split('\0').filter((one) => one !== '');
  return { value: new Set(names.map((one) => resolve(root, one))), diagnostics: [] };
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function wrong(message: string, fix: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [{ code: 'invalid-setting', severity: 'error', message: `--changed-since: ${message}`, fix }] };
}
