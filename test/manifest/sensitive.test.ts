// What validation says about values of sensitive variables: where and why, never what.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { diagnose } from '../support/loading.ts';
import { plain, renderDiagnostics, diagnosticsJson } from '../render/sample.ts';
import { quoting } from '../support/quoting.ts';

const NAME = 'edgeform.yaml';

interface Found {
  readonly diagnostics: readonly Diagnostic[];
  /** Everything that is shown of them. */
  readonly shown: string;
}

function validate(content: string, secrets: Readonly<Record<string, string>>): Found {
  const variables = Object.keys(secrets).map((name) => `${name}: { sensitive: true }`);
  const text = `version: 1\nstack: shop\nvariables: { ${variables.join(', ')} }\n${content}\n`;
  const diagnostics = diagnose(text, { variables: secrets });
  const shown = `${renderDiagnostics(diagnostics, quoting(NAME, text), plain)}\n${diagnosticsJson(diagnostics)}`;
  return { diagnostics, shown };
}

const words = ({ diagnostics }: Found) =>
  diagnostics.map(
    ({ code, range, message, expected, got }) =>
      `${code} ${range?.line ?? 0}:${range?.column ?? 0} ${[message, expected, got].filter((one) => one !== undefined).join(' | ')}`,
  );

describe('a sensitive value that breaks a rule', () => {
  test.each([
    {
      name: 'of its form',
      content: 'tls_edges: { a: { hostports: ["${var.s}"] } }',
      secret: 'top secret99',
      says: [
        'wrong-value 4:31 hostports[0] does not have the right form | host:port, with a port from 1 to 65535 and no leading zeros; a host is a DNS name ("*." may stand in front) of letters, digits, "-" inside a label, "_" and dots, an IPv4 address, or an IPv6 address in brackets | a sensitive value',
      ],
    },
    {
      name: 'of its form, inside a text',
      content: 'event_subscriptions: { a: { sources: [{ type: "x-${var.s}" }] } }',
      secret: 'top secret99',
      says: [
        'wrong-value 4:47 type does not have the right form | an event type: <name>.v<number> | a sensitive value',
      ],
    },
    {
      name: 'of its length',
      content: 'tls_edges: { a: { description: "${var.s}" } }',
      secret: `top secret99 ${'x'.repeat(300)}`,
      says: ['too-long 4:32 description is too long | at most 255 bytes | a sensitive value'],
    },
    {
      name: 'between fields',
      content: 'tls_edges: { a: { tls_termination: { terminate_at: upstream, min_version: "${var.s}" } } }',
      secret: 'topsecret99',
      says: [
        'rule-broken 4:75 min_version has no meaning when TLS is terminated upstream | no min_version | a sensitive value',
      ],
    },
    {
      name: 'between fields, in its words',
      content:
        'https_edges: { e: { routes: { r: { match_type: exact_path, match: /, webhook_verification: { provider: "${var.s}" } } } } }',
      secret: 'topsecret99',
      says: ['rule-broken 4:70 webhook provider "(sensitive)" needs a secret | a secret | none'],
    },
    {
      name: 'between fields, of one that is there and empty',
      content:
        'https_edges: { e: { routes: { r: { match_type: exact_path, match: /, webhook_verification: { provider: x, secret: "${var.s}" } } } } }',
      secret: '',
      says: ['rule-broken 4:115 webhook provider "x" needs a secret | a secret | an empty secret'],
    },
  ])('$name is not repeated', ({ content, secret, says }) => {
    const found = validate(content, { s: secret });
    expect(words(found)).toEqual(says);
    expect(found.shown).not.toMatch(/top ?secret99/);
  });

  test('counts by its content, where that is what the rule is about', () => {
    const route = (provider: string) =>
      `https_edges: { e: { routes: { r: { match_type: exact_path, match: /, webhook_verification: { provider: "${provider}" } } } } }`;
    expect(words(validate(route('${var.s}'), { s: 'sns' }))).toEqual([]);
  });
});

const ROUTE = 'match_type: exact_path, match: /';
const route = (module: string) => `https_edges: { e: { routes: { r: { ${ROUTE}, ${module} } } } }`;

describe('a sensitive variable where there can be no secret is refused', () => {
  test.each([
    ['a number', route('circuit_breaker: { num_buckets: "${var.s}" }'), 'numbers are shown'],
    ['a switch', 'tls_edges: { a: { tls_termination: { enabled: "${var.s}" } } }', 'either true or false'],
    ['a closed set', 'reserved_addrs: { a: { region: "${var.s}" } }', 'a few well-known values'],
    ['an id', 'tls_edges: { a: { backend: { backend_id: "bkd_${var.s}" } } }', 'ids are shown'],
    ['an id in a list', 'failover_backends: { a: { backends: ["bkd_${var.s}"] } }', 'ids are shown'],
    ['metadata', 'tls_edges: { a: { metadata: "note ${var.s}" } }', 'beside the ownership marker'],
    [
      'metadata, beside a reference',
      'tls_edges: { b: {}, a: { metadata: "${var.s} ${tls_edges.b.id}" } }',
      'beside the ownership marker',
    ],
  ])('%s', (_, content, why) => {
    const found = validate(content, { s: 'topsecret99' });
    expect(found.diagnostics.map((one) => one.code)).toEqual(['secret-in-text']);
    expect(found.diagnostics[0]?.message).toContain(why);
    expect(found.diagnostics[0]?.range).toMatchObject({ file: NAME, line: 4 });
    expect(found.shown).not.toContain('topsecret99');
  });
});

describe('a value that only one resource may have', () => {
  const edges = (a: string, b: string) =>
    `tls_edges:\n  a: { hostports: ["${a}"] }\n  b: { hostports: ["${b}"] }\nreserved_addrs: { r: {} }`;
  const values = { s: 'db.hush.example.com:443', t: 'DB.hush.example.com:443', u: 'other.example.com:443' };

  test.each([
    ['two secrets', '${var.s}', '${var.t}'],
    ['a secret and a text', '${var.s}', 'db.HUSH.example.com:443'],
    ['a text and a secret', 'db.hush.example.com:443', '${var.t}'],
  ])('is claimed once: %s', (_, a, b) => {
    const found = validate(edges(a, b), values);
    expect(words(found)).toEqual([
      'not-unique 6:20 the same sensitive value is claimed by tls_edges.a and tls_edges.b',
    ]);
    expect(found.diagnostics[0]?.related?.[0]?.range).toMatchObject({ line: 5, column: 20 });
    // Where the manifest says it in clear, a frame shows the manifest.
    if (a.startsWith('$') && b.startsWith('$')) expect(found.shown.toLowerCase()).not.toContain('hush');
  });

  test('may differ', () => {
    expect(words(validate(edges('${var.s}', '${var.u}'), values))).toEqual([]);
  });
});

test('a literal secret of the wrong type is not repeated by its fix', () => {
  const found = validate(route('webhook_verification: { provider: github, secret: 271828182845 }'), {});
  expect(found.diagnostics.map((one) => one.code)).toEqual(['wrong-type']);
  expect(found.shown).not.toContain('271828182845');
});

const PROBE = 'hunter2probe';
test.each([
  [route(`webhook_verification: { provider: x, secret:${PROBE} }`), 'unknown field "secret…" in M'],
  [route(`webhook_verification: { provider: x, secret ${PROBE} }`), 'unknown field "secret…" in M'],
  [route(`webhook_verification: { provider: x, "secret=${PROBE}": 1 }`), 'unknown field "secret…" in M'],
  [route(`webhook_verification: { provider: x, Secret:${PROBE} }`), 'unknown field "Secret…" in M'],
  [`variables: { password:${PROBE} }`, 'password… must be an object'],
  [`variables: { password ${PROBE}: { frob: 1 } }`, '"password…" cannot be a name'],
  [`variables: { a: { sensitive: true, value:${PROBE} } }`, 'unknown field "value…" in variables.a'],
  [`variables: { a: { sensitive: true, default ${PROBE} } }`, 'unknown field "default…" in variables.a'],
  [`tls_edges: { a:${PROBE}: { frob: 1 } }`, 'unknown field "frob" in tls_edges.a…'],
])('%s: a value that runs into a name is not told', (content, says) => {
  const text = `version: 1\nstack: shop\n${content}\n`;
  const diagnostics = diagnose(text);
  const messages = diagnostics.map(({ message }) => message);
  expect(messages).toContain(says.replace('M', 'https_edges.e.routes.r.webhook_verification'));
  expect(JSON.stringify(diagnostics)).not.toContain(PROBE);
});
