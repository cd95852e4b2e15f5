// The whole fault suite: `npm run test:faults -- [options]`.
//   --share N           tries this share of the single faults (default 1)
//   --pairs N           pairs of faults for each scenario (default 100 times the share)
//   --fault NAME        tries all faults whose names begin so, and no others
//   --only TEXT         scenarios, or mutants, whose name holds the text
//   --world TEXT        all worlds of families whose name, after that of the family, begins so
//   --kills N           processes to kill at most (default 320 times the share, 100 at least); --no-kills leaves them out
//   --texts SECONDS     tries edited texts for so long (default 600 times the share); --texts-from SEED; --no-texts
//   --no-mutants, --mutants-only, --no-worlds, --texts-only
//   --show N, --log     so many failures in full (default 10), with all their requests
//   --page FILE         where the table goes (default docs/reliability.md); only a run of everything writes it
//   --no-write          leaves the page as it is

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Tally } from './enumerate.ts';
import { emptyTally, CONDITIONS, tryPairs, tryScenario } from './enumerate.ts';
import type { Noticed } from './mutants.ts';
import { MUTANT_SHARE, readExpectations, tryMutants } from './mutants.ts';
import { tryFamily } from './world-families.ts';
import { FAMILIES } from './all.ts';
import { killAll } from './killed-processes.ts';
import type { Scenario } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';
import { groupsOf, rowsOf, describeFailure, textOf, writeInto } from './table.ts';
import { expectations } from './world.ts';

const OUT = join(import.meta.dirname, '../..');

function has(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

const [MOST_PAIRS, MOST_KILLS, LEAST_KILLS, MOST_SECONDS, LEAST_SECONDS] = [100, 320, 100, 600, 1];
/** The short run in `npm test` begins at 1. */
const FIRST_TEXT = 10_000;

/** Whether nothing is left out but by the share. */
const PARTS = ['no-worlds', 'no-kills', 'no-mutants', 'no-texts', 'mutants-only', 'texts-only'];
const IS_WHOLE = !['only', 'fault', ...PARTS].some(has);

const only = option('only', '');
/** A share of the faults, or all whose names begin so. */
const share = has('fault') ? option('fault', '') : Number(option('share', '1'));
const scenarios = SCENARIOS.filter(({ name }) => name.includes(only));

async function tryWorlds(): Promise<Tally> {
  const tally = emptyTally();
  for (const scenario of scenarios) {
    const { worlds, failures } = tally;
    const [before, broken, at] = [worlds, failures.length, performance.now()];
    tally.scenarios += 1;
    try {
      for (const condition of Object.keys(CONDITIONS)) await tryScenario(scenario, condition, share, tally);
      if (typeof share === 'number') await tryPairs(scenario, Number(option('pairs', partOf(MOST_PAIRS, 1))), tally);
    } catch (error) {
      tally.broken.push(error instanceof Error ? error.message : String(error));
    }
    const seconds = ((performance.now() - at) / 1000).toFixed(1);
    console.log(
      `${scenario.name}: ${tally.worlds - before} worlds, ${failures.length - broken} violated, ${seconds} s`,
    );
  }
  for (const family of FAMILIES) {
    const [before, at] = [tally.failures.length, performance.now()];
    const isChosen = only === '' || family.name.includes(only);
    try {
      await tryFamily(family, isChosen && typeof share === 'number' ? share : 0, option('world', ''), tally);
    } catch (error) {
      tally.broken.push(`${family.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const seconds = ((performance.now() - at) / 1000).toFixed(1);
    const worlds = tally.families.get(family.name) ?? 0;
    console.log(`${family.name}: ${worlds} worlds, ${tally.failures.length - before} violated, ${seconds} s`);
  }
  return tally;
}

/** Tries worlds until one is violated, and says which oracle noticed, as one line of JSON. */
async function untilViolation(): Promise<void> {
  readExpectations(option('expect', ''));
  const [first, fault] = [option('first', ''), option('fault', '')];
  const known = scenarios.filter(({ name }) => expectations.has(name));
  const isFirst = ({ name }: Scenario) => name.includes(first);
  // Without any fault, with those that were named, with some of all; then the scenarios that nobody thought of.
  const near = ['', fault].flatMap((name, index) =>
    index > 0 && name === '' ? [] : known.filter(isFirst).map((scenario) => [scenario, 'plain', name || 0] as const),
  );
  const drawn = [...known.filter(isFirst), ...known.filter((one) => !isFirst(one))].flatMap((scenario) =>
    Object.keys(CONDITIONS).map((condition) => [scenario, condition, MUTANT_SHARE] as const),
  );
  const world = option('world', '');
  const families = world === '' ? [] : FAMILIES.map(({ name }) => [name, 'family', world] as const);
  const others = [...near, ...drawn].map(([{ name }, condition, share]) => [name, condition, share] as const);
  for (const [scenario, condition, share] of [...families, ...others]) {
    const noticed = await firstViolation(scenario, condition, share);
    if (noticed === undefined) continue;
    console.log(`violated: ${JSON.stringify(noticed)}`);
    return;
  }
}

/** Of the worlds of a scenario; or of a family, those whose names begin with a text. */
async function firstViolation(name: string, condition: string, share: number | string): Promise<Noticed | undefined> {
  const about = { scenario: name, condition, share };
  const tally: Tally = { ...emptyTally(), isOver: ({ length }) => length > 0 };
  const scenario = SCENARIOS.find((one) => one.name === name);
  const family = FAMILIES.find((one) => one.name === name);
  try {
    if (scenario !== undefined) await tryScenario(scenario, condition, share, tally);
    else if (family !== undefined) await tryFamily(family, 0, String(share), tally);
  } catch (error) {
    const text = error instanceof Error ? error.message.split('\n', 1)[0] : '';
    return { ...about, by: `no run without faults, ${text ?? ''}`, world: undefined };
  }
  const [failure] = tally.failures;
  if (failure === undefined) return undefined;
  const oracle = failure.outcome.violations[0]?.oracle ?? '';
  return { ...about, by: `${oracle}, ${name}, ${failure.name || 'no fault'}`, world: failure.name };
}

/** So much of what the whole suite has when all of the single faults are tried. */
function partOf(all: number, least: number): string {
  return String(typeof share === 'number' ? Math.max(least, Math.ceil(all * share)) : least);
}

/** Edited texts for every reader, for so many seconds; true if nothing was found. */
function tryEditedTexts(seconds: number): boolean {
  const script = join(OUT, 'test/faults/texts/main.js');
  const from = option('texts-from', String(FIRST_TEXT));
  const options = ['--seconds', String(seconds), '--from', from, '--root', option('root', '.')];
  console.log(`edited texts for ${seconds} s`);
  return spawnSync(process.execPath, [script, ...options], { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

async function whole(): Promise<void> {
  const started = performance.now();
  const isPart = has('mutants-only') || has('texts-only');
  const tally = isPart || has('no-worlds') ? undefined : await tryWorlds();
  const most = Number(option('kills', partOf(MOST_KILLS, LEAST_KILLS)));
  const kills = isPart || has('no-kills') ? undefined : await killAll(option('cli', ''), scenarios, most);
  const isTried = !has('no-texts') && !has('mutants-only') && (only === '' || has('texts-only'));
  const seconds = Number(option('texts', partOf(MOST_SECONDS, LEAST_SECONDS)));
  const isRead = !isTried || tryEditedTexts(seconds);
  const caught =
    has('no-mutants') || has('texts-only')
      ? undefined
      : await tryMutants({ out: OUT, root: option('root', '.') }, isPart ? only : '');
  for (const failure of (tally?.failures ?? []).slice(0, Number(option('show', '10'))))
    console.log(`\n${describeFailure(failure, has('log'))}`);
  for (const { name, violations } of kills?.failures ?? []) {
    console.log(`\n# killed: ${name}`);
    for (const { oracle, text } of violations) console.log(`  ${oracle}: ${text.slice(0, 400)}`);
  }
  const groups = groupsOf(tally?.failures ?? []);
  if (groups.length > 0) console.log(`\nfailures that look alike:\n${groups.slice(0, 60).join('\n')}`);
  for (const text of tally?.broken ?? []) console.log(`\n# no run without faults: ${text.slice(0, 3000)}`);
  const rows = rowsOf({ share: typeof share === 'number' ? share : undefined, tally, killed: kills, caught });
  console.log(`\n${textOf(rows)}\n${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (IS_WHOLE && !has('no-write')) writeInto(option('page', join(option('root', '.'), 'docs/reliability.md')), rows);
  const missed = (caught ?? []).filter((one) => one.by === undefined).length;
  const violated = (tally?.failures.length ?? 0) + (tally?.broken.length ?? 0) + (kills?.failures.length ?? 0);
  process.exitCode = violated + missed === 0 && isRead ? 0 : 1;
}

await (has('until-violation') ? untilViolation() : whole());
