// Bad and good manifests through the loader: codes and positions, all problems at once.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Secret } from '../../src/core/secrets/secret.ts';
import { Expression } from '../../src/core/value.ts';
import { HEAD, loadTexts } from '../support/loading.ts';

interface Given {
  readonly variables?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

function load(texts: string | readonly string[], given: Given = {}) {
  const readFile = (path: string) => ({ value: `content of ${path}`, diagnostics: [] });
  return loadTexts(texts, { ...given, readFile });
}

function problems(texts: string | readonly string[], given?: Given): string[] {
  return load(texts, given).diagnostics.map(({ code, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0}`);
}

describe('one wrong thing, by its code and place', () => {
  test.each<readonly [string, string, readonly string[]]>([
    ['unknown top key', 'tls_edge: {}', ['unknown-field 3:1']],
    ['unknown field', 'tls_edges: { a: { hostport: [] } }', ['unknown-field 3:19']],
    ['missing field', 'ssh_credentials: { a: {} }', ['missing-field 3:20']],
    ['number for text', 'tls_edges: { a: { tls_termination: { min_version: 1.2 } } }', ['wrong-type 3:51']],
    ['text for a list', 'tls_edges: { a: { hostports: "a:1" } }', ['wrong-type 3:30']],
    ['value outside a closed set', 'reserved_addrs: { a: { region: mars } }', ['wrong-value 3:32']],
    ['form of a hostport', 'tls_edges: { a: { hostports: [a] } }', ['wrong-value 3:31']],
    ['255 bytes, not characters', `reserved_addrs: { a: { description: "${'é'.repeat(128)}" } }`, ['too-long 3:37']],
    [
      'characters on subscriptions',
      `event_subscriptions: { a: { description: "${'é'.repeat(256)}" } }`,
      ['too-long 3:42'],
    ],
    [
      'number out of range',
      'https_edges: { a: { routes: { b: { match_type: exact_path, match: /, circuit_breaker: { num_buckets: 129 } } } } }',
      ['out-of-range 3:102'],
    ],
    ['two targets', 'event_destinations: { a: { target: { s3: {}, datadog: {} } } }', ['choose-one 3:28']],
    ['no target', 'event_destinations: { a: { target: {} } }', ['choose-one 3:28']],
    ['bad name', 'reserved_addrs: { 9a: {} }', ['bad-name 3:19']],
    ['a name that is too long', `reserved_addrs: { ${'n'.repeat(201)}: {} }`, ['bad-name 3:19']],
    ['the longest name', `reserved_addrs: { ${'n'.repeat(200)}: { frob: 1 } }`, ['unknown-field 3:223']],
    ['malformed expression', 'reserved_addrs: { a: { description: "${nope}" } }', ['bad-expression 3:37']],
    ['unclosed expression', 'reserved_addrs: { a: { description: "${var.a" } }', ['bad-expression 3:37']],
    ['undeclared variable', 'reserved_addrs: { a: { description: "${var.a}" } }', ['unknown-variable 3:37']],
    [
      'variable without a value',
      'variables: { a: {} }\nreserved_addrs: { a: { description: "${var.a}" } }',
      ['unset-variable 4:37'],
    ],
    [
      'reference to nothing',
      'tls_edges: { a: { hostports: ["${reserved_addrs.x.addr}"] } }',
      ['unknown-reference 3:31'],
    ],
    [
      'reference to no value',
      'reserved_addrs: { x: {} }\ntls_edges: { a: { hostports: ["${reserved_addrs.x.nope}"] } }',
      ['unknown-reference 4:31'],
    ],
    [
      'reference to a secret',
      'api_keys: { x: {} }\nreserved_addrs: { a: { description: "${api_keys.x.token}" } }',
      ['unknown-reference 4:37'],
    ],
    [
      'reference of the wrong kind',
      'reserved_addrs: { x: {} }\nfailover_backends: { a: { backends: ["${reserved_addrs.x.id}"] } }',
      ['wrong-reference 4:38'],
    ],
    ['literal id of the wrong kind', 'failover_backends: { a: { backends: [ra_1] } }', ['wrong-reference 3:38']],
    [
      'hostport claimed twice',
      'tls_edges: { a: { hostports: ["h:1"] }, b: { hostports: ["H:1"] } }',
      ['not-unique 3:58'],
    ],
    [
      'one header twice, in different case',
      'https_edges: { a: { routes: { b: { match_type: exact_path, match: /, request_headers: { add: { X-A: one, x-a: two } } } } } }',
      ['not-unique 3:106'],
    ],
    [
      'an ignored path that is no field',
      'tls_edges: { a: { lifecycle: { ignore_changes: [descripton, backend.enabled] } } }',
      ['bad-lifecycle 3:49'],
    ],
    [
      'upstream with min_version',
      'tls_edges: { a: { tls_termination: { terminate_at: upstream, min_version: "1.2" } } }',
      ['rule-broken 3:75'],
    ],
    [
      'literal secret is a warning',
      'https_edges: { a: { routes: { b: { match_type: exact_path, match: /, webhook_verification: { provider: x, secret: hush } } } } }',
      ['literal-secret 3:115'],
    ],
    [
      'secret in metadata',
      'variables: { s: { sensitive: true, default: x } }\nreserved_addrs: { a: { metadata: "${var.s}" } }',
      ['secret-in-text 4:34'],
    ],
    ['adopt and id differ', 'reserved_addrs: { a: { lifecycle: { adopt: ra_1, id: ra_2 } } }', ['bad-lifecycle 3:35']],
    ['adopt of another kind', 'reserved_addrs: { a: { lifecycle: { adopt: ed_1 } } }', ['wrong-value 3:44']],
    ['control character', 'reserved_addrs: { a: { description: "a\u0007" } }', ['hidden-character 3:39']],
    ['direction override', 'reserved_addrs: { a: { description: "a\u202e" } }', ['hidden-character 3:39']],
    ['two documents', 'reserved_addrs: {}\n---\nversion: 1', ['several-documents 4:1']],
    ['constructor is a name like others', 'tls_edges: { a: { constructor: {} } }', ['unknown-field 3:19']],
  ])('%s', (_, text, expected) => {
    const found = problems(HEAD + text);
    const later = ['wrong-type', 'wrong-value'];
    expect(found.filter((one) => expected.includes(one) || !later.some((code) => one.startsWith(code)))).toEqual(
      expected,
    );
  });
});

test('references in a cycle are named link by link', () => {
  const text =
    'failover_backends:\n  a: { backends: ["${failover_backends.b.id}"] }\n  b: { backends: ["${failover_backends.a.id}"] }';
  const [problem] = load(HEAD + text).diagnostics;
  expect(problem?.code).toBe('reference-cycle');
  expect(problem?.message).toContain('failover_backends.a → failover_backends.b → failover_backends.a');
  expect(problem?.related).toHaveLength(1);
});

test('problems of all files and kinds come at once, sorted by file and position', () => {
  const found = problems([
    `${HEAD}reserved_addrs: { a: { region: mars }, b: { nope: 1 } }`,
    'tls_edges: { a: { hostports: [x] } }',
    '[[[',
  ]);
  expect(found).toEqual(['wrong-value 3:32', 'unknown-field 3:45', 'wrong-value 1:31', 'yaml-syntax 1:3']);
});

test('the same address in two files is an error that names both places', () => {
  const [problem] = load([`${HEAD}reserved_addrs: { a: {} }`, 'reserved_addrs: { a: {} }']).diagnostics;
  expect(problem).toMatchObject({
    code: 'duplicate-address',
    range: { file: 'f1.yaml' },
    related: [{ range: { file: 'f0.yaml' } }],
  });
});

test('an empty file is an error, never an empty manifest', () => {
  expect(problems('')).toEqual(['empty-file 1:1']);
  expect(problems('# only a comment\n')).toEqual(['empty-file 1:1']);
});

test('deep nesting is refused before parsing, twice in one process', () => {
  const deep = [
    '['.repeat(1_000),
    '- '.repeat(1_000),
    Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  ];
  for (const text of [...deep, ...deep]) expect(problems(text)).toEqual([expect.stringMatching(/^too-deep /)]);
});

test('an alias bomb is refused quickly', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 8; i++)
    lines.push(
      `${'abcdefgh'[i] ?? ''}: &${'abcdefgh'[i] ?? ''} [${Array(9)
        .fill(`*${'abcdefgh'[i - 1] ?? ''}`)
        .join(', ')}]`,
    );
  expect(problems(lines.join('\n')).some((one) => /^too-(many-aliases|large)/.test(one))).toBe(true);
});

describe('values', () => {
  const text = `${HEAD}variables:
  s: { sensitive: true }
  n: { default: 7 }
  d: { default: dflt }
reserved_addrs:
  db: { description: "\${var.d} costs $\${5} \${file:x.txt}" }
https_edges:
  e:
    routes:
      r:
        match_type: exact_path
        match: /
        circuit_breaker: { num_buckets: "\${var.n}" }
        webhook_verification: { provider: github, secret: "\${var.s}" }
tls_edges:
  t: { hostports: ["\${reserved_addrs.db.addr}"] }
`;

  test('are filled in: variables by precedence, files, literals, references kept', () => {
    const { value, diagnostics } = load(text, {
      variables: { d: 'given' },
      env: { EDGEFORM_VAR_d: 'env', EDGEFORM_VAR_s: 'hush' },
    });
    expect(diagnostics).toEqual([]);
    const spec = (address: string) => value?.resources.find((one) => one.address === address)?.spec;
    expect(spec('reserved_addrs.db')).toEqual({ description: 'given costs ${5} content of x.txt' });
    expect(spec('https_edges.e.routes.r')).toMatchObject({
      circuit_breaker: { num_buckets: 7 },
      webhook_verification: { secret: expect.any(Secret) },
    });
    expect(spec('tls_edges.t')).toEqual({
      hostports: [
        new Expression([{ address: 'reserved_addrs.db', attr: 'addr' }], { origin: 'tls_edges.t#hostports.0' }),
      ],
    });
    expect(JSON.stringify(value)).not.toContain('hush');
  });

  test('of the environment are taken only for declared variables', () => {
    expect(
      problems(`${HEAD}reserved_addrs: { a: { description: "\${var.EDGEFORM_API_KEY}" } }`, {
        env: { EDGEFORM_API_KEY: 'probe', EDGEFORM_VAR_x: 'y' },
      }),
    ).toEqual(['unknown-variable 3:37']);
  });
});

test('JSON manifests are accepted', () => {
  expect(load('{"version":1,"stack":"shop","reserved_addrs":{"a":{"region":"eu"}}}').value?.resources).toHaveLength(1);
});

test('the order of files and keys does not matter', () => {
  const a = 'reserved_addrs: { a: {}, b: { region: eu, description: x } }';
  const b = 'failover_backends: { z: {}, y: {} }';
  const one = load([HEAD + a, b]).value;
  const two = load([b, `${HEAD}reserved_addrs: { b: { description: x, region: eu }, a: {} }`]).value;
  expect(two?.digest).toBe(one?.digest);
  expect(two?.resources.map((r) => r.address)).toEqual(one?.resources.map((r) => r.address));
});

test('no text makes the loader throw, and prototypes stay as they are', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.json({ maxDepth: 4 }),
        fc.stringMatching(/^[-:[\]{}&*!|>'"%@`#, \na-c]{0,200}$/),
      ),
      (text) => {
        load(text);
        load(HEAD + text);
      },
    ),
    { numRuns: 500 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
