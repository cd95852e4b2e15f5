// What a run says at its good end became of the stack's objects.

import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import { objectsAtEnd } from '../../src/reconcile/execution/objects-at-end.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { begin, deletion, intent, outcome } from '../journal/sample.ts';
import { liveOf, snapshotOf } from './sample.ts';

const A = 'tls_edges.a';
type Removed = { readonly from: string; readonly destroy: boolean };
const RANGE = { file: 'edgeform.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const bare: Partial<LiveResource> = { markerProblem: { what: 'was removed', stacks: [], knownAs: A } };

const ALL = new Set(CAPABILITIES);
const MADE = { id: 'edgtls_1', address: A, created_here: true };

/** What the run says at its good end, after an earlier one that created and perhaps began to delete an object. */
function seen(found: readonly LiveResource[], more: { isLeaving?: boolean; removed?: readonly Removed[] } = {}) {
  const { isLeaving = true, removed = [] } = more;
  const made = [begin('r1'), intent('r1', 1, { address: A }), outcome(1, 'done', 'edgtls_1')];
  const state = replayJournal([...made, ...(isLeaving ? [deletion('r1', 2, 'edgtls_1', A)] : [])]);
  const manifest = { stack: 'shop', removed: removed.map((one) => ({ ...one, range: RANGE })) };
  return objectsAtEnd(state, { snapshot: snapshotOf(found), manifest }, ALL);
}

describe('an object that an earlier run began to delete', () => {
  test.each([
    { name: 'is gone when no list shows it', found: [], says: [{ ...MADE, is: 'gone' }] },
    { name: 'is there while it is ours', found: [liveOf('edgtls_1', A)], says: [MADE] },
    { name: 'is gone from the stack without an owner', found: [liveOf('edgtls_1')], says: [{ ...MADE, is: 'gone' }] },
    {
      name: 'is gone from the stack when another has it',
      found: [liveOf('edgtls_1', A, { stack: 'other' })],
      says: [{ ...MADE, is: 'gone' }],
    },
    { name: 'is there while its marker cannot be read', found: [liveOf('edgtls_1', '', bare)], says: [MADE] },
  ])('$name', ({ found, says }) => {
    expect(seen(found)).toEqual(says);
  });

  test.each([
    { name: 'stays known when its kind cannot be listed', id: 'edghts_1', address: 'https_edges.a' },
    { name: 'stays known when its parent cannot be listed', id: 'edghtsrt_1', address: 'https_edges.a.routes.b' },
  ])('$name', ({ id, address }) => {
    const capabilities = new Set(CAPABILITIES.filter((one) => one !== 'https-edge-list'));
    const state = replayJournal([begin('r1'), deletion('r1', 1, id, address)]);
    const manifest = { stack: 'shop', removed: [] };
    const leaving = [{ id, address, is: 'leaving' }];
    expect(objectsAtEnd(state, { snapshot: snapshotOf([]), manifest }, capabilities)).toEqual(leaving);
    expect(objectsAtEnd(state, { snapshot: snapshotOf([]), manifest }, ALL)).toEqual([{ id, address, is: 'gone' }]);
  });
});

test.each([
  { name: 'what the stack owns is known from now on', found: [liveOf('edgtls_2', 'tls_edges.b')] },
  { name: 'what was deleted outside and is missing is forgotten', found: [] },
])('$name', ({ found }) => {
  const says = found.map(({ id }) => ({ id, address: 'tls_edges.b' }));
  expect(seen(found, { isLeaving: false })).toEqual(says);
});

test('what lost its marker outside stays known', () => {
  expect(seen([liveOf('edgtls_1')], { isLeaving: false })).toEqual([MADE]);
});

test('what a lost creation made has no stored value', () => {
  const state = replayJournal([begin('r1'), intent('r1', 1, { address: A })]);
  const snapshot = snapshotOf([liveOf('edgtls_1', A)]);
  expect(objectsAtEnd(state, { snapshot, manifest: { stack: 'shop', removed: [] } }, ALL)).toEqual([MADE]);
});

test('what was gone before the last good end is forgotten', () => {
  const objects = [{ id: 'edgtls_1', address: A, is: 'gone' as const }];
  const state = replayJournal([begin('r1'), { type: 'end', run: 'r1', result: '0', objects }]);
  const manifest = { stack: 'shop', removed: [] };
  expect(objectsAtEnd(state, { snapshot: snapshotOf([]), manifest }, ALL)).toEqual([]);
});

test.each([
  { name: 'a release that lost its marker is out of the stack', removed: { from: A, destroy: false }, is: 'gone' },
  { name: 'a deletion that lost its marker is not', removed: { from: A, destroy: true }, is: undefined },
  { name: 'neither is another address', removed: { from: 'tls_edges.b', destroy: false }, is: undefined },
])('$name', ({ removed, is }) => {
  const lost = liveOf('edgtls_1', '', bare);
  expect(seen([lost], { isLeaving: false, removed: [removed] })).toEqual([{ ...MADE, ...(is && { is }) }]);
});
