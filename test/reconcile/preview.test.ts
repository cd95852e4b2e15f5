// Plans and drift from a reading of the live state; several manifests from one: as many requests as for one, and the same steps.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { applyManifest } from '../../src/reconcile/apply.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { planFleet } from '../../src/fleet/plan.ts';
import { detectDrift, makePlan } from '../../src/reconcile/plan.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { Plan } from '../../src/plan/plan.ts';
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

function runOf(stack: string, pinned = ''): RunInput {
  const manifest = load(`version: 1
stack: ${stack}
variables: { s: { sensitive: true, default: secret-of-${stack} } }
reserved_addrs: { a: { description: of ${stack} }, b: {${pinned} } }
https_edges:
  hook:
    hostports: ["${stack}.example.com:443"]
    routes: { all: { match_type: exact_path, match: /h, webhook_verification: { provider: github, secret: "\${var.s}" } } }
`);
  const options = { journal: join(cwd, `${stack}.jsonl`) };
  return createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options });
}

/** Somebody else's request. */
async function ask(method: string, path: string, body: JsonObject): Promise<JsonObject> {
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const answer = await fetch(`${emulator.url}${path}`, { method, headers, body: JSON.stringify(body) });
  return (await answer.json()) as JsonObject;
}

test('three manifests need the requests of one, and each has its own plan', async () => {
  const first = runOf('one');
  await applyManifest({ ...first, approve: () => Promise.resolve() });
  const nobodys = await ask('POST', '/reserved_addrs', { description: 'of nobody' });
  const runs = [first, runOf('two', ` lifecycle: { adopt: ${String(nobodys['id'])} }`), runOf('three')];
  await applyManifest({ ...runs[2]!, approve: () => Promise.resolve() });
  // Somebody edits an object of the third.
  const theirs = emulator.objects('reserved_addrs').find(({ description }) => description === 'of three');
  await ask('PATCH', `/reserved_addrs/${String(theirs?.['id'])}`, { description: 'edited' });
  const [alone, asked]: [Plan[], number[]] = [[], []];
  for (const run of runs) {
    emulator.requests.splice(0);
    alone.push(await makePlan(run));
    asked.push(emulator.requests.length);
  }
  emulator.requests.splice(0);
  const stacks = runs.map((run) => ({ name: run.manifest.stack, run }));
  const results = await planFleet({ ...first, emit: () => undefined, stacks });
  expect(emulator.requests).toHaveLength(Math.max(...asked));
  const plans = results.flatMap((one) => (one.is === 'planned' ? [one.plan] : []));
  expect(plans.map(({ steps }) => steps)).toEqual(alone.map(({ steps }) => steps));
  expect(plans.map(({ steps }) => steps.map(({ action }) => action))).toMatchInlineSnapshot(`
    [
      [],
      [
        "create",
        "create",
        "create",
        "adopt",
      ],
      [
        "update",
      ],
    ]
  `);
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
