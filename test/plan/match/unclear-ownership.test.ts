// What waits for objects whose marker cannot be read: the blocks that may be theirs, and no others.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { findUnclearOwnership } from '../../../src/plan/match/unclear-ownership.ts';
import { originsOf } from '../../../src/resource/marker/moves.ts';
import { ownershipIn } from '../../../src/resource/marker/ownership.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { live, manifest } from '../sample.ts';

/** An object without a marker of which the journal knows the address. */
function removed(id: string, knownAs: string, parentId?: string): LiveResource {
  const { marker: _marker, markerProblem: _problem, ...content } = live(id, '', { parentId });
  return { ...content, marker: undefined, markerProblem: { what: 'was removed', stacks: [], named: [], knownAs } };
}

interface Row {
  readonly name: string;
  readonly given: JsonObject;
  readonly objects: readonly LiveResource[];
  /** Ids of live objects by address that were found by their marker. */
  readonly found?: Readonly<Record<string, string>>;
  readonly held: readonly string[];
  readonly codes: readonly string[];
  /** What an object is known as, by its id. */
  readonly unclear?: Readonly<Record<string, string | null>>;
}

const AB = { tls_edges: { a: {}, b: {} } };
const BOTH = ['tls_edges.a', 'tls_edges.b'];
const ROUTE = { match_type: 'path_prefix', match: '/', compression: {} };
const SITE = { https_edges: { e: { routes: { r: ROUTE } } } };

describe('findUnclearOwnership', () => {
  test.each<Row>([
    { name: 'nothing when every marker can be read', given: AB, objects: [live('edgtls_1')], held: [], codes: [] },
    {
      name: 'every block of the kind without an object waits',
      given: AB,
      objects: [live('edgtls_1', '?')],
      held: BOTH,
      codes: ['broken-marker', 'broken-marker'],
      unclear: { edgtls_1: null },
    },
    {
      name: 'a block that has its object does not wait',
      given: AB,
      objects: [live('edgtls_1', '?')],
      found: { 'tls_edges.a': 'edgtls_2', 'tls_edges.b': 'edgtls_3' },
      held: [],
      codes: ['broken-marker'],
    },
    {
      name: 'a block of another kind does not wait',
      given: { reserved_addrs: { a: {} } },
      objects: [live('edgtls_1', '?')],
      held: [],
      codes: ['broken-marker'],
    },
    {
      name: 'a block that names an id does not wait',
      given: { tls_edges: { a: { lifecycle: { id: 'edgtls_9' } } } },
      objects: [live('edgtls_1', '?')],
      held: [],
      codes: ['broken-marker'],
    },
    {
      name: 'one that names the stack is told once, and its blocks are held without a word of their own',
      given: AB,
      objects: [live('edgtls_1', '?shop')],
      held: BOTH,
      codes: ['broken-marker'],
      unclear: { edgtls_1: null },
    },
    {
      name: 'of one that the journal knows, that address alone waits',
      given: AB,
      objects: [removed('edgtls_1', 'tls_edges.b')],
      held: ['tls_edges.b'],
      codes: ['broken-marker'],
      unclear: { edgtls_1: 'tls_edges.b' },
    },
    {
      name: 'one that the journal knows by an old address has the name of the block',
      given: { ...AB, moved: [{ from: 'tls_edges.old', to: 'tls_edges.b' }] },
      objects: [removed('edgtls_1', 'tls_edges.old')],
      held: ['tls_edges.b'],
      codes: ['broken-marker'],
      unclear: { edgtls_1: 'tls_edges.b' },
    },
    {
      name: 'what is inside a block that waits waits with it',
      given: SITE,
      objects: [live('edghts_1', '?')],
      held: ['https_edges.e', 'https_edges.e.routes.r'],
      codes: ['broken-marker'],
      unclear: { edghts_1: null },
    },
    {
      name: 'a child waits only for what lies in the object of its parent',
      given: SITE,
      objects: [removed('edghtsrt_1', 'https_edges.e.routes.r', 'edghts_2')],
      found: { 'https_edges.e': 'edghts_1' },
      held: [],
      codes: ['broken-marker'],
      unclear: { edghtsrt_1: 'https_edges.e.routes.r' },
    },
  ])('$name', ({ given, objects, found = {}, held, codes, unclear = {} }) => {
    const wanted = manifest(given);
    const result = findUnclearOwnership(wanted.resources, objects, {
      ownership: ownershipIn(wanted, objects),
      origins: originsOf(wanted.moved),
      isReleased: () => false,
      liveByAddress: new Map(Object.entries(found).map(([address, id]) => [address, live(id)])),
      duplicates: new Map(),
    });
    expect([...result.held]).toEqual(held);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(Object.fromEntries(result.unclear.map((one) => [one.live.id, one.address]))).toEqual(unclear);
  });
});

test('what is to be released and waits for nobody is not told', () => {
  const objects = [removed('edgtls_1', 'tls_edges.gone')];
  const wanted = manifest({});
  const about = (isReleased: boolean) =>
    findUnclearOwnership([], objects, {
      ownership: ownershipIn(wanted, objects),
      origins: originsOf([]),
      isReleased: () => isReleased,
      liveByAddress: new Map(),
      duplicates: new Map(),
    }).diagnostics.map(({ address }) => address);
  expect(about(false)).toEqual(['tls_edges.gone']);
  expect(about(true)).toEqual([]);
});
