// A view as a page: every part of it, text never as markup, and long plans folded but for what takes away.

import { describe, expect, test } from 'vitest';
import { format as html } from '../../../src/render/formats/html.ts';
import { STYLE } from '../../../src/render/html/style.ts';
import { pageBody } from '../sample.ts';
import { itemOf, PLACE, problemOf, rowOf, viewOf } from '../view-sample.ts';

const draw = (parts: Parameters<typeof viewOf>[0]) => pageBody(html.draw(viewOf(parts)));
const headings = (html: string) => [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
const changed = itemOf({ lines: [{ mark: '+', depth: 0, text: 'x: 1' }] });

describe('a page', () => {
  test.each([
    { name: 'of nothing is its sentence', parts: {}, titles: [] },
    { name: 'of items has them', parts: { items: [changed] }, titles: ['Steps'] },
    {
      name: 'of what takes away says so first',
      parts: { items: [changed, itemOf({ tone: 'bad' })] },
      titles: ['Deletes and replacements', 'Steps'],
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
        fingerprint: evil,
        steps: [{ id: evil, after: [evil], phase: evil }],
        place: { ...PLACE, file: evil },
        live_id: evil,
        why: evil,
        loses: evil,
        fields: [evil],
        notes: [evil],
        requests: [evil],
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
  });
  expect(html).not.toContain('<script');
});

test('nothing in the style could end its element', () => {
  expect(STYLE).not.toContain('<');
});
