// What the actions share: inputs and outputs of a step, and the calls of GitHub's API.

import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { keyOf, serviceOf } from './edgeform.mjs';
import { giteaCalls, isGitea } from './gitea.mjs';
import { createClient } from './rest.mjs';
import { withoutSlashes } from './text.mjs';

const { env } = process;

/** Makes a folder, without what an earlier run left there. */
export function newFolder(path) {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
}

/** A value for later steps; always of one line. */
export function setOutput(name, value) {
  appendFileSync(env.GITHUB_OUTPUT, `${name}=${String(value).replaceAll(/[\r\n]+/g, ' ')}\n`);
}

/** GitHub drops a summary of more than 1 MiB; the program writes less. */
const MAX_SUMMARY = 1024 * 1024 - 2;

export function addSummary(text) {
  const isShort = Buffer.byteLength(text) <= MAX_SUMMARY;
  appendFileSync(env.GITHUB_STEP_SUMMARY, `${isShort ? text : 'It is too long to show here: see the log.'}\n\n`);
}

/** A line of the log that is shown on the page of the run, too. */
export function annotate(level, text) {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${level} title=edgeform::${escaped}\n`);
}

/** Runs a script; what goes wrong is one annotation and exit code 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    annotate('error', error.message);
    process.exitCode = 1;
  }
}

/** The event that started the run. */
export function readEvent() {
  return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
}

/** Refuses a name that no stack has, and events that would run files of a fork with the secrets of this repository. */
export function checkStart(stack = '') {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(stack))
    throw new Error('stack: at most 63 lower-case letters, digits and hyphens');
  if (['pull_request_target', 'workflow_run', 'issue_comment', 'pull_request_comment'].includes(env.GITHUB_EVENT_NAME))
    throw new Error(`use the event pull_request, not ${env.GITHUB_EVENT_NAME}`);
}

/** The stack and the service that texts are about. */
export function subject() {
  return { stack: env.STACK, service: serviceOf(env.EDGEFORM_BASE_URL ?? env.BASE_URL) };
}

/** How often this run was started. */
export const attempt = () => env.GITHUB_RUN_ATTEMPT ?? '1';

/** Where the check for drift stores what was accepted, for the job that proposes it. What an earlier attempt stored is still there. */
export function acceptedName(about) {
  return `edgeform-accepted-${keyOf(about)}-${attempt()}`;
}

export function artifactName(about, head) {
  return `edgeform-plan-${keyOf(about)}-${head}`;
}

/** A link to this run. */
export function runLink() {
  return `[this run](${withoutSlashes(env.GITHUB_SERVER_URL)}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID})`;
}

const NEEDED =
  'the job needs `permissions: { contents: read, actions: read, pull-requests: write }`, and `issues: write` for drift';

const MINIMIZE =
  'mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { clientMutationId } }';

/** GraphQL answers with status 200 whatever is wrong. */
export function refusals(text) {
  try {
    return Array.from(JSON.parse(text)?.errors ?? []).map(({ type, message }) => `${type} ${message}`);
  } catch {
    return [];
  }
}

/** The API of the repository; `needed` says which permissions the job needs. */
export function createGithub(needed = NEEDED) {
  const headers = {
    authorization: `Bearer ${env.GITHUB_TOKEN}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'edgeform',
  };
  const delay = Number(env.EDGEFORM_RETRY_DELAY ?? 1000);
  const hints = { 401: 'give the action a github-token', 403: needed, 404: needed };
  const { request, list } = createClient({ base: env.GITHUB_API_URL, headers, hints, delay });
  const repo = `repos/${env.GITHUB_REPOSITORY}`;
  const call = (method, path, body, options) => request(method, `${repo}/${path}`, body, options);
  const all = (path, itemsOf) => list(`${repo}/${path}`, itemsOf);
  const special = isGitea() ? giteaCalls({ call, request }) : githubCalls({ call, all, headers, hints, delay });
  const { login } = special;
  const own = async (items) => {
    const me = await login();
    return items.filter(({ user }) => user?.login === me);
  };
  const once = { once: true };
  return {
    ...special,
    request: call,
    list: all,
    warn: (text) => {
      annotate('warning', text);
    },
    comments: async (number) => own(await all(`issues/${number}/comments?per_page=100`)),
    createComment: (number, body) => call('POST', `issues/${number}/comments`, { body }, once),
    updateComment: (_number, { id }, body) => call('PATCH', `issues/comments/${id}`, { body }),
    openIssues: async () => {
      const issues = await all(await special.issues());
      return (await own(issues)).filter(({ pull_request: pull }) => (pull ?? undefined) === undefined);
    },
    createIssue: (title, body) => call('POST', 'issues', { title, body }, once),
    updateIssue: (number, body) => call('PATCH', `issues/${number}`, { body }),
    closeIssue: (number) => call('PATCH', `issues/${number}`, { state: 'closed', state_reason: 'completed' }),
    commentIssue: (number, body) => call('POST', `issues/${number}/comments`, { body }, once),
  };
}

/** What only GitHub's API has; `giteaCalls` says it for Gitea. */
function githubCalls({ call, all, headers, hints, delay }) {
  const graph = createClient({ base: new URL('.', env.GITHUB_GRAPHQL_URL).href, headers, hints, delay, refusals });
  const graphql = async (query, variables) => {
    const url = new URL(env.GITHUB_GRAPHQL_URL).href;
    const { data, errors } = (await graph.request('POST', url, { query, variables })) ?? {};
    if (errors === undefined && data !== undefined && data !== null) return data;
    const said = (errors ?? []).map(({ message }) => message).join('; ') || 'the answer has no data';
    throw new Error(`POST ${url}: ${query.slice(0, 40)}…: ${said.slice(0, 300)} (run the job again later)`);
  };
  // The file of this workflow, without the repository before and the branch behind it.
  const workflow = (env.GITHUB_WORKFLOW_REF ?? '').slice(env.GITHUB_REPOSITORY.length + 1).split('@')[0];
  const login = async () => (await graphql('query { viewer { login } }')).viewer.login;
  return {
    login,
    /** The list that has the issues of the token's user. */
    issues: async () => `issues?state=open&creator=${encodeURIComponent(await login())}&per_page=100`,
    retireComment: (_number, { node_id: id }) => graphql(MINIMIZE, { id }),
    pulls: (sha) => all(`commits/${sha}/pulls?per_page=100`),
    pushes: async (branch) => {
      const query = `branch=${encodeURIComponent(branch)}&event=push&per_page=100`;
      return (await call('GET', `actions/workflows/${basename(workflow)}/runs?${query}`)).workflow_runs;
    },
    isPlanning: async ({ event, path }) => event === 'pull_request' && path.split('@')[0] === workflow,
    isOwn: (run, head) => run?.head_sha === head && run.head_repository_id === run.repository_id,
  };
}
