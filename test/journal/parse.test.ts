// Which lines of a journal are entries.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { EndEntry, JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { begin, intent, update } from './sample.ts';

const json = (entry: JournalEntry, changed: object = {}) => ({ ...entry, ...changed }) as unknown as JsonObject;

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
    ['another version', json(BEGIN, { v: 1 })],
  ])('no: %s', (_, given) => {
    expect(isEntry(given)).toBe(false);
  });
});
