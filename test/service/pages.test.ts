// Which address of a next page is followed: one of the same origin and collection, whatever else it says.

import { expect, test } from 'vitest';
import { nextPage } from '../../src/service/lists.ts';

const HERE = new URL('https://api.test/v1/things?limit=2');

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
])('$name is followed', ({ next, url }) => {
  expect(nextPage(HERE, next)).toEqual({ url: new URL(url) });
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
])('$name is not followed', ({ next, says }) => {
  expect(nextPage(HERE, next)).toEqual({ problem: expect.stringMatching(says) });
});

test('what is said of a refused address does not repeat its path', () => {
  expect(JSON.stringify(nextPage(HERE, 'https://evil.test/probe-path?probe-query'))).not.toContain('probe');
});
