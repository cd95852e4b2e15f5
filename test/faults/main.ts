// The whole fault suite: `npm run test:faults -- [options]`.
//   --share N           tries this share of the single faults (default 1)
//   --pairs N           pairs of faults for each scenario (default 100)
//   --fault NAME        tries all faults whose names begin so, and no others
//   --only TEXT         scenarios, or mutants, whose name holds the text
//   --kills N           processes to kill at most (default 320); --no-kills leaves them out
//   --no-mutants, --mutants-only, --no-worlds
//   --show N, --log     so many failures in full (default 10), with all their requests
//   --write             puts the table into docs/reliability.md

import { join } from 'node:path';
import type { Tally } from './enumerate.ts';
import { emptyTally, GROUNDS, tryPairs, tryScenario } from './enumerate.ts';
import { MUTANT_SHARE, readExpectations, tryMutants } from './mutants.ts';
import { killAll } from './processes.ts';
import type { Scenario } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';
import { groupsOf, rowsOf, tell, textOf, writeInto } from './table.ts';
import { expectations } from './world.ts';

const OUT = join(import.meta.dirname, '../..');

function has(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

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
      for (const ground of Object.keys(GROUNDS)) await tryScenario(scenario, ground, share, tally);
      if (typeof share === 'number') await tryPairs(scenario, Number(option('pairs', '100')), tally);
    } catch (error) {
      tally.broken.push(error instanceof Error ? error.message : String(error));
    }
    const seconds = ((performance.now() - at) / 1000).toFixed(1);
    console.log(
      `${scenario.name}: ${tally.worlds - before} worlds, ${failures.length - broken} violated, ${seconds} s`,
    );
  }
  return tally;
}

/** Tries worlds until one is violated that is not violated anyway, and says which oracle noticed. */
async function untilViolation(): Promise<void> {
  const isNews = readExpectations(option('expect', ''));
  const first = option('first', '');
  const known = scenarios.filter(({ name }) => expectations.has(name));
  const isFirst = ({ name }: Scenario) => name.includes(first);
  const fault = option('fault', '');
  const named = fault === '' ? [] : known.filter(isFirst).map((scenario) => [scenario, 'plain', fault] as const);
  const drawn = [...known.filter(isFirst), ...known.filter((one) => !isFirst(one))].flatMap((scenario) =>
    Object.keys(GROUNDS).map((ground) => [scenario, ground, MUTANT_SHARE] as const),
  );
  for (const [scenario, ground, share] of [...named, ...drawn]) {
    const tally = emptyTally();
    try {
      await tryScenario(scenario, ground, share, tally);
    } catch (error) {
      const text = error instanceof Error ? error.message.split('\n', 1)[0] : '';
      console.log(`violated: no run without faults, ${text ?? ''}`);
      return;
    }
    const news = isNews(tally.failures);
    if (news === undefined) continue;
    console.log(`violated: ${news.outcome.violations[0]?.oracle ?? ''}, ${scenario.name}, ${news.name}`);
    return;
  }
}

async function whole(): Promise<void> {
  const started = performance.now();
  const isPart = has('mutants-only');
  const tally = isPart || has('no-worlds') ? undefined : await tryWorlds();
  const kills =
    isPart || has('no-kills') ? undefined : await killAll(option('cli', ''), scenarios, Number(option('kills', '320')));
  const caught = has('no-mutants')
    ? undefined
    : await tryMutants({ out: OUT, root: option('root', '.') }, isPart ? only : '');
  for (const failure of (tally?.failures ?? []).slice(0, Number(option('show', '10'))))
    console.log(`\n${tell(failure, has('log'))}`);
  for (const { name, violations } of kills?.failures ?? []) {
    console.log(`\n# killed: ${name}`);
    for (const { oracle, text } of violations) console.log(`  ${oracle}: ${text.slice(0, 400)}`);
  }
  const groups = groupsOf(tally?.failures ?? []);
  if (groups.length > 0) console.log(`\nfailures that look alike:\n${groups.slice(0, 60).join('\n')}`);
  for (const text of tally?.broken ?? []) console.log(`\n# no run without faults: ${text.slice(0, 3000)}`);
  const rows = rowsOf({ tally, killed: kills, caught, seconds: (performance.now() - started) / 1000 });
  console.log(`\n${textOf(rows)}`);
  if (has('write')) writeInto(option('page', 'docs/reliability.md'), rows);
  const missed = (caught ?? []).filter((one) => one.by === undefined).length;
  const violated = (tally?.failures.length ?? 0) + (tally?.broken.length ?? 0) + (kills?.failures.length ?? 0);
  process.exitCode = violated + missed === 0 ? 0 : 1;
}

await (has('until-violation') ? untilViolation() : whole());
