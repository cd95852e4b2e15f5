// The revision of `--base`: its commit, the files and the values of the command line as they are there.

import { resolve } from 'node:path';
import type { Result } from '../../core/diagnostic.ts';
import { requireValue, usageError } from '../../core/failure.ts';
import { placeOf } from '../../manifest/manifest-paths.ts';
import { MAX_VARIABLES_BYTES, readVarFile, type VariableEntries } from '../../manifest/values/var-file.ts';
import { FileError, reasonOf } from '../../platform/file-error.ts';
import { gitIn, objectsIn } from '../../platform/git.ts';
import { descriptorOf } from '../../platform/paths.ts';
import { decodeText } from '../../platform/read.ts';
import { commitOf, sourcesAt, type Commit } from '../../platform/revision.ts';
import type { Sources } from '../../platform/source-files.ts';
import { unreadable, type Base } from '../../reconcile/base.ts';
import type { GivenVariables } from '../options/variables.ts';
import type { Invocation } from './invocation.ts';

/** A revision that is there. */
export interface FoundRevision extends Commit {
  readonly rev: string;
}

/** The revision of `--base`; undefined without it. Fails if it cannot be used. */
export async function findBase(run: Invocation): Promise<FoundRevision | undefined> {
  const { settings, cwd, env } = run;
  const { base: rev, file, overlay } = settings;
  if (rev === undefined) return undefined;
  const stream = [...file, ...overlay].find((path) => isStream(path, cwd));
  if (stream !== undefined) {
    const message = `--base cannot be combined with ${file.includes(stream) ? '-f' : '--overlay'} ${stream}`;
    throw usageError(message, 'name a file that git tracks: what comes from a stream is in no revision');
  }
  const asked = { option: '--base', rev, cwd, git: gitIn(env), otherwise: 'leave --base out' };
  return { rev, ...requireValue(await commitOf(asked)) };
}

/** Standard input, and what a shell passes as `<(…)`. */
function isStream(path: string, cwd: string): boolean {
  return path === '-' || descriptorOf(resolve(cwd, path)) !== undefined;
}

/** The revision, and what its files say; what is wrong with them is no problem of the command. */
export async function baseAt<Ready>(
  revision: FoundRevision,
  { env }: Pick<Invocation, 'env'>,
  foundIn: (sources: Sources) => Promise<Base<Ready>['found']>,
): Promise<Base<Ready>> {
  const { rev, commit } = revision;
  const { value: sources, diagnostics } = await sourcesAt(revision, { git: gitIn(env), readObjects: objectsIn(env) });
  return { rev, commit, found: sources === undefined ? unreadable(rev, diagnostics) : await foundIn(sources) };
}

/** The values of the command line with the files of the revision; what it has not, and what comes from a stream, is left as it is. */
export function variablesAt(
  { ofFiles, pairs }: GivenVariables,
  { here }: Commit,
  { values }: Sources,
): Result<GivenVariables> {
  const read = ofFiles.map(({ name, entries }): Result<VariableEntries> => {
    const full = resolve(here, name);
    return isStream(name, here) ? { value: entries, diagnostics: [] } : readAt(name, full, values);
  });
  const diagnostics = read.flatMap((one) => one.diagnostics);
  if (diagnostics.length > 0) return { diagnostics };
  const files = ofFiles.map(({ name }, index) => ({ name, entries: read[index]?.value ?? [] }));
  return { value: { ofFiles: files, pairs }, diagnostics };
}

/** A file that the revision does not have yet gives no values there. */
function readAt(name: string, full: string, values: Sources['values']): Result<VariableEntries> {
  const shown = `--var-file ${JSON.stringify(name)}`;
  try {
    if (placeOf(full, values) === 'nothing') return { value: [], diagnostics: [] };
    return readVarFile(shown, name, decodeText(full, values.read(full, { maxBytes: MAX_VARIABLES_BYTES })));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `${shown} cannot be read: ${reasonOf(error)}`;
    const fix = 'name a file that can be read there, too';
    return { diagnostics: [{ code: 'file-unreadable', severity: 'error', message, fix }] };
  }
}
