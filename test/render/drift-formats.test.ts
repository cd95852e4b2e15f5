// What drift found, in every format: inert, bounded, sentence first.

import { describe, expect, test } from 'vitest';
import type { DriftView } from '../../src/render/view/documents.ts';
import { formatsFor, renderDriftAs } from '../../src/render/formats.ts';
import { byteLength } from '../../src/core/text/text.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, pageBody, plain, planOf } from './sample.ts';

function viewOf(text: string, count = 1): DriftView {
  const finding = {
    fingerprint: 'sha256:00',
    type: 'changed',
    address: text,
    kind: 'tls_edge',
    live_id: text,
    cause: 'drift',
    changes: [changeOf({ path: text, before: text, after: 'a', cause: 'drift' })],
  } as const;
  const findings = Array.from({ length: count }, () => finding);
  return {
    drift: {
      format: 'edgeform-drift/1',
      stack: text,
      service: text,
      drifted: true,
      coverage: 1,
      findings,
      pending: [],
    },
    plan: planOf({}),
    diagnostics: [],
  };
}

const MACHINES = /^(?:json|sarif|junit|codequality)$/;
const HOSTILE = '</pre><script>x</script>\n```\n::error::x ##[error] @octocat \u001b[31m';

describe.each(formatsFor('drift').map((format) => ({ format })))('$format', ({ format }) => {
  test('the sentence, and every value', () => {
    const text = renderDriftAs(format, viewOf('tls_edges.db'), plain);
    expect(text).toContain('tls_edges.db');
    if (!MACHINES.test(format)) expect(text).toContain('Drift: 1 changed outside.');
  });

  // The logs of forges are the text (formats.test.ts).
  const extension = { text: 'txt', markdown: 'md', html: 'html', json: 'json' }[format as string];
  test.runIf(extension !== undefined)('findings of every type', async () => {
    const name = `golden/drift.${extension}`;
    await expect(`${pageBody(renderDriftAs(format, drifted, plain))}\n`).toMatchFileSnapshot(name);
  });

  test('hostile text is inert', () => {
    const text = renderDriftAs(format, viewOf(HOSTILE), { ...plain, detail: 'full' });
    expect(text).not.toMatch(/\u001b|^\s*::error::|##\[/m);
    if (format === 'html') expect(text).not.toContain('<script');
    if (format === 'markdown') expect(text.split('\n').filter((line) => /^`{3,}(?:diff)?$/.test(line))).toHaveLength(2);
    if (format === 'github') expect(text).toContain('::error title=drift::changed outside: ');
  });
});

test('Markdown keeps to its limit', () => {
  const view = viewOf('tls_edges.db', 2_000);
  expect(byteLength(renderDriftAs('markdown', view, plain))).toBeLessThanOrEqual(60_000);
  expect(renderDriftAs('markdown', view, plain)).toContain('too long');
  expect(byteLength(renderDriftAs('markdown', viewOf(HOSTILE.repeat(500), 50), plain, 2_000))).toBeLessThanOrEqual(
    2_000,
  );
});
