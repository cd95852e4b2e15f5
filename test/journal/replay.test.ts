// What follows from a journal: open writes, known ids, lost values; and that compacting keeps all of it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndEntry, JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { compact, notedObjects, replayJournal } from '../../src/journal/replay.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { begin, deletion, intent, journals, outcome, resolved, update } from './sample.ts';

/** `r1.1` for each open creation, `address: ids` of what there is, and ids by what became of their value. */
function summary(entries: readonly JournalEntry[]) {
  const state = replayJournal(entries);
  const noted = notedObjects(state).filter(([, { is }]) => is !== 'gone');
  const ids: Record<string, string[]> = {};
  for (const [id, { address }] of noted) (ids[address] ??= []).push(id);
  const createdHere = noted.filter(([, object]) => object.createdHere === true);
  const idsOf = (isStored: boolean) =>
    createdHere.flatMap(([id, { tokenStored = false }]) => (tokenStored === isStored ? [id] : []));
  return {
    open: [...state.creations.values()].flat().map(({ run, n }) => `${run}.${n}`),
    ids,
    unstored: idsOf(false),
    stored: idsOf(true),
    leaving: noted.flatMap(([id, { is }]) => (is === 'leaving' ? [id] : [])),
  };
}
const A = 'things.a';
const made = [intent('r1', 1), outcome(1, 'done', 't_1')];
const begun = [...made, deletion('r1', 2, 't_1'), begin('r2')];
const left = { ids: { [A]: ['t_1'] }, unstored: ['t_1'], leaving: ['t_1'] };
const end = (run: string, objects?: EndEntry['objects']): JournalEntry => ({
  type: 'end',
  run,
  result: '0',
  ...(objects && { objects }),
});
type Summary = Partial<ReturnType<typeof summary>>;

const cases: readonly (readonly [string, readonly JournalEntry[], Summary])[] = [
  ['a creation without outcome', [intent('r1', 1)], { open: ['r1.1'] }],
  ['a creation with a lost answer', [intent('r1', 1), outcome(1, 'unknown')], { open: ['r1.1'] }],
  ['a creation that was refused', [intent('r1', 1), outcome(1, 'rejected')], {}],
  ['a creation', made, { ids: { [A]: ['t_1'] }, unstored: ['t_1'] }],
  [
    'a refused deletion of what the stack never owned',
    [{ ...deletion('r1', 1, 't_1'), foreign: true }, outcome(1, 'rejected')],
    {},
  ],
  [
    'a deletion of what the stack never owned, with a lost answer',
    [{ ...deletion('r1', 1, 't_1'), foreign: true }, outcome(1, 'unknown')],
    { ids: { [A]: ['t_1'] }, leaving: ['t_1'] },
  ],
  ['a creation without an id', [intent('r1', 1), outcome(1, 'done')], { open: ['r1.1'] }],
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
    { ids: { [A]: ['t_1'] }, unstored: ['t_1'] },
  ],
  ['a lost creation that never was', [intent('r1', 1), begin('r2'), resolved('absent')], {}],
  ['resolving another address settles nothing', [intent('r1', 1), resolved('absent', 'things.b')], { open: ['r1.1'] }],
  ['an earlier resolution settles nothing', [resolved('absent'), intent('r1', 1)], { open: ['r1.1'] }],
  [
    'a second creation does not tell what became of the first',
    [intent('r1', 1), begin('r2'), intent('r2', 1), outcome(1, 'done', 't_2')],
    { open: ['r1.1'], ids: { [A]: ['t_2'] }, unstored: ['t_2'] },
  ],
  [
    'an update of an object that nobody knew settles the creation',
    [intent('r1', 1), begin('r2'), update('r2', 1, 't_9'), outcome(1, 'done')],
    { ids: { [A]: ['t_9'] }, unstored: ['t_9'] },
  ],
  [
    'an update of the object that is replaced does not',
    [...made, intent('r1', 2), update('r1', 3, 't_1'), outcome(3, 'done')],
    { open: ['r1.2'], ids: { [A]: ['t_1'] }, unstored: ['t_1'] },
  ],
  ['an update without outcome', [update('r1', 1, 't_1')], {}],
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
    { ids: { [A]: ['t_1'] }, unstored: ['t_1'] },
  ],
  ['a deletion', [...made, deletion('r1', 2, 't_1'), outcome(2, 'done')], {}],
  ['a deletion that was begun', begun, left],
  ['one that was refused', [...begun.slice(0, -1), outcome(2, 'rejected')], { ...left, leaving: [] }],
  [
    'one whose repeat was refused may still be carried out',
    [...made, deletion('r1', 2, 't_1'), outcome(2, 'unknown'), deletion('r1', 3, 't_1'), outcome(3, 'rejected')],
    left,
  ],
  [
    'one that a later run tried again, and that was refused then',
    [...begun, deletion('r2', 1, 't_1'), outcome(1, 'rejected')],
    { ...left, leaving: [] },
  ],
  ['one that a good end saw done', [...begun, end('r2', [])], {}],
  [
    'one that a good end cannot prove',
    [...begun, end('r2', [{ id: 't_1', address: A, is: 'leaving' }])],
    { ...left, unstored: [] },
  ],
  ['one that was not done', [...begun, end('r2', [{ id: 't_1', address: A }])], { ids: { [A]: ['t_1'] } }],
  ['a run that is not a good end settles none', [...begun, end('r2')], left],
  ['a good end looked for what was being created', [intent('r1', 1), end('r1', [])], {}],
  [
    'what happens after a good end counts',
    [
      intent('r1', 1),
      end('r1', [{ id: 't_1', address: A }]),
      begin('r2'),
      deletion('r2', 1, 't_1'),
      outcome(1, 'done'),
    ],
    {},
  ],
  [
    'between the halves of a replacement both ids are known',
    [...made, intent('r1', 2), outcome(2, 'done', 't_2')],
    { ids: { [A]: ['t_1', 't_2'] }, unstored: ['t_1', 't_2'] },
  ],
  [
    'a new object that is not there does not take the old one with it',
    [...made, intent('r1', 2), outcome(2, 'unknown'), resolved('absent')],
    { ids: { [A]: ['t_1'] }, unstored: ['t_1'] },
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
    { ids: { 'things.a.parts.x': ['p_2'] }, unstored: ['p_2'] },
  ],
  ['an object that is known to be gone', [...made, resolved('absent')], {}],
  [
    'an object with a new address',
    [...made, update('r1', 2, 't_1', 'things.b'), outcome(2, 'done')],
    { ids: { 'things.b': ['t_1'] }, unstored: ['t_1'] },
  ],
  [
    'a module that is deleted',
    [...made, { ...deletion('r1', 2, 't_1'), path: '/things/t_1/part' }, outcome(2, 'done')],
    { ids: { [A]: ['t_1'] }, unstored: ['t_1'] },
  ],
];

const NOTHING: Summary = { open: [], ids: {}, unstored: [], stored: [], leaving: [] };

describe('facts', () => {
  test.each(cases)('%s', (_, entries, expected) => {
    expect(summary([begin('r1'), ...entries])).toEqual({ ...NOTHING, ...expected });
  });

  test('runs count since the last good end, and so does the one that had it', () => {
    const { settledBy, runs } = replayJournal([
      begin('r1'),
      begin('r2'),
      end('r2', []),
      begin('r3'),
      end('r3'),
      begin('r4'),
    ]);
    expect([settledBy, runs]).toEqual(['r2', ['r3', 'r4']]);
  });

  test('a circle of parents in a journal that was edited ends', () => {
    const around = [
      { id: 't_1', address: A, parent_id: 't_2' },
      { id: 't_2', address: A, parent_id: 't_1' },
    ];
    expect(summary([begin('r1'), end('r1', around)]).ids).toEqual({ [A]: ['t_1', 't_2'] });
  });

  test('ids come in the order of their addresses, and of themselves at one address', () => {
    const entries = [resolved('t_1', 'things.b'), resolved('t_3'), resolved('t_2')];
    expect(notedObjects(replayJournal([begin('r1'), ...entries])).map(([id]) => id)).toEqual(['t_2', 't_3', 't_1']);
  });
});

describe('compact', () => {
  test('says the same, can be read, and does not grow', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        const small = compact(entries);
        expect(summary(small)).toEqual(summary(entries));
        const isRead = (all: readonly JournalEntry[]) => parseJournal(encodeJournal(all).text).value !== undefined;
        if (isRead(entries) && small.length > 0) expect(isRead(small)).toBe(true);
        expect(compact(small)).toEqual(small);
        expect(small.length).toBeLessThanOrEqual(entries.length);
      }),
      { numRuns: 1000 },
    );
  });

  test('the rest of a journal means the same after it', () => {
    fc.assert(
      fc.property(journals, journals, (before, after) => {
        const later = after.map((entry) => ('run' in entry ? { ...entry, run: `later-${entry.run}` } : entry));
        expect(summary([...compact(before), ...later])).toEqual(summary([...before, ...later]));
      }),
      { numRuns: 1000 },
    );
  });
});
