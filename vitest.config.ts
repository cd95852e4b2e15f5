import { defineConfig } from 'vitest/config';

/** Files that replace the digests by quick ones, for which modules must not have been loaded with the slow ones. */
const QUICK_DIGESTS = [
  'test/export/every-field.test.ts',
  'test/faults/faults.test.ts',
  'test/properties/every-field.test.ts',
  'test/properties/missing.test.ts',
  'test/properties/secrets.test.ts',
  'test/properties/worlds.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: 'test/support/temporary.ts',
    // Ends what hangs; a machine that is busy with something else must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than cores: some of the tests wait for processes, answers or a browser.
    maxWorkers: 3,
    // Most code runs seldom: a larger nursery and late optimising spare a tenth of the CPU time (record 0033).
    execArgv: [
      '--max-semi-space-size=64',
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
    ],
    // Loading the program takes longer than most files of tests: a worker does it once, and once more with other digests.
    isolate: false,
    setupFiles: 'test/support/each-file.ts',
    projects: [
      { extends: true, test: { name: 'quick digests', include: QUICK_DIGESTS } },
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: QUICK_DIGESTS } },
    ],
  },
});
