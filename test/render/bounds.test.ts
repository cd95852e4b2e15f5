// However much is wrong, and however long it is, what is printed of it is bounded.

import { describe, expect, test } from 'vitest';
import { truncateMiddle } from '../../src/core/bounds.ts';
import type { Diagnostic, QuotedFiles } from '../../src/core/diagnostic.ts';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { formatsFor, renderDiagnosticsAs } from '../../src/render/formats.ts';
import { truncate } from '../../src/render/markdown/markdown.ts';
import { inline } from '../../src/render/view/values/value.ts';
import { plain, renderDiagnostics } from './sample.ts';
import { quoting } from '../support/quoting.ts';

const MB = 1024 * 1024;

function problemsOf(text: string): { readonly diagnostics: readonly Diagnostic[]; readonly sources: QuotedFiles } {
  const files = [{ name: 'edgeform.yaml', text }];
  const { diagnostics } = loadManifest({ files, variables: new Map(), env: {}, readFile: () => ({ diagnostics: [] }) });
  return { diagnostics, sources: quoting('edgeform.yaml', text) };
}

const at = (line: number, column: number, length: number) => ({
  file: 'f.yaml',
  line,
  column,
  endLine: line,
  endColumn: column + length,
});

const LONG: readonly (readonly [string, string])[] = [
  [
    'a long line with one wrong word',
    `version: 1\nstack: shop\ntls_edges: { db: { description: "${'x'.repeat(MB)}", hostprts: [] } }\n`,
  ],
  ['a long unknown name', `version: 1\nstack: shop\n${'k'.repeat(MB)}: 1\n`],
  ['a long name of a resource', `version: 1\nstack: shop\ntls_edges: { ${'k'.repeat(1000)}: { hostports: 1 } }\n`],
  ['a long wrong value', `version: 1\nstack: "${'s'.repeat(MB)}"\n`],
  ['a long reference', `version: 1\nstack: shop\noutputs: { a: "\${tls_edges.${'k'.repeat(MB)}.id}" }\n`],
  ['a long expression', `version: 1\nstack: shop\noutputs: { a: "\${${'k '.repeat(MB / 16)}}" }\n`],
  [
    'a long literal id',
    `version: 1\nstack: shop\ntls_edges: { a: { hostports: ["a:1"], backend: { backend_id: ${'k'.repeat(MB)} } } }\n`,
  ],
];

const FOUND = LONG.map(([name, text]) => [name, problemsOf(text)] as const);
const MANY = Array.from({ length: 110_000 }, (_, index): Diagnostic => ({
  code: index % 2 === 0 ? 'unknown-field' : 'wrong-type',
  severity: 'error',
  message: `problem ${index}`,
  range: at(index + 1, 1, 1),
  expected: 'something else',
}));

describe.each(formatsFor('problems'))('%s', (format) => {
  test.each(FOUND)('%s', (_, found) => {
    expect(found.diagnostics.length).toBeGreaterThan(0);
    expect(renderDiagnosticsAs(format, found, plain).length).toBeLessThan(30_000);
  });

  test('a hundred thousand problems are counted, and some of them shown', () => {
    const text = renderDiagnosticsAs(format, { diagnostics: MANY, sources: new Map() }, plain);
    expect(text.length).toBeLessThan((format === 'sarif' ? 2 : 1.5) * MB);
    expect(text).toMatch(format === 'json' ? /there are 54000 more problems of this kind/ : /110000 errors|more/);
  });

  test('thousands of places that belong to one problem', () => {
    const related = Array.from({ length: 10_000 }, (_, index) => ({
      message: `part ${index}`,
      range: at(index + 1, 1, 1),
    }));
    const diagnostics: Diagnostic[] = [{ code: 'reference-cycle', severity: 'error', message: 'a cycle', related }];
    const text = renderDiagnosticsAs(format, { diagnostics, sources: new Map() }, plain);
    expect(text.length).toBeLessThan(20_000);
    if (format === 'text') expect(text).toContain('part 4; and 9995 more places');
  });
});

test('a document lists a thousand of each code, and then how many more there are', () => {
  const diagnostics = Array.from({ length: 1_500 }, (_, index): Diagnostic => ({
    code: 'unknown-field',
    severity: index === 1_400 ? 'error' : 'warning',
    message: 'm',
  }));
  const text = renderDiagnosticsAs('json', { diagnostics, sources: new Map() }, plain);
  const document = JSON.parse(text) as { ok: boolean; diagnostics: Diagnostic[] };
  expect(document.ok).toBe(false);
  expect(document.diagnostics).toHaveLength(1_001);
  expect(document.diagnostics.at(-1)).toMatchObject({
    code: 'unknown-field',
    severity: 'error',
    message: expect.stringContaining('500 more'),
  });
});

test.each([0, 50, 500, 100_000, 199_995])('a long line is shown around its mark at %i', (mark) => {
  const line = `${'a'.repeat(mark)}WRONG${'b'.repeat(200_000 - mark)}`;
  const diagnostics: Diagnostic[] = [
    { code: 'unknown-field', severity: 'error', message: 'm', range: at(2, mark + 1, 5) },
  ];
  const text = renderDiagnostics(diagnostics, quoting('f.yaml', `${'c'.repeat(300_000)}\n${line}\n`), plain);
  const lines = text.split('\n');
  const shown = lines.find((one) => one.includes('WRONG')) ?? '';
  const marks = lines.find((one) => one.includes('^')) ?? '';
  expect(marks.indexOf('^^^^^')).toBe(shown.indexOf('WRONG'));
  expect(Math.max(...lines.map((one) => one.length))).toBeLessThan(300);
});

test('a mark over all of a long line ends with what is shown', () => {
  const diagnostics: Diagnostic[] = [{ code: 'unknown-field', severity: 'error', message: 'm', range: at(1, 1, MB) }];
  const text = renderDiagnostics(diagnostics, quoting('f.yaml', 'x'.repeat(MB)), plain);
  expect(text.length).toBeLessThan(1_000);
});

test('a value that a service made endless is shown in part, and one that the API takes as a whole', () => {
  expect(inline('x'.repeat(32 * MB)).length).toBeLessThan(101_000);
  expect(inline({ a: ['x'.repeat(64 * 1024)] })).toContain('x'.repeat(64 * 1024));
});

test('no cut leaves a half of a secret', () => {
  const secret = new Secret('hunter2-probe-of-the-bounds').reveal();
  const pieces = Array.from({ length: secret.length - 6 }, (_, index) => secret.slice(index, index + 7));
  for (let lead = 0; lead < 300; lead += 7) {
    const text = `${'x'.repeat(lead)}${`${secret} `.repeat(200)}`;
    const short = truncateMiddle(text);
    expect(short.length).toBeLessThan(1_100);
    const line = `${'x'.repeat(lead)}${`${secret}--`.repeat(30)}WRONG${`${secret}--`.repeat(30)}`;
    const range = at(1, line.indexOf('WRONG') + 1, 5);
    const frame = renderDiagnostics(
      [{ code: 'unknown-field', severity: 'error', message: 'm', range }],
      quoting('f.yaml', line),
      plain,
    );
    // Whole ones are for the filter, behind which nothing is cut any more.
    const left = [short, frame.replaceAll(secret, '')].flatMap((one) => pieces.filter((piece) => one.includes(piece)));
    expect(left).toEqual([]);
  }
});

test('no half of a secret is left where a summary cuts', () => {
  const secret = new Secret('S3cr3tValue42X').reveal();
  for (let length = 80; length <= 100; length++)
    expect(knownSecrets.mask(truncate(`${'x'.repeat(length)}${secret} and more`, 100))).not.toMatch(/S3c/);
});
