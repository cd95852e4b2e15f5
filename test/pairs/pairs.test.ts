// A share of the worlds of the triangle in every test run; `npm run test:pairs` tries all pairs.

import { afterAll, expect, test } from 'vitest';
import { byTurns, IS_FULL } from '../support/full.ts';
import { MECHANISMS } from './mechanisms/index.ts';
import { describeFailure, sumsOf } from './table.ts';
import { allPairs, tryPair, type PairResult } from './triangle.ts';

/** Ends what hangs, also on a machine that is busy with something else. */
const TIMEOUT = 1_800_000;
/** Each pair is tried in every so many commits' turns; another seed gives other worlds of other pairs. */
const EVERY = 12;
const SEED = Number(process.env['WORLDS_SEED'] ?? 1);
const WORLDS = IS_FULL ? 2 : 1;
/** At most this share of the worlds may have no beginning. */
const MOST_VOID = 0.15;

const results: PairResult[] = [];
afterAll(() => {
  const { tried, violated, void: empty } = sumsOf(results);
  console.log(`pairs: ${tried} worlds, ${violated} violated, ${empty} without a beginning`);
});

for (const [index, { name }] of MECHANISMS.entries()) {
  test(`${name} and each other mechanism hold what they promise together`, { timeout: TIMEOUT }, async () => {
    const own = allPairs().filter(({ one }) => one.name === name);
    for (const pair of byTurns(own, SEED + index, EVERY)) {
      const result = await tryPair(pair, WORLDS, SEED, true);
      results.push(result);
      const texts = await Promise.all(result.failures.map((failure) => describeFailure(failure)));
      expect(result.failures.length, texts.join('\n\n')).toBe(0);
    }
  });
}

test('the worlds say something', () => {
  const { tried, void: empty } = sumsOf(results);
  expect(empty / Math.max(1, tried + empty)).toBeLessThan(MOST_VOID);
});
