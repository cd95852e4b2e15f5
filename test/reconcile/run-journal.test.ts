// How an apply begins on its journal, what earlier runs left in it, and what has to be waited for or asked.

import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { Failure } from '../../src/core/failure.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { FileError } from '../../src/platform/file-error.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { Resolution, RunEvent } from '../../src/reconcile/run.ts';
import { findUnresolved, openRunJournal } from '../../src/reconcile/run-journal.ts';
import type { Disk } from '../journal/sample.ts';
import { begin, intent, memoryDisk, outcome } from '../journal/sample.ts';
import { KEY } from '../support/fake-exchange.ts';
import { liveOf, snapshotOf } from './sample.ts';
import { load } from '../support/world.ts';

const A = 'tls_edges.a';
const PATH = '/j';
const NOW = '2026-01-02T03:05:00.000Z';
const create = (n: number, more: Parameters<typeof intent>[2] = {}) =>
  intent('0123456789abcdef0123456789abcdef', n, { address: A, kind: 'tls_edge', ...more });
const first = begin('0123456789abcdef0123456789abcdef');
const manifest = load('version: 1\nstack: shop\ntls_edges: { a: {} }\n');
const absent: Resolution = { address: A, as: 'absent' };

function runJournalOn(disk: Disk, resolutions: readonly Resolution[] = [], targets: readonly string[] = []) {
  const events: RunEvent[] = [];
  const platform = platformOf({ files: disk.files, wallTime: () => NOW, runName: () => 'f'.repeat(32) });
  const run = createRun({
    manifest,
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    options: { journal: PATH, resolutions, targets },
    platform,
    emit: (event) => events.push(event),
  });
  return { runJournal: openRunJournal(run), events };
}

const diskOf = (...entries: JournalEntry[]) =>
  memoryDisk(new Map(entries.length === 0 ? [] : [[PATH, encodeJournal(entries).text]]));
const linesOf = (disk: Disk) => (parseJournal(disk.content.get(PATH) ?? '').value ?? []).map(({ type }) => type);

function failureOf(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

const made = [first, create(1), outcome(1, 'done', 'edgtls_1')];

describe('a run on its journal', () => {
  test('is on the disk before anything else, under its lock', async () => {
    const disk = diskOf();
    const { runJournal, events } = runJournalOn(disk);
    expect([linesOf(disk), [...disk.content.keys()].sort(), events]).toEqual([['begin'], [PATH, `${PATH}.lock`], []]);
    await runJournal.journal.close();
    expect([...disk.content.keys()]).toEqual([PATH]);
  });

  test('has a name in markers that does not give away the one in the journal', () => {
    const { runJournal } = runJournalOn(diskOf());
    expect(runJournal.runName).not.toContain('f'.repeat(8));
  });

  test('expects what earlier runs made', () => {
    const { runJournal } = runJournalOn(diskOf(...made));
    expect(runJournal.expectedObjects).toEqual([{ kind: 'tls_edge', id: 'edgtls_1', address: A }]);
    expect([...runJournal.view.objects.values()]).toEqual([{ address: A, createdHere: true }]);
  });

  test('still looks at what is said to be absent, although it does not count on it', () => {
    const { runJournal } = runJournalOn(diskOf(...made), [absent]);
    expect(runJournal.expectedObjects.map(({ id }) => id)).toEqual(['edgtls_1']);
    expect([...runJournal.view.objects.values()]).toEqual([{ address: A, isGone: true }]);
  });

  test('writes what was resolved only when it is told to', async () => {
    const disk = diskOf(...made);
    const { runJournal } = runJournalOn(disk, [absent]);
    const before = linesOf(disk);
    await runJournal.noteResolutions();
    expect([before.includes('resolved'), linesOf(disk).at(-1)]).toEqual([false, 'resolved']);
  });

  test.each([
    { name: 'whole', targets: [], outcome: 'done', objects: [{ id: 'edgtls_1', address: A, created_here: true }] },
    { name: 'of targets', targets: [A], outcome: 'done', objects: undefined },
    { name: 'not done', targets: [], outcome: 'error', objects: undefined },
  ] as const)('that is $name ends so', async ({ targets, outcome: result, objects }) => {
    const disk = diskOf(...made);
    const { runJournal } = runJournalOn(disk, [], targets);
    runJournal.observe(snapshotOf([liveOf('edgtls_1', A)]), manifest);
    await runJournal.end(result);
    const last = (parseJournal(disk.content.get(PATH) ?? '').value ?? []).at(-1);
    expect(last?.type === 'end' ? last.objects : null).toEqual(objects);
  });

  test('says that what was leaving is there after all', async () => {
    const objects = [{ id: 'edgtls_1', address: A, is: 'leaving' as const }];
    const disk = diskOf(first, { type: 'end', run: first.run, result: '0', objects });
    const { runJournal } = runJournalOn(disk);
    runJournal.observe(snapshotOf([liveOf('edgtls_1', A)]), manifest);
    await runJournal.end('done');
    expect((parseJournal(disk.content.get(PATH) ?? '').value ?? []).at(-1)).toMatchObject({
      objects: [{ id: 'edgtls_1', address: A }],
    });
  });

  test('says again what it saw only when something was recorded since', async () => {
    const disk = diskOf(...made);
    for (let count = 0; count < 2; count += 1) {
      const { runJournal } = runJournalOn(disk);
      runJournal.observe(snapshotOf([liveOf('edgtls_1', A)]), manifest);
      await runJournal.end('done');
      await runJournal.journal.close();
    }
    expect(parseJournal(disk.content.get(PATH) ?? '').value?.map((entry) => 'objects' in entry)).toEqual([
      ...[false, false, false],
      ...[false, true],
      ...[false, false],
    ]);
  });
});

describe('a journal that a run cannot use', () => {
  test.each([
    {
      name: 'with an id that its kind cannot have',
      entries: [first, create(1), outcome(1, 'done', 'ra_1')],
      code: 'journal-damaged',
    },
    {
      name: 'with an address of no kind',
      entries: [first, { ...create(1), address: 'frobs.a' }, outcome(1, 'done', 'edgtls_1')],
      code: 'journal-damaged',
    },
    { name: 'of another stack', entries: [{ ...first, stack: 'other' }, ...made.slice(1)], code: 'journal-mismatch' },
  ])('$name stops it and leaves no lock', async ({ entries, code }) => {
    const disk = diskOf(...entries);
    const { outcome: ended, diagnostics } = failureOf(() => runJournalOn(disk));
    expect([ended, diagnostics.map((one) => one.code)]).toEqual(['error', [code]]);
    await Promise.resolve();
    expect([...disk.content.keys()]).toEqual([PATH]);
  });

  test('because the disk is full stops it with what that means', () => {
    const disk = diskOf();
    disk.before = (_, path) => {
      throw new FileError(path, 'ENOSPC');
    };
    expect(failureOf(() => runJournalOn(disk)).outcome).toBe('output');
  });

  test('later keeps which kind of note was lost', async () => {
    const disk = diskOf();
    const { runJournal } = runJournalOn(disk);
    const write = {
      step: 's1',
      address: A,
      kind: 'tls_edge',
      method: 'POST',
      path: '/edges/tls',
      live_id: null,
      parentId: null,
      body: {},
    } as const;
    const number = await runJournal.record.intent(write);
    disk.before = (_, path) => {
      throw new FileError(path, 'ENOSPC');
    };
    await runJournal.record.outcome(number, { status: 'done', live_id: 'edgtls_1' });
    expect([runJournal.unwritten(), runJournal.late()?.code]).toEqual([undefined, 'ENOSPC']);
    await expect(runJournal.record.intent(write)).rejects.toThrow(FileError);
    expect(runJournal.unwritten()?.code).toBe('ENOSPC');
  });
});

describe('creations of earlier runs whose end nobody knows', () => {
  const at = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1_000).toISOString();
  const edge = { address: 'https_edges.b', kind: 'https_edge' } as const;
  const unresolved = (
    entries: readonly JournalEntry[],
    resolutions: readonly Resolution[] = [],
    off: readonly string[] = [],
  ) =>
    findUnresolved(
      { state: replayJournal(entries) },
      { resolutions, settleMs: 20_000, capabilities: new Set(CAPABILITIES.filter((name) => !off.includes(name))) },
      () => NOW,
    );

  test.each([
    { name: 'there are none: nothing is waited for', entries: made, waitMs: 0 },
    { name: 'one of just now is waited for in full', entries: [first, create(1, { at: at(0) })], waitMs: 20_000 },
    { name: 'one of 5 s ago is waited for 15 s more', entries: [first, create(1, { at: at(5) })], waitMs: 15_000 },
    { name: 'one of long ago is not waited for', entries: [first, create(1, { at: at(3_600) })], waitMs: 0 },
    { name: 'one of the future is waited for in full', entries: [first, create(1, { at: at(-60) })], waitMs: 20_000 },
    {
      name: 'of several the latest is waited for',
      entries: [first, create(1, { at: at(18) }), create(2, { at: at(5), address: 'tls_edges.b' })],
      waitMs: 15_000,
    },
    {
      name: 'a refused one is no matter',
      entries: [first, create(1, { at: at(0) }), outcome(1, 'rejected')],
      waitMs: 0,
    },
    {
      name: 'an update is no matter',
      entries: [first, create(1, { at: at(0), method: 'PATCH', live_id: 'edgtls_1' })],
      waitMs: 0,
    },
  ])('$name', ({ entries, waitMs }) => {
    expect(unresolved(entries)).toEqual({ waitMs, problems: [] });
  });

  test('what somebody has resolved is not waited for', () => {
    expect(unresolved([first, create(1, { at: at(0) })], [absent]).waitMs).toBe(0);
  });

  test('what cannot be listed has to be asked for, however long ago it was', () => {
    const entries = [first, create(1, { at: at(3_600), ...edge })];
    expect(unresolved(entries).problems).toEqual([]);
    expect(unresolved(entries, [], ['https-edge-list']).problems).toMatchObject([
      { code: 'unknown-outcome', address: 'https_edges.b', fix: expect.stringContaining('--resolve') },
    ]);
  });
});
