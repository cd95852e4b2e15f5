// A list is read to its end, each page once, and nothing twice. What cannot be believed: `reading.test.ts`.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { listAll } from '../../src/service/lists.ts';
import { settingsOf } from '../support/fake-exchange.ts';

const FIRST = new URL('https://api.test/v1/things');
const page = (ids: readonly string[], next: string | null): JsonObject => ({
  things: ids.map((id) => ({ id })),
  next_page_uri: next === null ? null : `/v1/things?before_id=${next}`,
});

/** Reads pages by their queries; `''` is the first. */
async function read(pages: Readonly<Record<string, Json>>) {
  const send = ({ url }: { readonly url: URL }) =>
    Promise.resolve({ status: 200, json: pages[url.search.replace('?before_id=', '')] ?? null });
  const list = await listAll({ settings: settingsOf(), send }, FIRST, 'things');
  return { ids: list.items.map(({ id }) => id), requests: list.requests, shifted: list.shifted };
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
