// Which address of a next page is followed: one of the same origin and collection, whatever else it says.

import { expect, test } from 'vitest';
import { listAll } from '../../src/service/lists.ts';
import { failureOf, settingsOf } from '../support/fake-exchange.ts';

const HERE = new URL('https://api.test/v1/things?limit=2');

/** The addresses that a list asks for, whose first page says what is next. */
async function asked(next: string): Promise<string[]> {
  const urls: string[] = [];
  const send = ({ url }: { readonly url: URL }) => {
    urls.push(url.href);
    return Promise.resolve({ status: 200, json: { things: [], next_page_uri: urls.length === 1 ? next : null } });
  };
  await listAll({ settings: settingsOf(), send }, HERE, 'things');
  return urls;
}

test.each([
  {
    name: 'an absolute address of the list',
    next: 'https://api.test/v1/things?before_id=x_1',
    url: 'https://api.test/v1/things?before_id=x_1',
  },
  { name: 'a path of the list', next: '/v1/things?before_id=x_1', url: 'https://api.test/v1/things?before_id=x_1' },
  { name: 'only a query', next: '?before_id=x_1', url: 'https://api.test/v1/things?before_id=x_1' },
  {
    name: 'the port that the scheme has anyway',
    next: 'https://api.test:443/v1/things',
    url: 'https://api.test/v1/things',
  },
])('$name is followed', async ({ next, url }) => {
  expect(await asked(next)).toEqual([HERE.href, new URL(url).href]);
});

test.each([
  { name: 'another host', next: 'https://evil.test/v1/things', says: /another origin/ },
  { name: 'another host without a scheme', next: '//evil.test/v1/things', says: /another origin/ },
  { name: 'another scheme', next: 'http://api.test/v1/things', says: /another origin/ },
  { name: 'another port', next: 'https://api.test:444/v1/things', says: /another origin/ },
  { name: 'another collection', next: '/v1/others', says: /another collection/ },
  { name: 'a path that leads up', next: '/v1/things/../others', says: /another collection/ },
  { name: 'a user name', next: 'https://me@api.test/v1/things', says: /user name/ },
  { name: 'a password', next: 'https://:x@api.test/v1/things', says: /user name/ },
  { name: 'a backslash', next: 'https:\\\\evil.test/v1/things', says: /not a URL/ },
  { name: 'a line break', next: '/v1/things?a=\nb', says: /not a URL/ },
  { name: 'a blank', next: '/v1/things?a= b', says: /not a URL/ },
  { name: 'no address at all', next: 'https://', says: /not a URL/ },
])('$name is not followed', async ({ next, says }) => {
  expect((await failureOf(asked(next))).message).toMatch(says);
});

test('what is said of a refused address does not repeat its path', async () => {
  expect((await failureOf(asked('https://evil.test/probe-path?probe-query'))).message).not.toContain('probe');
});
