#!/usr/bin/env node
// `edgeform-gitlab JOB [WAVE]`: a job of the GitLab component, all steps in one process. It ends with the exit code of the program; with a
// token, the merge request or an issue is told.

import { gitlab } from './forges/gitlab.mjs';
import { PROPOSING } from './forges/gitlab-calls.mjs';
import { STEPS } from './steps.mjs';

const JOBS = {
  validate: { steps: ['validate'] },
  plan: { steps: ['base', 'journal', 'plan'], telling: 'comment' },
  apply: { steps: ['find', 'apply'], telling: 'report' },
  drift: { steps: ['drift'], telling: 'issue' },
  [PROPOSING]: { steps: ['propose'] },
};

async function run(name, wave) {
  const forge = gitlab(process.env, name, wave);
  const { steps, telling } = JOBS[name];
  try {
    for (const step of steps) await STEPS[step](forge);
    process.exitCode = Number(forge.given('code'));
    if (telling !== undefined && forge.canTell) await STEPS[telling](forge);
  } catch (error) {
    forge.say('error', error.message);
    // What was applied is applied, whether it can be told or not.
    if (name !== 'apply' || process.exitCode === undefined) process.exitCode ||= 1;
  }
}

const [name, wave] = process.argv.slice(2);
if (Object.hasOwn(JOBS, name ?? '')) await run(name, wave);
else {
  console.error(`usage: edgeform-gitlab ${Object.keys(JOBS).join('|')}`);
  process.exitCode = 64;
}
