// Renames, removals and paths that are left alone.

import { describe, expect, test } from 'vitest';
import { checkMoves, readMoves } from '../../../src/manifest/rules/moves.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const BASE =
  'tls_edges: { a: {}, b: {} }\nhttps_edges: { s: { routes: { r: { match_type: exact_path, match: / } } } }\n';

const check = (text: string) => checkMoves(stackOf(BASE + text));

describe('a rename leads from what is gone to what is there', () => {
  test.each([
    { name: 'none', given: '', expect: [] },
    { name: 'one', given: 'moved: [{ from: tls_edges.old, to: tls_edges.a }]', expect: [] },
    {
      name: 'a chain',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.y }, { from: tls_edges.y, to: tls_edges.a }]',
      expect: [],
    },
    {
      name: 'to what is removed then',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.y }]\nremoved: [{ from: tls_edges.y }]',
      expect: [],
    },
    {
      name: 'from what is still there',
      given: 'moved: [{ from: tls_edges.b, to: tls_edges.a }]',
      expect: ['bad-move 3:17'],
    },
    {
      name: 'to what is not there',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.y }]',
      expect: ['bad-move 3:34'],
    },
    { name: 'to another kind', given: 'moved: [{ from: tls_edges.x, to: https_edges.s }]', expect: ['bad-move 3:34'] },
    { name: 'from no address', given: 'moved: [{ from: x, to: tls_edges.a }]', expect: ['bad-move 3:17'] },
    {
      name: 'from and to no address',
      given: 'moved: [{ from: x, to: y }]',
      expect: ['bad-move 3:17', 'bad-move 3:24'],
    },
    {
      name: 'twice from the same',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.a }, { from: tls_edges.x, to: tls_edges.b }]',
      expect: ['bad-move 3:57'],
    },
    {
      name: 'twice to the same',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.a }, { from: tls_edges.y, to: tls_edges.a }]',
      expect: ['bad-move 3:74'],
    },
    {
      name: 'in a cycle, which is told once',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.y }, { from: tls_edges.y, to: tls_edges.x }]',
      expect: ['bad-move 3:17'],
    },
    {
      name: 'out of its parent',
      given: 'moved: [{ from: https_edges.t.routes.r, to: https_edges.s.routes.r }]',
      expect: ['bad-move 3:45'],
    },
    {
      name: 'with its parent',
      given:
        'moved: [{ from: https_edges.t, to: https_edges.s }, { from: https_edges.t.routes.q, to: https_edges.s.routes.r }]',
      expect: [],
    },
    {
      name: 'to what may be where nothing can be read',
      given: 'api_keys: !x {}\nmoved: [{ from: api_keys.x, to: api_keys.y }]',
      expect: [],
    },
  ])('$name', ({ given, expect: expected }) => {
    const found = placesOf(check(given));
    expect(found).toEqual(expected);
  });
});

describe('what is removed is gone', () => {
  test.each([
    { name: 'one', given: 'removed: [{ from: tls_edges.x }]', expect: [] },
    { name: 'what is still there', given: 'removed: [{ from: tls_edges.a }]', expect: ['bad-move 3:19'] },
    {
      name: 'twice',
      given: 'removed: [{ from: tls_edges.x }, { from: tls_edges.x, destroy: false }]',
      expect: ['bad-move 3:42'],
    },
    { name: 'no address', given: 'removed: [{ from: x }]', expect: ['bad-move 3:19'] },
    {
      name: 'renamed as well',
      given: 'moved: [{ from: tls_edges.x, to: tls_edges.a }]\nremoved: [{ from: tls_edges.x }]',
      expect: ['bad-move 4:19'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(placesOf(check(given))).toEqual(expected);
  });
});

describe('a path that is left alone is one of a field that can differ', () => {
  test.each([
    { name: 'a field', given: 'description', expect: [] },
    { name: 'a field in a block', given: 'tls_termination.min_version', expect: [] },
    { name: 'no field', given: 'descripton', expect: ['bad-lifecycle'] },
    { name: 'no field in a block', given: 'tls_termination.nope', expect: ['bad-lifecycle'] },
    { name: 'a value that only the service writes', given: 'created_at', expect: ['bad-lifecycle'] },
    { name: 'nothing', given: '', expect: ['bad-lifecycle'] },
  ])('$name', ({ given, expect: expected }) => {
    const stack = stackOf(`tls_edges: { a: { lifecycle: { ignore_changes: ["${given}"] } } }`);
    expect(checkMoves(stack).map(({ code }) => code)).toEqual(expected);
  });

  test.each([
    { name: 'any key of a map', given: 'request_headers.add.x-a', expect: [] },
    { name: 'a key with a dot in it', given: 'request_headers.add.x.a', expect: [] },
    { name: 'what cannot be a key', given: 'request_headers.add.x a', expect: ['bad-lifecycle'] },
    { name: 'a secret with a value', given: 'webhook_verification.secret', expect: [] },
    { name: 'a secret without one', given: 'oidc.client_secret', expect: ['bad-lifecycle'] },
    { name: 'a module with a secret', given: 'oidc', expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    const hook = 'webhook_verification: { provider: github, secret: hush }';
    const route = `{ match_type: exact_path, match: /, ${hook}, lifecycle: { ignore_changes: ["${given}"] } }`;
    expect(checkMoves(stackOf(`https_edges: { s: { routes: { r: ${route} } } }`)).map(({ code }) => code)).toEqual(
      expected,
    );
  });
});

test('what is read keeps its order, and deletes where nothing else is said', () => {
  const { document, sourceMap } = stackOf(
    'moved: [{ from: b, to: c }, { from: a, to: d }]\nremoved: [{ from: x }, { from: y, destroy: false }]',
  );
  expect(readMoves(document, sourceMap).moved.map(({ from, to }) => `${from} ${to}`)).toEqual(['b c', 'a d']);
  expect(readMoves(document, sourceMap).removed.map(({ from, destroy }) => [from, destroy])).toEqual([
    ['x', true],
    ['y', false],
  ]);
  expect(readMoves({}, sourceMap)).toEqual({ moved: [], removed: [] });
});
