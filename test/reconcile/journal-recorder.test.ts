// Which notes must be on the disk and which may be late; and what a run says became of objects that were to go.

import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createJournalRecorder, createObserver } from '../../src/reconcile/execution/journal-recorder.ts';
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
const RANGE = { file: 'edgeform.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const bare: Partial<LiveResource> = {
  markerProblem: { what: 'was removed', stacks: [], knownAs: A },
};

describe('an object that an earlier run began to delete', () => {
  test.each([
    { name: 'is gone when no list shows it', found: [], gone: ['edgtls_1'] },
    { name: 'is not gone while it is ours', found: [liveOf('edgtls_1', A)], gone: undefined },
    { name: 'is gone from the stack when it is nobody’s', found: [liveOf('edgtls_1')], gone: ['edgtls_1'] },
    {
      name: 'is gone from the stack when it is another’s',
      found: [liveOf('edgtls_1', A, { stack: 'other' })],
      gone: ['edgtls_1'],
    },
    { name: 'may be ours while its marker cannot be read', found: [liveOf('edgtls_1', '', bare)], gone: undefined },
    {
      name: 'says nothing of an object that nobody began to delete',
      found: [liveOf('edgtls_1', A), liveOf('edgtls_2')],
      gone: undefined,
    },
  ])('$name', ({ found, gone }) => {
    const observer = createObserver(new Map([['edgtls_1', 'tls_edge']]), {
      stack: 'shop',
      capabilities: new Set(CAPABILITIES),
    });
    observer.observe(snapshotOf(found), { removed: [] });
    expect(observer.summary()).toEqual(gone === undefined ? {} : { gone });
  });

  test.each([
    { name: 'is only unseen when its kind cannot be listed', id: 'edghts_1', kind: 'https_edge' },
    { name: 'is only unseen when what it lies in cannot be listed', id: 'edghtsrt_1', kind: 'https_edge_route' },
  ])('$name', ({ id, kind }) => {
    const capabilities = new Set(CAPABILITIES.filter((one) => one !== 'https-edge-list'));
    const observer = createObserver(new Map([[id, kind]]), { stack: 'shop', capabilities });
    observer.observe(snapshotOf([]), { removed: [] });
    expect(observer.summary()).toEqual({ unseen: [id] });
  });

  test('counts as it was looked last', () => {
    const observer = createObserver(new Map([['edgtls_1', 'tls_edge']]), {
      stack: 'shop',
      capabilities: new Set(CAPABILITIES),
    });
    observer.observe(snapshotOf([]), { removed: [] });
    observer.observe(snapshotOf([liveOf('edgtls_1', A)]), { removed: [] });
    expect(observer.summary()).toEqual({});
  });
});

test.each([
  {
    name: 'a release that lost its marker is out of the stack',
    removed: [{ from: A, destroy: false }],
    gone: ['edgtls_1'],
  },
  { name: 'a deletion that lost its marker is not', removed: [{ from: A, destroy: true }], gone: undefined },
  {
    name: 'neither is an object at another address',
    removed: [{ from: 'tls_edges.b', destroy: false }],
    gone: undefined,
  },
])('$name', ({ removed, gone }) => {
  const observer = createObserver(new Map(), { stack: 'shop', capabilities: new Set(CAPABILITIES) });
  observer.observe(snapshotOf([liveOf('edgtls_1', '', bare)]), {
    removed: removed.map((one) => ({ ...one, range: RANGE })),
  });
  expect(observer.summary()).toEqual(gone === undefined ? {} : { gone });
});
