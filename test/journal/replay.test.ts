// What follows from a journal: open writes, known ids, lost values; and that compacting keeps all of it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindingRuns } from '../../src/journal/binding.ts';
import { compact } from '../../src/journal/compact.ts';
import type { EndEntry, JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { replayJournal, knownIds, recentRuns } from '../../src/journal/replay.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { begin, deletion, intent, journals, outcome, resolved, update } from './sample.ts';

/** `r1.1 create` for each open write, `address: ids`, and ids whose value was not stored. */
function summary(entries: readonly JournalEntry[]) {
  const facts = replayJournal(entries);
  const ids: Record<string, string[]> = {};
  for (const [id, address] of knownIds(facts)) (ids[address] ??= []).push(id);
  return {
    open: open(entries).map((one) => `${one.intent.run}.${one.intent.n} ${one.isCreate ? 'create' : 'other'}`),
    ids,
    unstored: [...facts.made.values()].map((one) => `${one.address} ${one.liveId}`),
    stored: [...facts.stored.keys()].sort(),
  };
}

/** All that a later run reads of a journal, in one order: what `JournalState` has beside its indexes, but for runs long past. */
function whole(entries: readonly JournalEntry[]) {
  const facts = replayJournal(entries);
  const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  const runs = new Set(recentRuns(facts));
  for (const { intent, isCreate } of facts.open.values()) if (isCreate) runs.add(intent.run);
  return {
    open: [...facts.open.values()].map(({ intent: { replaces: _, ...one }, isAnswerLost }) => [one, isAnswerLost]),
    ids: sorted(facts.ids),
    made: sorted(facts.made).map(([id, one]) => [id, (one as { address: string }).address]),
    stored: sorted(facts.stored),
    deleted: sorted(facts.deleted),
    parents: sorted(facts.parents),
    runs: facts.runs.filter((run) => runs.has(run)),
    recent: recentRuns(facts),
    last: lastRun(entries),
  };
}
function open(entries: readonly JournalEntry[]) {
  return [...replayJournal(entries).open.values()];
}
function lastRun(entries: readonly JournalEntry[]) {
  const { begin: last, ended } = replayJournal(entries);
  return { run: last?.run, at: last?.at, result: ended.get(last?.run ?? '')?.result };
}
const A = 'things.a';
const made = [intent('r1', 1), outcome(1, 'done', 't_1')];
const begun = [...made, deletion('r1', 2, 't_1'), begin('r2')];
const left = { open: ['r1.2 other'], ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] };
const end = (run: string, more: Partial<EndEntry> = {}): JournalEntry => ({ type: 'end', run, result: '0', ...more });
type Summary = Partial<ReturnType<typeof summary>>;

const cases: readonly (readonly [string, readonly JournalEntry[], Summary])[] = [
  ['a creation without outcome', [intent('r1', 1)], { open: ['r1.1 create'] }],
  ['a creation with a lost answer', [intent('r1', 1), outcome(1, 'unknown')], { open: ['r1.1 create'] }],
  ['a creation that was refused', [intent('r1', 1), outcome(1, 'rejected')], {}],
  ['a creation', made, { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] }],
  ['a creation without an id', [intent('r1', 1), outcome(1, 'done')], { open: ['r1.1 create'] }],
  [
    'a creation with its value stored',
    [...made, { type: 'stored', address: A, live_id: 't_1' }],
    { ids: { [A]: ['t_1'] }, stored: ['t_1'] },
  ],
  [
    'a stored value stays stored when its creation is noted late',
    [intent('r1', 1), { type: 'stored', address: A, live_id: 't_1' }, update('r1', 2, 't_1'), outcome(2, 'done')],
    { ids: { [A]: ['t_1'] }, stored: ['t_1'] },
  ],
  [
    'a stored value goes with its object',
    [...made, { type: 'stored', address: A, live_id: 't_1' }, deletion('r1', 2, 't_1'), outcome(2, 'done')],
    {},
  ],
  [
    'a lost creation found later: its value is lost',
    [intent('r1', 1), begin('r2'), resolved('t_1')],
    { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] },
  ],
  ['a lost creation that never was', [intent('r1', 1), begin('r2'), resolved('absent')], {}],
  [
    'resolving another address settles nothing',
    [intent('r1', 1), resolved('absent', 'things.b')],
    { open: ['r1.1 create'] },
  ],
  ['an earlier resolution settles nothing', [resolved('absent'), intent('r1', 1)], { open: ['r1.1 create'] }],
  [
    'a second creation does not tell what became of the first',
    [intent('r1', 1), begin('r2'), intent('r2', 1), outcome(1, 'done', 't_2')],
    { open: ['r1.1 create'], ids: { [A]: ['t_2'] }, unstored: [`${A} t_2`] },
  ],
  [
    'an update of an object that nobody knew settles the creation',
    [intent('r1', 1), begin('r2'), update('r2', 1, 't_9'), outcome(1, 'done')],
    { ids: { [A]: ['t_9'] }, unstored: [`${A} t_9`] },
  ],
  [
    'an update of the object that is replaced does not',
    [...made, intent('r1', 2), update('r1', 3, 't_1'), outcome(3, 'done')],
    { open: ['r1.2 create'], ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] },
  ],
  ['an update without outcome', [update('r1', 1, 't_1')], { open: ['r1.1 other'] }],
  [
    'an update sent again',
    [update('r1', 1, 't_1'), begin('r2'), update('r2', 1, 't_1'), outcome(1, 'done')],
    { ids: { [A]: ['t_1'] } },
  ],
  [
    'a deletion with a lost answer, found gone',
    [...made, deletion('r1', 2, 't_1'), outcome(2, 'unknown'), resolved('absent')],
    {},
  ],
  [
    'a deletion with a lost answer, found there',
    [...made, deletion('r1', 2, 't_1'), outcome(2, 'unknown'), resolved('t_1')],
    { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] },
  ],
  ['a deletion', [...made, deletion('r1', 2, 't_1'), outcome(2, 'done')], {}],
  ['a deletion that was begun and found done', [...begun, end('r2', { gone: ['t_1'] })], {}],
  ['one that was not done', [...begun, end('r2')], { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] }],
  ['one that was looked for in vain, but cannot be listed', [...begun, end('r2', { unseen: ['t_1'] })], left],
  ['a run of targets settles none', [...begun, end('r2', { gone: ['t_1'], partial: true })], left],
  ['nor does one that failed', [...begun, end('r2', { gone: ['t_1'], result: '1' })], left],
  [
    'between the halves of a replacement both ids are known',
    [...made, intent('r1', 2), outcome(2, 'done', 't_2')],
    { ids: { [A]: ['t_1', 't_2'] }, unstored: [`${A} t_1`, `${A} t_2`] },
  ],
  [
    'a new object that is not there does not take the old one with it',
    [...made, intent('r1', 2), outcome(2, 'unknown'), resolved('absent')],
    { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] },
  ],
  [
    'a deletion takes along what lies inside, and nothing that lies in the new object of the address',
    [
      ...made,
      intent('r1', 2, { address: 'things.a.parts.x', parent_id: 't_1' }),
      outcome(2, 'done', 'p_1'),
      intent('r1', 3, { address: 'things.a.parts.x', parent_id: 't_2' }),
      outcome(3, 'done', 'p_2'),
      deletion('r1', 4, 't_1'),
      outcome(4, 'done'),
    ],
    { ids: { 'things.a.parts.x': ['p_2'] }, unstored: ['things.a.parts.x p_2'] },
  ],
  ['an object that is known to be gone', [...made, resolved('absent')], {}],
  [
    'an object with a new address',
    [...made, update('r1', 2, 't_1', 'things.b'), outcome(2, 'done')],
    { ids: { 'things.b': ['t_1'] }, unstored: ['things.b t_1'] },
  ],
  [
    'a module that is deleted',
    [...made, { ...deletion('r1', 2, 't_1'), path: '/things/t_1/part' }, outcome(2, 'done')],
    { ids: { [A]: ['t_1'] }, unstored: [`${A} t_1`] },
  ],
];

describe('facts', () => {
  test.each(cases)('%s', (_, entries, expected) => {
    expect(summary([begin('r1'), ...entries])).toEqual({ open: [], ids: {}, unstored: [], stored: [], ...expected });
  });

  test('an open write comes with all that was known, and whether an answer was lost', () => {
    const one = intent('r1', 1, { kind: 'route', parent_id: 'e_1' });
    expect(open([begin('r1'), one])).toEqual([{ intent: one, isCreate: true, isAnswerLost: false }]);
    expect(open([begin('r1'), one, outcome(1, 'unknown')])[0]?.isAnswerLost).toBe(true);
  });

  test('ids come in the order of their addresses, and of themselves at one address', () => {
    const entries = [resolved('t_1', 'things.b'), resolved('t_3'), resolved('t_2')];
    expect(knownIds(replayJournal([begin('r1'), ...entries])).map(([id]) => id)).toEqual(['t_2', 't_3', 't_1']);
  });

  test('the last run, ended or not', () => {
    const { at } = begin('r1');
    expect(lastRun([]).run).toBeUndefined();
    expect(lastRun([begin('r1'), { type: 'end', run: 'r1', result: 'done' }])).toEqual({
      run: 'r1',
      at,
      result: 'done',
    });
    expect(lastRun([begin('r1'), begin('r2')])).toEqual({ run: 'r2', at, result: undefined });
  });
});

describe('compact', () => {
  test('says the same, can be read, and does not grow when repeated', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        const small = compact(entries);
        expect(whole(small)).toEqual(whole(entries));
        expect(parseJournal(encodeJournal(small).text)).toEqual({ value: small, diagnostics: [] });
        expect(compact(small)).toHaveLength(small.length);
        const bound = (list: readonly JournalEntry[]) => bindingRuns(list).map(({ run }) => run);
        expect(bound(entries)).toEqual(expect.arrayContaining(bound(small)));
        const { ids, deleted } = replayJournal(entries);
        expect(small.length).toBeLessThanOrEqual(entries.length + ids.size + 2 * deleted.size);
      }),
      { numRuns: 2000 },
    );
  });

  test('the rest of a journal means the same after it', () => {
    fc.assert(
      fc.property(journals, journals, (before, after) => {
        const later = after.map((entry) => ('run' in entry ? { ...entry, run: `later-${entry.run}` } : entry));
        expect(whole([...compact(before), ...later])).toEqual(whole([...before, ...later]));
      }),
      { numRuns: 2000 },
    );
  });
});
