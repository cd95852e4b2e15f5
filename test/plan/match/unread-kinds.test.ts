// Kinds that could not be listed are told when the plan depends on them.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { match } from '../../../src/plan/match/match.ts';
import { unreadKinds, unlistedReferences } from '../../../src/plan/match/unread-kinds.ts';
import type { LiveResource, Snapshot } from '../../../src/resource/snapshot.ts';
import { live, manifest, snapshot } from '../sample.ts';

interface Row {
  readonly name: string;
  readonly given: JsonObject;
  readonly objects?: readonly LiveResource[];
  readonly unread: readonly string[];
  readonly isDestroyed?: boolean;
  /** Addresses of the warnings. */
  readonly expect: readonly (string | undefined)[];
}

const SITES = { https_edges: { one: {}, two: {} } };

describe('unreadKinds', () => {
  test.each<Row>([
    { name: 'nothing when all was read', given: SITES, unread: [], expect: [] },
    {
      name: 'one warning for the kind, with the first that is created',
      given: SITES,
      unread: ['https_edge'],
      expect: ['https_edges.one'],
    },
    {
      name: 'not an object that is known by its id',
      given: { https_edges: { one: {} } },
      objects: [live('edghts_1', 'shop:https_edges.one')],
      unread: ['https_edge'],
      expect: [],
    },
    {
      name: 'the first that is created, not the first',
      given: SITES,
      objects: [live('edghts_1', 'shop:https_edges.one')],
      unread: ['https_edge'],
      expect: ['https_edges.two'],
    },
    {
      name: 'nothing of a kind that the manifest does not use',
      given: { tls_edges: { a: {} } },
      unread: ['https_edge'],
      expect: [],
    },
    {
      name: 'each kind that is not seen by a destruction',
      given: {},
      unread: ['https_edge', 'tls_edge'],
      isDestroyed: true,
      expect: [undefined, undefined],
    },
  ])('$name', ({ given, objects = [], unread, isDestroyed = false, expect: expected }) => {
    const wanted = manifest(given);
    const seen = { ...snapshot(...objects), unread: unread.map((kind) => ({ kind, reason: 'off' })) };
    const { pairs } = match(wanted, wanted.resources, seen);
    const found = unreadKinds(seen, pairs, isDestroyed, []);
    expect(found.map(({ address }) => address)).toEqual(expected);
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

/** A TLS edge that refers to a failover backend. */
const user = (id: string, backend: string, mark?: string) =>
  live(id, mark, { spec: { backend: { backend_id: backend } } });

interface DoubtedRow {
  readonly name: string;
  readonly objects: readonly LiveResource[];
  readonly absent?: Snapshot['absent'];
  /** What refers, and to what. */
  readonly expect: readonly (readonly [string, string])[];
}

describe('unlistedReferences', () => {
  test.each<DoubtedRow>([
    { name: 'none where nothing refers', objects: [live('edgtls_1')], expect: [] },
    {
      name: 'one to a kind of which nothing is listed',
      objects: [user('edgtls_1', 'bkdfo_1')],
      expect: [['edgtls_1', 'bkdfo_1']],
    },
    {
      name: 'what refers has the address of its marker',
      objects: [user('edgtls_1', 'bkdfo_1', 'shop:tls_edges.a')],
      expect: [['tls_edges.a', 'bkdfo_1']],
    },
    {
      name: 'none once the list has any object of the kind',
      objects: [user('edgtls_1', 'bkdfo_1'), live('bkdfo_2')],
      expect: [],
    },
    {
      name: 'none of which the service says that it is gone',
      objects: [user('edgtls_1', 'bkdfo_1'), user('edgtls_2', 'bkdfo_2')],
      absent: ['bkdfo_1'],
      expect: [['edgtls_2', 'bkdfo_2']],
    },
    { name: 'none to a kind that nobody manages here', objects: [user('edgtls_1', 'bkdhr_1')], expect: [] },
  ])('$name', ({ objects, absent, expect: expected }) => {
    const found = unlistedReferences({ ...snapshot(...objects), ...(absent && { absent }) });
    expect(found.map(({ from, id }) => [from, id])).toEqual(expected);
  });
});
