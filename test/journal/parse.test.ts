// Which JSON is an entry, and what may follow what: everything that this version would not write is refused.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { EndEntry, JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { begin, intent, update } from './sample.ts';

const json = (entry: JournalEntry, changed: object = {}) => ({ ...entry, ...changed }) as unknown as JsonObject;
const without = (entry: JournalEntry, name: string): JsonObject =>
  Object.fromEntries(Object.entries(json(entry)).filter(([key]) => key !== name));

const BEGIN = begin('r');
const INTENT = intent('r', 1);
const end = (run: string): EndEntry => ({ type: 'end', run, result: '0' });
const outcome = (n: number, status: 'done' | 'rejected' | 'unknown') => ({ type: 'outcome', n, status }) as const;
const STORED = { type: 'stored', address: 'things.a', live_id: 't_1' } as const;

/** What is wrong with a journal of these lines; undefined when nothing is. */
const problemOf = (...entries: readonly object[]) => {
  const { value, diagnostics } = parseJournal(encodeJournal(entries as readonly JournalEntry[]).text);
  return value === undefined ? diagnostics[0]?.message : undefined;
};
/** Whether a line is taken for an entry, wherever it would have to stand. */
const isEntry = (given: JsonObject) => !/is not an? (?:entry|line)|version/.test(problemOf(given) ?? '');

describe('what is an entry', () => {
  test.each<readonly [string, JsonObject]>([
    ['a run begins', json(BEGIN)],
    ['a creation', json(INTENT)],
    ['an update', json(update('r', 1, 't_1'))],
    ['a creation in the place of another', json(INTENT, { replaces: 't_1' })],
    ['a release', json(INTENT, { releases: true })],
    ['a deletion without a body', json(INTENT, { method: 'DELETE' })],
    ['an outcome', json(outcome(1, 'done'))],
    ['an outcome with the object', json(outcome(1, 'unknown'), { live_id: 't_1' })],
    ['a value that is stored', json(STORED)],
    ['what a person found', { type: 'resolved', address: 'a.b', as: { id: 't_1' } }],
    ['what a person did not find', { type: 'resolved', address: 'a.b', as: 'absent' }],
    ['a run ends', json(end('r'))],
    ['a run ends with all it can say', json(end('r'), { objects: [{ id: 't_1', address: 'a.b' }] })],
  ])('yes: %s', (_, given) => {
    expect(isEntry(given)).toBe(true);
  });

  test.each<readonly [string, JsonObject]>([
    ['nothing', {}],
    ['another type', { type: 'note' }],
    ['a type that every object has', { type: 'constructor' }],
    ['a key too many', json(BEGIN, { note: 'x' })],
    ['a key too few', without(INTENT, 'path')],
    ['another version', json(BEGIN, { v: 1 })],
    ['a number that is no count', json(INTENT, { n: 0 })],
    ['half a number', json(INTENT, { n: 1.5 })],
    ['a number as text', json(INTENT, { n: '1' })],
    ['another method', json(INTENT, { method: 'GET' })],
    ['an id that would leave its path', json(INTENT, { live_id: '../x' })],
    ['an empty id', json(STORED, { live_id: '' })],
    ['a null where one must be', json(STORED, { live_id: null })],
    ['a release that is none', json(INTENT, { releases: false })],
    ['another status', json(outcome(1, 'done'), { status: 'maybe' })],
    ['an empty list', json(end('r'), { gone: [] })],
    ['a list with something else', json(end('r'), { gone: ['t_1', 1] })],
    ['an id with something beside it', { type: 'resolved', address: 'a.b', as: { id: 't_1', more: 1 } }],
    ['another word for absent', { type: 'resolved', address: 'a.b', as: 'gone' }],
  ])('no: %s', (_, given) => {
    expect(isEntry(given)).toBe(false);
  });
});

interface Row {
  readonly name: string;
  readonly entries: readonly JournalEntry[];
  /** A word of what is said of the last one; the others are in order. */
  readonly says?: string;
}

describe('what may follow what', () => {
  test.each<Row>([
    { name: 'a whole run', entries: [BEGIN, INTENT, outcome(1, 'done'), STORED, end('r')] },
    { name: 'numbers may be left out', entries: [BEGIN, intent('r', 2), intent('r', 7)] },
    {
      name: 'a second outcome after one that was not known',
      entries: [BEGIN, INTENT, outcome(1, 'unknown'), outcome(1, 'done')],
    },
    {
      name: 'writes at the same time',
      entries: [BEGIN, INTENT, intent('r', 2), outcome(2, 'done'), outcome(1, 'done')],
    },
    { name: 'a run that was cut off, and the next', entries: [BEGIN, INTENT, begin('s'), intent('s', 1), end('s')] },
    { name: 'a write before any run', entries: [INTENT], says: 'outside' },
    { name: 'a write after the end', entries: [BEGIN, end('r'), INTENT], says: 'outside' },
    { name: 'a word of a person outside of runs', entries: [BEGIN, end('r'), STORED], says: 'outside' },
    { name: 'a write of another run', entries: [BEGIN, intent('s', 1)], says: 'next write' },
    { name: 'the same number twice', entries: [BEGIN, INTENT, INTENT], says: 'next write' },
    { name: 'numbers that go back', entries: [BEGIN, intent('r', 2), INTENT], says: 'next write' },
    { name: 'an outcome of no write', entries: [BEGIN, INTENT, outcome(2, 'done')], says: 'no open write' },
    {
      name: 'a second outcome after one that was',
      entries: [BEGIN, INTENT, outcome(1, 'rejected'), outcome(1, 'done')],
      says: 'no open write',
    },
    {
      name: 'an outcome of a write of the run before',
      entries: [BEGIN, INTENT, begin('s'), outcome(1, 'done')],
      says: 'no open write',
    },
    { name: 'the end of another run', entries: [BEGIN, end('s')], says: 'another run' },
  ])('$name', ({ entries, says }) => {
    const found = problemOf(...entries);
    if (says === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(new RegExp(`line ${entries.length}: .*${says}`));
  });
});
