// Text that attacks its readers, in every place of a plan, a report and a problem: inert in every format.

import { createHash } from 'node:crypto';
import type { Code } from '../../src/core/codes.ts';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import type { Nodes } from 'mdast';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import type { ReportView } from '../../src/render/view/documents.ts';
import { ATTACKS } from './attacks.ts';
import { FORMATS, formatsFor, renderDiagnosticsAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import { everywhere } from './everywhere.ts';
import { changeOf, plain, planOf, stepOf } from './sample.ts';
import { quoting } from '../support/quoting.ts';

/** Every place where the text can be. */
function everyRendering(format: (typeof FORMATS)[number], text: string): string[] {
  const { plan, result, problem } = everywhere(text);
  const placeless = { code: text as Code, severity: 'warning', message: text, address: text } as const;
  const ending: ReportView = {
    plan,
    results: [result],
    result: 'partial',
    exitCode: 3,
    diagnostics: [problem, placeless],
  };
  const found = { diagnostics: [problem, placeless], sources: quoting(text, `a: 1\n${text}\n`) };
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

const OURS =
  /^(?:<!-- edgeform:\w+(?: [a-z]+=[\w.:/%-]*)* -->|(?:<details(?: open)?>\n)?<summary>(?:<b>[\w, ]+<\/b>|(?:[^<>]|<code>[^<>]*<\/code>)*)<\/summary>|<\/details>(?:\n<\/details>)*)$/;
/** What readers of GitHub and GitLab act on in plain words. */
const LIVE = [/@\w/, /[#!]\d/, /:\/\/|www\./, /\bGH-\d/, /\b[0-9a-f]{7,40}\b/, /^\s*\/\w/m, /:\w+:/, /[<>$\\]|&\w/];
const PHRASES: readonly string[] = ['text', 'inlineCode', 'strong', 'emphasis', 'break'];
const BLOCKS: readonly string[] = [
  ...['root', 'paragraph', 'heading', 'blockquote', 'list', 'listItem', 'code', 'thematicBreak'],
  ...['table', 'tableRow', 'tableCell', 'html'],
];

/** What a reader of Markdown makes of a document: its blocks in order, and whatever is none of ours. */
interface Reading {
  readonly blocks: readonly string[];
  readonly wrong: readonly string[];
}

const readings = new Map<string, readonly Reading[]>();

/** How each rendering of a text is read; several tests ask for it. */
function readingsOf(text: string): readonly Reading[] {
  const made = readings.get(text) ?? everyRendering('markdown', text).map(readMarkdown);
  readings.set(text, made);
  return made;
}

function readMarkdown(markdown: string): Reading {
  const blocks: string[] = [];
  const wrong: string[] = [];
  const visit = (node: Nodes) => {
    if (BLOCKS.includes(node.type)) blocks.push(node.type);
    else if (!PHRASES.includes(node.type)) wrong.push(node.type);
    if (node.type === 'html' && !OURS.test(node.value)) wrong.push(node.value);
    const words =
      node.type === 'html' ? node.value.replace(/<code>[^<>]*<\/code>|<!--.*-->|<\/?[a-z]+(?: open)?>/g, '') : '';
    if (LIVE.some((one) => one.test(words))) wrong.push(words);
    if (node.type === 'text' && LIVE.some((one) => one.test(node.value.replace(/^\[!CAUTION\]/, ''))))
      wrong.push(node.value);
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return { blocks, wrong };
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
      if (format === 'html') expect(rendering.length).toBeGreaterThan(0);
    }
    if (format === 'markdown') expect(readingsOf(text).flatMap(({ wrong }) => wrong)).toEqual([]);
  });
});

describe('markdown', () => {
  test.each(ATTACKS.filter((text) => text.length < 1_000 && text !== ''))(
    '%j does not add a cell, a row or a section',
    (text) => {
      const structure = (given: string) => readingsOf(given).map(({ blocks }) => blocks);
      expect(structure(text)).toEqual(structure('x'));
    },
  );

  test('everything is inert, the footer included', () => {
    const style = { ...plain, comment: { version: '<b>', commit: '@octocat' } };
    for (const text of ATTACKS)
      expect(readMarkdown(renderPlanAs('markdown', everywhere(text).plan, style)).wrong).toEqual([]);
  });
});

describe('html', () => {
  /** Tags with their attribute names, read as a browser does: a tag begins at `<` and a letter. */
  const skeleton = (html: string) =>
    (html.match(/<[^>]*>/g) ?? [])
      .map((tag) => tag.replace(/="[^"]*"/g, ''))
      .filter((tag) => !/ins|del|span|pre/.test(tag));

  const forms = (given: string) => everyRendering('html', given).map((html) => new Set(skeleton(html)));
  const harmless = forms('x');

  test.each(ATTACKS.filter((text) => text !== ''))('%j adds no element and no attribute', (text) => {
    expect(forms(text)).toEqual(harmless);
  });

  test('there is no script, no address and no event', () => {
    const pages = everyRendering('html', '"><script>x</script>');
    for (const html of pages) {
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
      const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
      expect(html).toContain(`default-src 'none'; style-src ${source}; base-uri 'none'; form-action 'none'"`);
      expect(html.match(/<(?:script|style)/g)).toEqual(['<style']);
      const body = html.replace(style, '');
      expect(body).not.toMatch(/<link|<img|<iframe|\bsrc=|\bstyle=| action=|url\(|@import|\bon\w+=/i);
      expect(body.match(/href="(?!#step-\d+")/g)).toBeNull();
      expect(style).not.toMatch(/url\(|@import|https?:/);
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
    reason: { code: 'differs', text: '1 value differs' },
    changes: [changeOf({ path: 'target.kinesis.auth', before: hidden, after: hidden, sensitive: true })],
    requests: [{ method: 'PATCH', path: '/x', body: { secret: { sensitive: true, from: 'a#b' } } }],
  });
  if (formatsFor('plan').includes(format)) {
    const text = renderPlanAs(format, planOf({ steps: [step], summary: { update: 1 } }), { ...plain, detail: 'full' });
    if (!/^(?:json|sarif|junit)$/.test(format)) expect(text).toContain('(sensitive, changed)');
  }
  const source = 'version: 1\nstack: shop\napi_keys: { ci: { secret: probe-77 } }\n';
  const range = { file: 'a.yaml', line: 3, column: 1, endLine: 3, endColumn: 5 };
  const found = {
    diagnostics: [{ code: 'unknown-field', severity: 'error', message: 'm', range }] as const,
    sources: quoting('a.yaml', source),
  };
  if (formatsFor('problems').includes(format))
    expect(renderDiagnosticsAs(format, found, plain)).not.toContain('probe-77');
});
