import { describe, expect, test } from 'vitest';
import { cycles, components, shortestPath } from '../../src/core/graph.ts';
import { groupBy, groupEntries } from '../../src/core/group.ts';

const graph = (links: Readonly<Record<string, string | undefined>>) => ({
  keys: Object.keys(links),
  linksOf: (key: string) => Array.from(links[key] ?? ''),
});

describe('components', () => {
  test.each([
    { name: 'each key comes after all it leads to', links: { a: 'bc', b: 'c', c: '' }, expected: ['c', 'b', 'a'] },
    { name: 'keys without links keep their order', links: { b: '', a: '', c: '' }, expected: ['b', 'a', 'c'] },
    {
      name: 'keys that lead back are one group',
      links: { a: 'b', b: 'c', c: 'bd', d: '' },
      expected: ['d', 'bc', 'a'],
    },
    { name: 'two cycles with one key are one', links: { a: 'b', b: 'ac', c: 'b' }, expected: ['abc'] },
    { name: 'links to other keys do not count', links: { a: 'x', b: 'a' }, expected: ['a', 'b'] },
  ])('$name', ({ links, expected }) => {
    const { keys, linksOf } = graph(links);
    expect(components(keys, linksOf).map((group) => group.join(''))).toEqual(expected);
  });

  test('a chain may be longer than the stack', () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => index);
    const found = components(keys, (key) => [key + 1]);
    expect([found.length, found[0]]).toEqual([50_000, [49_999]]);
  });
});

test('a cycle is several keys, or one that leads to itself', () => {
  const { keys, linksOf } = graph({ a: 'a', b: 'c', c: 'b', d: 'a' });
  expect(cycles(keys, linksOf)).toEqual([['a'], ['b', 'c']]);
});

test.each([
  { from: 'a', to: 'd', expected: 'abd' },
  { from: 'a', to: 'a', expected: 'a' },
  { from: 'd', to: 'a', expected: undefined },
])('the shortest path from $from to $to is $expected', ({ from, to, expected }) => {
  const { linksOf } = graph({ a: 'cb', b: 'd', c: 'e', e: 'd', d: '' });
  expect(shortestPath(from, to, linksOf)?.join('')).toBe(expected);
});

test('groups keep the order of the items, and leave out those without a key', () => {
  const found = groupBy([3, 1, 2, 0], (one) => (one === 0 ? undefined : one % 2 === 0 ? 'even' : 'odd'));
  expect([...found]).toEqual([
    ['odd', [3, 1]],
    ['even', [2]],
  ]);
  expect([...groupEntries([['a', 1] as const, ['a', 2] as const])]).toEqual([['a', [1, 2]]]);
});
