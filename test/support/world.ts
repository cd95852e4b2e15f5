// A whole edgeform in one process against an emulator: load, read, plan and apply as the commands do.
// Knows nothing of the command line.

import { importsIn } from '../../src/plan/match/imports.ts';
import { APPLY_DEFAULTS, liveOf, settingsFor } from './applying.ts';
import { directNetwork } from './direct-network.ts';
import type { Result } from '../../src/core/diagnostic.ts';
import type { Json } from '../../src/core/json.ts';
import { createClients, createReadClient } from '../../src/service/client.ts';
import type { StepResult } from '../../src/apply/event.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import type { Capability } from '../../src/catalog/kind.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Emulator, EmulatorOptions, RequestRecord } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { secretLookup, knownValues } from '../../src/plan/lookup.ts';
import { readSnapshot } from '../../src/service/read.ts';
import { loadTexts } from './loading.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';

/** A manifest as text with an overlay. */
export class Overlaid {
  readonly manifest: string;
  readonly overlay: string;

  constructor(manifest: string, overlay: string) {
    this.manifest = manifest;
    this.overlay = overlay;
  }
}

/** A manifest as a value or text. */
type Given = Json | string | Overlaid;

export interface World {
  readonly emulator: Emulator;
  readonly plan: (manifest: Given, options?: Partial<PlanOptions>) => Promise<Plan>;
  readonly apply: (manifest: Given, options?: Partial<PlanOptions>) => Promise<Applied>;
  /** Requests other than GET since the last call. */
  readonly writes: () => RequestRecord[];
  readonly close: () => Promise<void>;
}

export interface Applied {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
}

/** A manifest given as text or JSON, loaded; throws with every problem when it is wrong. */
export function load(source: Given): Manifest {
  const outcome = loadGiven(source);
  if (outcome.value === undefined) throw new Error(outcome.diagnostics.map((d) => JSON.stringify(d)).join('\n'));
  return outcome.value;
}

function loadGiven(source: Given): Result<Manifest> {
  if (source instanceof Overlaid)
    return loadTexts(source.manifest, { name: 'test.yaml', overlay: source.overlay, isOnce: true });
  if (typeof source === 'string') return loadTexts(source, { name: 'test.yaml', isOnce: true });
  return loadTexts(JSON.stringify(source), { name: 'test.json', isOnce: true });
}

/** Starts an emulator and gives the whole pipeline on it. */
export async function startWorld(options: EmulatorOptions = {}): Promise<World> {
  const emulator = await startEmulator(options);
  const settings = settingsFor(emulator);
  const reader = createReadClient(settings, { exchange: directNetwork });
  const writer = createClients(settings, { exchange: directNetwork }).writer;
  const off = new Set<Capability>(options.disabled ?? []);
  const capabilities = new Set(CAPABILITIES.filter((name) => !off.has(name)));
  const full = (given: Partial<PlanOptions> = {}): PlanOptions => ({
    destroy: false,
    allowDeletes: 'all',
    allowLoss: [],
    targets: [],
    capabilities,
    ...given,
  });
  const make = async (manifest: Manifest, given?: Partial<PlanOptions>) => {
    const snapshot = await readSnapshot(reader, { capabilities, pinned: [] });
    return { snapshot, plan: buildPlan({ manifest, snapshot, service: emulator.url, options: full(given) }) };
  };
  let seen = 0;
  return {
    emulator,
    plan: async (source, given) => (await make(load(source), given)).plan,
    apply: async (source, given) => {
      const manifest = load(source);
      const { snapshot, plan } = await make(manifest, given);
      const results = await applyPlan({
        plan,
        client: writer,
        ownershipScope: manifest,
        secrets: secretLookup(manifest, snapshot),
        known: knownValues(manifest, snapshot),
        ...APPLY_DEFAULTS,
        live: liveOf(snapshot),
        imports: importsIn(manifest, snapshot).known,
        concurrency: 8,
      });
      return { plan, results };
    },
    writes: () => {
      const fresh = emulator.requests.slice(seen).filter((request) => request.method !== 'GET');
      seen = emulator.requests.length;
      return fresh;
    },
    close: () => emulator.close(),
  };
}
