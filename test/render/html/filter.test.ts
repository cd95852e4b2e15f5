// What a list of a page can be narrowed by.

import { expect, test } from 'vitest';
import { filterOf } from '../../../src/render/html/filter.ts';
import { element } from '../../../src/render/html/html.ts';

interface Row {
  readonly kind: string;
  readonly causes: readonly string[];
}

const FACETS = [
  { name: 'kind', title: 'Kind', valuesOf: ({ kind }: Row) => [kind] },
  { name: 'cause', title: 'Cause', valuesOf: ({ causes }: Row) => causes },
];
const rowOf = (kind: string, ...causes: string[]): Row => ({ kind, causes });
const controlsOf = (rows: readonly Row[]) =>
  element('div', filterOf(rows, FACETS, { noun: 'row', canFold: true }).controls).markup;
const titles = (rows: readonly Row[]) =>
  [...controlsOf(rows).matchAll(/<(?:legend|label class="choice"><span)>(\w+)/g)].map(([, title]) => title);

test.each([
  { name: 'nothing where all are the same', rows: [rowOf('a', 'x'), rowOf('a', 'x')], expected: [] },
  { name: 'what differs', rows: [rowOf('a', 'x'), rowOf('b', 'x')], expected: ['Kind'] },
  { name: 'each of several values', rows: [rowOf('a', 'x', 'y'), rowOf('a')], expected: ['Cause'] },
])('$name', ({ rows, expected }) => {
  expect(titles(rows)).toEqual(expected);
});

test('a row has the numbers of its values, and no text of anybody', () => {
  const rows = [rowOf('"><b>', 'x'), rowOf('b', 'x', 'y')];
  const { attributesOf } = filterOf(rows, FACETS, { noun: 'row' });
  expect(rows.map(attributesOf)).toEqual([
    { 'data-row': '', 'data-kind': '0', 'data-cause': '0' },
    { 'data-row': '', 'data-kind': '1', 'data-cause': '0 1' },
  ]);
});

test('a few values are side by side, many are a list, each with its count', () => {
  const rows = Array.from({ length: 7 }, (_, index) => rowOf(`k${index}`));
  expect(controlsOf(rows.slice(1))).toContain('value="5"><span>k6</span> <b>1</b>');
  expect(controlsOf([...rows, rowOf('k0')])).toContain('<option value="0">k0 (2)</option>');
});

test('without script there are no controls, and the number of all rows', () => {
  expect(controlsOf([rowOf('a'), rowOf('b')])).toMatch(
    /^<div><form [^>]*hidden="">.*<p role="status"[^>]*>2 rows<\/p><\/div>$/,
  );
});
