// What a request of a step looks like when it is sent, and what the step remembers of it.

import { describe, expect, test } from 'vitest';
import { fillRequest } from '../../src/apply/fill-request.ts';
import type { StepRun } from '../../src/apply/step-run.ts';
import { emptyHistory, noteCreation } from '../../src/apply/gate/run-history.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { stepOf } from '../render/sample.ts';
import { addrStep, runOf, service } from './sample.ts';

const NEXT = { method: 'PATCH', path: '/reserved_addrs/${reserved_addrs.a.id}', body: { description: 'new' } } as const;

test('ids that are known by now are filled in, and what is sent is remembered', () => {
  const run: StepRun = runOf(addrStep('create', [NEXT]), service({}), {
    known: new Map([['reserved_addrs.a', { id: 'ra_7' }]]),
  });
  expect(fillRequest(run, NEXT)).toMatchObject({ path: '/reserved_addrs/ra_7', body: { description: 'new' } });
  expect(run.sent).toEqual({ description: 'new' });
});

test('a DELETE of a part names the field that goes, and one of an object none', () => {
  const run = runOf(
    stepOf({ id: 's1', action: 'update', address: 'tls_edges.a', kind: 'tls_edge', live_id: 'edgtls_1' }),
    service({}),
  );
  const fieldOf = (path: string) => fillRequest(run, { method: 'DELETE', path }).field;
  expect(fieldOf('/edges/tls/edgtls_1/mutual_tls')).toBe('mutual_tls');
  expect(fieldOf('/edges/tls/edgtls_1')).toBeUndefined();
});

test.each([
  { name: 'that this run created keeps its name', created: ['ra_7'], by: 'run1' },
  { name: 'of another run loses its name', created: [], by: undefined },
])('the marker of an object $name', ({ created, by }) => {
  const metadata = writeMarker('', { v: 1, stack: 's', address: 'reserved_addrs.a', applied: {} });
  const request = { method: 'PATCH', path: '/reserved_addrs/ra_7', body: { metadata } } as const;
  const run = runOf(addrStep('create', [request]), service({}), { history: emptyHistory('run1') });
  run.live_id = 'ra_7';
  for (const id of created) noteCreation(run.history, run.step, { id, parentId: undefined, at: 0, stamp: undefined });
  expect(readMarker(String(fillRequest(run, request).body?.['metadata'])).marker?.created_by).toBe(by);
});

test.each(['', 'owner: shop', '{"a":1}', '{}', 'two\nlines'])('a new object names its run beside %j', (user) => {
  const metadata = writeMarker(user, { v: 1, stack: 's', address: 'reserved_addrs.a', applied: {} });
  const request = { method: 'POST', path: '/reserved_addrs', body: { metadata } } as const;
  const run = runOf(addrStep('create'), service({}), { history: emptyHistory('run1') });
  const text = String(fillRequest(run, request).body?.['metadata']);
  expect(readMarker(text)).toMatchObject({ user, marker: { created_by: 'run1' } });
});

describe('the commit of a run', () => {
  const write = (method: 'POST' | 'PATCH', commit: string | undefined, before?: string) => {
    const marker = { v: 1, stack: 's', address: 'reserved_addrs.a', applied: {}, protect: true } as const;
    const metadata = writeMarker('owner: shop', { ...marker, ...(before !== undefined && { commit: before }) });
    const path = method === 'POST' ? '/reserved_addrs' : '/reserved_addrs/ra_7';
    const request = { method, path, body: { metadata } } as const;
    const run = runOf(addrStep('create', [request]), service({}), { history: emptyHistory(undefined, commit) });
    if (method === 'PATCH') run.live_id = 'ra_7';
    return readMarker(String(fillRequest(run, request).body?.['metadata']));
  };

  test.each(['POST', 'PATCH'] as const)('stands in every marker that it writes (%s), beside all else', (method) => {
    expect(write(method, '0123456789ab')).toMatchObject({
      user: 'owner: shop',
      marker: { stack: 's', address: 'reserved_addrs.a', protect: true, commit: '0123456789ab' },
    });
  });

  test('takes the place of another, also when it is not known', () => {
    expect(write('PATCH', 'fffffff', '0123456789ab').marker?.commit).toBe('fffffff');
    expect(write('PATCH', undefined, '0123456789ab').marker?.commit).toBeUndefined();
  });
});
