// The first line of a Markdown document: programs read it, nobody sees it, and nothing ends it early.

import { describe, expect, test } from 'vitest';
import type { ReportView } from '../../src/render/view/documents.ts';
import { renderDiagnosticsAs, renderDriftAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { drifted } from './drift-sample.ts';
import { everything, plain, planOf, stepOf } from './sample.ts';

/** As docs/formats.md describes it. */
function read(document: string): { readonly is: string; readonly facts: Readonly<Record<string, string>> } {
  const [line = ''] = document.split('\n');
  const [, is = '', rest = ''] = /^<!-- edgeform:([a-z]+)((?: [a-z]+=[^ ]*)*) -->$/.exec(line) ?? [];
  const pairs = rest.split(' ').slice(1);
  return {
    is,
    facts: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
    ),
  };
}

const step = stepOf({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge' });
const refusal = { rule: 'irreplaceable', message: 'm', addresses: [], flag: null } as const;
const error = { code: 'unknown-field', severity: 'error', message: 'm' } as const;

test('a plan tells its stack, its result and what it is known by', () => {
  expect(renderPlanAs('markdown', planOf({ steps: [step] }), plain).split('\n')[0]).toBe(
    '<!-- edgeform:plan stack=shop service=https://api.example.com/ result=pending complete=true fingerprint=sha256:00 manifest=sha256:11 -->',
  );
});

test.each([
  [planOf({}), 'clean'],
  [planOf({ steps: [step] }), 'pending'],
  [
    planOf({ blocked: [{ code: 'cannot-remove', severity: 'error', address: 'a', path: 'b', message: 'c' }] }),
    'pending',
  ],
  [planOf({ steps: [step], refusals: [refusal] }), 'refused'],
  [planOf({ steps: [step], refusals: [refusal], diagnostics: [{ ...error, address: null }] }), 'error'],
])('the result of a plan: %#', (plan, result) => {
  expect(read(renderPlanAs('markdown', plan, plain)).facts['result']).toBe(result);
});

test('reports, drift and problems have theirs', () => {
  const ending: ReportView = { plan: everything, results: [], result: 'refused', exitCode: 5, diagnostics: [] };
  const clean = { ...drifted, drift: { ...drifted.drift, drifted: false } };
  const problems = (diagnostics: Parameters<typeof renderDiagnosticsAs>[1]['diagnostics']) =>
    read(renderDiagnosticsAs('markdown', { diagnostics, sources: new Map() }, plain));
  const known = { stack: 'shop', service: 'https://api.example.com/' };
  expect([
    read(renderReportAs('markdown', ending, plain)),
    read(renderDriftAs('markdown', drifted, plain)),
    read(renderDriftAs('markdown', clean, plain)).facts['result'],
    problems([error]),
    problems([{ ...error, severity: 'warning' }]).facts['result'],
  ]).toEqual([
    { is: 'report', facts: { ...known, result: 'refused', fingerprint: everything.fingerprint } },
    { is: 'drift', facts: { ...known, result: 'drifted' } },
    'clean',
    { is: 'problems', facts: { result: 'error' } },
    'clean',
  ]);
});

describe('whatever the stack is called', () => {
  test.each([
    ' result=clean -->',
    '--><script>x</script>',
    '--!> --> -->',
    'a--b---',
    '-',
    '>',
    '->',
    '@octocat #1 ![x](y)',
    'a\nb\r\u2028c\u0000',
    '%2D%2D%3E',
    "'()*~!",
    'ünï 🎛',
    ':tada: a:b:c',
  ])('%j', (stack) => {
    const document = renderPlanAs('markdown', planOf({ stack }), plain);
    expect(read(document)).toMatchObject({ is: 'plan', facts: { stack, result: 'clean' } });
    const [line = ''] = document.split('\n');
    expect(line.slice(4, -3)).not.toMatch(/--|[<>@#[\]()]|:\w+:|[^\x20-\x7e]/);
  });

  test('half a character, and more than a marker should hold', () => {
    for (const stack of ['\ud800', `${'x'.repeat(119)}🎛`, 'y'.repeat(5_000)]) {
      const { facts } = read(renderPlanAs('markdown', planOf({ stack }), plain));
      expect(facts['result']).toBe('clean');
      expect(facts['stack']?.length).toBeLessThanOrEqual(120);
    }
  });
});

test('no half of a secret is left where a value is cut', () => {
  const secret = 'secretvalue0123456789abcdef';
  new Secret(secret);
  const service = `http://127.0.0.1/${'x'.repeat(85)}/${secret}/`;
  expect(renderPlanAs('markdown', planOf({ service }), plain).split('\n')[0]).not.toContain('secretvalue');
});
