// What Gitea's API has otherwise than GitHub's: no GraphQL, one pull request of a commit, and runs that name their workflow by its file.

import { basename } from 'node:path';
import { orNothing } from './rest.mjs';

const { env } = process;

/** The runner of Gitea says so; Forgejo's, too. Neither has GraphQL. */
export function isGitea() {
  return env.GITEA_ACTIONS === 'true' || (env.GITHUB_GRAPHQL_URL ?? '') === '';
}

const OUTDATED = '_Outdated: a newer comment shows the plan._';

/** `call` is for the repository, `request` for the whole API. */
export function giteaCalls({ call, request }) {
  const pathOf = async () => (await call('GET', `actions/runs/${env.GITHUB_RUN_ID}`)).path;
  return {
    login: async () => (await request('GET', 'user')).login,
    /** Of all users: `creator` is ignored, and `created_by` answers 404 for the user of jobs. */
    issues: () => 'issues?state=open&type=issues&limit=50',
    retireComment: (_number, { id }) => call('PATCH', `issues/comments/${id}`, { body: OUTDATED }),
    /** The API knows one: the one that was merged with this commit, or has it as its head. */
    async pulls(sha) {
      const pull = await orNothing(() => call('GET', `commits/${sha}/pull`));
      return pull === undefined ? [] : [pull];
    },
    /** The newest 50 for pushes to the branch, of this workflow. A run of a schedule calls itself one for a push, and is not among them. */
    async pushes(branch) {
      const isOurs = isOf(await pathOf());
      const { workflow_runs: runs } = await call(
        'GET',
        `actions/runs?branch=${encodeURIComponent(branch)}&event=push&limit=50`,
      );
      return (runs ?? []).filter(({ path }) => isOurs(path));
    },
    /** The workflow and the event decide; a run does not say whether its head is in a fork, so that is left to the comment. */
    async isPlanning({ event, path }) {
      return ['pull_request', 'pull_request_sync'].includes(event) && isOf(await pathOf())(path);
    },
    isOwn: (run, head) => run?.head_sha === head,
  };
}

/** `edgeform.yml@refs/heads/main`, with folders in front of it in some versions. */
function isOf(own) {
  return (path) => fileOf(path) === fileOf(own);
}

function fileOf(path = '') {
  return basename(path.split('@')[0]);
}
