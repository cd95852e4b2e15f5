// Objects given from outside: their ids, their parents, and values in the shape of answers or of requests.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { kindByListKey, requestShape, seedObjects } from '../../../src/emulator/state/seed.ts';

const RULES = { now: '2030-01-01T00:00:00Z', owner: 'usr_me' };
const seeded = (seed: JsonObject) => seedObjects(seed, RULES);

describe('a seed', () => {
  test('of nothing is nothing', () => {
    expect([seeded({}), seeded({ tls_edges: [] })]).toEqual([[], []]);
  });

  test('keeps ids and times that are given, and makes those that are not', () => {
    const [own, made] = seeded({ tls_edges: [{ id: 'edgtls_own', created_at: '2020-01-01T00:00:00Z' }, {}] });
    expect(own).toMatchObject({ id: 'edgtls_own', created: '2020-01-01T00:00:00Z', number: 1, owner: 'usr_me' });
    expect(made).toMatchObject({ id: expect.stringMatching(/^edgtls_.{10,}/), created: RULES.now, number: 2 });
  });

  test('makes the same ids every time', () => {
    const seed = { tls_edges: [{}], reserved_addrs: [{}] };
    expect(seeded(seed)).toEqual(seeded(seed));
  });

  test('puts children into their parents', () => {
    const routes = [{ id: 'edghtsrt_1', match_type: 'path_prefix', match: '/' }];
    const [edge, route] = seeded({ https_edges: [{ id: 'edghts_1', routes }] });
    expect([edge?.parentId, route?.id, route?.parentId]).toEqual([undefined, 'edghtsrt_1', 'edghts_1']);
    expect(Object.keys(edge?.spec ?? {})).not.toContain('routes');
  });

  test('names owners, and keeps a token out of the values', () => {
    const [key] = seeded({ keys: [{ owner_id: 'bot_1', token: 'probe' }] });
    expect(key).toMatchObject({ owner: 'bot_1', once: { token: 'probe' } });
    expect(JSON.stringify(key?.spec)).not.toContain('probe');
  });

  test.each([
    { name: 'a list that there is not', seed: { colours: [] }, says: /no list has the key colours/ },
    { name: 'children on their own', seed: { routes: [] }, says: /no list has the key routes/ },
    { name: 'what is no list', seed: { tls_edges: {} }, says: /not a list/ },
    { name: 'an item that is no object', seed: { tls_edges: ['x'] }, says: /not an object/ },
    {
      name: 'two objects with one id',
      seed: { tls_edges: [{ id: 'edgtls_1' }, { id: 'edgtls_1' }] },
      says: /two objects.*edgtls_1/,
    },
    { name: 'children that are no list', seed: { https_edges: [{ routes: 7 }] }, says: /not a list/ },
  ])('is refused with $name', ({ seed, says }) => {
    expect(() => seeded(seed)).toThrow(says);
  });
});

describe('values from outside', () => {
  test.each([
    {
      name: 'in the shape of requests stay',
      kind: 'reserved_addr',
      item: { region: 'eu', endpoint_configuration_id: 'ec_1' },
      spec: { region: 'eu', endpoint_configuration_id: 'ec_1' },
    },
    {
      name: 'in the shape of answers become ids',
      kind: 'reserved_addr',
      item: { endpoint_configuration: { id: 'ec_1', uri: 'x' } },
      spec: { endpoint_configuration_id: 'ec_1' },
    },
    {
      name: 'that are lists of references become ids',
      kind: 'event_subscription',
      item: { destinations: [{ id: 'ed_1' }, { id: 'ed_2' }] },
      spec: { destination_ids: ['ed_1', 'ed_2'] },
    },
    {
      name: 'in both shapes are those of requests',
      kind: 'reserved_addr',
      item: { endpoint_configuration_id: 'ec_1', endpoint_configuration: { id: 'ec_2' } },
      spec: { endpoint_configuration_id: 'ec_1' },
    },
    {
      name: 'that are null stay null',
      kind: 'reserved_addr',
      item: { description: null, endpoint_configuration: null },
      spec: { description: null, endpoint_configuration_id: null },
    },
    {
      name: 'that are null inside are left out',
      kind: 'tls_edge',
      item: { mutual_tls: { enabled: null } },
      spec: { mutual_tls: {} },
    },
    {
      name: 'lose what every object has of its own',
      kind: 'reserved_addr',
      item: { id: 'ra_1', uri: 'x', created_at: 'y' },
      spec: {},
    },
    { name: 'lose what no field is named', kind: 'reserved_addr', item: { colour: 'red' }, spec: {} },
    {
      name: 'lose the id of the parent',
      kind: 'https_edge_route',
      item: { edge_id: 'edghts_1', match: '/' },
      spec: { match: '/' },
    },
    { name: 'lose a token', kind: 'api_key', item: { token: 'x', description: 'd' }, spec: { description: 'd' } },
  ])('$name', ({ kind, item, spec }) => {
    expect(requestShape(kindByName(kind), item)).toEqual(spec);
  });
});

test.each([
  { key: 'tls_edges', kind: 'tls_edge' },
  { key: 'keys', kind: 'api_key' },
  { key: 'routes', kind: 'https_edge_route' },
  { key: 'api_keys', kind: undefined },
  { key: '', kind: undefined },
])('the list $key holds objects of kind $kind', ({ key, kind }) => {
  expect(kindByListKey(key)?.name).toBe(kind);
});
