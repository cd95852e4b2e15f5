// No free text gets into a journal: every value of every entry has its form, and a text that is none is named.

import { expect, test } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { findInvalidValue } from '../../src/journal/check-values.ts';
import { begin, deletion, intent, outcome, resolved, update } from './sample.ts';

const ENTRIES: readonly JournalEntry[] = [
  begin('r1'),
  intent('r1', 1),
  deletion('r1', 1, 't_1'),
  { ...intent('r1', 2), replaces: 't_1' },
  { ...update('r1', 3, 't_1'), releases: true },
  outcome(1, 'done'),
  { type: 'stored', address: 'things.a', live_id: 't_1' },
  resolved('t_1'),
  { type: 'end', run: 'r1', result: '0', gone: ['t_1'], unseen: ['t_2'], partial: true },
];
const PLACES = ENTRIES.flatMap((entry) => Object.keys(entry).map((place) => ({ entry, type: entry.type, place })));

test.each(PLACES)('the $place of the entry $type', ({ entry, place }) => {
  expect(findInvalidValue(entry)).toBeUndefined();
  for (const text of ['pass phrase, 4 words', '', 'x'.repeat(3_000)])
    expect(findInvalidValue({ ...entry, [place]: text })).toBe(place);
});

test.each(['gone', 'unseen'])('ids in %s', (place) => {
  const end: JournalEntry = { type: 'end', run: 'r1', result: '0' };
  for (const ids of [[], ['pass phrase'], [null], ['t_1', 'a/b']])
    expect(findInvalidValue({ ...end, [place]: ids })).toBe(place);
});

test('an id that a person gave', () => {
  expect(findInvalidValue({ ...resolved('t_1'), as: { id: 'pass phrase' } })).toBe('as');
});

test.each([
  ['http://127.0.0.1:8080/team@acme', undefined],
  ['https://api.example.com/@scope/x', undefined],
  ['https://user:pass@api.example.com/', 'service'],
  ['https://user@api.example.com/a@b', 'service'],
])('the service %s', (service, odd) => {
  expect(findInvalidValue({ ...begin('r1'), service })).toBe(odd);
});
