import { defineConfig } from 'vitest/config';

/** Files that replace a module of the platform: modules that read it must not have been loaded for another file. */
const REPLACING = [
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
    maxWorkers: 2,
    projects: [
      // Loading the program takes longer than most files of tests: a worker does it once.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: REPLACING,
          isolate: false,
          setupFiles: 'test/support/each-file.ts',
        },
      },
      { extends: true, test: { name: 'alone', include: REPLACING } },
    ],
  },
});
