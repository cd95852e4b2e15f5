// Which entries of a fleet differ from a revision: their files, their text in the fleet file, or a stack that they import from.
// Asks git through a port.

import { dirname, relative, resolve, sep } from 'node:path';
import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { sameJson } from '../core/equal.ts';
import { groupBy } from '../core/group.ts';
import { tryTo } from '../core/try.ts';
import { placeOf, wouldName } from '../manifest/manifest-paths.ts';
import { isBelow } from '../manifest/read-files.ts';
import type { gitIn } from '../platform/git.ts';
import { throughLinks } from '../platform/paths.ts';
import type { FleetEntry, FleetFile } from './fleet-file.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Link } from './order.ts';

interface Since {
  readonly cwd: string;
  readonly git: ReturnType<typeof gitIn>;
  /** Path of the fleet file, from the working directory. */
  readonly name: string;
  readonly fleet: FleetFile;
  /** The entries of the fleet file in an older text; undefined if it had errors. */
  readonly parse: (text: string) => FleetFile | undefined;
  readonly loaded: readonly Pick<LoadedEntry, 'entry' | 'files'>[];
  readonly links: readonly Link[];
}

/** The names of the entries that the working tree changes compared with a revision. Files that git ignores do not count. */
export async function changedSince(rev: string, since: Since): Promise<Result<ReadonlySet<string>>> {
  const { cwd, name, fleet, loaded, links } = since;
  const here = throughLinks(cwd);
  const found = await changedFiles(rev, here, since);
  if (found.value === undefined) return { diagnostics: found.diagnostics };
  const { files, isOther } = found.value;
  // All others that belong to a manifest were read.
  const gone = [...files].filter((file) => placeOf(file) === 'nothing');
  const isRead = (path: string) =>
    [resolve(here, relative(cwd, path)), tryTo(() => throughLinks(path)) ?? path].some((one) => isIn(files, one));
  const isChanged = ({ entry, files: read }: Pick<LoadedEntry, 'entry' | 'files'>) =>
    read.some(isRead) || entry.paths.some((path) => gone.some((file) => wouldName(path, file, here)));
  const isAll = fleet.policies.some((path) =>
    [...files].some((file) => file === resolve(here, path) || isBelow(resolve(here, path), file)),
  );
  const isOtherEntry = isRead(resolve(cwd, name)) ? await isOther() : () => false;
  const changed = loaded.filter((one) => isAll || isOtherEntry(one.entry) || isChanged(one));
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

interface Changed {
  readonly files: ReadonlySet<string>;
  /** Compares the fleet file with its text at the revision. */
  readonly isOther: () => Promise<(entry: FleetEntry) => boolean>;
}

async function changedFiles(
  rev: string,
  here: string,
  { cwd, git, name, fleet, parse }: Since,
): Promise<Result<Changed>> {
  const top = await git(here, ['rev-parse', '--show-cdup']);
  if (top.code === 'missing') return wrong('git could not be run', 'install git, or name entries with --only');
  if (top.code !== 0)
    return wrong(
      `this is not a checkout of git (${firstLine(top.stderr)})`,
      'run it in a checkout, or name entries with --only',
    );
  const root = resolve(here, top.stdout.replace(/\n$/, ''));
  const unknown = () =>
    wrong(
      `git does not know the revision ${JSON.stringify(rev)}`,
      'name a commit, branch or tag that is in the checkout; a shallow one may have to be fetched with its history',
    );
  if (/^-|\0/.test(rev)) return unknown();
  const commit = await git(root, ['rev-parse', '--verify', '--quiet', `${rev}^{commit}`]);
  const id = commit.stdout.trim();
  if (commit.code !== 0 || !/^[0-9a-f]{40,64}$/.test(id)) return unknown();
  const diff = 'diff --name-only --no-renames --no-ext-diff --no-textconv -z'.split(' ');
  const tracked = await git(root, [...diff, id, '--']);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  if (tracked.code !== 0 || untracked.code !== 0)
    return wrong(
      `git could not compare with ${JSON.stringify(rev)} (${firstLine(tracked.stderr || untracked.stderr)})`,
      'run `git diff` to see why',
    );
  const names = `${tracked.stdout}${untracked.stdout}`.split('\0').filter((one) => one !== '');
  const files = new Set(names.map((one) => resolve(root, one)));
  const isOther = async () => {
    const path = relative(root, throughLinks(resolve(cwd, name)))
      .split(sep)
      .join('/');
    const before = await git(root, ['show', '--no-textconv', `${id}:${path}`]);
    const old = before.code === 0 ? parse(before.stdout) : undefined;
    if (old === undefined || !sameJson(old.policies, fleet.policies)) return () => true;
    const entries = new Map(old.entries.map((one) => [one.name, textOf(one)]));
    return (entry: FleetEntry) => entries.get(entry.name) !== textOf(entry);
  };
  return { value: { files, isOther }, diagnostics: [] };
}

/** Everything of an entry but its place. */
function textOf({ name, paths, variables, varFiles, baseUrlEnv, apiKeyEnv }: FleetEntry): string {
  return JSON.stringify([name, paths, [...variables].sort(), varFiles, baseUrlEnv, apiKeyEnv]);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function wrong(message: string, fix: string): { readonly diagnostics: readonly Diagnostic[] } {
  return { diagnostics: [{ code: 'invalid-setting', severity: 'error', message: `--changed-since: ${message}`, fix }] };
}
