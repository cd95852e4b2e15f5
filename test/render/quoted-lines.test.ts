// What may be quoted of a file: where it parses, a value's place decides; where it does not, the names on its lines.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/core/secrets/secret.ts';
import { quotedFile, quotedFleetFile } from '../../src/manifest/text/quoted-file.ts';
import { beginRun } from '../../src/platform/filter.ts';
import { quoteFrom } from '../../src/render/view/quote.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

/** Every line of the text, as a problem would quote it. */
function quotedLines(text: string, file = quotedFile({ name: 'edgeform.yaml', text })): string[] {
  const quote = quoteFrom(file);
  return text.split('\n').map((_, index) => quote(index + 1)?.text ?? '');
}

/** The same in a file that does not parse. */
function brokenLines(text: string): string[] {
  return quotedLines(`${text}\n]`).slice(0, -1);
}

const PROBE = 'hunter2-probe';

describe('lines that are quoted', () => {
  test.each([
    // On its line.
    `client_secret: ${PROBE}`,
    `    client_secret: "${PROBE}"`,
    `oauth: { provider: { github: { client_id: abc, client_secret: ${PROBE} } } }`,
    `{"client_secret":"${PROBE}"}`,
    `client_secret "${PROBE}"`,
    `client_secret = '${PROBE}'`,
    `aws_secret_access_key: ${PROBE}`,
    `secret: "\${var.a}${PROBE}"`,
    `secret: "\${var.a}" ${PROBE}`,
    `secret: &a !!str ${PROBE}`,
    `- secret: ${PROBE}`,
    // Wherever its name stands.
    `github: client_secret: ${PROBE}`,
    `&k client_secret: ${PROBE}`,
    `!!str client_secret: ${PROBE}`,
    `{ match: / client_secret: ${PROBE} }`,
    `github:\r  client_secret: ${PROBE}\r  client_id: abc`,
    `variables: { x: { sensitive: true default: ${PROBE} } }`,
    // On the lines indented below it, and where it begins on the next line.
    `secret: |\n  ${PROBE}\n\n  ${PROBE}\nnext: 1`,
    `secret:\n  ${PROBE}`,
    `? secret\n: ${PROBE}`,
    `a:\n    secret:\n    ${PROBE}\n    match: /`,
    `a:\n    secret: \${var.a}\n        ${PROBE}`,
    `a:\n    secret:\n        # left here\n        match: ${PROBE}`,
    `a:\n  - secret: |\n    ${PROBE}`,
    `{"secret":\n"${PROBE}"}`,
    `{"secret"\n:\n"${PROBE}"}`,
    // Defaults, where a variable is sensitive.
    `variables: { x: { sensitive: true, default: ${PROBE} } }`,
    `variables:\n  x:\n    default: ${PROBE}\n    sensitive: true`,
  ])('%j shows no secret', (text) => {
    for (const lines of [quotedLines(text), brokenLines(text)]) expect(lines.join('\n')).not.toContain(PROBE);
  });

  test.each([
    'client_id: abc',
    'aws_access_key_id: AKIA',
    'public_key: ssh-ed25519 AAAA',
    'api_keys:',
    'oauth_secret: { sensitive: true, description: GitHub }',
    'client_secret: "${var.oauth_secret}"',
    'github: { client_secret: "${var.oauth_secret}", teams: [acme/ops] }',
    'hostports: [a.example.com:443]',
    'client_secret: ${var.a}\nmy-name:\n  match: /',
    '- client_secret: ${var.a}\n  match: /\n- match: /',
    'my_secrets:\n  one:\n    match: /',
    'variables:\n  t: { sensitive: true, description: the key }\n  u:\n    description: more\nstack: shop',
    '{"variables":{"t":{"sensitive":true}},"stack":"shop"}',
    'variables:\n  t: { sensitive: true } # "stack: x"\nstack: shop\nmy-name: some text',
    '{"variables":{"stack":{}},"stack":"shop","my-name":"some text"}',
    'description: the secretaries',
    'ignore_changes: [oidc.client_secret]',
    'variables: { x: { default: some text } }',
    // A secret that is typed under another name is shown.
    'client_secrt: shown',
    'my_password: shown',
  ])('%j stays as it is', (text) => {
    for (const lines of [quotedLines(text), brokenLines(text)]) expect(lines).toEqual(text.split('\n'));
  });

  test.each([
    ['a key at its indent', `a:\n    secret: ${PROBE}\n    own-name: 1`],
    ['a shallower key', `a:\n    secret: ${PROBE}\n  own-name:`],
    ['a known key behind a text at column 0', `a:\n    secret: |\n${PROBE}\n    match: /`],
    ['the next item', `a:\n  - secret: ${PROBE}\n  - own-name: 1`],
    ['a key of JSON', `{\n "secret": "${PROBE}",\n "own-name":1`],
    ['what follows a pasted block', `-----BEGIN KEY-----\n${PROBE}\n-----END KEY-----\n    own-name: 1`],
    ['another document', `a:\n    secret: |\n${PROBE}\n---`],
  ])('a secret ends before %s', (_, text) => {
    for (const lines of [quotedLines(text), brokenLines(text)]) expect(lines.at(-1)).toBe(text.split('\n').at(-1));
  });
});

describe('in a file that parses', () => {
  const route = (fields: string) =>
    `https_edges:\n  secret:\n    routes:\n      api_key: { webhook_verification: { ${fields} }, match: / }\n`;

  test.each([
    ['only the value is hidden', route('secret: abc, provider: x'), 'secret: (sensitive), provider: x'],
    ['a reference is shown', route('secret: "${var.abc}", provider: x'), 'secret: "${var.abc}", provider: x'],
    [
      'a text around a reference is not',
      route('secret: "${var.abc}def", provider: x'),
      'secret: (sensitive), provider: x',
    ],
    ['a value of another type is hidden', route('secret: [abc, { a: b }]'), 'secret: (sensitive) }'],
    [
      'names of headers say nothing',
      'a: 1\nhttps_edges: { e: { routes: { r: { request_headers: { add: { secret: abc } } } } } }',
      '{ secret: abc }',
    ],
    [
      'a plain default is shown',
      'variables: { a: { default: abc }, b: { sensitive: true, default: def } }',
      'a: { default: abc }, b: { sensitive: true, default: (sensitive) }',
    ],
    [
      'a default that may be sensitive is hidden',
      'variables: { a: { default: abc, sensitive: "yes" } }',
      '{ default: (sensitive), sensitive',
    ],
    ['a field at a wrong place', 'tls_edges: { e: { client_secret: abc } }', 'client_secret: (sensitive) }'],
    [
      'a preset is sensitive where it is for any kind',
      'presets: { p: { oauth: { provider: { github: { client_id: abc, client_secret: def } } } } }',
      'client_id: abc, client_secret: (sensitive) }',
    ],
    [
      'also in the blocks of routes in it',
      'presets: { secret: { routes: { api_key: { webhook_verification: { secret: abc, provider: x } } } } }',
      'secret: (sensitive), provider: x',
    ],
    [
      'a reference in a preset is shown',
      'presets: { p: { webhook_verification: { secret: "${var.a}" } } }',
      '"${var.a}"',
    ],
    [
      'names of headers in a preset say nothing',
      'presets: { p: { request_headers: { add: { x-secret: abc } } } }',
      '{ x-secret: abc }',
    ],
    ['names of outputs say nothing', 'outputs: { secret: abc }', 'secret: abc'],
    [
      'examples of policies hold manifests',
      'tests: [{ manifest: { https_edges: { e: { oidc: { client_secret: abc } } } } }]',
      'client_secret: (sensitive) }',
    ],
  ])('%s', (_, text, expected) => {
    expect(quotedLines(text).join('\n')).toContain(expected);
  });

  test('every line of a value of several lines is hidden, and only those', () => {
    const lines = quotedLines(
      route('x: 1').replace('{ x: 1 }', '{\n        secret: "a\n          b\n\n          c", x: 1 }'),
    );
    expect(lines.slice(4, 8)).toEqual([
      '        secret: (sensitive)',
      '          (sensitive)',
      '',
      '          (sensitive), x: 1 }, match: / }',
    ]);
  });

  test('a byte order mark and Windows line ends move nothing', () => {
    const text = '\ufeffversion: 1\r\nhttps_edges: { e: { oidc: { client_secret: abc, x: 1 } } }\r\n';
    expect(quotedLines(text)[1]).toBe('https_edges: { e: { oidc: { client_secret: (sensitive), x: 1 } } }');
  });

  test('a known secret is hidden wherever it is, and the mark stays on what is meant', () => {
    new Secret('hunter2hunter2');
    const text = 'a: hunter2hunter2 # hunter2hunter2\nb: hunter2hunter2x, bogus';
    const quote = quoteFrom(quotedFile({ name: 'a.yaml', text }));
    expect(quote(1)?.text).toBe('a: (sensitive) # (sensitive)');
    const { text: line = '', mark = { start: 0, end: 0 } } = quote(2, { start: 20, end: 25 }) ?? {};
    expect([line, line.slice(mark.start, mark.end)]).toEqual(['b: (sensitive)x, bogus', 'bogus']);
  });

  test.each([
    [3, 10, '(sensitive)'],
    [0, 5, 'b: (sensitive)'],
    [5, 20, '(sensitive)x, '],
    [0, 2, 'b:'],
  ])('a mark from %d to %d that touches a secret has all of its mask', (start, end, expected) => {
    new Secret('hunter2hunter2');
    const quoted = quoteFrom(quotedFile({ name: 'a.yaml', text: 'b: hunter2hunter2x, bogus' }))(1, { start, end });
    expect(quoted?.text.slice(quoted.mark.start, quoted.mark.end)).toBe(expected);
  });

  test('a line past the end is none', () => {
    expect(quoteFrom(quotedFile({ name: 'a.yaml', text: 'a' }))(2)).toBeUndefined();
  });
});

describe('a fleet file', () => {
  const text = 'version: 1\nstacks:\n  - { name: a, variables: { pw: abc, env: prod }, bogus: 1 }\n';
  const lines = (isSensitive: (name: string) => boolean) => {
    return quotedLines(text, quotedFleetFile({ name: 'edgeform.fleet.yaml', text }, isSensitive));
  };

  test('shows values of variables that no manifest declares sensitive', () => {
    expect(lines(() => false).join('\n')).toBe(text);
    expect(lines((name) => name === 'pw')[2]).toBe(
      '  - { name: a, variables: { pw: (sensitive), env: prod }, bogus: 1 }',
    );
  });
});

test.each(['', '  ', '\t', ' {', "'"])('lines of %j before a problem are read once', (line) => {
  // An expression that is tried again from each of them would need hours.
  expect(brokenLines(`${`${line}\n`.repeat(5_000)}bogus: 1`).at(-1)).toBe('bogus: 1');
  expect(brokenLines(`${line.repeat(200_000)}bogus: 1`)).toHaveLength(1);
});

test('a fleet file that does not parse shows no variable', () => {
  const text = `stacks:\n  - { name: a, variables: { hook: ${PROBE}, b: [ } }`;
  const file = quotedFleetFile({ name: 'edgeform.fleet.yaml', text }, () => false);
  expect(quotedLines(text, file).join('\n')).not.toContain(PROBE);
});
