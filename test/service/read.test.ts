// The snapshot: every list complete and steady, or an error that names the list. Objects of another kind are none of its.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { ListResult, ReadClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { kindByName, topLevelKinds } from '../../src/catalog/lookup.ts';
import type { ReadProgress } from '../../src/service/read.ts';
import { readSnapshot } from '../../src/service/read.ts';
import { failureOf } from '../support/fake-exchange.ts';

const KIND = kindByName('reserved_addr');
const PATH = KIND.operations.list?.path ?? '';
const addr = (id: string, more: JsonObject = {}): JsonObject => {
  return { id, region: 'eu', addr: '1.tcp.example.test:1', metadata: '', ...more };
};
const result = (items: readonly JsonObject[], more: Partial<ListResult> = {}): ListResult => ({
  items,
  requests: 1,
  shifted: false,
  ...more,
});

/** A reader that answers one list in turn with the results, the last one for ever; all other lists are empty. */
function readerOf(...results: readonly (ListResult | ApiError)[]) {
  const asked: string[] = [];
  const client: ReadClient = {
    list: (path) => {
      if (path !== PATH) return Promise.resolve(result([]));
      asked.push(path);
      const next = results[Math.min(asked.length, results.length) - 1]!;
      return next instanceof ApiError ? Promise.reject(next) : Promise.resolve(next);
    },
    get: () => Promise.resolve(undefined),
  };
  return { client, asked };
}

const snapshot = (client: ReadClient) => readSnapshot(client, { capabilities: new Set(CAPABILITIES), pinned: [] });

test('how far the reading came is told from its begin to its end', async () => {
  const seen: ReadProgress[] = [];
  const client: ReadClient = {
    list: (path, _, onPage) => {
      const items = path === PATH ? [addr('ra_1'), addr('ra_2')] : [];
      onPage?.(items.length);
      return Promise.resolve(result(items));
    },
    get: () => Promise.resolve(undefined),
  };
  const onProgress = (progress: ReadProgress) => void seen.push(progress);
  await readSnapshot(client, { capabilities: new Set(CAPABILITIES), pinned: [], onProgress });
  const kinds = topLevelKinds.length;
  expect(seen[0]).toEqual({ kinds, kindsRead: 0, pages: 0, objects: 0 });
  expect(seen.at(-1)).toEqual({ kinds, kindsRead: kinds, pages: kinds, objects: 2 });
  expect(seen).toHaveLength(1 + 2 * kinds);
});

describe('a list that moves while it is read', () => {
  const moved = result([addr('ra_1')], { shifted: true, requests: 2 });

  test('is read again', async () => {
    const { client, asked } = readerOf(moved, result([addr('ra_1'), addr('ra_2')], { requests: 2 }));
    const { resources, requests } = await snapshot(client);
    expect(resources.map(({ id }) => id)).toEqual(['ra_1', 'ra_2']);
    expect(asked).toHaveLength(2);
    expect(requests).toBe(topLevelKinds.length + 3);
  });

  test('is given up when it keeps changing', async () => {
    const { client, asked } = readerOf(moved);
    const error = await failureOf(snapshot(client));
    expect([error.code, asked.length]).toEqual(['api-not-understood', 3]);
    expect(error.message).toContain(`GET ${PATH}: the list kept changing`);
  });

  test('and then fails', async () => {
    const lost = new ApiError({ code: 'api-timeout', message: 'late', known: 'lost', type: 'read' });
    expect((await failureOf(snapshot(readerOf(moved, lost).client))).code).toBe('api-timeout');
  });

  test('several pages alone are no reason', async () => {
    const { client, asked } = readerOf(result([addr('ra_1')], { requests: 7 }));
    await snapshot(client);
    expect(asked).toHaveLength(1);
  });
});

test.each<readonly [string, readonly JsonObject[], string]>([
  ['an id of another kind', [addr('ra_1'), addr('edghts_1')], 'ra_'],
  ['an id twice', [addr('ra_1'), addr('ra_1')], 'two objects with the same id'],
  ['a number for text', [addr('ra_1', { description: 7 })], 'description'],
  ['metadata that is no text', [addr('ra_1', { metadata: {} })], 'metadata'],
])('%s is an error that names the list', async (_, items, why) => {
  const error = await failureOf(snapshot(readerOf(result(items)).client));
  expect([error.code, error.known]).toEqual(['api-not-understood', 'unusable']);
  expect(error.message).toContain(PATH);
  expect(error.message).toContain(why);
});

test('unknown members and members named like those of a prototype are left out', async () => {
  const odd = JSON.parse(
    '{"id":"ra_1","region":"eu","addr":"a","metadata":"","__proto__":{"a":1},"constructor":1,"new":[{}]}',
  ) as JsonObject;
  const { resources } = await snapshot(readerOf(result([odd])).client);
  expect(resources[0]?.spec).toEqual({ region: 'eu' });
  expect(Reflect.get({}, 'a')).toBeUndefined();
});

test('one list that may not be read fails the whole, and keeps what is known of the failure', async () => {
  const refused = new ApiError({
    code: 'api-key-refused',
    message: 'the service does not accept the API key',
    known: 'refused',
    type: 'read',
    status: 403,
  });
  const error = await failureOf(snapshot(readerOf(refused).client));
  expect([error.code, error.status, error.known]).toEqual(['api-key-refused', 403, 'refused']);
});

test('when every list answers 404, the path of the base URL is suspected', async () => {
  const nothing = () => {
    const message = 'the service answered 404 to GET /x: Not Found';
    return Promise.reject(new ApiError({ code: 'api-refused', message, known: 'refused', type: 'read', status: 404 }));
  };
  const found = await failureOf(snapshot({ list: nothing, get: () => Promise.resolve(undefined) }));
  expect(found.message).toContain('every list answers 404, so the path of the base URL is probably wrong');
  expect(found.fix).toContain('EDGEFORM_BASE_URL');
  const one = await failureOf(
    snapshot({
      ...readerOf(result([])).client,
      list: (path) => (path === PATH ? nothing() : Promise.resolve(result([]))),
    }),
  );
  expect(one.message).not.toContain('every list');
});
