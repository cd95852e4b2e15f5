// Which notes must be on the disk and which may be late; and what a run says became of objects that were to go.

import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createJournalRecorder, seenObjects } from '../../src/reconcile/execution/journal-recorder.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import { begin, deletion, intent, outcome } from '../journal/sample.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { liveOf, snapshotOf } from './sample.ts';

const INTENT = {
  step: 's1',
  address: 'tls_edges.a',
  kind: 'tls_edge',
  method: 'POST',
  path: '/edges/tls',
  liveId: null,
  parentId: null,
  body: {},
} as const;

/** A recorder on a journal whose writes end like this, with what it noted and failed at. */
function recording(error?: Error) {
  const failed: string[] = [];
  const noted: unknown[][] = [];
  const write =
    (name: string) =>
    (...given: unknown[]): Promise<number> => {
      if (error !== undefined) return Promise.reject(error);
      return Promise.resolve(noted.push([name, ...given]));
    };
  const journal = { intent: write('intent'), outcome: write('outcome'), stored: write('stored') };
  const known = { stored: new Set<string>(), filled: new Map<string, string>() };
  const record = createJournalRecorder(journal as unknown as Journal, known, (what) => failed.push(what));
  return { ...known, record, failed, noted };
}

const full = new FileError('/j', 'ENOSPC');

describe('a journal that cannot be written', () => {
  test('holds a request back', async () => {
    const { record, failed } = recording(full);
    await expect(record.intent(INTENT)).rejects.toThrow(full);
    expect(failed).toEqual(['intent']);
  });

  test('does not undo what was done: the outcome is told as missing', async () => {
    const { record, failed } = recording(full);
    await record.outcome(1, 'done', 'edgtls_1');
    expect(failed).toEqual(['outcome']);
  });

  test('does not make a token that is stored count as lost', async () => {
    const { record, failed, stored, filled } = recording(full);
    await record.stored('api_keys.ci', 'ak_1');
    expect([failed, [...stored], [...filled]]).toEqual([['outcome'], ['ak_1'], [['api_keys.ci', 'ak_1']]]);
  });

  test('because of a mistake of ours is no matter of the disk', async () => {
    const bug = new TypeError('a mistake');
    const { record, failed } = recording(bug);
    await expect(record.intent(INTENT)).rejects.toThrow(bug);
    await expect(record.outcome(1, 'done', null)).rejects.toThrow(bug);
    expect(failed).toEqual([]);
  });
});

test('an outcome names an object only when there is one', async () => {
  const { record, noted } = recording();
  await record.outcome(3, 'rejected', null);
  await record.outcome(4, 'done', 'edgtls_1');
  expect(noted).toEqual([
    ['outcome', 3, { status: 'rejected' }],
    ['outcome', 4, { status: 'done', liveId: 'edgtls_1' }],
  ]);
});

test('the object that filled a file last is the one that counts', async () => {
  const { record, filled, stored } = recording();
  await record.stored('api_keys.ci', 'ak_1');
  await record.stored('api_keys.ci', 'ak_2');
  expect([[...stored], [...filled]]).toEqual([['ak_1', 'ak_2'], [['api_keys.ci', 'ak_2']]]);
});

const A = 'tls_edges.a';
type Removed = { readonly from: string; readonly destroy: boolean };
const RANGE = { file: 'edgeform.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const bare: Partial<LiveResource> = { markerProblem: { what: 'was removed', stacks: [], knownAs: A } };

const ALL = new Set(CAPABILITIES);
const MADE = { id: 'edgtls_1', address: A, token: 'unstored' };

/** What the run says at its good end, after an earlier one that created and perhaps began to delete an object. */
function seen(found: readonly LiveResource[], more: { isLeaving?: boolean; removed?: readonly Removed[] } = {}) {
  const { isLeaving = true, removed = [] } = more;
  const made = [begin('r1'), intent('r1', 1, { address: A }), outcome(1, 'done', 'edgtls_1')];
  const state = replayJournal([...made, ...(isLeaving ? [deletion('r1', 2, 'edgtls_1', A)] : [])]);
  const manifest = { stack: 'shop', removed: removed.map((one) => ({ ...one, range: RANGE })) };
  return seenObjects(state, { snapshot: snapshotOf(found), manifest, capabilities: ALL });
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
    expect(seenObjects(state, { snapshot: snapshotOf([]), manifest, capabilities })).toEqual(leaving);
    expect(seenObjects(state, { snapshot: snapshotOf([]), manifest, capabilities: ALL })).toEqual([
      { id, address, is: 'gone' },
    ]);
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
  expect(seenObjects(state, { snapshot, manifest: { stack: 'shop', removed: [] }, capabilities: ALL })).toEqual([MADE]);
});

test('what was gone before the last good end is forgotten', () => {
  const objects = [{ id: 'edgtls_1', address: A, is: 'gone' as const }];
  const state = replayJournal([begin('r1'), { type: 'end', run: 'r1', result: '0', objects }]);
  const manifest = { stack: 'shop', removed: [] };
  expect(seenObjects(state, { snapshot: snapshotOf([]), manifest, capabilities: ALL })).toEqual([]);
});

test.each([
  { name: 'a release that lost its marker is out of the stack', removed: { from: A, destroy: false }, is: 'gone' },
  { name: 'a deletion that lost its marker is not', removed: { from: A, destroy: true }, is: undefined },
  { name: 'neither is another address', removed: { from: 'tls_edges.b', destroy: false }, is: undefined },
])('$name', ({ removed, is }) => {
  const lost = liveOf('edgtls_1', '', bare);
  expect(seen([lost], { isLeaving: false, removed: [removed] })).toEqual([{ ...MADE, ...(is && { is }) }]);
});
