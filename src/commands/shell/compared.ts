// The engine's input for a plan that is compared with a revision: the manifest as it is, and as it was there.

import { Collector } from '../../core/failure.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import { lacksManifest } from '../../manifest/default-manifest.ts';
import { loadManifest } from '../../manifest/load.ts';
import { namesAnything } from '../../manifest/manifest-paths.ts';
import { readManifestFiles } from '../../manifest/read-files.ts';
import type { Sources } from '../../platform/source-files.ts';
import { unreadable, type ManifestBase } from '../../reconcile/base.ts';
import type { RunInput } from '../../reconcile/run.ts';
import { valuesOf, type GivenVariables } from '../options/variables.ts';
import { baseAt, findBase, variablesAt, type FoundRevision } from './base.ts';
import type { Invocation } from './invocation.ts';
import { preparePlanning, runOf } from './prepare.ts';

interface Prepared {
  readonly run: RunInput;
  /** Undefined without `--base`. */
  readonly base: ManifestBase | undefined;
}

/** The input of the plan, or a failure with all problems, except for those of the manifest at the revision. */
export async function prepareCompared(invocation: Invocation): Promise<Prepared> {
  const collector = new Collector();
  const revision = await collector.take(() => findBase(invocation));
  const { run, loaded } = await preparePlanning(invocation, collector);
  const now = { invocation, given: loaded.given, run };
  const base = revision && (await baseAt(revision, invocation, (sources) => manifestAt(revision, sources, now)));
  return { run, base };
}

interface Now {
  readonly invocation: Invocation;
  readonly given: GivenVariables;
  readonly run: RunInput;
}

/** The same manifest at the revision, with the options of the run. What is not there yet is left out. */
async function manifestAt(revision: FoundRevision, sources: Sources, now: Now): Promise<ManifestBase['found']> {
  const { here, rev } = revision;
  const { settings, env } = now.invocation;
  const isThere = (path: string) => namesAnything(path, here, sources.files);
  const paths = settings.file.filter(isThere);
  const isNone = settings.file.length === 0 ? lacksManifest(here, sources.files) : paths.length === 0;
  if (isNone) return { is: 'no-manifest' };
  const found = await readManifestFiles(paths, here, { overlays: settings.overlay.filter(isThere), sources });
  const variables = variablesAt(now.given, revision, sources);
  const unread = [...found.diagnostics, ...variables.diagnostics];
  if (found.value === undefined || variables.value === undefined || hasErrors(unread)) return unreadable(rev, unread);
  const values = { variables: new Map(), optionalVariables: valuesOf(variables.value), env, mayLackValues: false };
  const { value: manifest, diagnostics } = loadManifest({ ...found.value, ...values });
  if (manifest === undefined) return unreadable(rev, diagnostics);
  return { is: 'manifest', run: { ...runOf(now.invocation, manifest, now.run.connection), emit: () => undefined } };
}
