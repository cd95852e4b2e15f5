// Text that attacks its readers, in every place of a plan, a report and a problem: inert in every format.

import { createHash } from 'node:crypto';
import type { Code } from '../../src/core/codes.ts';
import { describe, expect, test } from 'vitest';
import type { ReportView } from '../../src/render/view/documents.ts';
import { FORMATS, formatsFor, renderDiagnosticsAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { ATTACKS } from './attacks.ts';
import { changeOf, plain, planOf, stepOf } from './sample.ts';

const LIVE_PLAN = (text: string) =>
  planOf({
    stack: text,
    service: text,
    steps: [
      stepOf({
        id: 's1',
        action: 'update',
        address: text,
        kind: 'tls_edge',
        live_id: text,
        reason: text,
        source: `${text}:1:2`,
        loss: text,
        changes: [
          changeOf({ path: 'description', before: 'a', after: text, note: text }),
          changeOf({ path: text, before: text, after: 'b', cause: 'drift' }),
          changeOf({ path: 'hostports', before: [text], after: ['a', `${text}2`], cause: 'both' }),
          changeOf({ path: 'metadata', before: `${text}\nb`, after: `${text}\nc` }),
          changeOf({ path: 'backend', after: { [text]: { [text]: [text] } } }),
        ],
        requests: [{ method: 'PATCH', path: text, body: { [text]: text } }],
      }),
      stepOf({ id: 's2', action: 'create', address: 'failover_backends.a', kind: 'failover_backend', source: text }),
    ],
    blocked: [{ address: text, path: text, reason: text }],
    refusals: [{ rule: text as Code, message: text, addresses: [text, text], flag: text }],
    unmanaged: [{ kind: text, id: text, owner: text }],
    outputs: { [text]: text },
    diagnostics: [{ code: text as Code, severity: 'error', message: text, address: text }],
  });

/** Every place where the text can be. */
function everyRendering(format: (typeof FORMATS)[number], text: string): string[] {
  const plan = LIVE_PLAN(text);
  const result = {
    id: 's1',
    address: text,
    action: 'update',
    status: 'failed',
    live_id: text,
    error: text,
    requests_done: 1,
  } as const;
  const range = { file: text, line: 2, column: 1, endLine: 2, endColumn: 5 };
  const problem = {
    code: text as Code,
    severity: 'error',
    message: text,
    range,
    related: [{ message: text, range }],
    expected: text,
    got: text,
    fix: text,
  } as const;
  const placeless = { code: text as Code, severity: 'warning', message: text, address: text } as const;
  const ending: ReportView = {
    plan,
    results: [result],
    result: 'partial',
    exitCode: 3,
    diagnostics: [problem, placeless],
  };
  const found = { diagnostics: [problem, placeless], sources: new Map([[text, `a: 1\n${text}\n`]]) };
  const full = { ...plain, detail: 'full' as const };
  const all = {
    plan: () => [renderPlanAs(format, plan, full), renderPlanAs(format, plan, { ...full, width: 30 })],
    report: () => [
      renderReportAs(format, ending, full),
      renderReportAs(format, { ...ending, results: [], result: 'refused' }, full),
      renderReportAs(format, { ...ending, result: 'done' }, full),
    ],
    problems: () => [renderDiagnosticsAs(format, found, { ...plain, width: 30 })],
  };
  return (['plan', 'report', 'problems'] as const).flatMap((is) => (formatsFor(is).includes(format) ? all[is]() : []));
}

/** What is left of Markdown without its code: fenced blocks by line, then spans with runs of equal length. */
function withoutCode(markdown: string): string {
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const run = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    if (fence === undefined && run !== null) fence = run[1] ?? '';
    else if (fence === undefined) lines.push(line);
    else if (run !== null && (run[1] ?? '').length >= fence.length && run[2]?.trim() === '') fence = undefined;
  }
  expect(fence).toBeUndefined();
  return lines.map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, 'CODE')).join('\n');
}

const OUR_TAGS =
  /^<!-- edgeform:\w+(?: [a-z]+=[\w.:/%-]*)* -->\n|<summary>[^<>]*<code>[^<>]*<\/code><\/summary>|<\/?details>|<br>/g;

/** A second reading of what is left: nothing but our own tags, bold and italic words, lists and tables. */
function liveMarkup(markdown: string): string[] {
  const left = withoutCode(markdown).replace(OUR_TAGS, '');
  const patterns = [
    /[<>`\\$&]/g,
    /@\w/g,
    /#\w/g,
    /\]\(|!\[|\]:/g,
    /:\/\/|www\./g,
    /\bGH-\d/g,
    /\b[0-9a-f]{7,40}\b/g,
    /^\s*(?:\/|>|~~~|#)/gm,
    /:\w+:/g,
  ];
  return patterns.flatMap((pattern) => left.match(pattern) ?? []);
}

/** Commands as the runner of GitHub finds them in a log. */
function commandsIn(log: string): string[] {
  return log
    .split(/\r\n|[\r\n\u2028\u2029\u0085]/)
    .filter((line) => line.trimStart().startsWith('::') || /##\w*\[/.test(line))
    .map(
      (line) => /^::(?:(error|warning) (?:(?:file|line|col|title)=[^:,]*,?)+|group|endgroup)::/.exec(line)?.[0] ?? line,
    )
    .map((command) => (/^::(\w+)/.exec(command)?.[1] ?? '') + (command.endsWith('::') ? '' : ` ${command}`));
}

describe.each(FORMATS.map((format) => ({ format })))('$format', ({ format }) => {
  test.each(ATTACKS)('%j is inert', (text) => {
    for (const rendering of everyRendering(format, text)) {
      const controls =
        format === 'gitlab'
          ? rendering.replace(
              /\u001b\[0K(?:section_(?:start|end):0:edgeform_step_\d+(?:\[collapsed=true\])?\r\u001b\[0K)/g,
              '',
            )
          : rendering;
      expect(controls).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
      const ours = format === 'github' ? ['error', 'warning', 'group', 'endgroup'] : [];
      expect(commandsIn(rendering).filter((command) => !ours.includes(command))).toEqual([]);
      if (format === 'markdown') expect(liveMarkup(rendering)).toEqual([]);
      if (format === 'html') expect(rendering.length).toBeGreaterThan(0);
    }
  });
});

describe('markdown', () => {
  test.each(ATTACKS.filter((text) => text.length < 1_000))('%j does not add a cell, a row or a section', (text) => {
    const structure = (given: string) =>
      everyRendering('markdown', given).map((markdown) => {
        const left = withoutCode(markdown).split('\n');
        const cells = left.filter((line) => line.startsWith('|')).map((line) => line.split('|').length);
        return { cells, details: left.filter((line) => /^<\/?details>$/.test(line)).length };
      });
    expect(structure(text)).toEqual(structure('x'));
  });
});

describe('html', () => {
  /** Tags with their attribute names, read as a browser does: a tag begins at `<` and a letter. */
  const skeleton = (html: string) =>
    (html.match(/<[^>]*>/g) ?? [])
      .map((tag) => tag.replace(/="[^"]*"/g, ''))
      .filter((tag) => !/ins|del|span|pre/.test(tag));

  test.each(ATTACKS.filter((text) => text !== ''))('%j adds no element and no attribute', (text) => {
    const forms = (given: string) => everyRendering('html', given).map((html) => new Set(skeleton(html)));
    expect(forms(text)).toEqual(forms('x'));
  });

  test('there is no script but ours, no address and no event', () => {
    const pages = everyRendering('html', '"><script>x</script>');
    for (const html of pages) {
      const [, style = '', script = ''] =
        /<style>([^<]*)<\/style>.*<script>([^<]*)<\/script>\n<\/body>/s.exec(html) ?? [];
      const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
      expect(html).toContain(`default-src 'none'; style-src ${source(style)}; script-src ${source(script)};`);
      expect(html.match(/<(?:script|style)/g)).toHaveLength(2);
      const body = html.replace(script, '').replace(style, '');
      expect(body).not.toMatch(/<link|<img|<iframe|\bsrc=|\bstyle=| action=|url\(|@import|\bon\w+=/i);
      expect(body.match(/href="(?!#step-\d+")/g)).toBeNull();
      expect(style + script).not.toMatch(
        /url\(|@import|https?:|innerHTML|insertAdjacent|createElement|eval|fetch|import\b/,
      );
    }
  });
});

test.each(FORMATS.map((format) => ({ format })))('a secret is never printed in $format', ({ format }) => {
  const hidden = { sensitive: true };
  const step = stepOf({
    id: 's1',
    action: 'update',
    address: 'event_destinations.a',
    kind: 'event_destination',
    live_id: 'ed_1',
    reason: '1 value differs',
    changes: [changeOf({ path: 'target.kinesis.auth', before: hidden, after: hidden, sensitive: true })],
    requests: [{ method: 'PATCH', path: '/x', body: { secret: { sensitive: true, from: 'a#b' } } }],
  });
  if (formatsFor('plan').includes(format)) {
    const text = renderPlanAs(format, planOf({ steps: [step], summary: { update: 1 } }), { ...plain, detail: 'full' });
    if (!/^(?:json|gitlab-terraform)$/.test(format)) expect(text).toContain('(sensitive, changed)');
  }
  const source = 'version: 1\nstack: shop\napi_keys: { ci: { secret: canary-77 } }\n';
  const range = { file: 'a.yaml', line: 3, column: 1, endLine: 3, endColumn: 5 };
  const found = {
    diagnostics: [{ code: 'unknown-field', severity: 'error', message: 'm', range }] as const,
    sources: new Map([['a.yaml', source]]),
  };
  if (formatsFor('problems').includes(format))
    expect(renderDiagnosticsAs(format, found, plain)).not.toContain('canary-77');
});
