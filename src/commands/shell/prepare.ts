// The engine's input for a command: its manifest, connection and policies, with all problems of them together.

import { resolve } from 'node:path';
import { Collector } from '../../core/failure.ts';
import { journalOf } from '../../journal/place.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { RunInput } from '../../reconcile/run.ts';
import type { ClientSettings } from '../../service/settings.ts';
import { connectionOf } from '../options/connection.ts';
import { readPolicies, refusesOpenings } from '../files/policies.ts';
import { checkAddresses, tokenFolder } from './check-inputs.ts';
import { bareRun, type Invocation } from './invocation.ts';
import { announce, tryLoad, type LoadOptions, type LoadResult } from './load.ts';

/** What a command can do without, and what it needs even so. */
type ManifestNeeds = Partial<Pick<LoadOptions, 'mayLackManifest' | 'mayLackValues' | 'mustBeNamed'>>;

/** The input of a command that makes a plan, and what was loaded, or a failure with all problems, also those that are collected already. */
export async function preparePlanning(
  invocation: Invocation,
  collector: Collector,
  needs: ManifestNeeds = {},
): Promise<{ readonly run: RunInput; readonly loaded: LoadResult }> {
  const loaded = await loadInto(collector, invocation, { mayLackValues: false, ...needs });
  const policies = await collector.take(() => readPolicies(invocation));
  return { run: { ...(await inputOf(loaded, invocation, collector)), policies }, loaded };
}

/** The input of a command that only reads: the policies of the user do not matter to it, and only some values of variables: not without a name. */
export async function prepareReading(invocation: Invocation, needs: ManifestNeeds = {}): Promise<RunInput> {
  const collector = new Collector();
  const loaded = await loadInto(collector, invocation, { mayLackValues: true, mustBeNamed: true, ...needs });
  return inputOf(loaded, invocation, collector);
}

async function loadInto(collector: Collector, invocation: Invocation, options: LoadOptions): Promise<LoadResult> {
  const loaded = await tryLoad(invocation, options);
  if (loaded.manifest === undefined) collector.add(loaded.failure);
  collector.try(() => checkAddresses(invocation, loaded.outline));
  return loaded;
}

async function inputOf(loaded: LoadResult, invocation: Invocation, collector: Collector): Promise<RunInput> {
  const { manifest } = loaded;
  const connection = await collector.take(() => connectionOf(invocation));
  if (collector.hasFailed || manifest === undefined || connection === undefined) throw collector.failure();
  announce(loaded, invocation);
  return runOf(invocation, manifest, connection);
}

/** The engine's input for a manifest; those who listen are told whose events they are. */
export function runOf(invocation: Invocation, manifest: Manifest, connection: ClientSettings): RunInput {
  const { settings, cwd } = invocation;
  const { stack } = manifest;
  const journal = resolve(cwd, settings.journal ?? journalOf(connection.baseUrl, stack));
  return {
    ...bareRun(invocation, connection),
    manifest,
    emit: (event) => invocation.note(event, { stack, service: connection.baseUrl.href }),
    options: {
      ...settings,
      recreate: settings.recreate || settings.deletedOutside,
      refusesOpenings: refusesOpenings(invocation),
      journal,
      tokenDir: tokenFolder(invocation),
    },
  };
}
