// Gitea, and Forgejo: GitHub's actions, and of its API what has the same paths. No GraphQL, one pull request of a commit, and runs that name
// their workflow by its file.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { actionStep } from './actions.mjs';
import { githubCalls, restOf } from './github-calls.mjs';
import { orNothing } from './rest.mjs';

const OUTDATED = '_Outdated: a newer comment shows the plan._';

/** The runner of Gitea says so; Forgejo's, too. Neither has GraphQL. */
export function isGitea(env) {
  return env.GITEA_ACTIONS === 'true' || (env.GITHUB_GRAPHQL_URL ?? '') === '';
}

export function gitea(env, step) {
  const rest = restOf(env, step);
  return { ...actionStep(env), ...githubCalls(env, rest, ownCalls(env, rest)) };
}

function ownCalls(env, { request, call, all }) {
  const ownPath = async () => (await call('GET', `actions/runs/${env.GITHUB_RUN_ID}`)).path;
  return {
    login: async () => (await request('GET', 'user')).login,
    /** Of all users: `creator` is ignored, and `created_by` answers 404 for the user of jobs. */
    issues: () => 'issues?state=open&type=issues&limit=50',
    retire: ({ id }) => call('PATCH', `issues/comments/${id}`, { body: OUTDATED }),
    /** The API knows one: the one that was merged with this commit, or has it as its head. */
    async pullsOfCommit(sha) {
      const pull = await orNothing(() => call('GET', `commits/${sha}/pull`));
      return pull === undefined ? [] : [pull];
    },
    /** The newest 50 for pushes to the branch, of this workflow. A run of a schedule calls itself one for a push, and is not among them. */
    async pushes(branch) {
      const file = fileOf(await ownPath());
      const query = `branch=${encodeURIComponent(branch)}&event=push&limit=50`;
      const { workflow_runs: runs } = await call('GET', `actions/runs?${query}`);
      return (runs ?? []).filter(({ path }) => fileOf(path) === file);
    },
    /** The workflow and the event decide; a run does not say whether its head is in a fork, so that is left to the comment. */
    async isPlanningRun({ event, path }) {
      return ['pull_request', 'pull_request_sync'].includes(event) && fileOf(path) === fileOf(await ownPath());
    },
    isOfCommit: (run, head) => run?.head_sha === head,
    /** Of all branches, because no list is for one; the newest first, so that one that is opened meanwhile hides none. */
    pullsOfBranch: () => all('pulls?state=all&limit=50'),
    branchAt: (branch) => `branches/${branch}`,
    async writeBranch(branch, { base, message, files, isThere }) {
      const changes = [...files].map(([path, { text, before }]) => ({
        operation: 'update',
        path,
        content: Buffer.from(text).toString('base64'),
        // Refused where the branch has another text by now.
        sha: blobOf(before),
      }));
      await call('POST', 'contents', {
        branch: base.ref,
        new_branch: branch,
        message,
        files: changes,
        ...(isThere && { force_push: true }),
      });
    },
  };
}

/** `edgeform.yml@refs/heads/main`, with folders in front of it in some versions. */
function fileOf(path = '') {
  return basename(path.split('@')[0]);
}

/** The name that git gives to a text. */
function blobOf(bytes) {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
