// The whole fault suite from the command line: `node main.js [--share N] [--only TEXT] [--pairs N] [--verbose]`.

import { emptyTally, GROUNDS, tryPairs, tryScenario } from './enumerate.ts';
import { SCENARIOS } from './scenarios.ts';

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
}

const share = Number(option('share', '1'));
const only = option('only', '');
const pairs = Number(option('pairs', '0'));
const started = performance.now();
const tally = emptyTally();
for (const scenario of SCENARIOS.filter(({ name }) => name.includes(only))) {
  const before = { worlds: tally.worlds, failures: tally.failures.length, at: performance.now() };
  try {
    for (const ground of Object.keys(GROUNDS)) await tryScenario(scenario, ground, share, tally);
    if (pairs > 0) await tryPairs(scenario, pairs, tally);
    tally.scenarios += 1;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
  }
  const ms = Math.round(performance.now() - before.at);
  console.log(
    `${scenario.name}: ${tally.worlds - before.worlds} worlds, ${tally.failures.length - before.failures} failures, ${ms} ms`,
  );
}
const { failures, violations, ...numbers } = tally;
console.log(numbers, Object.fromEntries(violations), `${((performance.now() - started) / 1000).toFixed(1)} s`);
const shown = Number(option('show', '10'));
for (const { scenario, ground, name, outcome, plot } of failures.slice(0, shown)) {
  console.log(`\n# ${scenario} on ${ground}: ${name}, gap ${plot.gapMs}`);
  for (const violation of outcome.violations) console.log(`  ${violation.oracle}: ${violation.text.slice(0, 300)}`);
  console.log(`  exits ${outcome.runs.map((ran) => ran.exit ?? 'crash').join(' ')}`);
  if (process.argv.includes('--verbose'))
    for (const one of outcome.log)
      console.log(
        `    ${one.run} ${Math.round(one.at)} ${one.method} ${one.path} ${one.status}${one.isLate ? ' late' : ''} ${one.address ?? ''}`,
      );
}
