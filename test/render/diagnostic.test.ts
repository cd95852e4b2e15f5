import { describe, expect, test } from 'vitest';
import { errorJson } from '../../src/render/view/documents.ts';
import { renderDiagnosticsAs } from '../../src/render/formats.ts';
import { maskedLines } from '../../src/render/view/mask-source.ts';
import { plain, renderDiagnostics, diagnosticsJson } from './sample.ts';

const MANIFEST = `version: 1
stack: shop
tls_edges:
  db:
    description: Public site
    tls_terminaton: { terminate_at: edge }
    hostports: [a.example.com]
  db:
    description: twice
`;

const problems = [
  {
    code: 'duplicate-key',
    severity: 'error',
    message: '"db" is given twice',
    range: { file: 'edgeform.yaml', line: 8, column: 3, endLine: 8, endColumn: 5 },
    related: [
      { message: 'first given here', range: { file: 'edgeform.yaml', line: 4, column: 3, endLine: 4, endColumn: 5 } },
    ],
  },
  {
    code: 'unknown-field',
    severity: 'error',
    message: 'unknown field "tls_terminaton" in tls_edges.db',
    address: 'tls_edges.db',
    range: { file: 'edgeform.yaml', line: 6, column: 5, endLine: 6, endColumn: 19 },
    expected: 'one of: backend, description, hostports, ip_restriction, metadata, mutual_tls, tls_termination',
    got: '"tls_terminaton"',
    fix: 'did you mean "tls_termination"?',
  },
  { code: 'missing-setting', severity: 'warning', message: 'no base URL is set', fix: 'set EDGEFORM_BASE_URL' },
] as const;

describe('renderDiagnostics', () => {
  test('every problem has what, where, the lines, expected, got and fix', async () => {
    const text = renderDiagnostics(problems, new Map([['edgeform.yaml', MANIFEST]]), plain);
    await expect(`${text}\n`).toMatchFileSnapshot('golden/diagnostics.txt');
  });

  test.each([
    ['  名前: { 色: red }', '色', '          ^^'],
    ['  a\u0301: bad', 'bad', '     ^^^'],
    ['  "😀": 😀', ': 😀', '      ^^^^'],
    ['  "\u202e": x', 'x', `${' '.repeat(14)}^`],
    [`# ${'名'.repeat(200)} x: y ${'名'.repeat(200)}`, 'x: y', undefined],
  ])('the mark of %j is below and around what is meant, however wide it is', (line, meant, below) => {
    const column = line.lastIndexOf(meant) + 1;
    const range = { file: 'm.yaml', line: 1, column, endLine: 1, endColumn: column + meant.length };
    const problem = { code: 'unknown-field', severity: 'error', message: 'm', range } as const;
    const found = { diagnostics: [problem], sources: new Map([['m.yaml', line]]) };
    expect(renderDiagnosticsAs('html', found, plain)).toContain(`<mark>${meant}</mark>`);
    const under =
      renderDiagnosticsAs('text', found, plain)
        .split('\n')
        .find((one) => /\|.*\^/.test(one)) ?? '';
    if (below !== undefined) expect(under.slice(under.indexOf('|') + 2)).toBe(below);
  });

  test('no line of an excerpt is wider than the terminal, and the mark stays below what is meant', () => {
    const line = `    github: { client_id: ${'a'.repeat(70)}, teams: acme/ops } # ${'b'.repeat(70)}`;
    const column = line.indexOf('acme') + 1;
    const range = { file: 'm.yaml', line: 2, column, endLine: 2, endColumn: column + 8 };
    const sources = new Map([['m.yaml', `provider: { name: ${'c'.repeat(99)} }\n${line}`]]);
    for (const width of [30, 60, 80]) {
      const style = { ...plain, width, isTerminal: true };
      const text = renderDiagnostics([{ code: 'wrong-type', severity: 'error', message: 'm', range }], sources, style);
      const shown = text.split('\n').filter((one) => one.includes(' | '));
      expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(width);
      expect(shown.at(-1)?.indexOf('^^^^^^^^')).toBe(shown.at(-2)?.indexOf('acme/ops'));
    }
  });

  test('nothing to say is the empty text', () => {
    expect(renderDiagnostics([], new Map(), plain)).toBe('');
  });

  test('a place in a file that is not at hand, or past its end, is still named', () => {
    const range = { file: 'gone.yaml', line: 99, column: 1, endLine: 99, endColumn: 2 };
    const problem = { code: 'unknown-field', severity: 'error', message: 'm', range } as const;
    expect(renderDiagnostics([problem], new Map([['gone.yaml', 'a']]), plain)).toContain('--> gone.yaml:99:1');
  });

  test('no line ends in a space, however narrow the terminal', () => {
    const sources = new Map([['edgeform.yaml', MANIFEST]]);
    for (let width = 20; width < 120; width++) {
      expect(renderDiagnostics(problems, sources, { ...plain, width })).not.toMatch(/ $/m);
    }
  });

  test('many problems of one code are counted', () => {
    const many = Array.from(
      { length: 25 },
      () => ({ code: 'unknown-field', severity: 'error', message: 'm' }) as const,
    );
    const text = renderDiagnostics(many, new Map(), plain);
    expect(text.match(/error: m/g)).toHaveLength(20);
    expect(text).toContain('and 5 more [unknown-field]');
    expect(text.endsWith('25 errors')).toBe(true);
  });
});

const PROBE = 'hunter2-probe';

describe('maskedLines', () => {
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
    expect(maskedLines(text).join('\n')).not.toContain(PROBE);
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
    expect(maskedLines(text)).toEqual(text.split('\n'));
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
    expect(maskedLines(text).at(-1)).toBe(text.split('\n').at(-1));
  });
});

describe('JSON documents', () => {
  test('diagnostics carry every field of the format, sorted by place', () => {
    expect(JSON.parse(diagnosticsJson(problems))).toMatchObject({
      format: 'edgeform-diagnostics/1',
      ok: false,
      diagnostics: [
        { code: 'missing-setting', severity: 'warning', file: null, line: null, column: null, address: null },
        { code: 'unknown-field', file: 'edgeform.yaml', line: 6, column: 5, address: 'tls_edges.db' },
        { code: 'duplicate-key', line: 8 },
      ],
    });
  });

  test('an early failure has its exit code', () => {
    expect(JSON.parse(errorJson(4, problems))).toMatchObject({ format: 'edgeform-error/1', exit_code: 4 });
  });
});

test.each(['', '  ', '\t', ' {', "'"])('lines of %j before a problem are read once', (line) => {
  // An expression that is tried again from each of them would need hours.
  const text = `${line}\n`.repeat(50_000);
  expect(maskedLines(`${text}bogus: 1`).at(-1)).toBe('bogus: 1');
  expect(maskedLines(`${line.repeat(200_000)}bogus: 1`)).toHaveLength(1);
});

test('a fleet file shows no value of a variable', () => {
  const text =
    'version: 1\nstacks:\n  - { name: a, variables: { pw: hunter2hunter2 }, bogus: 1 }\n  - name: b\n    variables:\n      pw: hunter2hunter2\n    path: x\n';
  const masked = maskedLines(text).join('\n');
  expect(masked).not.toContain('hunter2');
  expect(masked).toContain('path: x');
});
