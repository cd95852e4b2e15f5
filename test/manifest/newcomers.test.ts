// Mistakes of people who come from Terraform or Kubernetes, or are new to YAML: one problem each, where it was made, and
// with what to write instead.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';

const HEAD = 'version: 1\nstack: shop\n';

function diagnose(text: string) {
  const files = [{ name: 'edgeform.yaml', text }];
  return loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) }).diagnostics;
}

const ADDRS = 'reserved_addrs: { db: {} }\n';
const inAddr = (fields: string) => `reserved_addrs: { a: { ${fields} } }`;

test.each<readonly [string, string, string, RegExp]>([
  ['tabs', 'reserved_addrs:\n\ta:\n\t\tregion: eu\n', '4:1', /spaces/],
  ['tabs below spaces', 'reserved_addrs:\n  a:\n\t region: eu\n  b: {}', '5:1', /spaces/],
  ['indentation', 'reserved_addrs:\n  a:\n      description: x\n     region: eu', '6:6', /indent/],
  ['no space after the colon', 'reserved_addrs:\n  a:\n    region:eu', '5:5', /space after the ":"/],
  ['a quote inside quotes', inAddr("description: 'it's fine'"), '3:41', /twice|other kind of quotes/],
  ['a start that is none', inAddr('description: @home'), '3:37', /quotes/],
  ['an alias of nothing', 'reserved_addrs: { a: *base }', '3:22', /itself/],
  ['a merge key', 'reserved_addrs: { b: &b {}, a: { <<: *b } }', '3:34', /repeat the fields/],
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
  ['a map where a list belongs', `${ADDRS}moved: { from: a, to: b }`, '4:8', /"- "/],
  ['an output as a block', `${ADDRS}outputs: { o: { value: "\${reserved_addrs.db.id}" } }`, '4:15', /single value/],
  ['a variable without a block', 'variables: { r: eu }', '3:17', /r: \{ default: VALUE \}/],
  ['yes in a switch', 'variables: { r: { sensitive: yes } }', '3:30', /^write `true`$/],
  ['a quoted switch', inAddr('lifecycle: { prevent_destroy: "true" }'), '3:54', /^write `true`$/],
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
  [
    'another value of the same object',
    `${ADDRS}tls_edges: { a: { hostports: ["\${reserved_addrs.db.id}"] } }`,
    '4:31',
    /\$\{reserved_addrs\.db\.addr\}/,
  ],
  ['a written value', 'https_edges: { a: {} }\noutputs: { o: "${https_edges.a.hostports}" }', '4:15', /use a variable/],
  ['an expression in a key', 'reserved_addrs: { "${var.n}": {} }', '3:19', /nothing is filled into names/],
  ['a name with a space', 'reserved_addrs: { My Db: {} }', '3:19', /"My"/],
  [
    'an expression inside another',
    inAddr('description: "${reserved_addrs.${var.n}.addr}"'),
    '3:37',
    /inside each other|write the name/,
  ],
  ['a condition', inAddr('description: "${var.p == 1 ? 2 : 3}"'), '3:37', /\$\{var\.NAME\}/],
])('%s', (_, text, place, fix) => {
  const found = diagnose(HEAD + text);
  expect(
    found.map(({ range }) => `${range?.line ?? 0}:${range?.column ?? 0}`),
    JSON.stringify(found),
  ).toEqual([place]);
  expect(found[0]?.fix).toMatch(fix);
});
