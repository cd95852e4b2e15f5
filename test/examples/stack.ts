// An example loaded from its folder as the command line loads it, and run against an emulator in this process.

import { APPLY_DEFAULTS, liveOf, settingsFor } from '../support/applying.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import type { StepResult } from '../../src/apply/event.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { isValueObject } from '../../src/core/value.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { readSnapshot } from '../../src/service/read.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';

const capabilities = new Set(CAPABILITIES);

/** Loads manifest files of one folder; throws with every problem. */
export function loadFrom(
  folder: string,
  names: readonly string[],
  variables: ReadonlyMap<string, string> = new Map(),
): Manifest {
  const files = names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const readFile = (relative: string) => ({ value: readFileSync(join(folder, relative), 'utf8'), diagnostics: [] });
  const { value, diagnostics } = loadManifest({ files, variables, env: {}, readFile });
  if (value === undefined) throw new Error(diagnostics.map((one: Diagnostic) => JSON.stringify(one)).join('\n'));
  return value;
}

export function yamlFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
}

/** `name: value` lines of a variables file. */
export function readVariables(path: string): Map<string, string> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

export interface Runner {
  readonly plan: (manifest: Manifest, options?: Partial<PlanOptions>) => Promise<Plan>;
  readonly apply: (manifest: Manifest, options?: Partial<PlanOptions>) => Promise<readonly StepResult[]>;
  /** Requests other than GET so far. */
  readonly writes: () => number;
}

/** Plans and applies against an emulator, one request at a time so that ids are the same in every run. */
export function runnerOn(emulator: Emulator): Runner {
  const settings = settingsFor(emulator);
  const make = async (manifest: Manifest, given: Partial<PlanOptions> = {}) => {
    const snapshot = await readSnapshot(createReadClient(settings), { capabilities, pinned: [] });
    const options = { destroy: false, allowDeletes: undefined, allowLoss: [], targets: [], capabilities, ...given };
    return { snapshot, plan: buildPlan({ manifest, snapshot, service: emulator.url, options }) };
  };
  return {
    plan: async (manifest, given) => (await make(manifest, given)).plan,
    apply: async (manifest, given) => {
      const { plan, snapshot } = await make(manifest, given);
      const owned = snapshot.resources.filter((live) => live.marker?.stack === manifest.stack);
      const known = new Map(
        owned.map((live): [string, JsonObject] => [live.marker?.address ?? '', { ...live.computed, id: live.id }]),
      );
      const client = createClients(settings).writer;
      return applyPlan({
        plan,
        client,
        secrets: (from) => secretAt(manifest, from),
        known,
        ...APPLY_DEFAULTS,
        live: liveOf(snapshot),
        concurrency: 1,
      });
    },
    writes: () => emulator.requests.filter((request) => request.method !== 'GET').length,
  };
}

function secretAt(manifest: Manifest, from: string): Secret | undefined {
  const [address, path = ''] = from.split('#');
  let value: Value | undefined = manifest.resources.find((resource) => resource.address === address)?.spec;
  for (const key of path.split('.')) {
    if (value !== undefined && isList(value)) value = value[Number(key)];
    else value = isValueObject(value) && isObject(value) ? value[key] : undefined;
  }
  return value instanceof Secret ? value : undefined;
}
