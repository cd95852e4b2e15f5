// A view as a page: every part of it, text never as markup, and long plans folded but for what takes away.

import { describe, expect, test } from 'vitest';
import { drawHtml } from '../../../src/render/html/document.ts';
import { pageBody, plain } from '../sample.ts';
import { itemOf, PLACE, problemOf, rowOf, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) => pageBody(drawHtml(viewOf(parts), plain));
const headings = (html: string) => [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
const countOf = (drifted: number) => ({ kind: 'tls_edge', byWord: new Map([['update', 2]]), drifted });
const changed = itemOf({ lines: [{ mark: '+', depth: 0, text: 'x: 1' }] });

describe('a page', () => {
  test.each([
    { name: 'of nothing is its sentence', parts: {}, titles: [] },
    { name: 'of items has them', parts: { items: [changed] }, titles: ['Steps'] },
    {
      name: 'of what takes away says so first',
      parts: { items: [itemOf({ tone: 'bad' })], counts: [countOf(1)] },
      titles: ['Deletes and replacements', 'By kind', 'Steps'],
    },
    {
      name: 'of steps that wait has their order',
      parts: { items: [itemOf(), itemOf({ steps: [{ id: 's2', after: ['s1'], phase: '' }] })] },
      titles: ['Order of execution', 'Steps'],
    },
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
      '<code class="meta">x</code>',
      '<code>tls_edges.a</code>',
      '<span class="meta">fix:</span> <code>--flag</code>',
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

  test('tells at once what is deleted or replaced, or that nothing is', () => {
    const lost = itemOf({
      tone: 'bad',
      word: 'delete',
      address: 'tls_edges.old',
      loses: 'its address',
      liveId: 'edgtls_1',
    });
    const [, danger = ''] =
      /<section class="danger bad">(.*?)<\/section>/s.exec(draw({ items: [changed, lost] })) ?? [];
    for (const part of ['delete', 'href="#step-2"', 'tls_edges.old', 'edgtls_1', 'its address'])
      expect(danger).toContain(part);
    expect(danger).not.toContain('tls_edges.a');
    expect(draw({ items: [changed] })).toContain('Nothing is deleted or replaced.');
    expect(draw({ is: 'drift', items: [itemOf({ tone: 'bad', steps: [] })] })).not.toContain('replace');
  });

  test('counts by kind, with what somebody changed outside', () => {
    const html = draw({ items: [changed, changed], counts: [countOf(1), { ...countOf(0), kind: 'api_key' }] });
    const cells = [...html.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell = '']) =>
      cell.replace(/<[^>]*>/g, ''),
    );
    expect(cells).toEqual([
      'Kind',
      '~ update',
      'drift',
      'tls_edge',
      '2',
      '1',
      'api_key',
      '2',
      '0',
      '2 kinds',
      '4',
      '1',
    ]);
  });

  test('draws the order of execution up to a number of steps, and tells more of them in words', () => {
    const chain = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        itemOf({ steps: [{ id: `s${index}`, after: index === 0 ? [] : [`s${index - 1}`], phase: '' }] }),
      );
    expect(draw({ items: chain(100) }).match(/<rect x=/g)).toHaveLength(100);
    expect(draw({ items: chain(100) })).toContain('100 steps in 100 stages');
    expect(draw({ items: chain(101) })).not.toContain('<rect x=');
    expect(draw({ items: chain(101) })).toContain('101 steps depend on each other, and no more than 100 are drawn.');
  });
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
    expect(openOf(draw({ items })).filter((one) => one.endsWith('open'))).toEqual(['5 open']);
  });

  test('leads to what it waits for, wherever that is', () => {
    const first = itemOf({ steps: [{ id: 's7', after: [], phase: '' }] });
    const next = itemOf({ steps: [{ id: 's8', after: ['s7', 's99'], phase: ' old' }], place: PLACE });
    expect(draw({ items: [next, first] })).toContain(
      'step s8 old after <a href="#step-2">s7</a>, s99 · <code>edgeform.yaml:12:3</code>',
    );
  });

  test('can be narrowed by kind, action and cause, where they differ', () => {
    const names = (html: string) =>
      [...html.matchAll(/<(?:legend|label class="choice"><span)>(\w+)/g)].map(([, name]) => name);
    const created = itemOf({ word: 'create', isNew: true, isDrifted: true });
    expect(names(draw({ items: [changed, changed] }))).toEqual([]);
    expect(names(draw({ items: [changed, created, itemOf({ kind: 'api_key' })] }))).toEqual([
      'Action',
      'Cause',
      'Kind',
    ]);
    expect(draw({ items: [changed, created] })).toContain('<li data-row="" data-action="1" data-cause="1">');
    expect(names(draw({ is: 'report', rows: [rowOf(), rowOf({ outcome: 'done' })] }))).toEqual(['Outcome']);
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
        kind: evil,
        address: evil,
        fingerprint: evil,
        steps: [{ id: evil, after: [evil], phase: evil }],
        place: { ...PLACE, file: evil },
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
    problems: [
      problemOf({
        text: evil,
        code: evil,
        addresses: [evil],
        place: { ...PLACE, file: evil },
        frame: { before: evil, line: evil, lead: 3, length: 4 },
      }),
    ],
    more: [evil],
    lists: [{ title: evil, entries: [evil] }],
    outputs: [[evil, evil]],
    rest: { text: evil, entries: [evil] },
    counts: [{ kind: evil, byWord: new Map([[evil, 1]]), drifted: 1 }],
  });
  expect(html.match(/<script/g)).toHaveLength(1);
});
