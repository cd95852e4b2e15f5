// `npm run check:release [STAGE…]`, and `.ci/run --full`: everything that a release needs and that can be tried without a registry
// or a forge. It fetches tools and other versions of Node, so it is no part of `npm test`. The last line is the count.
import { checkImage } from './image.mjs';
import { checkPipelines } from './pipelines.mjs';
import { checkPackage, packIn } from './package.mjs';
import { checkServices } from './services.mjs';
import { checkExecutable } from './sea.mjs';
import { checkSite } from './site.mjs';
import { checkVersions } from './versions.mjs';
import { checkWorkflows } from './workflows.mjs';

const STAGES = {
  package: checkPackage,
  versions: checkVersions,
  sea: checkExecutable,
  image: checkImage,
  services: checkServices,
  workflows: checkWorkflows,
  pipelines: checkPipelines,
  site: checkSite,
};
/** Stages that the stage `package` packs for; each of them alone packs for itself. */
const NEEDS_TARBALL = ['versions', 'image', 'pipelines'];

const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(STAGES) : asked;
const state = {};
let passed = 0;
/** Parts of stages that this machine cannot run. */
const notRun = [];
for (const name of names) {
  const start = performance.now();
  try {
    if (NEEDS_TARBALL.includes(name) && state.tarball === undefined) {
      const { folder, tarball } = packIn('one');
      Object.assign(state, { tarball, packed: folder });
    }
    const told = await STAGES[name](state);
    const { said, notRun: parts = [] } = typeof told === 'string' ? { said: told } : told;
    passed += 1;
    notRun.push(...parts);
    console.log(`${name}: ok (${((performance.now() - start) / 1000).toFixed(0)} s); ${said}`);
  } catch (error) {
    console.log(`${name}: FAILED\n${error instanceof Error ? error.message : error}`);
  }
}
if (notRun.length > 0) console.log(`not run: ${notRun.join(', ')}`);
const skipped = notRun.length === 0 ? '' : `, ${notRun.length} skipped`;
console.log(`${passed} passed, ${names.length - passed} failed${skipped}`);
process.exitCode = passed === names.length ? 0 : 1;
