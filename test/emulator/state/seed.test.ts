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
    ['a list that there is not', { colours: [] }, /no list has the key colours/],
    ['children on their own', { routes: [] }, /no list has the key routes/],
    ['what is no list', { tls_edges: {} }, /not a list/],
    ['an item that is no object', { tls_edges: ['x'] }, /not an object/],
    ['two objects with one id', { tls_edges: [{ id: 'edgtls_1' }, { id: 'edgtls_1' }] }, /two objects.*edgtls_1/],
    ['children that are no list', { https_edges: [{ routes: 7 }] }, /not a list/],
  ])('is refused with %s', (_, seed, says) => {
    expect(() => seeded(seed)).toThrow(says);
  });
});

describe('values from outside', () => {
  test.each([
    [
      'in the shape of requests stay',
      'reserved_addr',
      { region: 'eu', endpoint_configuration_id: 'ec_1' },
      { region: 'eu', endpoint_configuration_id: 'ec_1' },
    ],
    [
      'in the shape of answers become ids',
      'reserved_addr',
      { endpoint_configuration: { id: 'ec_1', uri: 'x' } },
      { endpoint_configuration_id: 'ec_1' },
    ],
    [
      'that are lists of references become ids',
      'event_subscription',
      { destinations: [{ id: 'ed_1' }, { id: 'ed_2' }] },
      { destination_ids: ['ed_1', 'ed_2'] },
    ],
    [
      'in both shapes are those of requests',
      'reserved_addr',
      { endpoint_configuration_id: 'ec_1', endpoint_configuration: { id: 'ec_2' } },
      { endpoint_configuration_id: 'ec_1' },
    ],
    [
      'that are null stay null',
      'reserved_addr',
      { description: null, endpoint_configuration: null },
      { description: null, endpoint_configuration_id: null },
    ],
    ['that are null inside are left out', 'tls_edge', { mutual_tls: { enabled: null } }, { mutual_tls: {} }],
    ['lose what every object has of its own', 'reserved_addr', { id: 'ra_1', uri: 'x', created_at: 'y' }, {}],
    ['lose what no field is named', 'reserved_addr', { colour: 'red' }, {}],
    ['lose the id of the parent', 'https_edge_route', { edge_id: 'edghts_1', match: '/' }, { match: '/' }],
    ['lose a token', 'api_key', { token: 'x', description: 'd' }, { description: 'd' }],
  ])('%s', (_, kind, item, spec) => {
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
