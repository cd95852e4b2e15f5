// What a person is told to do about a mistake is the right thing, and it is told once.

import { expect, test } from 'vitest';
import { diagnose, HEAD } from '../support/loading.ts';

const route = (fields: string) =>
  `https_edges: { a: { routes: { r: { match_type: exact_path, match: /, ${fields} } } } }`;

const ADDRS = 'reserved_addrs: { db: {} }\n';
const inAddr = (fields: string) => `reserved_addrs: { a: { ${fields} } }`;

test.each<readonly [string, string, string, RegExp]>([
  [
    'one value where a list belongs',
    'tls_edges: { a: { hostports: a.b:443 } }',
    '3:30',
    /^write `hostports: \["a\.b:443"\]`$/,
  ],
  ['yes for a switch', route('compression: { enabled: yes }'), '3:94', /^write true or false/],
  ['a name that runs into its value', 'tls_edges: { a: { description:x } }', '3:19', /did you mean "description"/],
  ['a quoted number', route('circuit_breaker: { num_buckets: "7" }'), '3:102', /without quotes/],
  [
    'a kind in the singular',
    'outputs: { o: "${failover_backend.app.id}" }',
    '3:15',
    /did you mean \$\{failover_backends\.app\.id\}\?/,
  ],
  ['a misspelt var', 'outputs: { o: "${vars.x}" }', '3:15', /did you mean \$\{var\.x\}\?/],
  ['what is no expression', 'outputs: { o: "${HOME}" }', '3:15', /\$\$\{/],
  [
    'no attribute',
    'reserved_addrs: { a: {} }\noutputs: { o: "${reserved_addrs.a}" }',
    '4:15',
    /\$\{reserved_addrs\.a\.id\}/,
  ],
  ['a required field, misspelt', 'ssh_credentials: { a: { public_kye: x } }', '3:25', /did you mean "public_key"\?/],
  [
    'an unknown attribute',
    'failover_backends: { a: { backends: ["${failover_backends.b.di}"] }, b: {} }',
    '3:38',
    /did you mean "id"\?/,
  ],
  [
    'an event type without a version',
    'event_subscriptions: { a: { sources: [{ type: https_request_complete }] } }',
    '3:47',
    /^did you mean "http_request_complete\.v0"\?$/,
  ],
  ['braces of a template', 'reserved_addrs: { a: { description: {{ x }} } }', '3:37', /in quotes.*\$\{var\.NAME\}/],
  [
    'an id as a block',
    'tls_edges: { a: { backend: { backend: { id: bkdhr_1 } } } }',
    '3:30',
    /did you mean "backend_id"/,
  ],
  ['an id by its short name', 'tls_edges: { a: { backend: { id: bkdhr_1 } } }', '3:30', /did you mean "backend_id"/],
  ['a second colon', 'reserved_addrs:\n  a:\n    description: Note: this', '5:18', /in quotes/],
  ['an open quote', 'reserved_addrs:\n  a:\n    description: "open\n  b: {}', '5:18', /close it/],
  ['a block that is none', 'tls_edges:\n  y:', '4:3', /^write `y: \{\}`$/],
  ['a module that is nothing', 'tls_edges: { a: { mutual_tls: null } }', '3:19', /^write `mutual_tls: \{\}`$/],
  ['text in a list of blocks', 'moved: [x]', '3:9', /^write `\{ from: "x" \}`$/],
  ['a fraction for a whole number', route('circuit_breaker: { num_buckets: 1.5 }'), '3:102', /^write a whole number/],
  ['spaces in an expression', 'outputs: { o: "${ var.x }" }', '3:15', /did you mean \$\{var\.x\}\?/],
  ['a bracket that another one closes', 'tls_edges: { a: { hostports: ["a.b:1" } }', '3:30', /^close it with \]/],
  ['a bracket that is open at the end', 'tls_edges: { a: { hostports: [a.b:1] }\n', '3:12', /^close it with \}/],
  ['brackets in each other', 'tls_edges:\n  a: { hostports: [["a.b:1" }\n  b: {}', '4:20', /^close it with \]/],
  ['a quote that is open in brackets', 'tls_edges:\n  a: { hostports: ["a.b:1 }\n  b: {}', '4:20', /^close it with "/],
  ['a list where a block belongs', 'tls_edges: { a: { lifecycle: [a] } }', '3:30', /^write it as a block/],
  [
    'a tag of YAML that JSON does not have',
    'tls_edges: { a: { description: !!binary YQ== } }',
    '3:41',
    /the value itself/,
  ],
  ['a text that is nothing', 'tls_edges: { a: { description: } }', '3:19', /^write `description: VALUE`$/],
  [
    'a secret that is missing',
    route('oauth: { provider: { github: { client_id: abc } } }'),
    '3:112',
    /`client_secret: "\$\{var\.NAME\}"`/,
  ],
  ['text behind a quote and a space', 'reserved_addrs: { a: { description: "a" b } }', '3:41', /other kind of quotes/],
  // Of people who come from Terraform or Kubernetes, or are new to YAML.
  ['tabs', 'reserved_addrs:\n\ta:\n\t\tregion: eu\n', '4:1', /spaces/],
  ['tabs below spaces', 'reserved_addrs:\n  a:\n\t region: eu\n  b: {}', '5:1', /spaces/],
  ['indentation', 'reserved_addrs:\n  a:\n      description: x\n     region: eu', '6:1', /indent/],
  ['no space after the colon', 'reserved_addrs:\n  a:\n    region:eu', '5:5', /^write `a: \{ region: "eu" \}`$/],
  ['a quote inside quotes', inAddr("description: 'it's fine'"), '3:41', /twice|other kind of quotes/],
  ['a start that is none', inAddr('description: @home'), '3:37', /quotes/],
  ['an alias of nothing', 'reserved_addrs: { a: *base }', '3:22', /itself/],
  ['a merge key', 'reserved_addrs: { b: &b {}, a: { <<: *b } }', '3:34', /block NAME under `presets`/],
  ['a key twice', inAddr('region: eu, region: us'), '3:36', /keep one/],
  ['a kind in the singular', 'tls_edge: { a: {} }', '3:1', /did you mean "tls_edges"/],
  ['a kind in camel case', 'tlsEdges: { a: {} }', '3:1', /did you mean "tls_edges"/],
  ['a kind with hyphens', 'tls-edges: { a: {} }', '3:1', /did you mean "tls_edges"/],
  ['a field in camel case', 'tls_edges: { a: { hostPorts: [a:1] } }', '3:19', /did you mean "hostports"/],
  ['a value in the wrong case', inAddr('region: EU'), '3:32', /did you mean "eu"/],
  ['an own id', inAddr('id: ra_1'), '3:24', /lifecycle: \{ id: ID \}/],
  ['what the service chooses', inAddr('addr: "a:1"'), '3:24', /the service chooses.*\$\{reserved_addrs\.a\.addr\}/],
  ['a kind of the inside at the top', 'routes: { r: {} }', '3:1', /inside a block of https_edges/],
  ['a list of blocks', 'reserved_addrs:\n  - region: eu', '4:3', /name/],
  [
    'a map where a list belongs',
    `${ADDRS}moved: { from: a, to: b }`,
    '4:8',
    /^write `moved: \[\{ from: "a", to: "b" \}\]`$/,
  ],
  ['an output as a block', `${ADDRS}outputs: { o: { value: "\${reserved_addrs.db.id}" } }`, '4:15', /single value/],
  [
    'a number for text',
    'tls_edges: { a: { tls_termination: { terminate_at: edge, min_version: 1.2 } } }',
    '3:71',
    /"1\.2"/,
  ],
  [
    'a reference without ${}',
    `${ADDRS}tls_edges: { a: { hostports: [reserved_addrs.db.addr] } }`,
    '4:31',
    /"\$\{reserved_addrs\.db\.addr\}"/,
  ],
  [
    'an id without ${}',
    `failover_backends: { a: {}, b: { backends: [failover_backends.a.id] } }`,
    '3:45',
    /"\$\{failover_backends\.a\.id\}"/,
  ],
  ['a written value', 'https_edges: { a: {} }\noutputs: { o: "${https_edges.a.hostports}" }', '4:15', /use a variable/],
  ['an expression in a key', 'reserved_addrs: { "${var.n}": {} }', '3:19', /nothing is filled into names/],
  ['a name with a space', 'reserved_addrs: { My Db: {} }', '3:19', /"My"/],
  [
    'an entry of a list that is nothing',
    'tls_edges: { a: { hostports: [null] } }',
    '3:31',
    /^write a value here, or remove/,
  ],
  ['the same in a default', 'variables: { v: { default: [null] } }', '3:29', /^write a value here, or remove/],
  [
    'a variable without a value where a list belongs',
    'variables: { hosts: {} }\ntls_edges: { a: { hostports: "${var.hosts}" } }',
    '4:30',
    /--var-file FILE, in which you write `hosts: \[VALUE\]`$/,
  ],
  ['a note', 'x-note: text', '3:1', /^make it a comment/],
  [
    'shared fields in a block',
    inAddr('x-usual: { region: eu }'),
    '3:24',
    /^put the shared fields into a block NAME under `presets`/,
  ],
])('%s', (_, text, place, fix) => {
  const found = diagnose(HEAD + text);
  expect(
    found.map(({ range }) => `${range?.line ?? 0}:${range?.column ?? 0}`),
    JSON.stringify(found),
  ).toEqual([place]);
  expect(found[0]?.fix).toMatch(fix);
});

test.each(['1.0', '1.10', '0x1F', '1e3', '7'])(
  'the number %s in the place of text is quoted as it is written',
  (text) => {
    const edge = (version: string) => `${HEAD}tls_edges: { a: { tls_termination: { min_version: ${version} } } }`;
    expect(diagnose(edge(text))).toMatchObject([{ code: 'wrong-type', fix: `quote it: "${text}"` }]);
    expect(diagnose(edge(`"${text}"`))).toEqual([]);
  },
);

test('the name of the stack is never to be removed', () => {
  expect(diagnose('version: 1\nstack:\n')).toMatchObject([{ fix: 'write `stack: VALUE`' }]);
});

test('an event type says what it looks like', () => {
  const [problem] = diagnose(`${HEAD}event_subscriptions: { a: { sources: [{ type: created }] } }`);
  expect(problem?.expected).toContain('<name>.v<number>');
});

test('an unset variable is told once, and a secret has no place among the arguments', () => {
  const text = `${HEAD}variables: { s: { sensitive: true }, t: {} }
https_edges: { a: { routes: { r: { match_type: exact_path, match: /, webhook_verification: { provider: x, secret: "\${var.s}" } } } } }
ssh_credentials: { a: { public_key: "\${var.s}", description: "\${var.t} \${var.t}" } }
`;
  const found = diagnose(text);
  expect(found.map(({ code, range }) => `${code} ${range?.line ?? 0}`)).toEqual([
    'unset-variable 4',
    'unset-variable 5',
  ]);
  expect(found[0]?.fix).toContain('--var-file');
  expect(found[0]?.fix).not.toContain('--var s');
  expect(found[1]?.fix).toContain('--var t=VALUE');
});

test('cycles are told at the references that make them, every one of them', () => {
  const text = `${HEAD}failover_backends:
  a: { backends: [bkd_1, "\${failover_backends.b.id}", "\${failover_backends.c.id}"] }
  b: { backends: ["\${failover_backends.a.id}"] }
  c: { backends: ["\${failover_backends.b.id}"] }
  x: { backends: ["\${failover_backends.y.id}"] }
  y: { backends: ["\${failover_backends.x.id}"] }
`;
  const found = diagnose(text).map(({ message, range, related }) => [
    message.replace('references form a cycle: ', '').replaceAll('failover_backends.', ''),
    `${range?.line ?? 0}:${range?.column ?? 0}`,
    ...(related ?? []).map((other) => other.range.line),
  ]);
  expect(found).toEqual([
    ['a → b → a', '4:26', 5],
    ['a → c → b → a', '4:55', 6, 5],
    ['x → y → x', '7:19', 8],
  ]);
});

test('an edge that refers to its own route waits for itself', () => {
  const text = `${HEAD}https_edges:\n  e:\n    description: "\${https_edges.e.routes.r.id}"\n    routes: { r: { match_type: exact_path, match: / } }\n`;
  expect(diagnose(text).map(({ code, range }) => `${code} ${range?.line ?? 0}`)).toEqual(['reference-cycle 5']);
});

test('"first" is the first line', () => {
  const text = `${HEAD}tls_edges:\n  z: { hostports: ["h:1"] }\n  a: { hostports: ["h:1"] }\n`;
  expect(diagnose(text)).toMatchObject([{ range: { line: 5 }, related: [{ range: { line: 4 } }] }]);
});

test.each(['hello', '5', 'true'])('%s is no manifest, and the fix says what one is', (text) => {
  const found = diagnose(text);
  expect(found.map(({ fix }) => fix)).toEqual([
    'begin it with `version: 1` and `stack: NAME`, and write the kinds below',
  ]);
});

test('a problem of structure has the address of the block that it is in', () => {
  const text = `${HEAD}tls_edges: { a: { hostprts: [] } }\nhttps_edges: { s: { routes: { r: { match_type: 5, match: / } } } }\n`;
  expect(diagnose(text).map(({ address }) => address)).toEqual(['tls_edges.a', 'https_edges.s.routes.r']);
});

test('a problem of syntax has it, too, as far as the way to its place is known', () => {
  const text = `${HEAD}tls_edges:\n  a:\n    hostports: [a\n    description: x\n  c:\n    5: x\n  d: { e: [ }\n`;
  expect(diagnose(text).map(({ code, address }) => [code, address])).toEqual([
    ['yaml-syntax', 'tls_edges.a'],
    ['bad-key', 'tls_edges.c'],
    ['yaml-syntax', 'tls_edges.d'],
  ]);
});

test('a line that is no entry is told beside other problems of its block', () => {
  const found = diagnose(`${HEAD}tls_edges:\n  a: { metadata: !x y }\n  d {}\n`);
  expect(found.map(({ code, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0}`)).toEqual([
    'unknown-tag 4:18',
    'yaml-syntax 5:3',
  ]);
});

test.each(['[${var.x}]', '[a, ${var.x}]', '[x-${var.x}:1]', '{ a: ${var.x} }'])(
  'an expression in %j wants quotes',
  (value) => {
    expect(diagnose(`${HEAD}tls_edges:\n  a:\n    hostports: ${value}\nvariables: { x: {} }\n`)).toMatchObject([
      { code: 'yaml-syntax', fix: 'put the whole value in quotes, for example "${var.NAME}"' },
    ]);
  },
);

test.each<readonly [string, string]>([
  ['tls_edges: { a: { hostports: a.example.com:443 } }', 'write `hostports: ["a.example.com:443"]`'],
  ['outputs: [a, b]', 'give each entry a name: NAME: VALUE'],
  ['reserved_addrs: [a, b]', 'give each entry a name: NAME: {}'],
  ['tls_edges: { a: { hostports: [a.b:1, a.b:1] } }', 'remove one of the two'],
])('what %j is told to do removes the problem', (text, fix) => {
  expect(diagnose(`${HEAD}${text}\n`)).toMatchObject([{ fix }]);
});

test('a list for a manifest is told what a manifest begins with', () => {
  expect(diagnose('- a\n')).toMatchObject([{ fix: expect.stringMatching(/^begin it with `version: 1`/) as string }]);
});
