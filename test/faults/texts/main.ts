// Tries edited texts in a process of its own, which counts from its start: the counters of the engine slow everything down.
//   --cases N | --seconds N   how many, or for how long
//   --from SEED               the first case (default 0: those that repeat an example come first); with `--cases 1` one case again
//   --every N                 only one case of so many (default 1)
//   --most N                  characters of a text at most
//   --root DIR                the repository, for its examples
// Prints one line for each finding, and how many were tried; exits with 1 after a finding.

import { parseArgs } from 'node:util';
import { startCounting } from './operations.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '' },
    seconds: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    every: { type: 'string', default: '1' },
    most: { type: 'string', default: '100000' },
    root: { type: 'string', default: '.' },
  },
});

startCounting();
const { checkCounting, tryTexts } = await import('./fuzz.ts');
const { textReaders } = await import('./readers.ts');

checkCounting();
const [cases, seconds] = [values.cases, values.seconds].map((text) => (text === '' ? Infinity : Number(text)));
const end = performance.now() + (seconds ?? 0) * 1_000;
const isOver = (tried: number) => tried >= (cases ?? 0) || performance.now() >= end;
const readers = textReaders(values.root);
const [from, every, most] = [values.from, values.every, values.most].map(Number) as [number, number, number];
const { tried, findings } = tryTexts(readers, { from, every, isOver, most });
for (const { seed, what } of findings) console.log(`case ${seed}: ${what}`);
console.log(`${tried} cases from ${values.from}, ${findings.length} with a finding`);
process.exitCode = findings.length === 0 ? 0 : 1;
