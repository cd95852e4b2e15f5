// Which object a creation made whose answer was lost: never one that was there, and never somebody else's.

import { describe, expect, test } from 'vitest';
import { findCreated } from '../../src/apply/find-created.ts';
import { emptyHistory } from '../../src/apply/gate/run-history.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { stepOf } from '../render/sample.ts';
import { live } from '../plan/sample.ts';
import { addrBody, addrStep, apiError, markerText, runOf, service } from './sample.ts';

const ADDRESS = 'reserved_addrs.a';
const NAMED = markerText(ADDRESS, { created_by: 'run1' });
const CREATE = addrStep('create');
const NAME = { history: emptyHistory('run1') };

interface Row {
  readonly name: string;
  readonly list: readonly JsonObject[];
  readonly before?: readonly string[];
  readonly written?: readonly string[];
  readonly expect: string | undefined;
}

describe('findCreated', () => {
  test.each<Row>([
    { name: 'nothing in an empty list', list: [], expect: undefined },
    { name: 'the one with the marker that was sent', list: [addrBody('ra_1', { metadata: NAMED })], expect: 'ra_1' },
    {
      name: 'not one that was there before',
      list: [addrBody('ra_1', { metadata: NAMED })],
      before: ['ra_1'],
      expect: undefined,
    },
    {
      name: 'not one that this run has written to',
      list: [addrBody('ra_1', { metadata: NAMED })],
      written: ['ra_1'],
      expect: undefined,
    },
    {
      name: 'not one that another run created',
      list: [addrBody('ra_1', { metadata: markerText(ADDRESS, { created_by: 'run2' }) })],
      expect: undefined,
    },
    {
      name: 'not one of another address',
      list: [addrBody('ra_1', { metadata: markerText('reserved_addrs.b', { created_by: 'run1' }) })],
      expect: undefined,
    },
    {
      name: 'not one of another stack',
      list: [addrBody('ra_1', { metadata: markerText(ADDRESS, { stack: 'other', created_by: 'run1' }) })],
      expect: undefined,
    },
    {
      name: 'not one without a marker, or without text',
      list: [addrBody('ra_1', { metadata: '' }), { id: 'ra_2' }],
      expect: undefined,
    },
    { name: 'not one without an id', list: [{ metadata: NAMED }], expect: undefined },
    {
      name: 'the first of two',
      list: [addrBody('ra_1', { metadata: NAMED }), addrBody('ra_2', { metadata: NAMED })],
      expect: 'ra_1',
    },
  ])('$name', async ({ list, before = [], written = [], expect: expected }) => {
    const history = emptyHistory('run1');
    for (const id of written) history.written.set(id, { fields: new Set(), left: [] });
    const run = runOf(CREATE, service({ list }), { live: new Map(before.map((id) => [id, live(id)])), history });
    expect((await findCreated(run))?.['id']).toBe(expected);
  });

  test('one with an id of another form is there, and nothing can be sent to it', async () => {
    const run = runOf(CREATE, service({ list: [addrBody('../x', { metadata: NAMED })] }), NAME);
    await expect(findCreated(run)).rejects.toMatchObject({
      code: 'api-not-understood',
      known: 'unusable',
      type: 'creation',
    });
  });

  test('what cannot be listed is not absent', async () => {
    const run = runOf(CREATE, service({ list: apiError('unusable', { type: 'read' }) }));
    await expect(findCreated(run)).rejects.toThrow('no');
  });

  test('a child is looked for in its parent', async () => {
    const address = 'https_edges.e.routes.r';
    const step = stepOf({ id: 's1', action: 'create', address, kind: 'https_edge_route' });
    const found = async (routes: readonly JsonObject[]) => {
      const run = runOf(step, service({ get: [{ id: 'edghts_1', routes }] }), NAME);
      run.parentId = 'edghts_1';
      return (await findCreated(run))?.['id'];
    };
    expect(await found([{ id: 'edghtsrt_1', metadata: markerText(address, { created_by: 'run1' }) }])).toBe(
      'edghtsrt_1',
    );
    expect(await found([])).toBeUndefined();
  });
});
