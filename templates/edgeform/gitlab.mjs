#!/usr/bin/env node
// The jobs of the GitLab component. With EDGEFORM_GITLAB_TOKEN they keep one note on the merge request and one issue about drift.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  adviceFor,
  documents,
  edgeform,
  guard,
  isFleet,
  ofFleet,
  ofWave,
  optionsFor,
  REFUSED,
  resultOf,
  serviceOf,
  WHEN_REFUSED,
} from '../../.github/actions/lib/edgeform.mjs';
import { storeAccepted } from '../../.github/actions/lib/accept.mjs';
import { readStored } from '../../.github/actions/lib/accepted.mjs';
import { optionsToCompare } from '../../.github/actions/lib/base.mjs';
import { hasPlans, plansIn, removalsOf, sealPlans, stacksOfWave } from '../../.github/actions/lib/fleet.mjs';
import { readMarker, withMarker, withoutMarker } from '../../.github/actions/lib/marker.mjs';
import { createClient } from '../../.github/actions/lib/rest.mjs';
import { ourComments, putComment, putIssue } from '../../.github/actions/lib/sticky.mjs';
import { wordsIn } from '../../.github/actions/lib/text.mjs';
import { proposalCalls, proposeDrift } from './merge-requests.mjs';

const { env } = process;
const DELAY = Number(env.EDGEFORM_RETRY_DELAY ?? 1000);
const PLAN = 'edgeform-plan.json';
/** The plans of a fleet, in a folder of their own. */
const PLANS = 'edgeform-plans';
/** What later jobs are told of the plan, as variables. */
const REMOVALS = 'edgeform-plan.env';
/** Of the job that applies one wave. */
const WAVE = process.argv[3];
/** What is told on the merge request or in an issue; the artifacts have everything. */
const NOTE = 'edgeform-note.md';
/** What the check for drift stores for the merge request. */
const ACCEPTED = 'edgeform-accepted.json';

/** The job that may write to the repository; only its token must be of a developer. */
const PROPOSING = 'drift-merge-request';
const NEEDED = `EDGEFORM_GITLAB_TOKEN must be a project access token with the role ${process.argv[2] === PROPOSING ? 'Developer' : 'Reporter'} and the scope api`;

const manifest = wordsIn(env.EDGEFORM_CI_MANIFEST).flatMap((path) => ['-f', path]);
const given = (command) => [
  ...(isFleet ? ofFleet : manifest),
  ...guard(command, env.EDGEFORM_CI_STACK),
  ...optionsFor(command, wordsIn(env.EDGEFORM_CI_ARGUMENTS), 'the variable EDGEFORM_BASE_URL'),
];
const about = { stack: env.EDGEFORM_CI_STACK, service: serviceOf(env.EDGEFORM_BASE_URL) };
const job = `[this job](${env.CI_JOB_URL})`;

/** What each job runs: the exit code of the program, and what is told elsewhere about it. */
const JOBS = {
  async validate() {
    const options = given('validate');
    const code = await edgeform(['validate', '--format', 'gitlab', ...options]);
    await edgeform(['validate', '--format', 'codequality', ...options], { stdout: 'edgeform-codequality.json' });
    return { code };
  },

  async plan() {
    const summary = 'edgeform-plan.md';
    for (const path of [PLAN, PLANS, NOTE, REMOVALS, summary]) rmSync(path, { force: true, recursive: true });
    env.EDGEFORM_COMMIT = commit();
    const code = await (isFleet ? planFleet : planStack)(documents(summary, NOTE));
    const iid = env.CI_MERGE_REQUEST_IID;
    const tell = async () => {
      // The note of a newer commit stays.
      if (iid === undefined || (await forge.mergeRequest(iid)).sha !== commit()) return;
      await putComment(forge, iid, 'plan', about, planNote(code, textOf(NOTE)));
    };
    return { code, tell };
  },

  async apply() {
    await refuseOld();
    const summary = 'edgeform-apply.md';
    for (const path of [summary, NOTE]) rmSync(path, { force: true });
    if (isFleet && !hasPlans(PLANS)) {
      console.error('no stack had changes in the plan of this pipeline, so nothing was applied');
      return { code: 0 };
    }
    const stacks = await stacksToApply();
    if (stacks !== undefined && !hasPlans(PLANS, stacks)) {
      console.error(`no stack of wave ${WAVE} had changes in the plan of this pipeline, so nothing was applied`);
      return { code: 0 };
    }
    const code = await edgeform([
      'apply',
      isFleet ? plansIn(PLANS) : PLAN,
      '--auto-approve',
      '--format',
      'gitlab',
      ...documents(summary, NOTE),
      ...ofWave(WAVE),
      ...given('apply'),
    ]);
    const tell = async () => {
      const requests = await forge.mergeRequests(env.CI_COMMIT_SHA);
      for (const { iid } of requests.filter(({ state }) => state === 'merged')) {
        // A success is news only after a failure.
        if (code === 0 && (await ourComments(forge, iid, 'report', about)).length === 0) continue;
        await putComment(forge, iid, 'report', about, reportNote(code, textOf(NOTE)));
      }
    };
    return { code, tell };
  },

  async drift() {
    const found = 'edgeform-drift.md';
    for (const path of [found, NOTE, ACCEPTED]) rmSync(path, { force: true });
    const code = await edgeform(['drift', '--format', 'gitlab', ...documents(found, NOTE), ...given('drift')]);
    if (![0, 2].includes(code)) return { code };
    const warn = (text) => console.error(`warning: ${text}`);
    const drifted = { hasDrifted: code === 2, found: textOf(NOTE), options: given('drift'), warn };
    if (env.EDGEFORM_CI_PULL_REQUEST === 'true') await storeAccepted(ACCEPTED, drifted);
    const body = withMarker(textOf(NOTE), 'drift', { ...about, result: 'drifted' });
    const farewell = `The drift is gone, as ${job} shows. Closed.`;
    const issue = {
      title: `Drift of ${isFleet ? 'fleet' : 'stack'} ${about.stack}`,
      farewell,
      ...(code === 2 && { body }),
    };
    return { code, tell: () => putIssue(forge, about, issue) };
  },

  async [PROPOSING]() {
    if (!existsSync(ACCEPTED)) {
      console.error('it is not known whether there is drift, so the merge request stays as it is');
      return { code: 0 };
    }
    if (forge === undefined) throw new Error(NEEDED);
    const given = { manifest: wordsIn(env.EDGEFORM_CI_MANIFEST), fleet: env.EDGEFORM_CI_FLEET ?? '' };
    await proposeDrift(forge, { stored: readStored(ACCEPTED), about, isFleet, run: job, ...given });
    return { code: 0 };
  },
};

/** The stacks of the wave; undefined when the job is for all that is left. */
async function stacksToApply() {
  if (WAVE === undefined) return undefined;
  const path = 'edgeform-fleet.json';
  const code = await edgeform(['list', '--format', 'github-matrix', ...ofFleet], { stdout: path });
  if (code !== 0) throw new Error(`the fleet could not be listed: exit code ${code}`);
  return stacksOfWave(readFileSync(path, 'utf8'), WAVE);
}

/** Says what of the plan the merge request causes: since what it is merged into here, or since it left its target. */
function compared() {
  const { CI_MERGE_REQUEST_TARGET_BRANCH_SHA: target = '', CI_MERGE_REQUEST_DIFF_BASE_SHA: base = '' } = env;
  return optionsToCompare(target || base, wordsIn(env.EDGEFORM_CI_ARGUMENTS), (text) => console.error(text));
}

async function planStack(written) {
  const code = await edgeform([
    'plan',
    '--out',
    PLAN,
    '--format',
    'gitlab',
    ...written,
    ...compared(),
    ...given('plan'),
  ]);
  if (!existsSync(PLAN)) return code;
  const plan = JSON.parse(readFileSync(PLAN, 'utf8'));
  tellRemovals(removalsOf([plan]));
  const { summary } = plan;
  // The counts of the merge request: a replacement is a creation and a deletion, an adoption an update.
  const { create, update, adopt, replace } = summary;
  const counts = { create: create + replace, update: update + adopt, delete: summary.delete + replace };
  writeFileSync('edgeform-terraform.json', JSON.stringify(counts));
  return code;
}

/** One note with the table of all stacks. A fleet of which one has no plan, or a refused one, is not applied: this job fails. */
async function planFleet(written) {
  mkdirSync(PLANS);
  const code = await edgeform([
    'plan',
    '--out',
    plansIn(PLANS),
    '--format',
    'gitlab',
    ...written,
    ...compared(),
    ...given('plan'),
  ]);
  const mark = (facts) => writeFileSync(NOTE, withMarker(textOf(NOTE), 'plan', { ...about, ...facts }));
  if (code === REFUSED) mark({ result: 'refused' });
  if (code !== 0 && code !== 2) return code;
  const { fingerprint, changes, removals } = sealPlans(PLANS);
  tellRemovals(removals);
  mark({ result: changes > 0 ? 'pending' : 'clean', fingerprint });
  return code;
}

function tellRemovals({ deletes, replaces, losses }) {
  const all = Object.entries({ DELETES: deletes, REPLACES: replaces, LOSSES: losses });
  writeFileSync(REMOVALS, all.map(([name, count]) => `EDGEFORM_PLAN_${name}=${count}\n`).join(''));
}

/** A job that is run again must not bring back what a later commit took away. Asked as git asks, which each job may. */
async function refuseOld() {
  const { CI_COMMIT_BRANCH: branch, CI_COMMIT_SHA: sha, CI_PROJECT_URL: base } = env;
  const basic = Buffer.from(`gitlab-ci-token:${env.CI_JOB_TOKEN}`).toString('base64');
  const { read } = createClient({ base, headers: { authorization: `Basic ${basic}` }, delay: DELAY });
  const refs = await read(`${base}.git/info/refs?service=git-upload-pack`);
  if (['\n', '\0'].some((end) => refs.includes(`${sha} refs/heads/${branch}${end}`))) return;
  throw new Error(
    `commit ${sha.slice(0, 12)} is no longer the newest of ${branch}, so nothing was applied: apply in the pipeline of the newest commit`,
  );
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : 'The log of the job says why.';
}

function planNote(code, text) {
  const end = `\n\n${text.includes('\n---\n') ? '' : '---\n'}Plan of commit ${commit().slice(0, 12)}, made by ${job}.${code === REFUSED ? ` ${WHEN_REFUSED}` : ''}`;
  if (readMarker(text)?.is === 'plan') return `${text.trimEnd()}${end}`;
  const head = `**The plan failed with exit code ${code}; there is nothing to apply.**`;
  return `${withMarker(`${head}\n\n${withoutMarker(text)}`, 'plan', { ...about, result: 'error' })}${end}`;
}

function reportNote(code, text) {
  const facts = { ...about, result: resultOf(code) };
  const advice =
    code === 6
      ? 'The plan of this pipeline is out of date, and nothing was changed. Run its plan job again, read the plan, and apply it.'
      : adviceFor(code, 'merge request');
  const head =
    code === 0 ? '**Applied.**' : `**Not applied as planned: exit code ${code}.** ${advice}\n\n${withoutMarker(text)}`;
  return withMarker(`${head}\n\n---\nSee ${job}.`, 'report', facts);
}

function commit() {
  return env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA || '';
}

function createForge() {
  const headers = { 'private-token': env.EDGEFORM_GITLAB_TOKEN };
  const { request, list, read } = createClient({
    base: env.CI_API_V4_URL,
    headers,
    hints: { 401: NEEDED, 403: NEEDED, 404: NEEDED },
    delay: DELAY,
  });
  const project = `projects/${encodeURIComponent(env.CI_PROJECT_ID)}`;
  const once = { once: true };
  const user = async () => (await request('GET', 'user')).id;
  return {
    ...proposalCalls({ request, list, read, project, user }),
    warn: (text) => console.error(`warning: ${text}`),
    mergeRequest: (iid) => request('GET', `${project}/merge_requests/${iid}`),
    mergeRequests: (sha) => list(`${project}/repository/commits/${sha}/merge_requests?per_page=100`),
    async comments(iid) {
      const id = await user();
      const all = await list(`${project}/merge_requests/${iid}/notes?per_page=100`);
      return all.filter(({ author }) => author?.id === id);
    },
    createComment: (iid, body) => request('POST', `${project}/merge_requests/${iid}/notes`, { body }, once),
    updateComment: (iid, { id }, body) => request('PUT', `${project}/merge_requests/${iid}/notes/${id}`, { body }),
    retireComment: (iid, { id }) =>
      request('PUT', `${project}/merge_requests/${iid}/notes/${id}`, {
        body: '_Outdated: a newer note shows the plan._',
      }),
    async openIssues() {
      const id = await user();
      const all = await list(`${project}/issues?state=opened&author_id=${id}&scope=all&per_page=100`);
      return all
        .filter(({ author }) => author?.id === id)
        .map(({ iid, description }) => ({ number: iid, body: description ?? '' }));
    },
    createIssue: (title, description) => request('POST', `${project}/issues`, { title, description }, once),
    updateIssue: (iid, description) => request('PUT', `${project}/issues/${iid}`, { description }),
    closeIssue: (iid) => request('PUT', `${project}/issues/${iid}`, { state_event: 'close' }),
    commentIssue: (iid, body) => request('POST', `${project}/issues/${iid}/notes`, { body }, once),
  };
}

const forge = (env.EDGEFORM_GITLAB_TOKEN ?? '') === '' ? undefined : createForge();
const run = JOBS[process.argv[2]];
if (run === undefined) {
  console.error(`usage: edgeform-gitlab ${Object.keys(JOBS).join('|')}`);
  process.exitCode = 64;
} else {
  try {
    const { code, tell } = await run();
    process.exitCode = code;
    if (forge !== undefined) await tell?.();
  } catch (error) {
    console.error(`error: ${error.message}`);
    // What was applied is applied, whether it can be told or not.
    if (process.argv[2] !== 'apply' || process.exitCode === undefined) process.exitCode ||= 1;
  }
}
