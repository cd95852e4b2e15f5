// Several manifests planned from one reading of the live state: as many requests as for one, and the same plans.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { applyManifest } from '../../src/reconcile/apply.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { detectDrift, makePlan, previewAll } from '../../src/reconcile/plan.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { RunInput } from '../../src/reconcile/run.ts';
import { folder } from '../support/cli.ts';
import { load } from '../support/world.ts';

let emulator: Emulator;
let cwd: string;
beforeEach(async () => {
  emulator = await startEmulator();
  cwd = folder({});
});
afterEach(() => emulator.close());

function runOf(stack: string): RunInput {
  const manifest = load(`version: 1\nstack: ${stack}\nreserved_addrs: { a: { description: of ${stack} }, b: {} }\n`);
  const options = { journal: join(cwd, `${stack}.jsonl`) };
  return createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options });
}

test('three manifests need the requests of one, and each has its own plan', async () => {
  const runs = ['one', 'two', 'three'].map(runOf);
  const [first] = runs;
  await applyManifest({ ...first!, approve: () => Promise.resolve() });
  emulator.requests.splice(0);
  const alone = await makePlan(runs[1]!);
  const ofOne = emulator.requests.splice(0).length;
  const previews = await previewAll(runs, first!, 'nothing was changed');
  expect(emulator.requests).toHaveLength(ofOne);
  const plans = previews.map(({ input }) => buildPlan(input));
  expect(plans.map(({ stack, steps }) => [stack, steps.length])).toEqual([
    ['one', 0],
    ['two', 2],
    ['three', 2],
  ]);
  expect(plans[1]).toEqual(alone);
});

test('nothing is written before the plan is approved, and what refuses it reaches the caller', async () => {
  const refused = new Error('not today');
  const run = runOf('one');
  await expect(applyManifest({ ...run, approve: () => Promise.reject(refused) })).rejects.toBe(refused);
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const report = await applyManifest({ ...run, approve: () => Promise.resolve() });
  expect(report).toMatchObject({ result: 'done', outcome: 'done', diagnostics: [], lost: [] });
  expect((await makePlan(run)).steps).toEqual([]);
});

test.each(['makePlan', 'detectDrift'] as const)('a deadline ends %s, and says so', async (name) => {
  const run = runOf('one');
  const exchange = () => new Promise<never>(() => undefined);
  const slow = { ...run, platform: platformOf({ exchange }), options: { ...run.options, deadlineMs: 1 } };
  const failed = await { makePlan, detectDrift }[name](slow).catch((error: unknown) => error);
  expect(failed).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'deadline-reached' }] });
});
