// What a list does not show and other objects name is asked for by its id, as far as it needs to be.

import { expect, test } from 'vitest';
import { kindByIdPrefix } from '../../src/catalog/lookup.ts';
import { confirmAbsent } from '../../src/service/read.ts';
import type { ReadClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';

const before = { resources: [], unread: [], requests: 10 };
const keyOf = (id: string) => ({ kind: kindByIdPrefix(id)!, id });

function asking(there: readonly string[], failing?: ApiError): ReadClient & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    list: () => Promise.reject(new Error('a list was asked for')),
    get: (path) => {
      const id = path.split('/').at(-1) ?? '';
      asked.push(id);
      if (failing !== undefined) return Promise.reject(failing);
      return Promise.resolve(there.includes(id) ? { id } : undefined);
    },
  };
}

test.each([
  { name: 'nothing expected, nothing asked', expected: [], there: [], asked: [], absent: [] },
  { name: 'one that is gone is absent', expected: ['bkdfo_1'], there: [], asked: ['bkdfo_1'], absent: ['bkdfo_1'] },
  { name: 'one that is there is not', expected: ['bkdfo_1'], there: ['bkdfo_1'], asked: ['bkdfo_1'], absent: [] },
  {
    name: 'all of a kind are asked for when the first is gone',
    expected: ['bkdfo_1', 'bkdfo_2', 'bkdfo_3'],
    there: ['bkdfo_2'],
    asked: ['bkdfo_1', 'bkdfo_2', 'bkdfo_3'],
    absent: ['bkdfo_1', 'bkdfo_3'],
  },
  {
    name: 'a kind of which the first is there is not looked into further',
    expected: ['bkdfo_1', 'bkdfo_2'],
    there: ['bkdfo_1'],
    asked: ['bkdfo_1'],
    absent: [],
  },
  {
    name: 'each kind is judged on its own',
    expected: ['bkdfo_1', 'ra_1', 'bkdfo_2'],
    there: ['bkdfo_1'],
    asked: ['bkdfo_1', 'ra_1'],
    absent: ['ra_1'],
  },
  {
    name: 'what is expected twice is asked for once',
    expected: ['ra_1', 'ra_1'],
    there: [],
    asked: ['ra_1'],
    absent: ['ra_1'],
  },
])('$name', async ({ expected, there, asked, absent }) => {
  const client = asking(there);
  const snapshot = await confirmAbsent(client, before, expected.map(keyOf));
  expect(client.asked).toEqual(asked);
  expect(snapshot).toEqual({ ...before, requests: 10 + asked.length, absent });
});

test('a question that fails proves nothing', async () => {
  const error = new ApiError({ code: 'api-timeout', message: 'x', known: 'lost', type: 'read' });
  await expect(confirmAbsent(asking([], error), before, [keyOf('ra_1')])).rejects.toBe(error);
});
