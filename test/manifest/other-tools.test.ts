// A value whose mend leaves no doubt is judged as what it was meant to be, so that it hides nothing; and no fix leads to the
// next problem.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';

const HEAD = 'version: 1\nstack: shop\n';

function diagnose(text: string) {
  const files = [{ name: 'edgeform.yaml', text }];
  return loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) }).diagnostics;
}

const route = (fields: string) =>
  `https_edges: { a: { routes: { r: { match_type: exact_path, match: /, ${fields} } } } }`;

test.each<readonly [string, string, readonly string[]]>([
  [
    'a number for a text, and a rule that wants none there',
    'tls_edges: { a: { tls_termination: { min_version: 1.2, terminate_at: upstream } } }',
    ['rule-broken 3:51'],
  ],
  [
    'two of them, and the rules about each',
    route('oauth: { provider: { github: { client_id: 5, scopes: a } } }'),
    ['rule-broken 3:112', 'wrong-type 3:112', 'rule-broken 3:123', 'wrong-type 3:123'],
  ],
  [
    'one value for a list, and another edge that has it',
    'tls_edges: { a: { hostports: a.b:1 }, b: { hostports: [a.b:1] } }',
    ['wrong-type 3:30', 'not-unique 3:56'],
  ],
  [
    'a switch in quotes, and a rule about it',
    'tls_edges: { a: { mutual_tls: { enabled: "yes", certificate_authority_ids: [ca_1] }, tls_termination: { terminate_at: upstream } } }',
    ['rule-broken 3:31', 'wrong-type 3:42'],
  ],
])('%s', (_, text, codes) => {
  const found = diagnose(HEAD + text);
  expect(
    found.map(({ code, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0}`),
    JSON.stringify(found),
  ).toEqual(codes);
});

test.each<readonly [string, string, string, string]>([
  [
    'a range',
    route("circuit_breaker: { num_buckets: '129' }"),
    'an integer, at least 0 and at most 128',
    'use a number in the range',
  ],
  ['a whole number', route("circuit_breaker: { num_buckets: '1.5' }"), 'an integer', 'write a whole number'],
  [
    'a closed set',
    'reserved_addrs: { a: { region: 5 } }',
    'a string, one of au, eu, ap, us, jp, in, sa',
    'use one of the allowed values',
  ],
  [
    'a form',
    'tls_edges: { a: { hostports: a } }',
    'a list, host:port, with a port from 1 to 65535 and no leading zeros',
    'write it as a list; in it, for example "shop.example.com:443"',
  ],
  [
    'an id',
    'api_keys: { a: { owner_id: 5 } }',
    'a string, an id that starts with usr_ or bot_ followed by letters, digits, "-", "_", "." or "~"',
    'give the literal id, or a reference "${kind.name.id}"',
  ],
  [
    'an id in a list',
    'failover_backends: { a: { backends: ra_1 } }',
    'a list, an id that starts with bkd followed by letters, digits, "-", "_", "." or "~"',
    'write it as a list; in it, give the literal id, or a reference "${kind.name.id}"',
  ],
  [
    'a list of texts',
    route('oauth: { provider: { github: { teams: 5 } } }'),
    'a list',
    'write it as a list: teams: ["5"]',
  ],
  [
    'a list of what looks like a number',
    route('oauth: { provider: { github: { teams: "5" } } }'),
    'a list',
    'write it as a list: teams: ["5"]',
  ],
])('what is wrong beyond the type is told with it: %s', (_, text, expected, fix) => {
  expect(diagnose(HEAD + text)).toMatchObject([{ code: 'wrong-type', expected, fix }]);
});

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
    'what a merge key brings, and what it does not',
    'ssh_credentials: { a: &a { description: x }, b: { <<: *a } }\nreserved_addrs: { <<: {} }\noutputs: { o: "${reserved_addrs.zz.id}" }',
    ['missing-field 3:20', 'missing-field 3:46', 'merge-key 3:51', 'merge-key 4:19', 'unknown-reference 5:15'],
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
    'use the address of a resource in the manifest',
  ],
])('no name is proposed that is none: %s', (text, fix) => {
  expect(diagnose(HEAD + text).map((one) => one.fix)).toContain(fix);
});

test('a field that is there is not proposed once more', () => {
  const found = diagnose(`${HEAD}tls_edges: { a: { hostports: [a.b:1], hostport: [a.b:2] } }`);
  expect(found.map(({ fix }) => fix)).toEqual(['remove "hostport"']);
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
  const fix = 'remove the line break at the end; a YAML block has none when it begins with >- or |-';
  expect(diagnose(HEAD + text)).toMatchObject([{ code: 'hidden-character', fix }]);
});

test('what is wrong without the final line break is told with it', () => {
  const found = diagnose(`${HEAD}reserved_addrs: { a: { region: "xx\\n" } }\napi_keys: { a: { owner_id: "xx\\n" } }`);
  expect(found).toMatchObject([
    { code: 'hidden-character', fix: 'use one of the allowed values' },
    { code: 'hidden-character', fix: 'give the literal id, or a reference "${kind.name.id}"' },
  ]);
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

test('both ends of a rename are judged', () => {
  const found = diagnose(`${HEAD}moved: [{ from: 5, to: "7" }]`);
  expect(found.map(({ code, range }) => `${code} ${range?.column ?? 0}`)).toEqual(['wrong-type 17', 'bad-move 24']);
});
