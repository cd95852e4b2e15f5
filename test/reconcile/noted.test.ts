// What runs that only read believe of a journal, and what a view says of objects that may be missing.

import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { Files } from '../../src/platform/files.ts';
import { NO_NOTES, notesOf as factsOf, notedAddresses, readNotes } from '../../src/reconcile/execution/noted.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import { begin, deletion, intent, memoryDisk, outcome, update } from '../journal/sample.ts';

const A = 'tls_edges.a';
const KEY = 'api_keys.ci';
const OWNER = { stack: 'shop', service: 'https://api.example.com/' };
const create = (n: number, address = A, kind = 'tls_edge') => intent('r1', n, { address, kind });
const made = [begin('r1'), create(1), outcome(1, 'done', 'edgtls_1')];
const key = [begin('r1'), create(1, KEY, 'api_key'), outcome(1, 'done', 'ak_1')];
const textOf = (entries: readonly JournalEntry[]) => encodeJournal(entries).text;

/** What a reader makes of a journal with this text. */
function notesOf(text: string | undefined, owner = OWNER) {
  const { files } = memoryDisk(new Map(text === undefined ? [] : [['/j', text]]));
  const notes = readNotes('/j', owner, platformOf({ files }));
  const newest = notes.accounts.at(-1) ?? NO_NOTES;
  return { ...newest, warned: notes.problem === undefined ? '' : `${notes.problem.code} ${notes.problem.message}` };
}

describe('a journal that is read', () => {
  test.each([
    { name: 'and is not there names nothing, without a word', text: undefined, ids: [], hasView: false, warned: /^$/ },
    { name: 'names the objects that runs made', text: textOf(made), ids: ['edgtls_1'], hasView: true, warned: /^$/ },
    {
      name: 'and is damaged names nothing, and that is told',
      text: 'no entry\n',
      ids: [],
      hasView: false,
      warned: /damaged/,
    },
    {
      name: 'and gives an object an id that its kind cannot have is damaged',
      text: textOf([begin('r1'), create(1), outcome(1, 'done', 'ra_1')]),
      ids: [],
      hasView: false,
      warned: /damaged/,
    },
    {
      name: 'and is of another stack names nothing, and that is told',
      text: textOf(made),
      owner: { ...OWNER, stack: 'other' },
      ids: [],
      hasView: false,
      warned: /"shop"/,
    },
    {
      name: 'and is of another service names nothing, and that is told',
      text: textOf(made),
      owner: { ...OWNER, service: 'https://other.example.com/' },
      ids: [],
      hasView: false,
      warned: /not used/,
    },
  ])('$name', ({ text, owner, ids, hasView, warned }) => {
    const notes = notesOf(text, owner);
    expect(notes.expectedObjects.map(({ id }) => id)).toEqual(ids);
    expect(notes.view !== undefined).toBe(hasView);
    expect(notes.warned).toMatch(warned);
  });

  test('tells which tokens have reached their files', () => {
    expect([...notesOf(textOf(key)).stored]).toEqual([]);
    expect([...notesOf(textOf([...key, { type: 'stored', address: KEY, live_id: 'ak_1' }])).stored]).toEqual(['ak_1']);
  });
});

const MADE = { address: A, createdHere: true };

describe('what a journal says of missing objects', () => {
  const viewOf = (entries: readonly JournalEntry[]) => {
    const { value } = factsOf(replayJournal(entries), { path: '/j', stack: 'shop' });
    if (value === undefined) throw new Error('it names what cannot be');
    return value.view;
  };
  const viewed = (...entries: JournalEntry[]) => {
    const { objects, creating } = viewOf([begin('r1'), ...entries]);
    return { objects: Object.fromEntries(objects), creating: [...creating] };
  };
  test.each([
    { name: 'nothing says nothing', entries: [], says: {} },
    { name: 'a creation under way is open', entries: [create(1)], says: { creating: [A] } },
    { name: 'a creation that was done has an id', entries: made.slice(1), says: { objects: { edgtls_1: MADE } } },
    {
      name: 'an update under way creates nothing',
      entries: [...made.slice(1), update('r1', 2, 'edgtls_1', A)],
      says: { objects: { edgtls_1: MADE } },
    },
    {
      name: 'a deletion under way is ours already',
      entries: [...made.slice(1), deletion('r1', 2, 'edgtls_1', A)],
      says: { objects: { edgtls_1: { ...MADE, isGone: true } } },
    },
    {
      name: 'a deletion that was done stays known',
      entries: [...made.slice(1), deletion('r1', 2, 'edgtls_1', A), outcome(2, 'done')],
      says: { objects: { edgtls_1: { address: A, isGone: true } } },
    },
  ])('$name', ({ entries, says }) => {
    expect(viewed(...entries)).toEqual({ objects: {}, creating: [], ...says });
  });
});

test.each([
  {
    name: 'an object of its kind is expected',
    known: [['edgtls_1', A]],
    expected: [{ kind: 'tls_edge', id: 'edgtls_1', address: A }],
  },
  { name: 'what is no address spoils all', known: [['edgtls_1', 'nothing.a']], expected: undefined },
  {
    name: 'an id of another kind spoils all',
    known: [
      ['edgtls_1', A],
      ['ra_1', 'tls_edges.b'],
    ],
    expected: undefined,
  },
  { name: 'an id that would change a path spoils all', known: [['edgtls_1/x', A]], expected: undefined },
] as const)('$name', ({ known, expected }) => {
  const objects = known.map(([id, address]) => ({ id, address }));
  const entries = [begin('r1'), { type: 'end', run: 'r1', result: '0', objects } as const];
  expect(factsOf(replayJournal(entries), { path: '/j', stack: 'shop' }).value?.expectedObjects).toEqual(expected);
});

describe('addresses that a journal notes', () => {
  const read = (text: string | undefined) => ({
    files: platformOf({ files: { ...memoryDisk().files, read: () => text } }).files,
  });
  test.each([
    { name: 'are none without a journal', text: undefined, addresses: [] },
    { name: 'are those of objects', text: textOf(made), addresses: [A] },
    {
      name: 'are those of writes that nobody knows the end of',
      text: textOf([begin('r1'), create(1)]),
      addresses: [A],
    },
    { name: 'are not known of a damaged journal', text: '{}', addresses: undefined },
  ])('$name', ({ text, addresses }) => {
    expect(notedAddresses('/j', read(text))).toEqual(addresses);
  });

  test.each([
    { name: 'are not known of a file that cannot be read', error: new FileError('/j', 'EACCES', 'read'), isOurs: true },
    { name: 'fail with a mistake of ours', error: new TypeError('a mistake'), isOurs: false },
  ])('$name', ({ error, isOurs }) => {
    const files: Files = {
      ...memoryDisk().files,
      read: () => {
        throw error;
      },
    };
    const look = () => notedAddresses('/j', { files: platformOf({ files }).files });
    if (isOurs) expect(look()).toBeUndefined();
    else expect(look).toThrow(error);
  });
});
