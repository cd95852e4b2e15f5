// Every seeded mistake still has its place in the program, and what would notice it is still there. `npm run test:faults`
// runs the program with each of them.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IS_FULL } from '../support/full.ts';
import { FAMILIES } from './all.ts';
import { FILE_FAULTS, REQUEST_FAULTS } from './faults.ts';
import { allMutants } from './mutants.ts';
import { mutate, sourceOf } from './mutation.ts';
import { unknownNames } from './known-names.ts';
import { SCENARIOS } from './scenarios.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const MUTANTS = allMutants(ROOT);

/** To know the worlds of a family, its stories are played: only those of families in which a mistake is noticed. */
const noticing = FAMILIES.filter(({ name }) =>
  MUTANTS.some((mutant) => 'world' in mutant && mutant.world.startsWith(`${name}: `)),
);
const worldNames = Promise.all(
  noticing.map(async ({ name, worlds }) => (await worlds()).map((world) => `${name}: ${world.name}`)),
).then((names) => names.flat());

test('no two seeded mistakes have one name', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test.each(MUTANTS)('the seeded mistake still applies: $name', async (mutant) => {
  expect(mutate(sourceOf(ROOT, mutant), mutant)).not.toBe('');
  if ('tests' in mutant) {
    expect(mutant.tests.filter((name) => !existsSync(join(ROOT, 'test', name)))).toEqual([]);
    return;
  }
  expect(SCENARIOS.some(({ name }) => name.includes(mutant.only))).toBe(true);
  const { world } = mutant;
  if (world !== undefined) expect((await worldNames).some((name) => name.startsWith(world))).toBe(true);
  const faults = [...REQUEST_FAULTS, ...FILE_FAULTS].map(({ name }) => `${name}, lasting`);
  expect(mutant.fault === undefined || faults.some((name) => name.startsWith(mutant.fault ?? ''))).toBe(true);
});

// A fifth of a minute: only with all worlds (`npm run test:full`).
test.runIf(IS_FULL)('what a seeded mistake says is known where it stands', () => {
  expect(unknownNames(ROOT, MUTANTS)).toEqual([]);
});
