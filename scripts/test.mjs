// `npm test`: format, lint, types, build, freshness of generated files, then every test. Stops at the first stage that
// fails; the last line is the plain count of the tests that really ran. With `--full` (`npm run test:full`) the properties and
// the fault worlds try several times as many worlds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

const RESULTS = 'node_modules/.cache/edgeform-tests.json';
const npx = (...args) => ['npx', ['--no-install', ...args]];
const stages = [
  ['format', npx('prettier', '--check', '--log-level', 'warn', '.')],
  ['lint', npx('eslint', '.')],
  ['types', npx('tsc', '--noEmit', '-p', '.')],
  ['build', ['node', ['scripts/build.mjs']]],
  ['generated files', ['node', ['dist/generate/main.js', '--check']]],
  ['tests', npx('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`)],
];

if (process.argv.includes('--full')) Object.assign(process.env, { WORLDS_FACTOR: '1', FAULTS_SHARE: '0.05' });
mkdirSync('node_modules/.cache', { recursive: true });
rmSync(RESULTS, { force: true });
let failed = '';
for (const [name, [command, args]] of stages) {
  const start = performance.now();
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  console.log(`${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  if (status !== 0) {
    failed = name;
    process.exitCode = 1;
    break;
  }
}
console.log(count());

function count() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(RESULTS, 'utf8'));
    // A file that cannot be loaded fails without a failed test.
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    // An error outside any test (an unhandled rejection) fails the run, too.
    const failures = Math.max(numFailedTests + broken, failed === '' ? 0 : 1);
    return `${numPassedTests} passed, ${failures} failed${numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''}`;
  } catch {
    return `0 passed, 1 failed`;
  } finally {
    if (failed !== '') console.log(`stage "${failed}" failed`);
  }
}
