// Worlds that are played in every test run: those that notice the seeded mistakes in how two mechanisms meet.

import { expect, test } from 'vitest';
import { describeFailure } from './table.ts';
import { allPairs, tryPair } from './triangle.ts';

/** Two mechanisms, and the numbers of their worlds. */
const MEETINGS: readonly (readonly [one: string, other: string, seeds: readonly number[]])[] = [
  ['`removed`', '`--target`', [1, 3]],
  ['`exclusive`', '`--target`', [3, 8]],
  ['`exclusive`', '`drift`', [1, 2]],
  ['`ignore_changes`', '`drift`', [1, 2, 3]],
  ['`moved` inside', '`prevent_destroy`', [4, 9]],
  ['`moved` across', 'second writer', [13]],
];

test.each(MEETINGS)('%s and %s', async (first, second, seeds) => {
  const pair = allPairs().find(({ one, other }) => one.name === first && other.name === second);
  if (pair === undefined) throw new Error(`there is no pair of ${first} and ${second}`);
  for (const seed of seeds) {
    const { tried, failures } = await tryPair(pair, 1, seed);
    const texts = await Promise.all(failures.map((failure) => describeFailure(failure)));
    expect([tried, failures.length], texts.join('\n\n')).toEqual([1, 0]);
  }
});
