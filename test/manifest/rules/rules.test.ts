// Rules across fields and resources, where parts of the manifest may not be known.

import { describe, expect, test } from 'vitest';
import { checkRules } from '../../../src/manifest/rules/rules.ts';
import { checkUnique } from '../../../src/manifest/rules/unique.ts';
import type { StackInput } from '../../../src/manifest/resources.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const check = (stack: StackInput) => [...checkRules(stack), ...checkUnique(stack)];

const route = (fields: string) =>
  `https_edges: { s: { routes: { r: { match_type: exact_path, match: /, ${fields} } } } }`;

describe('a broken rule is told at its field', () => {
  test.each([
    ['none', route('compression: {}'), []],
    [
      'a rule of a kind',
      'tls_edges: { a: { tls_termination: { terminate_at: upstream, min_version: "1.2" } } }',
      ['rule-broken 1:75'],
    ],
    [
      'a field that is missing is told at its block',
      route('webhook_verification: { provider: github }'),
      ['rule-broken 1:70'],
    ],
    ['a field that is not known may be there', route('webhook_verification: { provider: github, secret: !x y }'), []],
    [
      'a block that is not known may hold it',
      route('webhook_verification: { provider: github, <<: { secret: a } }'),
      [],
    ],
    ['an empty secret is none', route('webhook_verification: { provider: github, secret: "" }'), ['rule-broken 1:120']],
    [
      'also one of a variable that is empty',
      `variables: { s: { sensitive: true, default: "" } }\n${route('oauth: { provider: { google: { client_id: x, client_secret: "${var.s}" } } }')}`,
      ['rule-broken 2:112'],
    ],
    [
      'two names of a header that differ in case only',
      route('request_headers: { add: { X-a: b, x-A: c } }'),
      ['not-unique 1:104'],
    ],
    [
      'a marker in metadata',
      `reserved_addrs: { a: { metadata: '{"edgeform":{"v":1}}' } }`,
      ['marker-in-metadata 1:34'],
    ],
    ['metadata of your own', `reserved_addrs: { a: { metadata: '{"team":"a"}' } }`, []],
  ])('%s', (_, given, expected) => {
    expect(placesOf(check(stackOf(given)))).toEqual(expected);
  });
});

describe('a value that only one object may have', () => {
  const edges = (...hostports: readonly string[]) =>
    `tls_edges:\n${hostports.map((one, index) => `  e${9 - index}: { hostports: ${one} }\n`).join('')}`;

  test.each([
    ['two values', edges('["a:1"]', '["b:1"]'), []],
    ['one of two objects is told, the later one', edges('["a:1"]', '["a:1"]'), ['not-unique 3:21']],
    ['three objects are two problems', edges('["a:1"]', '["a:1"]', '["a:1"]'), ['not-unique 3:21', 'not-unique 4:21']],
    ['twice in one object', edges('["a:1", "a:1"]'), ['not-unique 2:28']],
    ['objects of two kinds', `${edges('["a:1"]')}https_edges: { s: { hostports: ["a:1"] } }`, ['not-unique 3:33']],
    ['the same reference', edges('["${reserved_addrs.a.addr}"]', '["${reserved_addrs.a.addr}"]'), ['not-unique 3:21']],
    ['two references', edges('["${reserved_addrs.a.addr}"]', '["${reserved_addrs.b.addr}"]'), []],
  ])('%s', (_, given, expected) => {
    expect(placesOf(check(stackOf(given)))).toEqual(expected);
  });

  test('a text that is equal to a secret is not shown', () => {
    const stack = stackOf(`variables: { s: { sensitive: true } }\n${edges('["${var.s}"]', '["hidden.test:1"]')}`, {
      s: 'hidden.test:1',
    });
    const found = check(stack);
    expect(found.map(({ code }) => code)).toEqual(['not-unique']);
    expect(JSON.stringify(found)).not.toContain('hidden');
  });
});

test('the words of a rule never hold a secret', () => {
  const text =
    'variables: { s: { sensitive: true } }\ntls_edges: { a: { tls_termination: { terminate_at: upstream, min_version: "${var.s}" } } }';
  const found = check(stackOf(text, { s: 'hidden-version' }));
  expect(found.map(({ code }) => code)).toEqual(['rule-broken']);
  expect(JSON.stringify(found)).not.toContain('hidden-version');
});
