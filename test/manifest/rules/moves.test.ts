// Renames, removals and paths that are left alone.

import { describe, expect, test } from 'vitest';
import { checkMoves, readMoves } from '../../../src/manifest/rules/moves.ts';
import { loadTexts } from '../../support/loading.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const BASE =
  'tls_edges: { a: {}, b: {} }\nhttps_edges: { s: { routes: { r: { match_type: exact_path, match: / } } } }\n';

const check = (text: string) => checkMoves(stackOf(BASE + text));

describe('a rename leads from what is gone to what is there', () => {
  test.each([
    ['none', '', []],
    ['one', 'moved: [{ from: tls_edges.old, to: tls_edges.a }]', []],
    ['a chain', 'moved: [{ from: tls_edges.x, to: tls_edges.y }, { from: tls_edges.y, to: tls_edges.a }]', []],
    [
      'to what is removed then',
      'moved: [{ from: tls_edges.x, to: tls_edges.y }]\nremoved: [{ from: tls_edges.y, destroy: true }]',
      [],
    ],
    ['from what is still there', 'moved: [{ from: tls_edges.b, to: tls_edges.a }]', ['bad-move 3:17']],
    ['to what is not there', 'moved: [{ from: tls_edges.x, to: tls_edges.y }]', ['move-matches-nothing 3:34']],
    ['to another kind', 'moved: [{ from: tls_edges.x, to: https_edges.s }]', ['bad-move 3:34']],
    ['without its end', 'moved: [{ from: tls_edges.x }]', ['missing-field 3:9']],
    ['from no address', 'moved: [{ from: x, to: tls_edges.a }]', ['bad-move 3:17']],
    ['from and to no address', 'moved: [{ from: x, to: y }]', ['bad-move 3:17', 'bad-move 3:24']],
    [
      'twice from the same',
      'moved: [{ from: tls_edges.x, to: tls_edges.a }, { from: tls_edges.x, to: tls_edges.b }]',
      ['bad-move 3:57'],
    ],
    [
      'twice to the same',
      'moved: [{ from: tls_edges.x, to: tls_edges.a }, { from: tls_edges.y, to: tls_edges.a }]',
      ['bad-move 3:74'],
    ],
    [
      'in a cycle, which is told once',
      'moved: [{ from: tls_edges.x, to: tls_edges.y }, { from: tls_edges.y, to: tls_edges.x }]',
      ['bad-move 3:17'],
    ],
    ['out of its parent', 'moved: [{ from: https_edges.t.routes.r, to: https_edges.s.routes.r }]', ['bad-move 3:45']],
    [
      'with its parent',
      'moved: [{ from: https_edges.t, to: https_edges.s }, { from: https_edges.t.routes.q, to: https_edges.s.routes.r }]',
      [],
    ],
    ['to what may be where nothing can be read', 'api_keys: !x {}\nmoved: [{ from: api_keys.x, to: api_keys.y }]', []],
  ])('%s', (_, given, expected) => {
    const found = placesOf(check(given));
    expect(found).toEqual(expected);
  });
});

describe('a move from another stack leads to what is there', () => {
  const from = (address: string) => `from: { stack: acme, address: ${address} }`;
  test.each([
    ['one object', `moved: [{ ${from('tls_edges.x')}, to: tls_edges.a }]`, []],
    ['one object at the same address', `moved: [{ ${from('tls_edges.a')}, to: tls_edges.a }]`, []],
    ['everything', 'moved: [{ from: { stack: acme } }]', []],
    [
      'what is renamed then',
      `moved: [{ ${from('tls_edges.x')}, to: tls_edges.y }, { from: tls_edges.y, to: tls_edges.a }]`,
      [],
    ],
    ['an object and everything', `moved: [{ ${from('tls_edges.x')}, to: tls_edges.a }, { from: { stack: acme } }]`, []],
    ['what is not there', `moved: [{ ${from('tls_edges.x')}, to: tls_edges.y }]`, ['move-matches-nothing 3:60']],
    ['another kind', `moved: [{ ${from('tls_edges.x')}, to: https_edges.s }]`, ['bad-move 3:60']],
    ['no address', `moved: [{ ${from('x')}, to: y }]`, ['bad-move 3:41', 'bad-move 3:50']],
    [
      'an object twice',
      `moved: [{ ${from('tls_edges.x')}, to: tls_edges.a }, { ${from('tls_edges.x')}, to: tls_edges.b }]`,
      ['bad-move 3:83'],
    ],
    [
      'two objects to one address',
      `moved: [{ from: tls_edges.y, to: tls_edges.a }, { ${from('tls_edges.x')}, to: tls_edges.a }]`,
      ['bad-move 3:100'],
    ],
    ['everything twice', 'moved: [{ from: { stack: acme } }, { from: { stack: acme } }]', ['bad-move 3:44']],
  ])('%s', (_, given, expected) => {
    expect(placesOf(check(given))).toEqual(expected);
  });

  test.each([
    [
      'without its new address',
      '{ from: { stack: acme, address: tls_edges.a } }',
      'the entry has `from.address` but no `to`',
    ],
    [
      'without its old address',
      '{ from: { stack: acme }, to: tls_edges.a }',
      'the entry has `to` but no `from.address`',
    ],
    ['of this very stack', '{ from: { stack: shop } }', 'shop is this very stack'],
  ])('an entry %s is wrong', (_, entry, message) => {
    const { diagnostics } = loadTexts(`version: 1\nstack: shop\n${BASE}moved: [${entry}]\n`);
    expect(diagnostics.map((one) => [one.code, one.message])).toEqual([['bad-move', message]]);
  });

  test('its stack may hold variables', () => {
    const text = `version: 1\nstack: "shop-\${var.env}"\nvariables: { env: {} }\n${BASE}moved: [{ from: { stack: "acme-\${var.env}" } }]\n`;
    expect(loadTexts(text, { variables: { env: 'prod' } }).value?.transfers.map(({ stack }) => stack)).toEqual([
      'acme-prod',
    ]);
    expect(loadTexts(text).diagnostics.map(({ code }) => code)).toEqual(['unset-variable']);
  });
});

test('a manifest whose rename leads to nowhere is valid: only the live state shows whether it is done', () => {
  const entries = 'moved: [{ from: tls_edges.x, to: tls_edges.aa }]\n';
  const { value, diagnostics } = loadTexts(`version: 1\nstack: shop\n${BASE}${entries}`);
  expect(value?.moved).toHaveLength(1);
  expect(diagnostics.map(({ code, severity, fix }) => [code, severity, fix])).toEqual([
    ['move-matches-nothing', 'warning', 'did you mean "tls_edges.a"?'],
  ]);
});

describe('what is removed is gone', () => {
  test.each([
    ['one', 'removed: [{ from: tls_edges.x, destroy: true }]', []],
    ['what is still there', 'removed: [{ from: tls_edges.a, destroy: true }]', ['bad-move 3:19']],
    [
      'twice',
      'removed: [{ from: tls_edges.x, destroy: true }, { from: tls_edges.x, destroy: false }]',
      ['bad-move 3:57'],
    ],
    ['no address', 'removed: [{ from: x, destroy: true }]', ['bad-move 3:19']],
    [
      'renamed as well',
      'moved: [{ from: tls_edges.x, to: tls_edges.a }]\nremoved: [{ from: tls_edges.x, destroy: true }]',
      ['bad-move 4:19'],
    ],
  ])('%s', (_, given, expected) => {
    expect(placesOf(check(given))).toEqual(expected);
  });
});

describe('a path that is left alone is one of a field that can differ', () => {
  test.each([
    ['a field', 'description', []],
    ['a field in a block', 'tls_termination.min_version', []],
    ['no field', 'descripton', ['bad-lifecycle']],
    ['no field in a block', 'tls_termination.nope', ['bad-lifecycle']],
    ['a value that only the service writes', 'created_at', ['bad-lifecycle']],
    ['nothing', '', ['bad-lifecycle']],
  ])('%s', (_, given, expected) => {
    const stack = stackOf(`tls_edges: { a: { lifecycle: { ignore_changes: ["${given}"] } } }`);
    expect(checkMoves(stack).map(({ code }) => code)).toEqual(expected);
  });

  test.each([
    ['any key of a map', 'request_headers.add.x-a', []],
    ['a key with a dot in it', 'request_headers.add.x.a', []],
    ['a secret with a value', 'webhook_verification.secret', []],
    ['a secret without one', 'oidc.client_secret', ['bad-lifecycle']],
    ['a module with a secret', 'oidc', []],
  ])('%s', (_, given, expected) => {
    const hook = 'webhook_verification: { provider: github, secret: hush }';
    const route = `{ match_type: exact_path, match: /, ${hook}, lifecycle: { ignore_changes: ["${given}"] } }`;
    expect(checkMoves(stackOf(`https_edges: { s: { routes: { r: ${route} } } }`)).map(({ code }) => code)).toEqual(
      expected,
    );
  });
});

test('what is read keeps its order, and deletes where nothing else is said', () => {
  const { document, sourceMap } = stackOf(
    'moved: [{ from: b, to: c }, { from: a, to: d }]\nremoved: [{ from: x, destroy: true }, { from: y, destroy: false }]',
  );
  expect(readMoves(document, sourceMap).moved.map(({ from, to }) => `${from} ${to}`)).toEqual(['b c', 'a d']);
  expect(readMoves(document, sourceMap).removed.map(({ from, destroy }) => [from, destroy])).toEqual([
    ['x', true],
    ['y', false],
  ]);
  expect(readMoves({}, sourceMap)).toEqual({ moved: [], removed: [] });
});
