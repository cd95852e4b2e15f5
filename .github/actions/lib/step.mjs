// `node step.mjs STEP`: one step of an action. What it puts out goes to later steps; what goes wrong is one annotation and exit code 1.

import { forgeOfActions } from './forges/forge.mjs';
import { STEPS } from './steps.mjs';

const [name] = process.argv.slice(2);
const forge = forgeOfActions(process.env, name);
try {
  // Elsewhere the last step of the action ends the job, so that everything is told before.
  process.exitCode = (await STEPS[name](forge)) ?? 0;
} catch (error) {
  forge.say('error', error.message);
  process.exitCode = 1;
}
