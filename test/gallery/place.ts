// A stack and its service for one example: what is planned, applied and found is real, and the same each time.

import { importsIn } from '../../src/plan/match/imports.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { RunResult } from '../../src/core/run-outcome.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { findDrift } from '../../src/drift/drift.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { secretLookup, knownValues } from '../../src/plan/lookup.ts';
import type { DriftView, ReportView } from '../../src/render/view/documents.ts';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { readSnapshot } from '../../src/service/read.ts';
import { APPLY_DEFAULTS, liveOf, settingsFor } from '../support/applying.ts';

const SERVICE = 'https://api.example.com/';
/** The secret of every scenario; it must be in no example. */
export const SECRET = 'gallery-hunter2-secret';
const capabilities = new Set(CAPABILITIES);

type Options = Partial<PlanOptions>;

export interface Place {
  readonly emulator: Emulator;
  readonly plan: (yaml: string, options?: Options) => Promise<Plan>;
  readonly apply: (yaml: string, options?: Options) => Promise<ReportView>;
  readonly drift: (yaml: string) => Promise<DriftView>;
  readonly close: () => Promise<void>;
}

/** Loads a manifest below its first lines, with the secret as `secret`. */
export function read(
  yaml: string,
  stack = 'shop',
): { readonly text: string; readonly value?: Manifest; readonly diagnostics: readonly Diagnostic[] } {
  const text = `version: 1\nstack: ${stack}\n${yaml.trim()}\n`;
  const files = [{ name: 'edgeform.yaml', text }];
  const readFile = () => ({ diagnostics: [] });
  return { text, ...loadManifest({ files, variables: new Map(), env: { EDGEFORM_VAR_secret: SECRET }, readFile }) };
}

function loaded(yaml: string): Manifest {
  const { value, diagnostics } = read(yaml);
  if (value === undefined) throw new Error(JSON.stringify(diagnostics, null, 2));
  return value;
}

export async function startPlace(options: EmulatorOptions = {}): Promise<Place> {
  const clock = () => new Date('2026-01-01T00:00:00Z');
  const emulator = await startEmulator({ apiKey: 'gallery', clock, ...options });
  const settings = settingsFor(emulator);
  const reader = createReadClient(settings);
  const writer = createClients(settings).writer;
  const input = async (yaml: string, given: Options = {}) => {
    const manifest = loaded(yaml);
    const snapshot = await readSnapshot(reader, { capabilities, pinned: [] });
    const usual = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [], capabilities } as const;
    return { manifest, snapshot, service: SERVICE, options: { ...usual, ...given } };
  };
  return {
    emulator,
    plan: async (yaml, given) => buildPlan(await input(yaml, given)),
    apply: async (yaml, given) => {
      const made = await input(yaml, given);
      const { manifest, snapshot } = made;
      const plan = buildPlan(made);
      const results = await applyPlan({
        plan,
        client: writer,
        ownershipScope: manifest,
        secrets: secretLookup(manifest, snapshot),
        known: knownValues(manifest, snapshot),
        ...APPLY_DEFAULTS,
        live: liveOf(snapshot),
        imports: importsIn(manifest, snapshot).known,
        // One after the other, so that ids are the same each time.
        concurrency: 1,
      });
      const has = (status: string) => results.some((one) => one.status === status);
      const ended: readonly [RunResult, number] = has('unknown')
        ? ['unknown', 7]
        : has('failed')
          ? ['partial', 3]
          : ['done', 0];
      return { plan, results, result: ended[0], exitCode: ended[1], diagnostics: [] };
    },
    drift: async (yaml) => {
      return { ...findDrift(await input(yaml)), diagnostics: [] };
    },
    close: () => emulator.close(),
  };
}
