// Paths: an id is one whole segment that no parser of URLs reads differently, or no path is made at all.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BugError } from '../../src/core/diagnostic.ts';
import { isSegment, LONGEST_SEGMENT } from '../../src/core/text/segment.ts';
import { idPattern, isId } from '../../src/catalog/id.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { createPath, modulePath, objectPath, parsePath, pathSegment } from '../../src/catalog/path.ts';

const EDGE = kindByName('https_edge');
const ROUTE = kindByName('https_edge_route');

export const HOSTILE = [
  '/../../../api_keys/ak_1?x=',
  '/..',
  '/',
  '?x=1',
  '#x',
  '%2e%2e',
  '%2F',
  '\\..\\',
  ' 1',
  '1\n',
  '1\u0000',
  '1\t',
  'é',
  '\u202e1',
  '${api_keys.x.id}',
  ';x',
  '@x',
  ':80',
];

describe('an id', () => {
  test.each(HOSTILE)('with %j in it is none', (text) => {
    expect(isId(EDGE, `${EDGE.idPrefix}1${text}`)).toBe(false);
    expect(isId(EDGE, `${EDGE.idPrefix}${text}`)).toBe(false);
    for (const make of [
      () => objectPath(EDGE, `edghts_1${text}`, undefined),
      () => objectPath(ROUTE, 'edghtsrt_1', `edghts_1${text}`),
      () => createPath(ROUTE, `edghts_1${text}`),
      () => modulePath(EDGE, { id: 'edghts_1', parentId: undefined }, `x${text}`),
      () => pathSegment(`edghts_1${text}`),
    ])
      expect(make).toThrow(BugError);
  });

  test.each(['', '.', '..', EDGE.idPrefix, `${EDGE.idPrefix}${'x'.repeat(LONGEST_SEGMENT)}`, 'ak_1', 'edghtsrt_1'])(
    '%j is none of an HTTPS edge',
    (text) => {
      expect(isId(EDGE, text)).toBe(false);
    },
  );

  test.each(['edghts_2abcXYZ', 'edghts_a-b_c.d~e', 'edghts_..'])('%s is one', (text) => {
    expect(isId(EDGE, text)).toBe(true);
    expect(objectPath(EDGE, text, undefined)).toBe(`/edges/https/${text}`);
  });
});

test.each([
  ['edghtsrt_1', true],
  ['rt_1abc', true],
  ['appsess_2-b', true],
  ['rt_', false],
  ['edghts_1', false],
  ['ak_1', false],
  ['usr_1', false],
  ['bkdhr_1', false],
  ['1', false],
  ['some-name', false],
  ['rt_a/b', false],
])('where the specification shows no prefix, any will do: %s %s', (text, expected) => {
  const session = kinds.find(({ name }) => name === 'application_session')!;
  expect([isId(ROUTE, text), isId(session, text)]).toEqual([expected, expected]);
  expect(new RegExp(idPattern(ROUTE)).test(text)).toBe(expected);
});

test('an assumed prefix is marked as such: all others are in the specification', () => {
  // §2, in its order.
  const shown = ['ak_', 'sshcr_', 'agin_', 'edgtls_', 'edghts_', 'ra_', 'bkdfo_', 'ed_', 'esb_'];
  const others = kinds.filter(({ idPrefix }) => !shown.includes(idPrefix));
  expect(others.filter(({ isPrefixAssumed }) => isPrefixAssumed !== true)).toEqual([]);
  expect(kinds.filter(({ isPrefixAssumed }) => isPrefixAssumed === true)).toHaveLength(others.length);
});

test('whatever is accepted arrives as it was asked for, below every base, and is read back', () => {
  const segment = fc.string({ minLength: 1 }).filter(isSegment);
  const bases = ['https://a.test/', 'https://a.test/v1/', 'https://a.test//x'];
  fc.assert(
    fc.property(segment, segment, fc.constantFrom(...bases), (id, parentId, base) => {
      const path = objectPath(ROUTE, id, parentId);
      const { pathname } = new URL(base);
      expect(new URL(`${base.replace(/\/+$/, '')}${path}`).pathname).toBe(`${pathname.replace(/\/+$/, '')}${path}`);
      expect(parsePath(ROUTE, path)).toEqual({ id, parentId, field: undefined });
      expect(parsePath(ROUTE, modulePath(ROUTE, { id, parentId }, 'saml'))).toEqual({ id, parentId, field: 'saml' });
    }),
  );
});

test('a placeholder stays, alone only', () => {
  expect(objectPath(ROUTE, '${https_edges.a.routes.b.id}', '${https_edges.a.id}')).toBe(
    '/edges/https/${https_edges.a.id}/routes/${https_edges.a.routes.b.id}',
  );
  expect(() => objectPath(EDGE, '${https_edges.a.id}/x', undefined)).toThrow(BugError);
});

test('a path that was made elsewhere is read as nothing when one of its parts is no segment', () => {
  for (const path of ['/edges/https/..', '/edges/https/a%2fb', '/edges/https/a?b', '/edges/https/a/../b'])
    expect(parsePath(EDGE, path), path).toBeUndefined();
});

test('the prefixes of the catalogue are parts of segments', () => {
  for (const { idPrefix } of kinds) expect(isId({ idPrefix }, `${idPrefix}1`)).toBe(true);
});
