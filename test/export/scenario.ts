// Export as its users meet it: objects in an emulator over HTTP, the exported text, and what a plan of it would do.
// Knows nothing of how the text is made.

import { expect } from 'vitest';
import { APPLY_DEFAULTS, liveOf, settingsFor } from '../support/applying.ts';
import { directNetwork } from '../support/direct-network.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { secretLookup, knownValues } from '../../src/plan/lookup.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { ExportedManifest } from '../../src/export/export.ts';
import type { Scope } from '../../src/export/select.ts';
import { exportManifest } from '../../src/export/export.ts';
import { readSnapshot } from '../../src/service/read.ts';
import type { Snapshot } from '../../src/resource/snapshot.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { formatManifest } from '../../src/manifest/text/format.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';

const capabilities = new Set(CAPABILITIES);

export interface Scenario {
  readonly emulator: Emulator;
  readonly snapshot: () => Promise<Snapshot>;
  readonly plan: (manifest: Manifest) => Promise<Plan>;
  /** Applies and expects every step to be done. */
  readonly apply: (manifest: Manifest) => Promise<Plan>;
  /** Takes every marker away, as if other tools had made the objects. */
  readonly disown: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startScenario(options: EmulatorOptions = {}): Promise<Scenario> {
  const emulator = await startEmulator(options);
  const settings = settingsFor(emulator);
  const reader = createReadClient(settings, { exchange: directNetwork });
  const snapshot = () => readSnapshot(reader, { capabilities, pinned: [] });
  const planOn = (manifest: Manifest, live: Snapshot) =>
    buildPlan({
      manifest,
      snapshot: live,
      service: emulator.url,
      options: { destroy: false, allowDeletes: 0, allowLoss: [], targets: [], capabilities },
    });
  return {
    emulator,
    snapshot,
    plan: async (manifest) => planOn(manifest, await snapshot()),
    apply: async (manifest) => {
      const live = await snapshot();
      const plan = planOn(manifest, live);
      const results = await applyPlan({
        plan,
        client: createClients(settings, { exchange: directNetwork }).writer,
        secrets: secretLookup(manifest, live),
        known: knownValues(manifest, live),
        ...APPLY_DEFAULTS,
        live: liveOf(live),
        concurrency: 8,
      });
      const failed = results.filter((result) => result.status !== 'done');
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
      return plan;
    },
    disown: async () => {
      for (const live of (await snapshot()).resources) {
        const kind = kindByName(live.kind);
        const key = kind.operations.list?.key ?? kind.parent?.listedAs ?? '';
        emulator.mutate(key, live.id, { metadata: live.userMetadata === '' ? null : live.userMetadata });
      }
    },
    close: () => emulator.close(),
  };
}

export function exported(snapshot: Snapshot, options: Partial<Scope> = {}): ExportedManifest {
  return exportManifest(snapshot, { of: 'unmanaged', stack: 'imported', ...options });
}

/** The exported files loaded as a manifest; every variable gets its value. Throws with every problem. They have the form of `fmt`. */
export function loadExport(
  { files }: Pick<ExportedManifest, 'files'>,
  secrets: ReadonlyMap<string, string> = new Map(),
): Manifest {
  const outcome = loadManifest({
    files: files.map(({ path, text }) => ({ name: path, text })),
    variables: secrets,
    env: {},
    readFile: () => ({ diagnostics: [] }),
  });
  if (outcome.value === undefined || outcome.diagnostics.length > 0)
    throw new Error(
      `${outcome.diagnostics.map((one) => JSON.stringify(one)).join('\n')}\n${files.map(({ text }) => text).join('\n')}`,
    );
  for (const { path, text } of files) expect(formatManifest(path, text)).toEqual({ value: text, diagnostics: [] });
  return outcome.value;
}

/** Values for the variables that an export declares, by the end of their names. */
export function valuesFor({ files }: Pick<ExportedManifest, 'files'>, values: JsonObject): Map<string, string> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/: "\$\{var\.([\w-]+)\}"$/gm)].map((found) => found[1] ?? ''),
  );
  return new Map(
    names.map((name) => {
      const key = Object.keys(values).find((end) => name.endsWith(end));
      if (key === undefined) throw new Error(`no value for the variable ${name}`);
      return [name, String(values[key])];
    }),
  );
}

export function textOf({ files }: Pick<ExportedManifest, 'files'>): string {
  return files.map(({ text }) => text).join('');
}

/** What a plan would do, in short lines. */
export function pending(plan: Plan): string[] {
  return [
    ...plan.steps.map((step) => {
      const paths = step.changes.map((change) => change.path);
      return [step.action, step.address, ...paths].join(' ');
    }),
    ...plan.blocked.map((one) => `blocked ${one.address} ${one.path}`),
    ...plan.refusals.map((one) => `refused ${one.rule}`),
    ...plan.diagnostics.map((one) => `${one.code} ${one.message}`),
  ];
}
