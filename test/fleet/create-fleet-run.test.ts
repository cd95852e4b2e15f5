// A fleet for programs that embed the engine: defaults, and the same checks as on the command line.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Manifest } from '../../src/index.ts';
import {
  applyFleet,
  createFleetRun,
  driftFleet,
  formatsFor,
  loadManifest,
  planFleet,
  renderPlanAs,
} from '../../src/index.ts';
import { folder } from '../support/cli.ts';

let emulator: Emulator;
let cwd: string;
beforeEach(async () => {
  emulator = await startEmulator();
  cwd = folder({});
});
afterEach(() => emulator.close());

const SECRET = 'secret-of-the-first';

/** Loaded by the library, as a program would. */
function load(text: string): Manifest {
  const files = [{ name: 'edgeform.yaml', text }];
  const { value } = loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });
  if (value === undefined) throw new Error('the manifest is invalid');
  return value;
}

/** The second stack repeats the first one's secret, which it does not know to be one. */
function stackOf(name: string, port = 443) {
  const manifest = load(`version: 1
stack: ${name}
variables: { s: { sensitive: true, default: ${SECRET} } }
reserved_addrs: { a: { description: "${name === 'second' ? SECRET : 'x'}" } }
event_destinations: { d: { target: { datadog: { api_key: "\${var.s}" } } } }
tls_edges: { web: { hostports: ["${name}.example.com:${port}"] } }
`);
  const options = { journal: join(cwd, `${name}.jsonl`) };
  return { name, manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options };
}

test('is planned, applied and found to be done with little more than manifests', async () => {
  const fleet = createFleetRun({ stacks: [stackOf('first'), stackOf('second')] });
  const planned = await planFleet(fleet);
  expect(planned.map(({ name, stack, service, is }) => [name, stack, service, is])).toEqual([
    ['first', 'first', `${emulator.url}/`, 'planned'],
    ['second', 'second', `${emulator.url}/`, 'planned'],
  ]);
  const applied = await applyFleet({ ...fleet, approve: () => Promise.resolve() });
  expect(applied.map((one) => one.is === 'applied' && one.report.outcome)).toEqual(['done', 'done']);
  emulator.requests.splice(0);
  const [plans, drifts] = [await planFleet(fleet), await driftFleet(fleet)];
  expect(plans.map((one) => one.is === 'planned' && one.plan.steps)).toEqual([[], []]);
  expect(drifts.map((one) => one.is === 'drift' && one.drift.drift.drifted)).toEqual([false, false]);
  expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
});

test('no document of one stack shows a secret of another', async () => {
  const planned = await planFleet(createFleetRun({ stacks: [stackOf('first'), stackOf('second')] }));
  for (const one of planned) {
    if (one.is !== 'planned') throw new Error(one.is);
    for (const format of formatsFor('plan'))
      expect(renderPlanAs(format, one.plan, { color: false, width: 100, detail: 'full' })).not.toContain(SECRET);
  }
});

test('stacks of several keys read their service once for each key', async () => {
  const alone = createFleetRun({ stacks: [stackOf('first')] });
  await planFleet(alone);
  const lists = emulator.requests.splice(0).length;
  const other = { ...stackOf('second'), apiKey: 'a-key-that-the-service-refuses' };
  const [first, second] = await planFleet(createFleetRun({ stacks: [stackOf('first'), other] }));
  expect(first?.is).toBe('planned');
  expect(second?.is === 'failed' && second.failure.diagnostics.map(({ code }) => code)).toEqual(['api-key-refused']);
  expect(emulator.requests.filter(({ status }) => status === 200)).toHaveLength(lists);
});

test('what is left out still counts, and a wrong connection is refused at once', async () => {
  const [first, second] = [stackOf('same'), { ...stackOf('same', 8443), name: 'other' }];
  await expect(planFleet(createFleetRun({ stacks: [first], others: [second] }))).rejects.toMatchObject({
    outcome: 'invalid',
    diagnostics: [{ code: 'bad-fleet' }],
  });
  expect(() => createFleetRun({ stacks: [{ ...first, apiKey: undefined }] })).toThrow('apiKey is empty');
  expect(emulator.requests).toEqual([]);
});
