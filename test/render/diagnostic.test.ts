import { describe, expect, test } from 'vitest';
import { errorJson } from '../../src/render/view/documents.ts';
import { renderDiagnosticsAs } from '../../src/render/formats.ts';
import { plain, renderDiagnostics, diagnosticsJson } from './sample.ts';
import { quoting } from '../support/quoting.ts';

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
    const text = renderDiagnostics(problems, quoting('edgeform.yaml', MANIFEST), plain);
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
    const found = { diagnostics: [problem], sources: quoting('m.yaml', line) };
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
    const sources = quoting('m.yaml', `provider: { name: ${'c'.repeat(99)} }\n${line}`);
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
    expect(renderDiagnostics([problem], quoting('gone.yaml', 'a'), plain)).toContain('--> gone.yaml:99:1');
  });

  test('no line ends in a space, however narrow the terminal', () => {
    const sources = quoting('edgeform.yaml', MANIFEST);
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
