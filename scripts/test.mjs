// `npm test`: format, rules and types, build, freshness of generated files, then every test. Stops at the first stage that
// fails; the last line is the plain count of the tests that really ran. With `--full` (`npm run test:full`) the properties and
// the fault worlds try many times as many worlds, and slower tools check format, rules and types once more.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

const CACHE = 'node_modules/.cache';
const RESULTS = `${CACHE}/edgeform-tests.json`;
const node = (...args) => ['node', args];
const isFull = process.argv.includes('--full');
const vitest = 'node_modules/vitest/vitest.mjs';
const lint = ['lint and types', node('scripts/quick-lint.mjs')];
const stages = [
  ['format', node('scripts/quick-format.mjs')],
  ['build', node('scripts/build.mjs', '--no-check')],
  ['generated files', node('scripts/run.mjs', 'scripts/generate/main.ts', '--check')],
];
// Those whose place the quick ones take (record 0034).
const fullStages = [
  ['format in full', node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.')],
  ['lint in full', node('node_modules/eslint/bin/eslint.js', '.')],
  ['types in full', node('node_modules/typescript/bin/tsc', '--noEmit', '-p', '.')],
];
const tests = ['tests', node(vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS}`)];

// The build is new by then.
process.env.TESTS_OF_BUILD = '1';
if (isFull) Object.assign(process.env, { WORLDS_FACTOR: '1', FAULTS_SHARE: '0.05' });
mkdirSync(CACHE, { recursive: true });
rmSync(RESULTS, { force: true });
let failed = '';
let stop = () => undefined;
// One core lints while the other does the rest, and both do the tests that are left then.
const linted = run(lint);
for (const stage of [...stages, ...(isFull ? fullStages : []), tests]) if (failed === '') await run(stage);
await linted;
console.log(count());

/** Runs a stage to its end, and notes that it failed; a stage beside others shows what it says when it is over. */
function run([name, [command, args]]) {
  const start = performance.now();
  const isBeside = name === lint[0];
  const child = spawn(command, args, { stdio: ['ignore', isBeside ? 'pipe' : 'inherit', 'inherit'] });
  if (!isBeside) stop = () => child.kill();
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  return new Promise((done) => {
    child.once('close', (status) => {
      process.stdout.write(said);
      console.log(`${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
      if (status !== 0) {
        failed ||= name;
        process.exitCode = 1;
        stop();
      }
      done();
    });
  });
}

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
