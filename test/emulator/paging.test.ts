// Pages of a list: which objects are on them, where the next one is, and which queries are refused.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { PageRules } from '../../src/emulator/paging.ts';
import { checkQuery, listPage } from '../../src/emulator/paging.ts';
import { PROBLEM } from '../../src/emulator/problem.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { codeOf, storedOf } from './stored.ts';

const KIND = kindByName('reserved_addr');
const RULES: PageRules = { pageSize: 2, limits: true };
const store = createStore(
  ['ra_1', 'ra_2', 'ra_3', 'ra_4', 'ra_5'].map((id) => storedOf(id)),
  () => undefined,
);
const view = { store, baseUrl: 'http://s.test' };
const page = (query: string, rules: Partial<PageRules> = {}, of = view): JsonObject =>
  listPage(of, KIND, new URLSearchParams(query), { ...RULES, ...rules });
const idsOf = (body: JsonObject) => (body['reserved_addrs'] as JsonObject[]).map(({ id }) => id);

describe('a page', () => {
  const cursor = (limit: number, id: string) => `http://s.test/reserved_addrs?limit=${limit}&before_id=${id}`;
  test.each([
    { name: 'begins with the newest', query: '', ids: ['ra_5', 'ra_4'], next: cursor(2, 'ra_4') },
    { name: 'goes on behind the cursor', query: 'before_id=ra_4', ids: ['ra_3', 'ra_2'], next: cursor(2, 'ra_2') },
    { name: 'that is the last has no next', query: 'before_id=ra_2', ids: ['ra_1'], next: null },
    { name: 'that ends with the last object has no next', query: 'before_id=ra_3', ids: ['ra_2', 'ra_1'], next: null },
    { name: 'behind the last object is empty', query: 'before_id=ra_1', ids: [], next: null },
    { name: 'may be smaller than asked of it', query: 'limit=1', ids: ['ra_5'], next: cursor(1, 'ra_5') },
    {
      name: 'is never larger than the service has it',
      query: 'limit=100',
      ids: ['ra_5', 'ra_4'],
      next: cursor(2, 'ra_4'),
    },
    {
      name: 'goes on behind a cursor that is gone',
      query: 'before_id=ra_35',
      ids: ['ra_3', 'ra_2'],
      next: cursor(2, 'ra_2'),
    },
  ])('$name', ({ query, ids, next }) => {
    const body = page(query);
    expect([idsOf(body), body['next_page_uri']]).toEqual([ids, next]);
  });

  test('of a service without limits has none in its next address', () => {
    expect(page('', { limits: false })['next_page_uri']).toBe('http://s.test/reserved_addrs?before_id=ra_4');
  });

  test('of nothing is empty', () => {
    const empty = { ...view, store: createStore([], () => undefined) };
    expect([idsOf(page('', {}, empty)), page('', {}, empty)['next_page_uri']]).toEqual([[], null]);
  });
});

test.each([
  { name: 'a limit of nothing', query: 'limit=0', code: PROBLEM.badLimit },
  { name: 'a limit above the largest page', query: 'limit=101', code: PROBLEM.badLimit },
  { name: 'a limit that is no number', query: 'limit=1e1', code: PROBLEM.badLimit },
  { name: 'an empty limit', query: 'limit=', code: PROBLEM.badLimit },
  { name: 'a cursor of another list', query: 'before_id=ak_1', code: PROBLEM.badCursor },
  { name: 'a parameter that there is not', query: 'offset=1', code: PROBLEM.badQuery },
  { name: 'a parameter given twice', query: 'limit=1&limit=1', code: PROBLEM.badQuery },
])('$name is refused', ({ query, code }) => {
  expect(codeOf(() => page(query))).toBe(code);
});

test('a service without limits refuses them', () => {
  expect(codeOf(() => page('limit=1', { limits: false }))).toBe(PROBLEM.badQuery);
});

test('a kind without a list of its own has no pages', () => {
  expect(codeOf(() => listPage(view, kindByName('https_edge_route'), new URLSearchParams(), RULES))).toBe(
    PROBLEM.badQuery,
  );
});

test('a request without parameters takes none', () => {
  const check = (query: string) =>
    codeOf(() => {
      checkQuery(new URLSearchParams(query), []);
    });
  expect([check(''), check('a=1')]).toEqual(['done', PROBLEM.badQuery]);
});
