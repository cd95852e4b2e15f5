// The fleet of the revision of `--base`: its fleet file, manifests, overlays and variables as they are there. What is wrong with
// them is no problem of the command.

import { resolve } from 'node:path';
import { hasErrors } from '../../core/diagnostic.ts';
import { Collector } from '../../core/failure.ts';
import { tryTo } from '../../core/try.ts';
import type { FleetBase, UnreadableEntry } from '../../fleet/base.ts';
import type { FleetFile } from '../../fleet/fleet-file.ts';
import type { FleetStack } from '../../fleet/fleet.ts';
import { DEFAULT_FLEET_FILE, loadEntry, readFleet, type LoadedEntry } from '../../fleet/load-entry.ts';
import { pathsNamed, placeOf } from '../../manifest/manifest-paths.ts';
import type { Sources } from '../../platform/source-files.ts';
import { unreadable } from '../../reconcile/base.ts';
import { valuesOf, type GivenVariables } from '../options/variables.ts';
import { baseAt, variablesAt, type FoundRevision } from '../shell/base.ts';
import type { Invocation } from '../shell/invocation.ts';
import { connectionsOf, stackOf } from './prepare-fleet.ts';

interface Now {
  readonly invocation: Invocation;
  /** Values of the command line. */
  readonly given: GivenVariables;
}

/** The fleet as it is at the revision. */
export function fleetBaseOf(revision: FoundRevision, now: Now): Promise<FleetBase> {
  return baseAt(revision, now.invocation, (sources) => fleetAt(revision, sources, now));
}

async function fleetAt(
  revision: FoundRevision,
  sources: Sources,
  { invocation, given }: Now,
): Promise<FleetBase['found']> {
  const { here: cwd, rev } = revision;
  const { settings, env } = invocation;
  const name = settings.fleet ?? DEFAULT_FLEET_FILE;
  if (placeOf(resolve(cwd, name), sources.files) === 'nothing') return { is: 'no-manifest' };
  const { value: file, diagnostics } = readFleet(name, { cwd, env, sources });
  const variables = variablesAt(given, revision, sources);
  const problems = [...diagnostics, ...variables.diagnostics];
  if (file === undefined || variables.value === undefined || hasErrors(problems)) return unreadable(rev, problems);
  sources.files.expect(manifestsOf(file, cwd, sources));
  const options = { cwd, env, sources, variables: valuesOf(variables.value) };
  const loaded: LoadedEntry[] = [];
  for (const entry of file.entries) loaded.push(await loadEntry(entry, file, options));
  return { is: 'fleet', ...(await connected(loaded, invocation)) };
}

/** Full paths of what the entries will read, but for what their manifests name. */
function manifestsOf({ entries }: FleetFile, cwd: string, { files }: Sources): string[] {
  return entries.flatMap(({ paths, overlays, varFiles }) => {
    const named = paths.flatMap((path) => tryTo(() => pathsNamed(path, cwd, files)) ?? []);
    return [...named, ...overlays, ...varFiles].map((path) => resolve(cwd, path));
  });
}

async function connected(loaded: readonly LoadedEntry[], invocation: Invocation) {
  const connect = connectionsOf(invocation);
  const stacks: FleetStack[] = [];
  const wrong: UnreadableEntry[] = [];
  for (const one of loaded) {
    const collector = new Collector();
    const connection = await collector.take(() => connect(one));
    const { manifest, outline, diagnostics, entry } = one;
    if (manifest !== undefined && connection !== undefined) stacks.push(...stackOf(one, connection, invocation));
    else {
      const problems = [...diagnostics, ...(collector.hasFailed ? collector.failure().diagnostics : [])];
      wrong.push({ name: entry.name, stack: outline?.stack, problems });
    }
  }
  return { stacks, unreadable: wrong };
}
