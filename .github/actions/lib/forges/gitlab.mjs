// A job of the GitLab component: its variables, its files, which are artifacts, and how it speaks.

import { writeFileSync } from 'node:fs';
import { WHEN_REFUSED } from '../advice.mjs';
import { asCode, serviceOf, wordsIn } from '../text.mjs';
import { gitlabCalls } from './gitlab-calls.mjs';

/** What later jobs are told of the plan, as variables. */
const TOLD = 'edgeform-plan.env';
/** The counts that the merge request shows. */
const COUNTS = 'edgeform-terraform.json';

export function gitlab(env, job, wave = '') {
  const held = new Map();
  const inputs = inputsOf(env, wave);
  const head = env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA || '';
  const { CI_MERGE_REQUEST_IID: number } = env;
  return {
    ...gitlabCalls(env, job),
    inputs,
    about: { stack: inputs.stack, service: inputs.service },
    files: filesOf(job),
    words: wordsOf(env),
    format: 'gitlab',
    findings: [{ format: 'gitlab' }, { format: 'codequality', path: 'edgeform-codequality.json' }],
    // Artifacts of merge requests are not at hand after the merge.
    findsPlans: false,
    // Jobs are run again one by one, with the artifacts of the newest.
    attempt: '1',
    needsJournal: (env.EDGEFORM_CAPABILITIES ?? '').split(',').some((word) => word.trim() === '-https-edge-list'),
    canTell: (env.EDGEFORM_GITLAB_TOKEN ?? '') !== '',
    // Pipelines of forks run in the fork, and make no plan.
    change: () => (number === undefined ? undefined : { number, head, isForeign: false }),
    head: () => head,
    /** Since what it is merged into here, or since it left its target. */
    base: () => env.CI_MERGE_REQUEST_TARGET_BRANCH_SHA || env.CI_MERGE_REQUEST_DIFF_BASE_SHA || '',
    target: () => ({ branch: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || undefined, applied: env.CI_DEFAULT_BRANCH }),
    // A merge train is planned again after the merge, and that plan is applied.
    queued: () => undefined,
    // GitLab does not tell a job that it runs in a fork.
    isIdleFork: () => false,
    /** The steps of a job are in one process. */
    given: (name) => held.get(name) ?? toldIn(env)[name] ?? '',
    put(values) {
      for (const [name, value] of Object.entries(values)) held.set(name, String(value));
    },
    say: (level, text) => console.error(level === 'notice' ? text : `${level}: ${text}`),
    // The file is an artifact.
    summarise: () => undefined,
    tellPlan,
    checkout() {
      if ((env.CI_COMMIT_BRANCH ?? '') === '') throw new Error('let the schedule run on a branch');
      const base = { ref: env.CI_COMMIT_BRANCH, sha: env.CI_COMMIT_SHA };
      return { base, root: process.cwd(), folder: '.', more: [] };
    },
    missing: () => undefined,
  };
}

function inputsOf(env, wave) {
  return {
    stack: env.EDGEFORM_CI_STACK,
    service: serviceOf(env.EDGEFORM_BASE_URL),
    manifest: wordsIn(env.EDGEFORM_CI_MANIFEST),
    fleet: env.EDGEFORM_CI_FLEET ?? '',
    options: wordsIn(env.EDGEFORM_CI_ARGUMENTS),
    wave,
    program: env.EDGEFORM_CI_PROGRAM || 'edgeform',
    proposes: env.EDGEFORM_CI_PULL_REQUEST === 'true',
  };
}

/** What people get of a job is named after it. */
function filesOf(job) {
  return {
    summary: `edgeform-${job}.md`,
    note: 'edgeform-note.md',
    plan: 'edgeform-plan.json',
    plans: 'edgeform-plans',
    list: 'edgeform-fleet.json',
    accepted: 'edgeform-accepted.json',
    told: [TOLD],
  };
}

function wordsOf({ CI_JOB_URL }) {
  return {
    request: 'merge request',
    run: 'job',
    link: `[this job](${CI_JOB_URL})`,
    address: 'the variable EDGEFORM_BASE_URL',
    stale:
      'The plan of this pipeline is out of date, and nothing was changed. Run its plan job again, read the plan, and apply it.',
    review: 'Run the plan job of this pipeline again, read the plan, and apply it.',
    plan: 'the plan of this pipeline',
    told: 'that the plan job of this pipeline told of',
    end: (result) => (result === 'refused' ? ` ${WHEN_REFUSED}` : ''),
    elsewhere: (_branch, applied) => ` Merging applies nothing: only what comes into ${asCode(applied)} is applied.`,
    noJournal: (why, isFound = true) =>
      `${why}. ${isFound ? 'Create EDGEFORM_GITLAB_TOKEN with the role Developer, or switch' : 'Switch'} off "Use separate caches for protected branches" (Settings, CI/CD, General pipelines).`,
    unknownDrift: 'it is not known whether there is drift, so the merge request stays as it is',
  };
}

/** What the plan job told this one; whoever needs none is told nothing. */
function toldIn({ EDGEFORM_PLAN_FINGERPRINT: fingerprint }) {
  return { fingerprint };
}

function tellPlan({ fingerprint, removals: { deletes, replaces, losses }, openings, summary }) {
  const all = Object.entries({
    DELETES: deletes,
    REPLACES: replaces,
    LOSSES: losses,
    EXPOSURES: openings,
    FINGERPRINT: fingerprint,
  });
  writeFileSync(TOLD, all.map(([name, value]) => `EDGEFORM_PLAN_${name}=${value}\n`).join(''));
  if (summary === undefined) return;
  // A replacement is a creation and a deletion there, an adoption an update.
  const { create, update, adopt, replace } = summary;
  const counts = { create: create + replace, update: update + adopt, delete: summary.delete + replace };
  writeFileSync(COUNTS, JSON.stringify(counts));
}
