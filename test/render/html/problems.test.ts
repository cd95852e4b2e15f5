// Problems of a page: where they are, the lines that they are about, and what to do.

import { expect, test } from 'vitest';
import { format } from '../../../src/render/formats/html.ts';
import { PLACE, problemOf, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) => format.draw(viewOf(parts));

test('shows a problem with its place, its code and its facts', () => {
  const html = draw({
    problems: [
      problemOf({ code: 'x', place: PLACE, addresses: ['tls_edges.a'], details: [{ is: 'flag', text: '--flag' }] }),
    ],
  });
  for (const part of [
    '<code>edgeform.yaml:12:3</code>',
    '[<code class="name">x</code>]',
    '<code class="name">tls_edges.a</code>',
    '<strong>allow it with</strong> <code class="name">--flag</code>',
  ])
    expect(html).toContain(part);
});

test('shows the lines of a problem with their numbers, and marks what is meant', () => {
  const frame = { before: 'a: 1', line: '  b𝒳: <2>', lead: 2, length: 2 };
  const html = draw({ problems: [problemOf({ place: { ...PLACE, line: 100 }, frame })] });
  expect(html).toContain('<span class="meta"> 99</span>  a: 1');
  expect(html).toContain('<span class="meta">100</span>    <mark>b𝒳</mark>: &lt;2&gt;');
  expect(draw({ problems: [problemOf({ place: { ...PLACE, line: 1 }, frame })] })).not.toContain('a: 1');
});

test('shows what stands between back quotes as code', () => {
  expect(draw({ problems: [problemOf({ text: 'use `a` now' })] })).toContain('use <code>a</code> now');
});
