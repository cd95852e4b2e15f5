// GitHub: what its API has that Gitea's has not, or otherwise.

import { basename } from 'node:path';
import { actionStep } from './actions.mjs';
import { clientOptions, githubCalls, restOf } from './github-calls.mjs';
import { createClient } from './rest.mjs';

const MINIMIZE =
  'mutation ($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { clientMutationId } }';

export function github(env, step) {
  const rest = restOf(env, step);
  return { ...actionStep(env), ...githubCalls(env, rest, ownCalls(env, rest, graphqlOf(env, step))) };
}

/** GraphQL answers with status 200 whatever is wrong. */
export function refusals(text) {
  try {
    return Array.from(JSON.parse(text)?.errors ?? []).map(({ type, message }) => `${type} ${message}`);
  } catch {
    return [];
  }
}

function graphqlOf(env, step) {
  return async (query, variables) => {
    const url = new URL(env.GITHUB_GRAPHQL_URL).href;
    const { request } = createClient({ base: new URL('.', url).href, ...clientOptions(env, step), refusals });
    const { data, errors } = (await request('POST', url, { query, variables })) ?? {};
    if (errors === undefined && data !== undefined && data !== null) return data;
    const said = (errors ?? []).map(({ message }) => message).join('; ') || 'the answer has no data';
    throw new Error(`POST ${url}: ${query.slice(0, 40)}…: ${said.slice(0, 300)} (run the job again later)`);
  };
}

function ownCalls(env, { call, all }, graphql) {
  // The file of this workflow, without the repository before and the branch behind it.
  const workflow = () => (env.GITHUB_WORKFLOW_REF ?? '').slice(env.GITHUB_REPOSITORY.length + 1).split('@')[0];
  const login = async () => (await graphql('query { viewer { login } }')).viewer.login;
  return {
    login,
    /** The list that has the issues of the token's user. */
    issues: async () => `issues?state=open&creator=${encodeURIComponent(await login())}&per_page=100`,
    retire: ({ node_id: id }) => graphql(MINIMIZE, { id }),
    pullsOfCommit: (sha) => all(`commits/${sha}/pulls?per_page=100`),
    pushes: async (branch) => {
      const query = `branch=${encodeURIComponent(branch)}&event=push&per_page=100`;
      return (await call('GET', `actions/workflows/${basename(workflow())}/runs?${query}`)).workflow_runs;
    },
    isPlanningRun: async ({ event, path }) => event === 'pull_request' && path.split('@')[0] === workflow(),
    isOfCommit: (run, head) => run?.head_sha === head && run.head_repository_id === run.repository_id,
    pullsOfBranch: (branch) => {
      const [owner] = env.GITHUB_REPOSITORY.split('/');
      return all(`pulls?state=all&head=${encodeURIComponent(`${owner}:${branch}`)}&per_page=100`);
    },
    branchAt: (branch) => `git/refs/heads/${branch}`,
    /** Without an author, the commit is that of the token's user, and signed by GitHub where that is a bot. */
    async writeBranch(branch, { base, message, files, isThere }) {
      const { tree: from } = await call('GET', `git/commits/${base.sha}`);
      const entries = [...files].map(([path, { text, isExecutable }]) => ({
        path,
        mode: isExecutable ? '100755' : '100644',
        type: 'blob',
        content: text,
      }));
      const tree = await call('POST', 'git/trees', { base_tree: from.sha, tree: entries });
      const { sha } = await call('POST', 'git/commits', { message, tree: tree.sha, parents: [base.sha] });
      if (isThere) await call('PATCH', `git/refs/heads/${branch}`, { sha, force: true });
      else await call('POST', 'git/refs', { ref: `refs/heads/${branch}`, sha });
    },
  };
}
