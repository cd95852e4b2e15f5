// A share of the simulated worlds in every test run; `npm run test:faults` tries all of them, kills processes, and checks
// that seeded mistakes are noticed.

import { afterAll, describe, expect, test } from 'vitest';
import { FAMILIES } from './all.ts';
import type { Failure } from './enumerate.ts';
import { emptyTally, CONDITIONS, singles, tryPairs, tryScenario } from './enumerate.ts';
import { tryFamily } from './world-families.ts';
import { SCENARIOS } from './scenarios.ts';
import { rowsOf, describeFailure, textOf } from './table.ts';
import { runWorld, prepare } from './world.ts';

/** Share of all single faults, and each of them at least once; the draw is the same in every run. */
const SHARE = Number(process.env['FAULTS_SHARE'] ?? 0.001);
const IS_SMALL = SHARE < 0.05;
/** Each scenario is tried on the plain service; in a run of a small share, some also on one of the others, by turns. */
const TURNS = IS_SMALL ? 24 : 1;
/** Pairs of faults for each scenario; in a run of a small share, every third scenario has one. */
const pairsOf = (index: number) => (IS_SMALL && index % 3 > 0 ? 0 : Math.ceil(60 * SHARE));
/** Ends what hangs, also on a machine that is busy with something else. */
const TIMEOUT = 1_800_000;

const total = emptyTally();
afterAll(() => {
  console.log(textOf(rowsOf({ share: SHARE, tally: total, killed: undefined, caught: undefined })));
});

function expectNone(failures: readonly Failure[]): void {
  const text = failures.slice(0, 3).map((one) => describeFailure(one, true));
  expect(failures.length, text.join('\n\n')).toBe(0);
}

describe('whatever fails, the next runs come to the same end, and nothing is done twice or to others', () => {
  for (const [index, scenario] of SCENARIOS.entries()) {
    const conditions = Object.keys(CONDITIONS).filter((_, at) => at === 0 || (at + index) % TURNS === 0);
    test(scenario.name, { timeout: TIMEOUT }, async () => {
      const before = total.failures.length;
      for (const condition of conditions) await tryScenario(scenario, condition, SHARE, total);
      await tryPairs(scenario, pairsOf(index), total);
      total.scenarios += 1;
      expectNone(total.failures.slice(before));
    });
  }
});

describe('whatever people do to what is marked, nothing is done twice or to others', () => {
  for (const family of FAMILIES) {
    test(family.name, { timeout: TIMEOUT }, async () => {
      const before = total.failures.length;
      await tryFamily(family, SHARE, '', total);
      expectNone(total.failures.slice(before));
    });
  }
});

test('the same world is the same twice, to the last byte', { timeout: TIMEOUT }, async () => {
  const setup = await prepare(SCENARIOS.find(({ name }) => name === 'chain: create')!);
  const [fault] = singles(setup.clean.points, 'plain').filter(
    (one) => 'request' in one && one.request.name === '503 after',
  );
  const once = async () => {
    const { runs, log } = await runWorld(setup, { faults: [fault!], seed: 7, gapMs: 1_000 });
    return JSON.stringify([runs, log]);
  };
  expect(await once()).toBe(await once());
});
