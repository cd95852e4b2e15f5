// Which live object is that of a block: by its id, then by its marker, and never by a guess.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { disposedAs, redundantAddresses, type Disposition } from '../../../src/plan/match/disposition.ts';
import { match, type Match } from '../../../src/plan/match/match.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest, snapshot } from '../sample.ts';

interface Found {
  /** Id by address; null for what has to be created. What is held back is missing. */
  readonly pairs: Readonly<Record<string, string | null>>;
  readonly orphans?: readonly string[];
  readonly released?: readonly string[];
  readonly unmanaged?: readonly string[];
  readonly codes?: readonly string[];
}

interface Row {
  readonly name: string;
  readonly given: JsonObject;
  readonly objects: readonly LiveResource[];
  readonly expect: Found;
}

const idsOf = ({ dispositions }: Match, is: Disposition['is']) =>
  disposedAs(dispositions, is).map(({ live: { id } }) => id);
const A = { tls_edges: { a: {} } };
const pinned = (id: string, lifecycle = 'id') => ({ tls_edges: { a: { lifecycle: { [lifecycle]: id } } } });
const ROUTE = { match_type: 'path_prefix', match: '/', compression: {} };
const SITE = { https_edges: { e: { routes: { r: ROUTE } } } };
const at = (second: number) => ({ computed: { created_at: `2030-01-01T00:00:0${second}Z` } });
const kept = (from: string) => ({ removed: [{ from, destroy: false }] });
const move = (from: string, to: string) => ({ moved: [{ from, to }] });

function search({ given, objects }: Pick<Row, 'given' | 'objects'>): Required<Found> {
  const wanted = manifest(given);
  const found = match(wanted, wanted.resources, snapshot(...objects));
  return {
    pairs: Object.fromEntries(found.pairs.map((pair) => [pair.desired.address, pair.live?.id ?? null])),
    orphans: idsOf(found, 'orphan'),
    released: idsOf(found, 'released'),
    unmanaged: idsOf(found, 'left'),
    codes: found.diagnostics.map(({ code }) => code),
  };
}

function check(row: Row): void {
  const nothing = { orphans: [], released: [], unmanaged: [], codes: [] };
  expect(search(row)).toEqual({ ...nothing, ...row.expect });
}

describe('by marker', () => {
  test.each<Row>([
    { name: 'nothing is there', given: A, objects: [], expect: { pairs: { 'tls_edges.a': null } } },
    {
      name: 'the object with the address, and what no block asks for',
      given: A,
      objects: [live('edgtls_2', 'shop:tls_edges.b'), live('edgtls_1', 'shop:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': 'edgtls_1' }, orphans: ['edgtls_2'] },
    },
    {
      name: 'neither what is not marked nor what another stack has',
      given: A,
      objects: [live('edgtls_1'), live('edgtls_2', 'other:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': null }, unmanaged: ['edgtls_1', 'edgtls_2'] },
    },
    {
      name: 'not an object of another kind, which is told',
      given: A,
      objects: [live('edghts_1', 'shop:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': null }, unmanaged: ['edghts_1'], codes: ['misplaced-marker'] },
    },
    {
      name: 'neither of two with the same address',
      given: A,
      objects: [live('edgtls_1', 'shop:tls_edges.a'), live('edgtls_2', 'shop:tls_edges.a')],
      expect: { pairs: {}, codes: ['duplicate-marker'] },
    },
    {
      name: 'of two the one that took the place of the other',
      given: A,
      objects: [
        live('edgtls_1', 'shop:tls_edges.a', at(1)),
        live('edgtls_2', 'shop:tls_edges.a', { ...at(2), marker: { replaces: 'edgtls_1' } }),
      ],
      expect: { pairs: { 'tls_edges.a': 'edgtls_2' }, orphans: ['edgtls_1'] },
    },
    {
      name: 'a child inside the object of its parent',
      given: SITE,
      objects: [
        live('edghtsrt_1', 'shop:https_edges.e.routes.r', { parentId: 'edghts_1' }),
        live('edghts_1', 'shop:https_edges.e'),
      ],
      expect: { pairs: { 'https_edges.e': 'edghts_1', 'https_edges.e.routes.r': 'edghtsrt_1' } },
    },
  ])('$name', check);
});

describe('by id', () => {
  test.each<Row>([
    {
      name: 'an object without a marker',
      given: pinned('edgtls_1', 'adopt'),
      objects: [live('edgtls_1')],
      expect: { pairs: { 'tls_edges.a': 'edgtls_1' } },
    },
    {
      name: 'one of two with the same address, and the other goes',
      given: pinned('edgtls_2'),
      objects: [live('edgtls_1', 'shop:tls_edges.a'), live('edgtls_2', 'shop:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': 'edgtls_2' }, orphans: ['edgtls_1'] },
    },
    {
      name: 'before a marker that names another block',
      given: { tls_edges: { a: {}, b: { lifecycle: { id: 'edgtls_1' } } } },
      objects: [live('edgtls_1', 'shop:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': null, 'tls_edges.b': 'edgtls_1' } },
    },
    {
      name: 'not one that is not there',
      given: pinned('edgtls_9'),
      objects: [],
      expect: { pairs: { 'tls_edges.a': null }, codes: ['pinned-not-found'] },
    },
    {
      name: 'the one that replaced what is named, which is told',
      given: pinned('edgtls_1'),
      objects: [live('edgtls_2', 'shop:tls_edges.a', { marker: { replaces: 'edgtls_1' } })],
      expect: { pairs: { 'tls_edges.a': 'edgtls_2' }, codes: ['pin-outdated'] },
    },
    {
      name: 'not a child that lies in another object',
      given: { https_edges: { e: { routes: { r: { ...ROUTE, lifecycle: { adopt: 'edghtsrt_1' } } } } } },
      objects: [
        live('edghts_1', 'shop:https_edges.e'),
        live('edghts_2'),
        live('edghtsrt_1', '', { parentId: 'edghts_2' }),
      ],
      expect: {
        pairs: { 'https_edges.e': 'edghts_1', 'https_edges.e.routes.r': null },
        unmanaged: ['edghts_2', 'edghtsrt_1'],
        codes: ['pinned-not-found'],
      },
    },
  ])('$name', check);
});

describe('by moves', () => {
  test.each<Row>([
    {
      name: 'the object of the old address',
      given: { ...A, ...move('tls_edges.old', 'tls_edges.a') },
      objects: [live('edgtls_1', 'shop:tls_edges.old')],
      expect: { pairs: { 'tls_edges.a': 'edgtls_1' } },
    },
    {
      name: 'what is inside a moved parent',
      given: { ...SITE, ...move('https_edges.old', 'https_edges.e') },
      objects: [
        live('edghts_1', 'shop:https_edges.old'),
        live('edghtsrt_1', 'shop:https_edges.old.routes.r', { parentId: 'edghts_1' }),
      ],
      expect: { pairs: { 'https_edges.e': 'edghts_1', 'https_edges.e.routes.r': 'edghtsrt_1' } },
    },
    {
      name: 'the object of the new address when both are there, which is told, and the old one is not deleted',
      given: { ...A, ...move('tls_edges.old', 'tls_edges.a') },
      objects: [live('edgtls_1', 'shop:tls_edges.old'), live('edgtls_2', 'shop:tls_edges.a')],
      expect: { pairs: { 'tls_edges.a': 'edgtls_2' }, codes: ['moved-conflict'] },
    },
  ])('$name', check);
});

describe('released instead of deleted', () => {
  test.each<Row>([
    {
      name: 'what is listed under its own address',
      given: kept('tls_edges.a'),
      objects: [live('edgtls_1', 'shop:tls_edges.a'), live('edgtls_2', 'shop:tls_edges.b')],
      expect: { pairs: {}, released: ['edgtls_1'], orphans: ['edgtls_2'] },
    },
    {
      name: 'what lies inside it',
      given: kept('https_edges.e'),
      objects: [
        live('edghts_1', 'shop:https_edges.e'),
        live('edghtsrt_1', 'shop:https_edges.e.routes.r', { parentId: 'edghts_1' }),
      ],
      expect: { pairs: {}, released: ['edghts_1', 'edghtsrt_1'] },
    },
    {
      name: 'not what is listed to be destroyed',
      given: { removed: [{ from: 'tls_edges.a', destroy: true }] },
      objects: [live('edgtls_1', 'shop:tls_edges.a')],
      expect: { pairs: {}, orphans: ['edgtls_1'] },
    },
  ])('$name', check);
});

describe('doubles that a run left behind', () => {
  const spare = live('edgtls_2', 'shop:tls_edges.a', { isRedundant: true });
  const wanted = manifest(A);

  test('the other one is the object, and the double is named by its address', () => {
    const found = match(wanted, wanted.resources, snapshot(live('edgtls_1', 'shop:tls_edges.a'), spare));
    expect(found.pairs.map((pair) => pair.live?.id)).toEqual(['edgtls_1']);
    expect(idsOf(found, 'orphan')).toEqual(['edgtls_2']);
    expect([...redundantAddresses(found.dispositions)]).toEqual([['edgtls_2', 'tls_edges.a']]);
  });

  test('one that is alone is no double', () => {
    const found = match(wanted, wanted.resources, snapshot(spare));
    expect(found.pairs.map((pair) => pair.live?.id)).toEqual(['edgtls_2']);
    expect([...redundantAddresses(found.dispositions)]).toEqual([]);
  });
});

test('a plan that asks for nothing does not say whose an object is by its id', () => {
  const found = match(manifest(pinned('edgtls_1', 'adopt')), [], snapshot(live('edgtls_1', '?'), live('edgtls_2')));
  expect(found.pairs).toEqual([]);
  expect(idsOf(found, 'orphan')).toEqual([]);
  expect(idsOf(found, 'left')).toEqual(['edgtls_2']);
});
