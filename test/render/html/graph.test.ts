// The order of execution as a picture.

import { expect, test } from 'vitest';
import { graphSection } from '../../../src/render/html/graph.ts';
import { itemOf, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) =>
  graphSection(viewOf(parts))
    .map(({ markup }) => markup)
    .join('');

test('draws the order of execution up to a number of steps, and tells more of them in words', () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      itemOf({ steps: [{ id: `s${index}`, after: index === 0 ? [] : [`s${index - 1}`], phase: '' }] }),
    );
  expect(draw({ items: chain(100) }).match(/<rect x=/g)).toHaveLength(100);
  expect(draw({ items: chain(100) })).toContain('100 steps in 100 stages');
  expect(draw({ items: chain(101) })).not.toContain('<rect x=');
  expect(draw({ items: chain(101) })).toContain('101 steps depend on each other, and at most 100 are drawn.');
});

test('has no node for a step that neither waits nor is waited for, and each node leads to its step', () => {
  const step = (id: string, ...after: string[]) => ({ id, after, phase: '' });
  const items = [[step('s1')], [step('s2', 's3')], [step('s3')]].map((steps) => itemOf({ steps }));
  const html = draw({ items });
  expect([...html.matchAll(/href="#(step-\d)"/g)].map(([, id]) => id)).toEqual(['step-2', 'step-3']);
  expect(html).toContain('1 other step has no dependencies.');
  expect(draw({ items: items.slice(0, 1) })).toBe('');
});

test('cuts a long label in its middle, and says it whole where the pointer is', () => {
  const address = `https_edges.${'x'.repeat(50)}.end`;
  const html = draw({ items: [itemOf({ address }), itemOf({ steps: [{ id: 's2', after: ['s1'], phase: ' old' }] })] });
  expect(html).toMatch(/<text [^>]*>~ https_edges\.xxxxxx…x+\.end<\/text>/);
  expect(html).toContain(`<title>update ${address}</title>`);
  expect(html).toContain('<title>update tls_edges.a old</title>');
});
