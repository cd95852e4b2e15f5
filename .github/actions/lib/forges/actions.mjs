// A step of an action, as the runners of GitHub and Gitea start it: inputs and outputs, the event, the log and its annotations.

import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parentsOfHead } from '../git.mjs';
import { WHEN_REFUSED } from '../advice.mjs';
import { asCode, lines, serviceOf, withoutSlashes } from '../text.mjs';

const REVIEW =
  'Open a new pull request (an empty commit is enough: `git switch -c plan-again && git commit --allow-empty -m "Plan again" && git push -u origin plan-again`), read its plan, and merge it.';
const NO_WORKFLOW =
  '**No workflow runs for it yet**, because none starts for what the token of a job makes. Close it and open it again for its plan.';
const BRANCH = 'refs/heads/';
/** GitHub drops a summary of more than 1 MiB; the program writes less. */
const MAX_SUMMARY = 1024 * 1024 - 2;

/** How often this run was started. */
const attemptOf = (env) => env.GITHUB_RUN_ATTEMPT ?? '1';

/** What is known without a token. */
export function actionStep(env) {
  const inputs = inputsOf(env);
  const event = () => JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
  const say = (level, text) => {
    const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    process.stdout.write(`::${level} title=edgeform::${escaped}\n`);
  };
  return {
    inputs,
    about: { stack: inputs.stack, service: inputs.service },
    files: filesOf(env),
    words: wordsOf(env),
    format: 'github',
    findings: [{ format: 'github' }],
    findsPlans: true,
    canTell: true,
    attempt: attemptOf(env),
    change: () => changeOf(event().pull_request, env),
    head: () => event().pull_request?.head.sha ?? env.GITHUB_SHA,
    commit: env.GITHUB_SHA,
    base: () => event().merge_group?.base_sha ?? baseOf(event().pull_request),
    queued: () => queuedIn(event().merge_group),
    target: () => targetOf(event()),
    isIdleFork: () => !namesService(inputs, env) && event().repository?.fork === true,
    given: (name) => env[name.toUpperCase()] ?? '',
    /** Always of one line. */
    put(values) {
      for (const [name, value] of Object.entries(values))
        appendFileSync(env.GITHUB_OUTPUT, `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`);
    },
    say,
    summarise(text) {
      const isShort = Buffer.byteLength(text) <= MAX_SUMMARY;
      appendFileSync(env.GITHUB_STEP_SUMMARY, `${isShort ? text : 'It is too long to show here: see the log.'}\n\n`);
    },
    // Outputs say it.
    tellPlan: () => undefined,
    checkout: () => checkoutOf(env),
    missing: () =>
      attemptOf(env) === '1'
        ? undefined
        : `the job drift stored nothing in attempt ${attemptOf(env)} of this run, so the pull request stays as it is: run all jobs again, also those that did not fail`,
    requireSafeEvent: () => requireSafeEvent(env),
  };
}

/** By the input, or by a variable that entries of a fleet may name; they may name no others. */
function namesService({ service }, env) {
  const named = (env.EDGEFORM_FLEET_CREDENTIALS ?? '').split(',');
  return service !== '' || named.some((name) => (env[name.trim()] ?? '') !== '');
}

function inputsOf(env) {
  return {
    stack: env.STACK ?? '',
    service: serviceOf(env.EDGEFORM_BASE_URL),
    manifest: lines(env.MANIFEST),
    fleet: env.EDGEFORM_CI_FLEET ?? '',
    options: lines(env.ARGUMENTS),
    wave: env.WAVE ?? '',
    program: env.EDGEFORM_CI_PROGRAM || 'edgeform',
    proposes: env.PULL_REQUEST === 'true',
  };
}

/** `FOLDER` is of this step alone; the plan that was reviewed was put into another one. */
function filesOf({ FOLDER = '', PLAN_FOLDER }) {
  const at = (name) => join(FOLDER, name);
  return {
    summary: at('summary.md'),
    note: at('comment.md'),
    plan: join(PLAN_FOLDER ?? FOLDER, 'plan.json'),
    plans: PLAN_FOLDER ?? at('saved'),
    list: at('fleet.json'),
    accepted: at('accepted.json'),
    told: [],
  };
}

function wordsOf(env) {
  const server = withoutSlashes(env.GITHUB_SERVER_URL ?? '');
  return {
    request: 'pull request',
    run: 'run',
    link: `[this run](${server}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID})`,
    address: 'the input base-url',
    stale: `The plan that was reviewed is out of date, and nothing was changed. ${REVIEW}`,
    review: REVIEW,
    plan: 'the plan that was reviewed',
    told: 'in the comment',
    end: (result) => ` ${endOf(result)}\n`,
    elsewhere: (branch, applied) =>
      ` Merging applies nothing unless the workflow runs on pushes to ${asCode(branch)}, too, which is not the default branch (${asCode(applied)}).\n`,
    // The cache of the default branch is at hand.
    noJournal: (why) => `${why}.`,
    unknownDrift: 'It is not known whether there is drift, so the pull request stays as it is.',
  };
}

function endOf(result) {
  if (['pending', 'clean'].includes(result))
    return 'Merging applies exactly this plan, or nothing if the service or the manifest has changed by then.';
  return result === 'refused' ? `Merging applies nothing. ${WHEN_REFUSED}` : 'Merging applies nothing.';
}

/** Runs for Dependabot get no secrets and may not comment, either. */
function changeOf(pull, { GITHUB_REPOSITORY, GITHUB_ACTOR }) {
  if (pull === undefined) return undefined;
  const isForeign = pull.head.repo?.full_name !== GITHUB_REPOSITORY || GITHUB_ACTOR === 'dependabot[bot]';
  return { number: pull.number, head: pull.head.sha, isForeign };
}

/** What GitHub merged the pull request into for this run; its base where something else is checked out. */
function baseOf(pull) {
  if (pull === undefined) return '';
  const [first, second, ...more] = parentsOfHead();
  return second === pull.head.sha && more.length === 0 ? first : (pull.base?.sha ?? '');
}

/** A queue names its branches `gh-readonly-queue/BRANCH/pr-NUMBER-COMMIT`, after the last change in it. */
function queuedIn({ head_ref: ref = '' } = {}) {
  return /\/pr-(\d+)-[0-9a-f]{40,64}$/.exec(ref)?.[1];
}

/** What applies is known to the workflow alone; that of `init` does on pushes to the default branch. */
function targetOf({ pull_request: pull, repository }) {
  const branch = pull?.base?.ref;
  return { branch, applied: repository?.default_branch ?? branch };
}

/** The folder of the manifest may be named from the root of the disk, too. */
function checkoutOf({ GITHUB_REF = '', GITHUB_SHA, GITHUB_WORKSPACE: root, WORKING_DIRECTORY, OWN_TOKEN }) {
  if (!GITHUB_REF.startsWith(BRANCH)) throw new Error('use the event schedule, or another one of a branch');
  return {
    base: { ref: GITHUB_REF.slice(BRANCH.length), sha: GITHUB_SHA },
    root,
    folder: relative(root, resolve(root, WORKING_DIRECTORY)) || '.',
    more: OWN_TOKEN === 'true' ? [] : [NO_WORKFLOW],
  };
}

/** Refuses events that would run files of a fork with the secrets of this repository. */
function requireSafeEvent({ GITHUB_EVENT_NAME: name }) {
  if (['pull_request_target', 'workflow_run', 'issue_comment', 'pull_request_comment'].includes(name))
    throw new Error(`use the event pull_request, not ${name}`);
}
