// Which notes must be on the disk and which may be late.

import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/platform/file-error.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createJournalRecorder } from '../../src/reconcile/execution/journal-recorder.ts';

const INTENT = {
  step: 's1',
  address: 'tls_edges.a',
  kind: 'tls_edge',
  method: 'POST',
  path: '/edges/tls',
  live_id: null,
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
    await record.outcome(1, { status: 'done', live_id: 'edgtls_1' });
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
    await expect(record.outcome(1, { status: 'done', live_id: null })).rejects.toThrow(bug);
    expect(failed).toEqual([]);
  });
});

test('an outcome names an object only when there is one', async () => {
  const { record, noted } = recording();
  await record.outcome(3, { status: 'rejected', live_id: null });
  await record.outcome(4, { status: 'done', live_id: 'edgtls_1', untaken: new Map() });
  expect(noted).toEqual([
    ['outcome', 3, { status: 'rejected' }],
    ['outcome', 4, { status: 'done', live_id: 'edgtls_1' }],
  ]);
});

test('the object that filled a file last is the one that counts', async () => {
  const { record, filled, stored } = recording();
  await record.stored('api_keys.ci', 'ak_1');
  await record.stored('api_keys.ci', 'ak_2');
  expect([[...stored], [...filled]]).toEqual([['ak_1', 'ak_2'], [['api_keys.ci', 'ak_2']]]);
});
