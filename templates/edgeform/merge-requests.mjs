// The calls for a branch with one commit and its merge request on GitLab.

import { proposalOf, putProposal } from '../../.github/actions/lib/proposal.mjs';
import { orNothing } from '../../.github/actions/lib/rest.mjs';

const { env } = process;
const REQUEST = 'merge request';

/** Keeps the merge request that writes accepted drift into the manifest. */
export async function proposeDrift(forge, { stored, about, ...where }) {
  if ((env.CI_COMMIT_BRANCH ?? '') === '') throw new Error('let the schedule run on a branch');
  const at = { root: process.cwd(), folder: '.', ...where };
  await putProposal(forge, {
    about,
    base: { ref: env.CI_COMMIT_BRANCH, sha: env.CI_COMMIT_SHA },
    request: REQUEST,
    ...proposalOf(stored, { about, request: REQUEST, ...at }),
  });
}

/** `project` is the path of the project in the API, and `user` asks for the id of the token's own user. */
export function proposalCalls({ request, list, read, project, user }) {
  const at = (branch) => `${project}/repository/branches/${encodeURIComponent(branch)}`;
  return {
    say: (text) => console.error(text),
    /** All from a branch of this project, whoever opened them. */
    async proposals(branch) {
      const id = await user();
      const query = `source_branch=${encodeURIComponent(branch)}&state=all&scope=all&per_page=100`;
      const all = await list(`${project}/merge_requests?${query}`);
      return all
        .filter((one) => one.source_branch === branch && one.source_project_id === one.target_project_id)
        .map(({ iid, description, state, target_branch: base, author }) => ({
          number: iid,
          name: `!${iid}`,
          body: description ?? '',
          state: state === 'opened' ? 'open' : state,
          base,
          isOwn: author?.id === id,
        }));
    },
    async headOf(branch, base) {
      const found = await orNothing(() => request('GET', at(branch)));
      if (found === undefined) return undefined;
      const sha = found.commit.id;
      const { commits, diffs } = await request('GET', `${project}/repository/compare?from=${base.sha}&to=${sha}`);
      const paths = diffs.map(({ new_path: path }) => path);
      return { sha, commits: commits.length, message: commits.at(-1)?.message ?? '', paths };
    },
    fileAt: (path, sha) =>
      orNothing(() => read(`${project}/repository/files/${encodeURIComponent(path)}/raw?ref=${sha}`)),
    /** One commit on top of the one that was checked, whatever the branch had. */
    commit: (branch, { base, message, files }) =>
      request('POST', `${project}/repository/commits`, {
        branch,
        start_sha: base.sha,
        force: true,
        commit_message: message,
        actions: [...files].map(([path, { text }]) => ({ action: 'update', file_path: path, content: text })),
      }),
    createProposal: ({ branch, base, title, body }) =>
      request(
        'POST',
        `${project}/merge_requests`,
        { source_branch: branch, target_branch: base, title, description: body, remove_source_branch: true },
        { once: true },
      ),
    updateProposal: (iid, { body, close = false }) =>
      request('PUT', `${project}/merge_requests/${iid}`, { description: body, ...(close && { state_event: 'close' }) }),
    deleteBranch: (branch) => orNothing(() => request('DELETE', at(branch))),
  };
}
