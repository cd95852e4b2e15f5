// The calls for a branch with one commit and its pull request, on GitHub and on Gitea. Both have branches, contents and pull requests under
// the same paths; Gitea makes a commit of several files in one call, and GitHub in a few.

import { createHash } from 'node:crypto';
import { isGitea } from './gitea.mjs';
import { orNothing } from './rest.mjs';

const { env } = process;

/** What `putProposal` needs of a forge; `github` is that of `createGithub`. */
export function withProposals(github) {
  const { request, list, login } = github;
  const special = isGitea() ? onGitea(request, list) : onGithub(request, list);
  const path = (name) => name.split('/').map(encodeURIComponent).join('/');
  return {
    ...github,
    ...special,
    /** All from a branch of this repository, whoever opened them. */
    async proposals(branch) {
      const me = await login();
      const all = await special.pullsOf(branch);
      return all
        .filter(({ head }) => head.ref === branch && isHere(head))
        .map((pull) => ({
          number: pull.number,
          name: `#${pull.number}`,
          body: pull.body ?? '',
          state: stateOf(pull),
          base: pull.base.ref,
          isOwn: pull.user?.login === me,
        }));
    },
    async headOf(branch, base) {
      const found = await orNothing(() => request('GET', `branches/${path(branch)}`));
      if (found === undefined) return undefined;
      const sha = found.commit.sha ?? found.commit.id;
      const compared = await request('GET', `compare/${base.sha}...${sha}`);
      const last = compared.commits.at(-1);
      const files = compared.files ?? last?.files ?? [];
      return {
        sha,
        commits: compared.total_commits,
        message: last?.commit.message ?? '',
        paths: files.map(({ filename }) => filename),
      };
    },
    /** Undefined where there is none. */
    async fileAt(name, sha) {
      const found = await orNothing(() => request('GET', `contents/${path(name)}?ref=${sha}`));
      if (found?.type !== 'file') return undefined;
      // Large files come without their content.
      const { content } = found.encoding === 'base64' ? found : await request('GET', `git/blobs/${found.sha}`);
      return Buffer.from(content, 'base64').toString('utf8');
    },
    createProposal: ({ branch, base, title, body }) =>
      request('POST', 'pulls', { title, head: branch, base, body }, { once: true }),
    updateProposal: (number, { body, close = false }) =>
      request('PATCH', `pulls/${number}`, { body, ...(close && { state: 'closed' }) }),
    deleteBranch: (branch) => orNothing(() => request('DELETE', special.branchAt(branch))),
  };
}

/** A branch of this repository, and of no fork. */
function isHere({ repo }) {
  return repo?.full_name === env.GITHUB_REPOSITORY;
}

function stateOf({ state, merged_at: merged }) {
  if (state === 'open') return state;
  return (merged ?? null) === null ? 'closed' : 'merged';
}

function onGithub(request, list) {
  return {
    pullsOf: (branch) => {
      const [owner] = env.GITHUB_REPOSITORY.split('/');
      return list(`pulls?state=all&head=${encodeURIComponent(`${owner}:${branch}`)}&per_page=100`);
    },
    branchAt: (branch) => `git/refs/heads/${branch}`,
    /** Without an author, the commit is that of the token's user, and signed by GitHub where that is a bot. */
    async commit(branch, { base, message, files, isThere }) {
      const { tree: from } = await request('GET', `git/commits/${base.sha}`);
      const entries = [...files].map(([path, { text, isExecutable }]) => ({
        path,
        mode: isExecutable ? '100755' : '100644',
        type: 'blob',
        content: text,
      }));
      const tree = await request('POST', 'git/trees', { base_tree: from.sha, tree: entries });
      const { sha } = await request('POST', 'git/commits', { message, tree: tree.sha, parents: [base.sha] });
      if (isThere) await request('PATCH', `git/refs/heads/${branch}`, { sha, force: true });
      else await request('POST', 'git/refs', { ref: `refs/heads/${branch}`, sha });
    },
  };
}

function onGitea(request, list) {
  return {
    /** Of all branches, because no list is for one; the newest first, so that one that is opened meanwhile hides none. */
    pullsOf: () => list('pulls?state=all&limit=50'),
    branchAt: (branch) => `branches/${branch}`,
    async commit(branch, { base, message, files, isThere }) {
      const changes = [...files].map(([path, { text, before }]) => ({
        operation: 'update',
        path,
        content: Buffer.from(text).toString('base64'),
        // Refused where the branch has another text by now.
        sha: blobOf(before),
      }));
      await request('POST', 'contents', {
        branch: base.ref,
        new_branch: branch,
        message,
        files: changes,
        ...(isThere && { force_push: true }),
      });
    },
  };
}

/** The name that git gives to a text. */
function blobOf(bytes) {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
