// A list is read to its end or not at all: pages of the expected shape, each once, and nothing twice.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { listAll } from '../../src/service/lists.ts';
import { failureOf, settingsOf } from '../support/fake-exchange.ts';

const FIRST = new URL('https://api.test/v1/things');
const page = (ids: readonly string[], next: string | null): JsonObject => ({
  things: ids.map((id) => ({ id })),
  next_page_uri: next === null ? null : `/v1/things?before_id=${next}`,
});

/** Reads pages by their queries; `''` is the first. */
async function read(
  pages: Readonly<Record<string, Json>>,
  settings: Partial<Parameters<typeof listAll>[0]['settings']> = {},
) {
  const asked: string[] = [];
  const list = await listAll(
    {
      settings: settingsOf(settings),
      send: ({ url }) => {
        asked.push(url.search);
        return Promise.resolve({ status: 200, json: pages[url.search.replace('?before_id=', '')] ?? null });
      },
    },
    FIRST,
    'things',
  );
  return { ids: list.items.map(({ id }) => id), requests: list.requests, shifted: list.shifted, asked };
}

test('each page is told as it comes', async () => {
  const pages: number[] = [];
  const answers = [page(['a', 'b'], '1'), page([], '2'), page(['c'], null)];
  const send = () => Promise.resolve({ status: 200, json: answers.shift() ?? null });
  await listAll({ settings: settingsOf({}), send, onPage: (objects) => pages.push(objects) }, FIRST, 'things');
  expect(pages).toEqual([2, 0, 1]);
});

describe('a list is read', () => {
  test.each([
    { name: 'when it is empty', pages: { '': page([], null) }, ids: [], requests: 1 },
    { name: 'when it has one page', pages: { '': page(['a', 'b'], null) }, ids: ['a', 'b'], requests: 1 },
    {
      name: 'over several pages, in their order',
      pages: { '': page(['a'], '1'), 1: page(['b'], '2'), 2: page(['c'], null) },
      ids: ['a', 'b', 'c'],
      requests: 3,
    },
    {
      name: 'past an empty page',
      pages: { '': page(['a'], '1'), 1: page([], '2'), 2: page(['b'], null) },
      ids: ['a', 'b'],
      requests: 3,
    },
  ])('$name', async ({ pages, ids, requests }) => {
    expect(await read(pages)).toMatchObject({ ids, requests, shifted: false });
  });

  test('with what moved to a later page once, and that is told', async () => {
    expect(await read({ '': page(['a', 'b'], '1'), 1: page(['b', 'c'], null) })).toMatchObject({
      ids: ['a', 'b', 'c'],
      shifted: true,
    });
  });

  test('the later copy of what moved is the one that counts', async () => {
    const pages = [
      { things: [{ id: 'a', name: 'old' }, { id: 'b' }], next_page_uri: '?1' },
      { things: [{ id: 'a', name: 'new' }], next_page_uri: null },
    ];
    const send = () => Promise.resolve({ status: 200, json: pages.shift() as Json });
    const { items } = await listAll({ settings: settingsOf(), send }, FIRST, 'things');
    expect(items).toEqual([{ id: 'a', name: 'new' }, { id: 'b' }]);
  });
});

describe('a list cannot be believed', () => {
  const items = (...things: Json[]): JsonObject => ({ things, next_page_uri: null });
  test.each([
    { name: 'that is no object', pages: { '': [] }, says: /not an object/ },
    { name: 'without its key', pages: { '': { others: [], next_page_uri: null } }, says: /no list under "things"/ },
    { name: 'whose key holds no list', pages: { '': { things: {}, next_page_uri: null } }, says: /no list under/ },
    {
      name: 'with an item that is no object',
      pages: { '': items({ id: 'a' }, 'b') },
      says: /things\.1 is not an object/,
    },
    { name: 'with an item without an id', pages: { '': items({}) }, says: /things\.0/ },
    { name: 'with an empty id', pages: { '': items({ id: '' }) }, says: /things\.0/ },
    { name: 'with an id that is a number', pages: { '': items({ id: 1 }) }, says: /things\.0/ },
    { name: 'with one object twice on a page', pages: { '': items({ id: 'a' }, { id: 'a' }) }, says: /appears twice/ },
    { name: 'without an address of the next page', pages: { '': { things: [] } }, says: /there may be more/ },
    {
      name: 'with an address that is a number',
      pages: { '': { things: [], next_page_uri: 7 } },
      says: /neither a string nor null/,
    },
    {
      name: 'with pages in a loop',
      pages: { '': page(['a'], '1'), 1: page(['b'], '2'), 2: page(['c'], '1') },
      says: /loop/,
    },
    { name: 'whose page names itself', pages: { '': page(['a'], '1'), 1: page(['b'], '1') }, says: /loop/ },
    {
      name: 'that goes on elsewhere',
      pages: { '': { things: [], next_page_uri: 'https://evil.test/v1/things' } },
      says: /another origin/,
    },
    {
      name: 'that shows the same again and again',
      pages: { '': page(['a'], '1'), 1: page(['a'], '2'), 2: page(['a'], '3'), 3: page(['a'], null) },
      says: /repeats/,
    },
  ])('$name', async ({ pages, says }) => {
    const error = await failureOf(read(pages));
    expect([error.code, error.failure]).toEqual(['api-not-understood', 'unusable']);
    expect(error.message).toMatch(says);
  });

  test('that has no end, and it is not asked for without end', async () => {
    let count = 0;
    const send = () => {
      count += 1;
      return Promise.resolve({ status: 200, json: page([`x${count}`], String(count)) });
    };
    expect((await failureOf(listAll({ settings: settingsOf(), send }, FIRST, 'things'))).message).toMatch(
      /more than 10000 pages/,
    );
    expect(count).toBe(10_000);
  });
});
