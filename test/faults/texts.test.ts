// Edited texts for every reader in each test run; `npm run test:faults` tries them for minutes.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../support/full.ts';
import { EDITS } from './texts/edits.ts';
import { caseOf, countOfRepeated } from './texts/fuzz.ts';
import { textReaders } from './texts/readers.ts';

const readers = textReaders('.');
/** With `npm run test:full` every case, otherwise a third: most examples are tried with several readers, and repeated in two ways. */
const EVERY = IS_FULL ? 1 : 3;
/** Those that repeat an example, and some that draw edits. */
const CASES = process.env['TEXTS'] ?? String(Math.ceil(countOfRepeated(readers) / EVERY) + 30);
const FROM = process.env['TEXTS_FROM'] ?? (IS_FULL ? '0' : '1');
/** Characters of a text at most. */
const MOST = 3_000;

test('whatever is done to a text, its reader ends with a value or with problems, in operations linear in its size', () => {
  const options = ['--cases', CASES, '--from', FROM, '--every', String(EVERY), '--most', String(MOST)];
  const run = spawnSync(process.execPath, ['scripts/run.mjs', 'test/faults/texts/main.ts', ...options], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe(`${CASES} cases from ${FROM}, 0 with a finding\n`);
});

describe('every reader', () => {
  test('has a case', () => {
    const numbers = Array.from({ length: Number(CASES) }, (_, index) => Number(FROM) + index * EVERY);
    expect(new Set(numbers.map((seed) => caseOf(readers, seed, MOST).reader))).toEqual(new Set(Object.keys(readers)));
  });

  test.each(Object.entries(readers))('%s has examples, and reads them', (_, { seeds, read }) => {
    expect(seeds.length).toBeGreaterThan(0);
    for (const seed of seeds) expect(() => read(seed)).not.toThrow();
  });
});

describe('a case', () => {
  test('is the same for the same number', () => {
    const [one, other] = [7_777, 7_777].map((seed) => caseOf(readers, seed, MOST));
    expect(other?.textAt(5)).toBe(one?.textAt(5));
    expect([other?.reader, other?.edits, other?.times]).toEqual([one?.reader, one?.edits, one?.times]);
  });

  test('of some hundred numbers, each reader and each edit has some', () => {
    const cases = Array.from({ length: 300 }, (_, seed) => caseOf(readers, 10_000 + seed, MOST));
    expect(new Set(cases.map(({ reader }) => reader))).toEqual(new Set(Object.keys(readers)));
    expect(new Set(cases.flatMap(({ edits }) => edits))).toEqual(new Set(Object.keys(EDITS)));
  });
});
