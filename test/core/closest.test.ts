// Suggestions: what is suggested, and that many wrong words beside many right ones cost no more than their number.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closest, effort } from '../../src/core/closest.ts';
import { loadManifest } from '../../src/manifest/load.ts';

/** Effort of the work. */
function costOf(work: () => unknown): number {
  const before = effort.spent;
  work();
  return effort.spent - before;
}

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `tls_edges.shop-${index.toString(36)}-edge`);

describe('closest', () => {
  test.each([
    ['descripton', ['description', 'metadata'], 'description'],
    ['DESCRIPTION', ['description'], 'description'],
    ['abdc', ['abcd'], 'abcd'],
    ['x', ['y', 'z'], 'y'],
    ['ab', ['b', 'abcd'], 'b'],
    ['wholly-other', ['description', 'metadata'], undefined],
    ['', ['a'], 'a'],
    ['a', [], undefined],
  ])('%s among %j is %s', (word, candidates, expected) => {
    expect(closest(word, candidates)).toBe(expected);
    expect(closest(word, new Set(candidates))).toBe(expected);
  });

  test('one of many is found by a typo at any place', () => {
    const many = names(5_000);
    const wanted = many[4_321] ?? '';
    for (let at = 0; at < wanted.length; at++) {
      expect(closest(wanted.slice(0, at) + wanted.slice(at + 1), many)).toBeDefined();
      if (wanted[at] !== wanted[at + 1])
        expect(closest(`${wanted.slice(0, at)}~${wanted.slice(at + 1)}`, new Set([...names(99), wanted, 'x']))).toBe(
          wanted,
        );
    }
    expect(closest('tls_edges.shopp-3c1-edge', many)).toBe('tls_edges.shop-3c1-edge');
  });

  test('it is the distance that the whole table would give', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 8 }), (sought, candidates) => {
        const found = closest(sought, candidates);
        const distances = candidates.map((one) => distance(sought, one));
        const least = Math.min(...distances);
        const limit = Math.max(1, Math.floor(sought.length / 3));
        expect(found).toBe(least <= limit ? candidates[distances.indexOf(least)] : undefined);
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });

  test('a word costs no more beside a hundred thousand names than its bound, and a very long one nothing', () => {
    const many = names(100_000);
    closest('x', many);
    expect(costOf(() => closest('tls_edges.shop-zzzz-egde', many))).toBeLessThan(25_000);
    expect(costOf(() => closest('y'.repeat(1_000_000), many))).toBeLessThan(25_000);
    expect(costOf(() => closest('y'.repeat(1_000_000), ['description', 'metadata']))).toBeLessThan(10);
  });
});

/** The whole table. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_u, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const row = rows[i];
      if (row === undefined) continue;
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Infinity,
      );
    }
  return at(a.length, b.length);
}

/** A manifest in which every name that something refers to is wrong by one letter. */
function typos(count: number): string {
  const each = (make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index)).join('');
  return [
    'version: 1\nstack: shop\nvariables:\n',
    each((index) => `  var_${index}: {}\n`),
    'failover_backends:\n',
    each((index) => `  backend-${index}: { backends: [bkdhr_1], description: "\${var.vra_${index}}" }\n`),
    'tls_edges:\n',
    each(
      (index) =>
        `  edge-${index}: { hostports: ["h${index}.example.com:443"], backend: { backend_id: "\${failover_backends.backnd-${index}.id}" } }\n`,
    ),
  ].join('');
}

test('thousands of typos cost as many times more as they are more', () => {
  const load = (count: number) => {
    const files = [{ name: 'edgeform.yaml', text: typos(count) }];
    const { diagnostics } = loadManifest({
      files,
      variables: new Map(),
      env: {},
      readFile: () => ({ diagnostics: [] }),
    });
    expect(diagnostics.filter((one) => one.fix?.startsWith('did you mean'))).toHaveLength(2 * count);
  };
  const few = costOf(() => load(300));
  const many = costOf(() => load(3_000));
  expect(many / few).toBeLessThan(15);
  expect(many).toBeLessThan(2 * 3_000 * 25_000);
});
