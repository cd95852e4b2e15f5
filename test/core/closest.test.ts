// Suggestions: what is suggested, and that many wrong words beside many right ones cost no more than their number.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean, nearest, Suggestions } from '../../src/core/text/closest.ts';

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `tls_edges.shop-${index.toString(36)}-edge`);

describe('the nearest names', () => {
  test.each([
    ['descripton', ['description', 'metadata'], ['description']],
    ['DESCRIPTION', ['description'], ['description']],
    ['abdc', ['abcd'], ['abcd']],
    ['x', ['y', 'z'], ['y', 'z']],
    ['ap', ['app', 'web', 'api'], ['app', 'api']],
    ['ap', ['app', 'apt', 'api'], ['app', 'apt', 'api']],
    ['ap', ['app', 'apt', 'api', 'apo'], []],
    ['a.dv', ['a.DB', 'a.db'], ['a.db']],
    ['ab', ['b', 'abcd'], ['b']],
    ['wholly-other', ['description', 'metadata'], []],
    ['', ['a'], ['a']],
    ['a', [], []],
  ])('of %s among %j are %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toEqual(expected);
    expect(nearest(word, new Set(candidates))).toEqual(expected);
  });

  test.each([
    ['db', ['dc'], 'did you mean "dc"?'],
    ['ap', ['app', 'api'], 'did you mean "app" or "api"?'],
    ['ap', ['app', 'apt', 'api'], 'did you mean "app", "apt" or "api"?'],
    ['ap', ['web'], undefined],
  ])('%s among %j: %s', (word, candidates, expected) => {
    expect(didYouMean(word, candidates)).toBe(expected);
  });

  test('one of many is found by a typo at any place', () => {
    const many = names(1_500);
    const wanted = many[1_234] ?? '';
    for (let at = 0; at < wanted.length; at++) {
      const typo = wanted.slice(0, at) + wanted.slice(at + 1);
      expect(distance(typo, nearest(typo, many)[0] ?? '')).toBeLessThanOrEqual(1);
      const swapped = wanted.slice(0, at) + (wanted[at + 1] ?? '') + (wanted[at] ?? '') + wanted.slice(at + 2);
      if (wanted[at] !== wanted[at + 1]) expect(nearest(swapped, ['other', wanted, 'x'])).toEqual([wanted]);
    }
    expect(nearest('tls_edges.shopp-z3-edge', many)).toEqual(['tls_edges.shop-z3-edge']);
  });

  test('what both have up to a dot makes nothing else alike', () => {
    expect(nearest('failover_backends.zebra', ['failover_backends.b0'])).toEqual([]);
    expect(nearest('failover_backends.zebra', ['failover_backends.b0', 'failover_backends.zbera'])).toEqual([
      'failover_backends.zbera',
    ]);
    expect(nearest('tls_edge.shop', ['tls_edges.shop'])).toEqual(['tls_edges.shop']);
  });

  test('when not all names were looked at, only a sure one is meant', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `edges.some-long-name-${index}`);
    const pools = (count: number) => [...many(count), 'edges.zebra-pool'];
    expect(nearest('edges.sme-lng-nam', [...many(1_000), 'edges.some-long-name'])).toEqual(['edges.some-long-name']);
    expect(nearest('edges.sme-lng-nam', [...many(3_000), 'edges.some-long-name'])).toEqual([]);
    expect(nearest('edges.some-lng-name-7', many(3_000))).toEqual(['edges.some-long-name-7']);
    expect([nearest('edges.zebra-pol', pools(1_000)), nearest('edges.zebra-pol', pools(3_000))]).toEqual([
      ['edges.zebra-pool'],
      [],
    ]);
  });

  test('it is the distance that the whole table would give', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 8 }), (sought, candidates) => {
        const distances = candidates.map((name) => distance(sought, name));
        const least = Math.min(...distances);
        const limit = Math.max(1, Math.floor(sought.length / 3));
        const alike = [...new Set(candidates.filter((_, index) => distances[index] === least))];
        expect(nearest(sought, candidates)).toEqual(least <= limit && alike.length <= 3 ? alike : []);
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });

  test('of a hundred thousand names some are looked at, and for a very long word none', () => {
    const lookedAt = (word: string) => {
      let count = 0;
      const counted = function* () {
        for (const name of names(100_000)) {
          count += 1;
          yield name;
        }
      };
      nearest(word, counted());
      return count;
    };
    expect(lookedAt('tls_edges.shop-zzzz-egde')).toBeLessThan(2_100);
    expect(lookedAt('y'.repeat(1_000_000))).toBe(0);
  });
});

describe('suggestions for many words', () => {
  const many = names(3_000);
  const typo = 'tls_edges.shop-zz-edgee';

  test('end when enough names were compared', () => {
    const suggestions = new Suggestions(many);
    const found = Array.from({ length: 1_000 }, () => suggestions.didYouMean(typo));
    expect(found.filter((one) => one !== undefined)).toHaveLength(50);
    expect(found[49]).toBe(found[0]);
    expect(found[50]).toBeUndefined();
  });

  test('are those for one word', () => {
    expect(new Suggestions(['description', 'metadata']).didYouMean('descripton')).toBe('did you mean "description"?');
    expect(new Suggestions([]).didYouMean('a')).toBeUndefined();
  });
});

/** The whole table; letters of both in another order, at a distance of two, are two neighbours that changed places. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_u, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const row = rows[i];
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      if (row !== undefined) row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same);
    }
  const found = at(a.length, b.length);
  return found === 2 && a.length === b.length && Array.from(a).sort().join() === Array.from(b).sort().join()
    ? 1
    : found;
}
