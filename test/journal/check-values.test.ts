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
  {
    type: 'end',
    run: 'r1',
    result: '0',
    objects: [{ id: 't_1', address: 'things.a', created_here: true, token_stored: true, is: 'gone' }],
  },
];
const PLACES = ENTRIES.flatMap((entry) => Object.keys(entry).map((place) => ({ entry, type: entry.type, place })));

test.each(PLACES)('the $place of the entry $type', ({ entry, place }) => {
  expect(findInvalidValue(entry)).toBeUndefined();
  for (const text of ['pass phrase, 4 words', '', 'x'.repeat(3_000)])
    expect(findInvalidValue({ ...entry, [place]: text })).toBe(place);
});

test('objects at the end of a run', () => {
  const end: JournalEntry = { type: 'end', run: 'r1', result: '0' };
  const object = { id: 't_1', address: 'things.a' };
  expect(findInvalidValue({ ...end, objects: [] })).toBeUndefined();
  const wrong = [{ id: 'pass phrase' }, { parent_id: 'a/b' }, { token: 'hunter 2' }, { is: '' }, { more: 'x' }];
  for (const objects of [['t_1'], ...wrong.map((more) => [object, { ...object, ...more }])])
    expect(findInvalidValue({ ...end, objects })).toBe('objects');
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
