import { dirname, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files with quick digests: those in which it only counts that equal secrets have equal ones. */
const QUICK_DIGESTS = [
  'test/export/every-field.test.ts',
  'test/faults/faults.test.ts',
  'test/fleet/view.test.ts',
  'test/pairs/meetings.test.ts',
  'test/pairs/pairs.test.ts',
  'test/plan/attribution.test.ts',
  'test/plan/ignored-secrets.test.ts',
  'test/plan/perpetual-diff/secrets.test.ts',
  'test/plan/secrets.test.ts',
  'test/plan/unshown-values.test.ts',
  'test/properties/accept.test.ts',
  'test/properties/dispositions.test.ts',
  'test/properties/every-field.test.ts',
  'test/properties/fleet-of-one.test.ts',
  'test/properties/missing.test.ts',
  'test/properties/secrets.test.ts',
  'test/properties/told.test.ts',
  'test/properties/worlds.test.ts',
];

/** Files that take longest: they begin first, so that no worker is left alone with one at the end. */
const LONG = [
  'test/cli/cli.test.ts',
  'test/documents/documents.test.ts',
  'test/faults/texts.test.ts',
  'test/faults/faults.test.ts',
  'test/pull-requests/fleet.test.ts',
  'test/extending.test.ts',
  'test/pull-requests/life-gitea.test.ts',
  'test/pull-requests/life-github.test.ts',
  'test/pull-requests/life-gitlab.test.ts',
  'test/manifest/costs.test.ts',
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((path) => moduleId.endsWith(path));
    const others = await super.sort(files.filter((file) => !isLong(file)));
    return [...files.filter(isLong), ...others];
  }
}

const EACH_FILE = 'test/support/each-file.ts';

/**
 * Modules of `src` as the build has made them, where TESTS_OF_BUILD says that it is new (`npm test`): a process loads them in a
 * fifth of the time.
 */
const built = {
  name: 'built',
  enforce: 'pre' as const,
  resolveId(id: string, importer = '') {
    const [, module] = /\/src\/(.*)\.ts$/.exec(resolve(dirname(importer), id)) ?? [];
    const isOurs = id.startsWith('.') && importer.startsWith(resolve('test'));
    return isOurs && module !== undefined ? { id: resolve('dist', `${module}.js`), external: true } : undefined;
  },
};

export default defineConfig({
  plugins: process.env['TESTS_OF_BUILD'] === undefined ? [] : [built],
  test: {
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    globalSetup: 'test/support/temporary.ts',
    // Ends what hangs; a machine that is busy with something else must not fail a test.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    sequence: { sequencer: LongFirst },
    // Two more than cores: some of the tests wait for processes, answers or a browser.
    maxWorkers: 4,
    // Most code runs seldom: a larger nursery and late optimising spare a tenth of the CPU time (record 0033).
    execArgv: [
      '--max-semi-space-size=64',
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []),
    ],
    // Loading the program takes longer than most files of tests: a worker does it once, and once more with other digests.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick digests',
          include: QUICK_DIGESTS,
          setupFiles: [EACH_FILE, 'test/support/quick-digests.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: QUICK_DIGESTS, setupFiles: EACH_FILE },
      },
    ],
  },
});
