// The steps of a page: what is lost, how much of what, and each step where others lead to it.

import { describe, expect, test } from 'vitest';
import { format } from '../../../src/render/formats/html.ts';
import { pageBody } from '../sample.ts';
import { itemOf, PLACE, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) => pageBody(format.draw(viewOf(parts)));

const changed = itemOf({ lines: [{ mark: '+', depth: 0, text: 'x: 1' }] });

test('tells at once what is deleted or replaced, or that nothing is', () => {
  const lost = itemOf({
    tone: 'bad',
    word: 'delete',
    address: 'tls_edges.old',
    loses: 'its address',
    live_id: 'edgtls_1',
  });
  const [, danger = ''] = /<section class="box bad">(.*?)<\/section>/s.exec(draw({ items: [changed, lost] })) ?? [];
  for (const part of ['delete', 'tls_edges.old', 'edgtls_1', 'its address']) expect(danger).toContain(part);
  expect(danger).not.toContain('tls_edges.a');
  expect(draw({ items: [changed, lost] }).match(/tls_edges\.old/g)).toHaveLength(1);
  expect(draw({ items: [changed], isCalm: true })).toContain('Nothing is deleted or replaced.');
  expect(draw({ items: [changed] })).not.toContain('Nothing is deleted or replaced.');
  expect(draw({ is: 'drift', items: [itemOf({ tone: 'bad', steps: [] })] })).not.toContain('replace');
});

describe('what changes', () => {
  const openOf = (html: string) =>
    [...html.matchAll(/<details( open="")?>.*?<div class="body" id="step-(\d+)"/gs)].map(
      ([, open, id]) => `${String(id)}${open === undefined ? '' : ' open'}`,
    );
  test('is open while it is little', () => {
    expect(openOf(draw({ items: [changed, changed] }))).toEqual(['1 open', '2 open']);
  });

  test('is folded when it is much, but for what takes away', () => {
    const items = Array.from({ length: 31 }, (_, index) => (index === 4 ? { ...changed, loses: 'much' } : changed));
    expect(openOf(draw({ items })).filter((one) => one.endsWith('open'))).toEqual(['1 open']);
  });

  test('leads to what it waits for, wherever that is', () => {
    const first = itemOf({ steps: [{ id: 's7', after: [], phase: '' }] });
    const next = itemOf({ steps: [{ id: 's8', after: ['s7', 's99'], phase: ' old' }], place: PLACE });
    expect(draw({ items: [first, next] })).toContain(
      '<code class="name">s8 old</code> after <a href="#step-1"><code class="name">s7</code></a>, <code class="name">s99</code> · <code class="name">edgeform.yaml:12:3</code>',
    );
  });

  test('has a tag for each mark', () => {
    const lines = (['+', '-', '~', ' '] as const).map((mark) => ({ mark, depth: 1, text: 'x' }));
    const html = draw({ items: [itemOf({ lines })] });
    for (const part of [
      '<ins>+   x</ins>',
      '<del>-   x</del>',
      '<span class="changed">~   x</span>',
      '<span>    x</span>',
    ])
      expect(html).toContain(part);
  });
});
