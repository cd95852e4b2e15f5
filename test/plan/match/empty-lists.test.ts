// A list that is empty although something refers to its kind is not believed.

import { describe, expect, test } from 'vitest';
import { emptyList, unlistedReferences } from '../../../src/plan/match/empty-lists.ts';
import type { LiveResource, Snapshot } from '../../../src/resource/snapshot.ts';
import { live, policyInput, snapshot } from '../sample.ts';

/** A TLS edge that refers to a failover backend. */
const user = (id: string, backend: string, mark?: string) =>
  live(id, mark, { spec: { backend: { backend_id: backend } } });

interface Row {
  readonly name: string;
  readonly objects: readonly LiveResource[];
  readonly absent?: Snapshot['absent'];
  /** What refers, and to what. */
  readonly expect: readonly (readonly [string, string])[];
}

describe('unlistedReferences', () => {
  test.each<Row>([
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

test('emptyList: one violation for each kind, with everything that refers to it once and in order', () => {
  const objects = [
    user('edgtls_2', 'bkdfo_1'),
    user('edgtls_1', 'bkdfo_1'),
    live('esb_1', '', { spec: { destination_ids: ['ed_1', 'ed_2'] } }),
  ];
  const found = emptyList(policyInput({}, objects, []));
  expect(found.map(({ rule, addresses, flag }) => [rule, addresses, flag])).toEqual([
    ['empty-list', ['edgtls_1', 'edgtls_2'], null],
    ['empty-list', ['esb_1'], null],
  ]);
});
