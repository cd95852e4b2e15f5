// Steps that take an object away, or our marker off it.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { lossOf, release, removalOf } from '../../../src/plan/decide/removal.ts';
import { live } from '../sample.ts';

const EDGE = live('edghts_1', 'shop:https_edges.e', { spec: { hostports: ['a.test:443'] } });
const route = (id: string, mark = '') =>
  live(id, mark, {
    parentId: 'edghts_1',
    spec: { match_type: 'path_prefix', match: `/${id}`, backend: { backend_id: 'bkdfo_1' } },
  });

describe('lossOf: what a replacement loses', () => {
  test.each([
    ['of what cannot be had back, that', 'reserved_addr', 'the address changes'],
    ['of another kind, what its deletion loses', 'tls_edge', 'hostports'],
  ])('%s', (_, name, word) => {
    expect(lossOf(kindByName(name))).toContain(word);
  });

  test('of a kind that says nothing, its id', () => {
    const { loss: _, ...bare } = kindByName('tls_edge');
    expect(lossOf(bare)).toBe('its id changes');
  });
});

describe('removalOf: what goes', () => {
  test('an object by its address, with what it frees', () => {
    const draft = removalOf({ live: EDGE, children: [], reason: 'no longer in the manifest' });
    expect(draft).toMatchObject({ action: 'delete', address: 'https_edges.e', source: null, changes: [] });
    expect(draft.requests).toEqual([{ method: 'DELETE', path: '/edges/https/edghts_1' }]);
    expect(draft.releases).toEqual([expect.stringContaining('a.test:443')]);
    expect(draft.children).toBeUndefined();
  });

  test('one without a marker by its id', () => {
    expect(removalOf({ live: live('edgtls_1'), children: [], reason: 'x' }).address).toBe('edgtls_1');
  });

  test('what goes with it is named, and lets go of what it refers to', () => {
    const children = [route('edghtsrt_1', 'shop:https_edges.e.routes.r'), route('edghtsrt_2')];
    const draft = removalOf({ live: EDGE, children, reason: 'x' });
    expect(draft.children).toEqual(['edghtsrt_1', 'edghtsrt_2']);
    expect(draft.loss).toContain('https_edges.e.routes.r, edghtsrt_2');
    expect(draft.drops).toEqual(['bkdfo_1', 'bkdfo_1']);
    expect(draft.releases).toHaveLength(3);
    expect(draft.requests).toHaveLength(1);
  });

  test('two objects of one address have steps of their own', () => {
    const [one, two] = ['edgtls_1', 'edgtls_2'].map((id) =>
      removalOf({ live: live(id, 'shop:tls_edges.a'), children: [], reason: 'x' }),
    );
    expect(one?.address).toBe(two?.address);
    expect(one?.key).not.toBe(two?.key);
  });

  test('the object in its place is remembered', () => {
    const successor = { live: live('edgtls_2'), address: 'tls_edges.a' };
    expect(removalOf({ live: live('edgtls_1'), children: [], reason: 'x', successor }).successor).toBe(successor);
  });
});

test('removalOf has the address of the block, whatever the marker says', () => {
  expect(removalOf({ live: EDGE, address: 'https_edges.new', children: [], reason: 'x' }).address).toBe(
    'https_edges.new',
  );
});

describe('release', () => {
  test('writes nothing but the own text of the user, and frees and drops nothing', () => {
    const draft = release(
      live('edgtls_1', 'shop:tls_edges.a', { userMetadata: 'mine ${x}', spec: { hostports: ['a.test:443'] } }),
    );
    expect(draft).toMatchObject({ action: 'release', address: 'tls_edges.a', releases: [], drops: [], changes: [] });
    expect(draft.requests).toEqual([
      { method: 'PATCH', path: '/edges/tls/edgtls_1', body: { metadata: 'mine $${x}' } },
    ]);
  });

  test('carries what every update of the kind has to carry', () => {
    const [request] = release(
      live('bkdfo_1', 'shop:failover_backends.f', { spec: { backends: ['bkdhr_1'] } }),
    ).requests;
    expect(request?.body).toEqual({ backends: ['bkdhr_1'], metadata: '' });
  });
});
