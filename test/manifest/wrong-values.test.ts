// A wrong value is unknown and hides nothing beside it, one problem a place; and no fix leads to the next problem.

import { expect, test } from 'vitest';
import { diagnose, HEAD } from '../support/loading.ts';

test.each<readonly [string, string, readonly string[]]>([
  [
    'a name that none can have, beside a reference to nothing',
    'reserved_addrs: { a: {}, __proto__: {} }\noutputs: { o: "${reserved_addrs.zz.id}" }',
    ['bad-key 3:26', 'unknown-reference 4:15'],
  ],
  [
    'the same in a block, beside a field that is missing',
    'ssh_credentials: { a: { __proto__: x } }',
    ['missing-field 3:20', 'bad-key 3:25'],
  ],
  [
    'what a merge key brings is not known',
    'ssh_credentials: { a: &a { description: x }, b: { <<: *a } }\nreserved_addrs: { <<: {} }\noutputs: { o: "${reserved_addrs.zz.id}" }',
    ['missing-field 3:20', 'merge-key 3:51', 'merge-key 4:19'],
  ],
  [
    'what the block has itself counts more',
    'ssh_credentials: { a: &a { public_key: k, metadata: 5 }, b: { <<: *a, public_key: l, metadata: x } }',
    ['wrong-type 3:53', 'merge-key 3:63'],
  ],
  [
    'a merge key with itself',
    'ssh_credentials: { a: &a { public_key: k, <<: *a } }\noutputs: { o: "${ssh_credentials.zz.id}" }',
    ['merge-key 3:43', 'unknown-reference 4:15'],
  ],
  [
    'a number for a key',
    'reserved_addrs: { 5: {} }\noutputs: { o: "${reserved_addrs.zz.id}" }',
    ['bad-key 3:19', 'unknown-reference 4:15'],
  ],
])('what is wrong with a key hides nothing: %s', (_, text, codes) => {
  const found = diagnose(HEAD + text);
  expect(
    found.map(({ code, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0}`),
    JSON.stringify(found),
  ).toEqual(codes);
});

test.each([
  ['reserved_addrs: { 1db: {} }\noutputs: { o: "${reserved_addrs.db.id}" }', 'add the resource, or give a literal id'],
  ['variables: { "d b": { default: x } }\noutputs: { o: "${var.db}" }', 'declare it: variables: { db: {} }'],
  [
    'tls_edges: { 1db: {} }\nmoved: [{ from: tls_edges.x, to: tls_edges.db }]',
    'use the address of a resource in the manifest; an entry whose work is done may stay, or be removed',
  ],
])('no name is proposed that is none: %s', (text, fix) => {
  expect(diagnose(HEAD + text).map((one) => one.fix)).toContain(fix);
});

test('a field that is there is named beside its double, which may hold what it lacks', () => {
  const found = diagnose(`${HEAD}tls_edges: { a: { hostports: [a.b:1], hostport: [a.b:2] } }`);
  expect(found.map(({ fix }) => fix)).toEqual(['did you mean "hostports"? if this very block has both, join them']);
});

test.each([
  ['a form', 'tls_edges: { a: { hostports: ["a.b:1\\n"] } }'],
  ['a closed set', 'reserved_addrs: { a: { region: "eu\\n" } }'],
  ['an id', 'api_keys: { a: { owner_id: "usr_1\\n" } }'],
  ['an id of lifecycle', 'reserved_addrs: { a: { lifecycle: { id: "ra_1\\n" } } }'],
  [
    'one line',
    'event_destinations: { a: { target: { kinesis: { stream_arn: "x\\n", auth: { role: { role_arn: x } } } } } }',
  ],
])('a final line break is told alike, whatever the field: %s', (_, text) => {
  const fix =
    'remove the line break at the end; a YAML block has none after >- or |-, and one at the end of a file is dropped';
  expect(diagnose(HEAD + text)).toMatchObject([{ code: 'hidden-character', fix }]);
});

test.each(['200b', '00ad', 'feff', '2060', '061c'])('no host holds U+%s, which has no width', (code) => {
  const found = diagnose(
    `${HEAD}tls_edges: { a: { hostports: ["a\\u${code}.b:1"] } }\nagent_ingresses: { a: { domain: "a\\u${code}.b" } }`,
  );
  expect(found.map(({ code: one }) => one)).toEqual(['hidden-character', 'hidden-character']);
  expect(diagnose(`${HEAD}tls_edges: { a: { description: "a\\u${code}b" } }`)).toEqual([]);
});

test('text in the place of a switch is not repeated, because it may be the secret', () => {
  const [found] = diagnose(`${HEAD}variables: { v: { sensitive: hunter2-hunter2 } }`);
  expect(found).toMatchObject({ code: 'wrong-type', got: 'a string' });
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('an entry that cannot be read hides no other one', () => {
  const found = diagnose(`${HEAD}moved: [{ from: 5, to: tls_edges.a }, { from: tls_edges.b, to: "7" }]`);
  expect(found.map(({ code, range }) => `${code} ${range?.column ?? 0}`)).toEqual(['wrong-type 17', 'bad-move 64']);
});
