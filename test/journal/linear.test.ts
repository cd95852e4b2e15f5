// The cost of a journal grows with its entries and no faster: reading, replaying, compacting, and each entry that is added.

import { describe, expect, test } from 'vitest';
import type { EndEntry, JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { compact, notedObjects, replayJournal } from '../../src/journal/replay.ts';
import { countStepsOf, growth } from '../support/count-steps.ts';
import { begin, deletion, intent, memoryDisk, outcome, resolved, update } from './sample.ts';

const COUNT = 100;

const addressOf = (n: number) => `things.a${n}`;
const created = (run: string, n: number) => [intent(run, n, { address: addressOf(n) }), outcome(n, 'done', `t_${n}`)];
const good = (run: string): EndEntry => ({ type: 'end', run, result: '0' });

/** Journals in which each of so many objects is written to. */
const journals: Readonly<Record<string, (numbers: readonly number[]) => readonly JournalEntry[]>> = {
  creations: (numbers) => [begin('r1'), ...numbers.flatMap((n) => created('r1', n))],
  deletions: (numbers) => [
    ...[begin('r1'), ...numbers.flatMap((n) => created('r1', n))],
    ...[begin('r2'), ...numbers.flatMap((n) => [deletion('r2', n, `t_${n}`, addressOf(n)), outcome(n, 'done')])],
  ],
  'creations with an unknown outcome that are resolved': (numbers) => [
    ...[begin('r1'), ...numbers.flatMap((n) => [intent('r1', n, { address: addressOf(n) }), outcome(n, 'unknown')])],
    ...[begin('r2'), ...numbers.map((n) => resolved(`t_${n}`, addressOf(n)))],
  ],
  'updates beside open creations': (numbers) => [
    ...[begin('r1'), ...numbers.map((n) => intent('r1', n, { address: addressOf(n) }))],
    ...[begin('r2'), ...numbers.flatMap((n) => [update('r2', n, `t_${n}`, addressOf(n)), outcome(n, 'done')])],
  ],
  'many runs beside open creations': (numbers) => [
    ...[begin('r'), ...numbers.map((n) => intent('r', n, { address: `things.b${n}` }))],
    ...numbers.flatMap((n) => [begin(`r${n}`), intent(`r${n}`, n), outcome(n, 'done', `t_${n}`), good(`r${n}`)]),
  ],
  'objects at a good end': (numbers) => [
    begin('r'),
    { ...good('r'), objects: numbers.map((n) => ({ id: `t_${n}`, address: addressOf(n) })) },
  ],
};

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('twice the entries take twice the steps', () => {
  test.each(Object.entries(journals))('%s', (_, journal) => {
    const workFor = (count: number) => {
      const { text } = encodeJournal(journal(numbersTo(count)));
      return () => {
        const entries = parseJournal(text).value ?? [];
        notedObjects(replayJournal(entries));
        compact(entries);
      };
    };
    expect(growth(COUNT, workFor)).toBeLessThan(2.1);
  });
});

test('an entry costs the same after many others: one append of its own line', async () => {
  const disk = memoryDisk();
  const { value: journal } = openJournal({
    ...{ path: 'j', files: disk.files, run: 'r', stack: 's', service: 'https://x.example.com/' },
    ...{ now: () => '2026-01-02T03:04:05.678Z', pid: 1, birth: '1', host: 'h', bootId: 'b', isAlive: () => false },
  });
  let written = 0;
  disk.before = (effect, _, text) => {
    expect(effect).toBe('append');
    written += text.length;
  };
  const names = { address: 'things.a', kind: 'thing', method: 'POST', path: '/things' } as const;
  const add = async () => {
    for (let n = 0; n < COUNT; n += 1) {
      const number = await journal!.intent({ ...names, live_id: null, parentId: null });
      await journal!.outcome(number, { status: 'done', live_id: 't_1' });
    }
  };
  const [first, later] = [await countStepsOf(add), await countStepsOf(add)];
  expect(later).toBeLessThanOrEqual(first);
  expect(written).toBeLessThan(4 * COUNT * 400);
  expect(disk.effects.filter((effect) => effect === 'append')).toHaveLength(4 * COUNT);
});
