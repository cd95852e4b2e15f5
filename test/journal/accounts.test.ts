// The accounts in one journal: whose lines are whose, which account is living, and that none is lost when the file is compacted.

import { expect, test } from 'vitest';
import { accountsIn, compactAccounts, livingAccount, newAccount } from '../../src/journal/accounts.ts';
import { encodeJournal, type JournalEntry } from '../../src/journal/entry.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { notedObjects, replayJournal } from '../../src/journal/replay.ts';
import { begin, intent, memoryDisk, outcome } from './sample.ts';

const made = (run: string, id: string, account?: number): readonly JournalEntry[] => [
  { ...begin(run), ...(account !== undefined && { account }) },
  intent(run, 1, { address: 'things.a' }),
  outcome(1, 'done', id),
  { type: 'end', run, result: '0', objects: [{ id, address: 'things.a' }] },
];
const TWO = [...made('r1', 't_1'), ...made('r2', 't_2', 2), ...made('r3', 't_3', 2)];
const BACK = [...TWO, ...made('r4', 't_4')];
const idsIn = (entries: readonly JournalEntry[]) =>
  accountsIn(entries).map(({ account, entries: own }) => [account, notedObjects(replayJournal(own)).map(([id]) => id)]);

test('the lines of a run are about its account, and the account of the last run is the newest', () => {
  expect(idsIn(TWO)).toEqual([
    [1, ['t_1']],
    [2, ['t_3']],
  ]);
  expect(idsIn(BACK)).toEqual([
    [2, ['t_3']],
    [1, ['t_4']],
  ]);
  expect([accountsIn([]), newAccount(accountsIn(BACK))]).toEqual([[{ account: 1, entries: [] }], 3]);
});

test('what is compacted still knows each account, in the same order', () => {
  for (const entries of [TWO, BACK]) {
    const small = compactAccounts(entries);
    expect(small.length).toBeLessThan(entries.length);
    expect(idsIn(small)).toEqual(idsIn(entries));
    expect(compactAccounts(small)).toEqual(small);
  }
});

test('accounts that eight others were used after are forgotten', () => {
  const many = Array.from({ length: 10 }, (_, at) => made(`r${String(at)}`, `t_${String(at)}`, at + 1)).flat();
  expect(accountsIn(many).map(({ account }) => account)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
});

const account = (name: string, expected: readonly string[], gone: readonly string[] = []) => ({ name, expected, gone });
test.each([
  ['the one whose objects are alive', ['a1'], 'A'],
  ['the one with most of them', ['a1', 'a2', 'b1'], 'A'],
  ['the newest of equals', ['a1', 'b1'], 'B'],
  ['one that let go of what is alive, if nothing else is', ['a9'], 'A'],
  ['not one that let go of it, where another expects it', ['a9', 'b1'], 'B'],
  ['the newest, if nothing is alive', [], 'B'],
])('the living account is %s', (_, alive, expected) => {
  const all = [account('A', ['a1', 'a2'], ['a9']), account('B', ['b1'])];
  const idsOf = ({ expected: there, gone }: (typeof all)[number]) => ({ expected: there, known: [...there, ...gone] });
  expect(livingAccount(all, idsOf, (id) => alive.includes(id))?.name).toBe(expected);
});

test('a run that enters another account begins there, right before its first line', async () => {
  const disk = memoryDisk(new Map([['/j', encodeJournal(TWO).text]]));
  const { stack, service } = begin('r');
  const open = (run: string) =>
    openJournal({
      path: '/j',
      files: disk.files,
      run,
      stack,
      service,
      host: 'h',
      pid: 1,
      isAlive: () => true,
      now: () => '2026-01-01T00:00:00Z',
    } as unknown as Parameters<typeof openJournal>[0]).value!;
  const entries = () => parseJournal(disk.content.get('/j') ?? '').value!;
  const journal = open('r9');
  journal.enter(journal.accounts[0]);
  expect([...journal.state.objects.keys()]).toEqual(['t_1']);
  expect(entries().slice(TWO.length)).toMatchObject([{ type: 'begin', run: 'r9', account: 2 }]);
  await journal.stored('things.b', 't_9');
  await journal.end('0');
  await journal.close();
  expect(entries().slice(TWO.length + 1)).toMatchObject([
    { type: 'begin', run: 'r9' },
    { type: 'stored' },
    { type: 'end' },
  ]);
  expect(idsIn(entries())).toEqual([
    [2, ['t_3']],
    [1, ['t_1', 't_9']],
  ]);
  const next = open('r10');
  next.enter();
  await next.end('0', [{ id: 't_10', address: 'things.a' }]);
  await next.close();
  expect(idsIn(entries()).at(-1)).toEqual([3, ['t_10']]);
});
