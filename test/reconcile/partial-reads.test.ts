// What a run reads of what it did not write: everything, before it deletes an object again and before it trusts lists of several pages.

import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { applyManifest } from '../../src/reconcile/apply.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import type { RunEvent } from '../../src/reconcile/run.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { folder } from '../support/cli.ts';
import { load } from '../support/world.ts';

let emulator: Emulator;
afterEach(() => emulator.close());

function apply(text: string, settleMs: number, emit: (event: RunEvent) => void = () => undefined) {
  const manifest = load(`version: 1\nstack: shop\n${text}`);
  const options = { journal: join(folder({}), 'j.jsonl'), settleMs };
  const run = createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options, emit });
  return applyManifest({ ...run, approve: () => Promise.resolve() });
}

test('an object that was created twice is not deleted while another stack uses it', async () => {
  const isAddress = { method: 'GET', path: '^/reserved_addrs' };
  emulator = await startEmulator({
    faults: [
      { action: 'dropAfter', match: { method: 'POST', path: '^/reserved_addrs', nth: 1 } },
      ...[2, 3, 4, 5, 6, 7].map((nth) => ({ action: 'staleList' as const, writes: 2, match: { ...isAddress, nth } })),
    ],
  });
  let served: unknown;
  const serve = () => {
    const addr = emulator.objects('reserved_addrs')[0]?.['addr'];
    if (served !== undefined || addr === undefined) return;
    served = addr;
    const metadata = writeMarker('', { v: 1, stack: 'other', address: 'tls_edges.x', applied: {} });
    const headers = {
      authorization: `Bearer ${emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ hostports: [addr], metadata });
    void fetch(new URL('edges/tls', `${emulator.url.replace(/\/$/, '')}/`), { method: 'POST', headers, body });
  };
  const poll = setInterval(serve, 5);
  const cleanUps: Plan[] = [];
  const report = await apply('reserved_addrs: { a: {} }\n', 2_500, (event) => {
    if (event.type === 'cleaning-up') cleanUps.push(event.plan);
  });
  clearInterval(poll);
  expect(emulator.objects('tls_edges')).toHaveLength(1);
  expect(emulator.objects('reserved_addrs').map(({ addr }) => addr)).toContain(served);
  // The plan knows it: that the write gate would refuse the deletion, too, is a second line.
  expect(cleanUps.flatMap(({ steps }) => steps.map(({ action }) => action))).not.toContain('delete');
  expect(report.result).not.toBe('done');
});

test('a foreign object in the way that a moving list left out is named before any write', async () => {
  emulator = await startEmulator({
    pageSize: 1,
    seed: {
      reserved_addrs: [{}, {}, {}],
      https_edges: [{ hostports: ['web.example.com:443'] }, { hostports: ['b.example.com:443'] }],
    },
    faults: [
      {
        action: 'status',
        status: 200,
        match: { method: 'GET', path: '^/edges/https', nth: 1 },
        body: { https_edges: [], uri: '', next_page_uri: null },
      },
    ],
  });
  const text = 'tls_edges: { web: { hostports: ["web.example.com:443"] } }\nreserved_addrs: { a: {} }\n';
  expect((await apply(text, 2_000)).outcome).toBe('refused');
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
