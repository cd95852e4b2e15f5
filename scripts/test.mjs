// `npm test`: the build, types included, and then every test. The last line is the plain count of the tests that really ran.
// With `--full` (`npm run test:full`) the properties and the fault worlds try many times as many worlds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

const CACHE = 'node_modules/.cache';
const RESULTS = `${CACHE}/edgeform-tests.json`;
const vitest = 'node_modules/vitest/vitest.mjs';
const stages = [
  ['build', ['scripts/build.mjs']],
  ['tests', [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`]],
];

// The build is new by then.
process.env.TESTS_OF_BUILD = '1';
if (process.argv.includes('--full')) Object.assign(process.env, { WORLDS_FACTOR: '1', FAULTS_SHARE: '0.05' });
mkdirSync(CACHE, { recursive: true });
rmSync(RESULTS, { force: true });
const failed = stages.find(([name, args]) => !run(name, args))?.[0];
console.log(count());
process.exitCode = failed === undefined ? 0 : 1;

/** Runs a stage to its end; false if it failed. */
function run(name, args) {
  const start = performance.now();
  const isGood = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
  console.log(`${name}: ${isGood ? 'ok' : 'FAILED'} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return isGood;
}

function count() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(RESULTS, 'utf8'));
    // A file that cannot be loaded fails without a failed test.
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    // An error outside any test (an unhandled rejection) fails the run, too.
    const failures = Math.max(numFailedTests + broken, failed === undefined ? 0 : 1);
    return `${numPassedTests} passed, ${failures} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`;
  } catch {
    return `0 passed, 1 failed`;
  }
}
