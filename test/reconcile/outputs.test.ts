// The values that a program reads: all outputs, one of them, or those of an address; and no secret among them.

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { Failure } from '../../src/core/failure.ts';
import { applyManifest } from '../../src/reconcile/apply.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { readOutputs } from '../../src/reconcile/outputs.ts';
import type { RunInput } from '../../src/reconcile/run.ts';
import { folder } from '../support/cli.ts';
import { load } from '../support/world.ts';

let emulator: Emulator;
let run: RunInput;
beforeEach(async () => {
  emulator = await startEmulator();
  const manifest = load(`version: 1
stack: shop
variables: { s: { sensitive: true, default: a-secret-of-ours } }
reserved_addrs: { db: { region: eu } }
outputs: { address: "\${reserved_addrs.db.addr}", plain: as written, token: "\${var.s}" }
`);
  const options = { journal: join(folder({}), 'shop.jsonl') };
  run = createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options });
});
afterEach(() => emulator.close());

const apply = () => applyManifest({ ...run, approve: () => Promise.resolve() });

test('all outputs, by name; what is not there yet is a warning', async () => {
  const before = await readOutputs(run);
  expect(before.values).toEqual([
    { name: 'address', value: null, unknown: { message: expect.stringContaining('apply creates it') } },
    { name: 'plain', value: 'as written' },
    { name: 'token', value: { sensitive: true } },
  ]);
  expect(before.diagnostics).toMatchObject([{ code: 'value-unknown', severity: 'warning' }]);
  await apply();
  const { addr } = emulator.objects('reserved_addrs')[0]!;
  const { values, diagnostics } = await readOutputs(run);
  expect([values[0], diagnostics]).toEqual([{ name: 'address', value: addr }, []]);
});

test('one value alone, of an output or of an address, and all of an address', async () => {
  await apply();
  const { addr, id } = emulator.objects('reserved_addrs')[0]!;
  for (const name of ['address', 'reserved_addrs.db.addr'])
    expect(await readOutputs(run, name)).toEqual({ values: [{ name, value: addr }], bare: true, diagnostics: [] });
  const { values, bare } = await readOutputs(run, 'reserved_addrs.db');
  expect(bare).toBe(false);
  expect(values).toContainEqual({ name: 'reserved_addrs.db.id', value: id });
});

test.each([
  { name: 'address', outcome: 'error', code: 'value-unknown' },
  { name: 'reserved_addrs.db', outcome: 'error', code: 'value-unknown' },
  { name: 'token', outcome: 'error', code: 'value-unknown' },
  { name: 'adress', outcome: 'usage', code: 'bad-usage' },
  { name: 'reserved_addrs.db.adr', outcome: 'usage', code: 'bad-usage' },
])('$name ends as $outcome when it has no value to give', async ({ name, outcome, code }) => {
  const error: unknown = await readOutputs(run, name).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Failure);
  expect(error).toMatchObject({ outcome, diagnostics: [{ code }] });
  if (outcome === 'usage') expect(emulator.requests).toEqual([]);
});
