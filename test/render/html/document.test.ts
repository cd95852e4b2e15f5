// A view as a page: every part of it once, text never as markup, and long plans folded but for what takes away.

import { describe, expect, test } from 'vitest';
import { drawHtml } from '../../../src/render/html/document.ts';
import { plain } from '../sample.ts';
import { itemOf, PLACE, problemOf, rowOf, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) => drawHtml(viewOf(parts), plain);
const headings = (html: string) => [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
const changed = itemOf({ lines: [{ mark: '+', depth: 0, text: 'x: 1' }] });

describe('a page', () => {
  test.each([
    { name: 'of nothing is its sentence', parts: {}, titles: [] },
    { name: 'of items has a table, and what changes', parts: { items: [changed] }, titles: ['Steps', 'Changes'] },
    { name: 'of items without differences has a table only', parts: { items: [itemOf()] }, titles: ['Steps'] },
    { name: 'of findings calls them so', parts: { is: 'drift', items: [itemOf()] }, titles: ['Findings'] },
    { name: 'of a run has its steps', parts: { is: 'report', rows: [rowOf()] }, titles: ['Steps'] },
    { name: 'of outputs has them', parts: { outputs: [['a', '1']] }, titles: ['Outputs'] },
    {
      name: 'of lists has those with entries',
      parts: {
        lists: [
          { title: 'One', entries: ['x'] },
          { title: 'None', entries: [] },
        ],
      },
      titles: ['One'],
    },
  ] as const)('$name', ({ parts, titles }) => {
    expect(headings(draw(parts))).toEqual(titles);
  });

  test('tells problems by group, what stands in the way first', () => {
    const problems = (['warning', 'error', 'blocked', 'refused'] as const).map((group) => problemOf({ group }));
    expect(headings(draw({ problems })).map((title) => title?.split(/[;,]/)[0])).toEqual([
      'Policy violations',
      'Blocked',
      'Errors',
      'Warnings',
    ]);
  });

  test('of drift tells findings before problems', () => {
    expect(headings(draw({ is: 'drift', items: [itemOf()], problems: [problemOf()] }))).toEqual(['Findings', 'Errors']);
  });

  test('names the stack in its title', () => {
    const html = draw({ at: { stack: 'shop', service: 'https://api.example.com/' } });
    expect(html).toContain('<title>shop: The sentence.</title>');
    expect(draw({})).toContain('<title>The sentence.</title>');
  });

  test('shows a problem with its place, its code and its facts', () => {
    const html = draw({
      problems: [
        problemOf({
          code: 'x',
          place: PLACE,
          addresses: ['tls_edges.a'],
          details: [{ lead: 'fix:', text: '--flag', isCode: true }],
        }),
      ],
    });
    for (const part of [
      '<code>edgeform.yaml:12:3</code>',
      '[x]',
      '<code>tls_edges.a</code>',
      'fix: <code>--flag</code>',
    ])
      expect(html).toContain(part);
  });

  test('shows what stands between back quotes as code', () => {
    expect(draw({ problems: [problemOf({ text: 'use `a` now' })] })).toContain('use <code>a</code> now');
  });
});

describe('what changes', () => {
  const openOf = (html: string) =>
    [...html.matchAll(/<details id="step-(\d+)"( open="")?/g)].map(
      ([, id, open]) => `${String(id)}${open === undefined ? '' : ' open'}`,
    );
  test('is open while it is little', () => {
    expect(openOf(draw({ items: [changed, changed] }))).toEqual(['1 open', '2 open']);
  });

  test('is folded when it is much, but for what takes away', () => {
    const items = Array.from({ length: 31 }, (_, index) => (index === 4 ? { ...changed, loses: 'much' } : changed));
    expect(openOf(draw({ items })).filter((one) => one.endsWith('open'))).toEqual(['5 open']);
  });

  test('is where the table leads to, by the number of its row', () => {
    const html = draw({ items: [itemOf(), changed] });
    expect(openOf(html)).toEqual(['2 open']);
    expect([...html.matchAll(/href="#step-(\d+)"/g)].map(([, id]) => id)).toEqual(['2']);
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

test('no text becomes markup, wherever it stands', () => {
  const evil = '<script>alert("x")</script>';
  const html = draw({
    sentence: evil,
    at: { stack: evil, service: evil },
    advice: evil,
    items: [
      itemOf({
        word: evil,
        address: evil,
        liveId: evil,
        why: evil,
        loses: evil,
        fields: [evil],
        notes: [evil],
        requests: [evil],
        meta: evil,
        lines: [{ mark: '+', depth: 0, text: evil }],
      }),
    ],
    rows: [rowOf({ address: evil, said: [evil], outcome: evil })],
    problems: [problemOf({ text: evil, code: evil, addresses: [evil] })],
    more: [evil],
    lists: [{ title: evil, entries: [evil] }],
    outputs: [[evil, evil]],
    rest: { text: evil, entries: [evil] },
  });
  expect(html).not.toContain('<script');
});
