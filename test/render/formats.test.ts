// Documents for people in Markdown and HTML, logs of forges beside the text, and the sizes that documents keep to.

import type { Code } from '../../src/core/codes.ts';
import { describe, expect, test } from 'vitest';
import type { StepResult, StepStatus } from '../../src/apply/event.ts';
import type { ReportView } from '../../src/render/view/documents.ts';
import {
  type Format,
  isFormat,
  renderDiagnosticsAs,
  renderDriftAs,
  renderPlanAs,
  renderReportAs,
} from '../../src/render/formats.ts';
import { byteLength } from '../../src/core/text/text.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, everything, pageBody, plain, planOf, stepOf } from './sample.ts';
import { annotationsIn, lettersOf, unfolded, wordsOf } from './unfolded.ts';
import { quoting } from '../support/quoting.ts';

const DOCUMENTS = [
  ['markdown', 'md'],
  ['html', 'html'],
] as const;

const LOGS = ['github', 'gitlab'] as const;

const STATUSES: readonly StepStatus[] = ['done', 'failed', 'blocked', 'unknown', 'not_attempted'];

const partial: ReportView = {
  plan: everything,
  results: everything.steps.map(({ id, address, action, live_id }, index): StepResult => {
    const status = STATUSES[index % 5] ?? 'done';
    const error =
      status === 'failed' ? 'PATCH /edges/tls/edgtls_1 was answered with 400: hostports must not be empty' : null;
    return { id, address, action, status, live_id, error, requests_done: status === 'failed' ? 1 : 0 };
  }),
  result: 'unknown',
  exitCode: 7,
  diagnostics: [],
};

const refused: ReportView = {
  plan: everything,
  results: [],
  result: 'refused',
  exitCode: 5,
  diagnostics: [{ code: 'irreplaceable', severity: 'error', message: 'said by the plan already' }],
};

const done: ReportView = {
  plan: planOf({ outputs: { address: 'a.example.com:443' } }),
  results: partial.results.slice(0, 1),
  result: 'done',
  exitCode: 0,
  diagnostics: [],
};

const COMMENT_LIMIT = 60_000;

const range = { file: 'edgeform.yaml', line: 6, column: 5, endLine: 6, endColumn: 19 };
const found = {
  sources: quoting('edgeform.yaml', 'version: 1\nstack: shop\n'),
  diagnostics: [
    {
      code: 'unknown-field',
      severity: 'error',
      message: 'unknown field "tls_terminaton" in tls_edges.db',
      range,
      expected: 'one of: backend, tls_termination',
      got: '"tls_terminaton"',
      fix: 'did you mean "tls_termination"?',
    },
    { code: 'missing-setting', severity: 'warning', message: '100% of it, and more: no base URL' },
  ],
} as const;

const DRAWN = {
  'a plan': (format) => renderPlanAs(format, everything, plain),
  'a report': (format) => renderReportAs(format, partial, plain),
  problems: (format) => renderDiagnosticsAs(format, found, plain),
  drift: (format) => renderDriftAs(format, drifted, plain),
} as const satisfies Record<string, (format: Format) => string>;

describe.each(LOGS)('a log of %s', (format) => {
  test.each(Object.entries(DRAWN))('%s is the text without its folds', (_, draw) => {
    expect(wordsOf(unfolded(draw(format)))).toEqual(wordsOf(draw('text')));
  });
});

/** What GitHub shows beside the files: levels, places and titles. */
const ANNOTATED: Readonly<Record<keyof typeof DRAWN, readonly string[]>> = {
  'a plan': [
    'error edgeform.yaml:8:3 irreplaceable',
    'error edgeform.yaml:8:3 delete-budget',
    'error cannot-remove',
    'warning foreign-object',
  ],
  'a report': [
    'error edgeform.yaml:30:7 unknown: create https_edges.shop.routes.api',
    'error unknown: update failover_backends.spare',
    'error edgeform.yaml:8:3 failed: replace reserved_addrs.db',
    'error edgeform.yaml:50:3 failed: adopt event_destinations.audit',
  ],
  problems: ['error edgeform.yaml:6:5 unknown-field', 'warning missing-setting'],
  drift: [...Array.from({ length: 5 }, () => 'error drift'), 'warning drift'],
};

test.each(Object.entries(DRAWN))('annotations of %s are at their places, and the text says the same', (name, draw) => {
  const annotations = annotationsIn(draw('github'));
  expect(annotations.map(({ head }) => head)).toEqual(ANNOTATED[name as keyof typeof DRAWN]);
  const text = lettersOf(draw('text'));
  const untold = annotations.flatMap(({ lines }) => [lines[0]!, lines.at(-1)!]).filter((line) => !saysIn(text, line));
  expect(untold).toEqual([]);
});

const saysIn = (text: string, line: string) => line.split('; ').every((part) => text.includes(lettersOf(part)));

describe.each(DOCUMENTS)('%s', (format, extension) => {
  test('a plan with everything in it', async () => {
    const text = `${pageBody(renderPlanAs(format, everything, plain))}\n`;
    await expect(text).toMatchFileSnapshot(`golden/plan.${extension}`);
  });

  test('a report of a run that did not do everything', async () => {
    const text = `${pageBody(renderReportAs(format, partial, plain))}\n`;
    await expect(text).toMatchFileSnapshot(`golden/report.${extension}`);
  });

  test('problems of a manifest', async () => {
    const text = `${pageBody(renderDiagnosticsAs(format, found, plain))}\n`;
    await expect(text).toMatchFileSnapshot(`golden/diagnostics.${extension}`);
  });

  test('the summary line comes before everything else', () => {
    const text = renderPlanAs(format, planOf({}), plain);
    expect(text).toMatch(/No changes\.\s+Live state matches the manifest\./);
    expect(renderPlanAs(format, planOf({ complete: false }), plain)).not.toContain('Live state matches');
  });

  test('names and full detail show less and more', () => {
    const sizes = (['names', 'changes', 'full'] as const).map(
      (detail) => renderPlanAs(format, everything, { ...plain, detail }).length,
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(renderPlanAs(format, everything, { ...plain, detail: 'full' })).toContain('DELETE /edges/tls/edgtls_1');
  });
});

test('text and JSON stay what they are', () => {
  expect(JSON.parse(renderPlanAs('json', everything, plain))).toEqual(everything);
  expect(JSON.parse(renderReportAs('json', partial, plain))).toMatchObject({ exit_code: 7, stack: 'shop' });
  expect(JSON.parse(renderDiagnosticsAs('json', found, plain))).toMatchObject({ ok: false });
  expect(renderPlanAs('text', everything, plain)).not.toContain('::group::');
  expect(renderReportAs('text', partial, plain)).toContain('1 not attempted');
  expect(renderDiagnosticsAs('text', { ...found, diagnostics: [] }, plain)).toBe('');
  expect([isFormat('gitlab'), isFormat('xml')]).toEqual([true, false]);
});

test.each(['markdown', 'html'] as const)('a refused run in %s says what stands in the way', (format) => {
  const text = renderReportAs(format, refused, plain);
  expect(text).toContain('Nothing was changed.');
  expect(text).toContain('--allow-loss reserved_addrs.db');
  expect(text).not.toContain('said by the plan already');
  const lost = everything.steps.filter(({ loss }) => loss !== undefined).map(({ address }) => address);
  expect(lost.filter((address) => !text.includes(address))).toEqual([]);
  expect(text).toMatch(format === 'html' ? /<h2[^>]*>Deletes and replacements/ : /Deletes and replacements/);
  expect(renderReportAs(format, done, plain)).toContain('a.example.com:443');
  expect(renderDiagnosticsAs(format, { ...found, diagnostics: [] }, plain)).toContain('No problems found.');
});

test('a plan is wrapped at words on a terminal, but for its values', () => {
  const shown = renderPlanAs('text', everything, { ...plain, width: 40, isTerminal: true }).split('\n');
  const whole = renderPlanAs('text', everything, { ...plain, width: 40 });
  const isHead = (line: string) => /^(?:Stack|Plan|[±+~»«-] )/.test(line) && line.length > 40;
  expect(shown.filter(isHead)).toEqual([]);
  expect(whole.split('\n').filter(isHead)).not.toEqual([]);
  expect(shown.join(' ').split(/\s+/)).toEqual(whole.split(/\s+/));
});

test('steps that lose something are not folded in logs', () => {
  const github = renderPlanAs('github', everything, plain);
  expect(github).not.toMatch(/::group::[±-]/);
  expect(github.match(/^::group::/gm)).toHaveLength(github.match(/^::endgroup::/gm)?.length ?? 0);
  expect(renderPlanAs('gitlab', everything, plain)).not.toMatch(/collapsed=true\]\r\u001b\[0K[±-]/);
});

describe('size of Markdown', () => {
  const step = (index: number, after: string) =>
    stepOf({
      id: `s${index}`,
      action: 'create',
      address: `failover_backends.b${index}`,
      kind: 'failover_backend',
      changes: [changeOf({ path: 'description', after: `${index}${after}` })],
    });
  const planWith = (count: number, after: string) =>
    planOf({ summary: { create: count }, steps: Array.from({ length: count }, (_, index) => step(index, after)) });

  test('changes go first', () => {
    const text = renderPlanAs('markdown', planWith(300, 'x'.repeat(300)), plain);
    const shown = text.match(/```diff/g)?.length ?? 0;
    expect(text).toContain(`left out: ${300 - shown} differences.`);
    expect(shown).toBeLessThan(300);
    expect(text).toContain('`failover_backends.b299`');
  });

  test('then most steps', () => {
    const text = renderPlanAs('markdown', planWith(3_000, 'x'), plain);
    expect(byteLength(text)).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(text).toMatch(/^<!-- .* -->\n\n### shop: Plan: 3000 to create, /);
    const shown = text.match(/^- `\+` create/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(500);
    expect(text).toContain(`and ${3_000 - shown} more resources`);
    expect(text).toContain(`left out: ${3_000 - shown} resources, 3000 differences.`);
  });

  test.each([COMMENT_LIMIT, 20_000, 5_000, 2_000])('nothing is longer than %d, whatever the texts are', (limit) => {
    const long = '`|<'.repeat(500);
    const many = Array.from({ length: 40 }, () => long);
    const plan = planOf({
      stack: long,
      service: long,
      blocked: many.map((message) => ({
        code: 'cannot-remove',
        severity: 'error',
        address: long,
        path: long,
        message,
      })),
      refusals: many.map((message) => ({ rule: long as Code, message, addresses: many, flag: long })),
      diagnostics: many.map((message) => ({ code: long as Code, severity: 'error', message, address: null })),
    });
    const result = { ...partial.results[0]!, status: 'failed', address: long, error: long } as const;
    const texts = [
      renderPlanAs('markdown', plan, plain, limit),
      renderReportAs(
        'markdown',
        { ...partial, plan: { ...plan, refusals: [] }, results: many.map(() => result) },
        plain,
        limit,
      ),
      renderDiagnosticsAs(
        'markdown',
        {
          diagnostics: plan.diagnostics.map(({ code, message }) => ({ code, message, severity: 'error' })),
          sources: new Map(),
        },
        plain,
        limit,
      ),
    ];
    for (const text of texts) {
      expect(byteLength(text)).toBeLessThanOrEqual(limit);
      expect(text).toMatch(/This is too long/);
    }
  });

  test('thousands of steps are rendered in every format', () => {
    const plan = planWith(3_000, 'x');
    for (const format of ['text', 'markdown', 'html', ...LOGS] as const)
      expect(renderPlanAs(format, plan, plain)).toContain('3000 to create');
  });
});
