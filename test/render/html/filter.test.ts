// What the rows of a page can be narrowed by.

import { expect, test } from 'vitest';
import { filterFor } from '../../../src/render/html/filter.ts';
import { element } from '../../../src/render/html/html.ts';

const rowOf = (kind: string, cause = 'x', isCounted = true) => {
  return { row: { kind }, facets: { Kind: kind, Cause: cause }, noun: 'row', isCounted, canFold: true };
};
type Row = ReturnType<typeof rowOf>;
const controlsOf = (rows: readonly Row[]) => element('div', filterFor(rows).takeControls()).markup;
const titles = (rows: readonly Row[]) =>
  [...controlsOf(rows).matchAll(/<(?:legend|label class="choice"><span)>(\w+)/g)].map(([, title]) => title);

test.each([
  { name: 'nothing where all are the same', rows: [rowOf('a'), rowOf('a')], expected: [] },
  { name: 'what differs', rows: [rowOf('a'), rowOf('b')], expected: ['Kind'] },
  { name: 'each that differs', rows: [rowOf('a', 'x'), rowOf('b', 'y')], expected: ['Kind', 'Cause'] },
])('$name', ({ rows, expected }) => {
  expect(titles(rows)).toEqual(expected);
});

test('a row has the numbers of its values, and no text of anybody', () => {
  const rows = [rowOf('"><b>', 'x'), rowOf('b', 'y', false)];
  const { attributesOf } = filterFor(rows);
  expect([...rows.map(({ row }) => attributesOf(row)), attributesOf({})]).toEqual([
    { 'data-row': '', 'data-kind': '0', 'data-cause': '0' },
    { 'data-row': 'uncounted', 'data-kind': '1', 'data-cause': '1' },
    {},
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

test('a page has one set of controls, and rows of several sorts are counted as rows', () => {
  const filter = filterFor([rowOf('a'), { ...rowOf('b'), noun: 'step' }]);
  expect(element('div', filter.takeControls()).markup).toContain('>2 rows</p>');
  expect(filter.takeControls()).toEqual([]);
});
