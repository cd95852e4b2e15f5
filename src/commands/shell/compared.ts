// The engine's input for a plan that is compared with a revision: the manifest as it is, and as it was there.

import { Collector } from '../../core/failure.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import { lacksManifest } from '../../manifest/default-manifest.ts';
import { loadManifest, type ManifestResult } from '../../manifest/load.ts';
import { namesAnything } from '../../manifest/manifest-paths.ts';
import { readManifestFiles } from '../../manifest/read-files.ts';
import type { Sources } from '../../platform/source-files.ts';
import { unreadable, type Base } from '../../reconcile/base.ts';
import type { RunInput } from '../../reconcile/run.ts';
import { valuesOf, type GivenVariables } from '../options/variables.ts';
import { filesAt, findBase, variablesAt, type FoundRevision } from './base.ts';
import type { Invocation } from './invocation.ts';
import { prepareLoaded, runOf } from './prepare.ts';

interface Prepared {
  readonly run: RunInput;
  /** Undefined without `--base`. */
  readonly base: Base | undefined;
}

/** The input of the plan, or a failure with all problems, except for those of the manifest at the revision. */
export async function prepareCompared(invocation: Invocation): Promise<Prepared> {
  const collector = new Collector();
  const revision = await collector.take(() => findBase(invocation));
  const { run, loaded } = await prepareLoaded(invocation, collector);
  return { run, base: revision && (await baseOf(revision, { invocation, given: loaded.given, run })) };
}

interface Now {
  readonly invocation: Invocation;
  readonly given: GivenVariables;
  readonly run: RunInput;
}

/** The same manifest at the revision, with the options of the run. */
async function baseOf(revision: FoundRevision, now: Now): Promise<Base> {
  const { rev, commit } = revision;
  const { value: sources, diagnostics } = await filesAt(revision, now.invocation);
  if (sources === undefined) return { rev, commit, found: unreadable(rev, diagnostics) };
  const loaded = await loadAt(revision, sources, now);
  return { rev, commit, found: loaded === undefined ? { is: 'no-manifest' } : foundIn(loaded, rev, now) };
}

type LoadedAt = Pick<ManifestResult, 'value' | 'diagnostics'>;

/** The manifest at the revision; undefined if there is none. What is not there yet is left out. */
async function loadAt(
  revision: FoundRevision,
  sources: Sources,
  { invocation, given }: Now,
): Promise<LoadedAt | undefined> {
  const { here } = revision;
  const { settings, env } = invocation;
  const isThere = (path: string) => namesAnything(path, here, sources.files);
  const paths = settings.file.filter(isThere);
  if (paths.length < Math.min(1, settings.file.length)) return undefined;
  if (settings.file.length === 0 && lacksManifest(here, sources.files)) return undefined;
  const found = await readManifestFiles(paths, here, { overlays: settings.overlay.filter(isThere), sources });
  const variables = variablesAt(given, revision, sources);
  const unread = [...found.diagnostics, ...variables.diagnostics];
  if (found.value === undefined || variables.value === undefined || hasErrors(unread)) return { diagnostics: unread };
  const optionalVariables = valuesOf(variables.value);
  return loadManifest({ ...found.value, variables: new Map(), optionalVariables, env, mayLackValues: false });
}

function foundIn({ value: manifest, diagnostics }: LoadedAt, rev: string, { invocation, run }: Now): Base['found'] {
  if (manifest === undefined) return unreadable(rev, diagnostics);
  return { is: 'manifest', run: { ...runOf(invocation, manifest, run.connection), emit: () => undefined } };
}
