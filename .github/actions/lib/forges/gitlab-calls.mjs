// The API of GitLab.

import { createClient, orNothing } from './rest.mjs';

/** The job that may write to the repository; only its token must be of a developer. */
export const PROPOSING = 'drift-merge-request';

/** How many pipelines are looked at for an apply. */
const NEWEST = 20;

const ONCE = { once: true };
const OUTDATED = '_Outdated: a newer note shows the plan._';

const delayOf = (env) => Number(env.EDGEFORM_RETRY_DELAY ?? 1000);

export function gitlabCalls(env, job) {
  const needed = `EDGEFORM_GITLAB_TOKEN must be a project access token with the role ${job === PROPOSING ? 'Developer' : 'Reporter'} and the scope api`;
  const client = createClient({
    base: env.CI_API_V4_URL,
    headers: { 'private-token': env.EDGEFORM_GITLAB_TOKEN },
    hints: { 401: needed, 403: needed, 404: needed },
    delay: delayOf(env),
  });
  const project = `projects/${encodeURIComponent(env.CI_PROJECT_ID)}`;
  const rest = {
    call: (method, path, body, options) => client.request(method, `${project}/${path}`, body, options),
    all: (path) => client.list(`${project}/${path}`),
    read: (path) => client.read(`${project}/${path}`),
    user: async () => (await client.request('GET', 'user')).id,
  };
  return {
    needed,
    ...reviewCalls(env, rest),
    ...keptCalls(env, rest, project),
    ...textCalls(rest),
    ...proposalCalls(rest),
  };
}

function reviewCalls(env, { call, all }) {
  return {
    headOf: async (iid) => (await call('GET', `merge_requests/${iid}`)).sha,
    async merged() {
      const found = await all(`repository/commits/${env.CI_COMMIT_SHA}/merge_requests?per_page=100`);
      const merged = found.filter(({ state }) => state === 'merged');
      return merged.map(({ iid, sha }) => ({ number: iid, head: sha, isForeign: false }));
    },
    /** Asked as git asks, which each job may. */
    async newer() {
      const { CI_COMMIT_BRANCH: branch, CI_COMMIT_SHA: sha, CI_PROJECT_URL: base } = env;
      const basic = Buffer.from(`gitlab-ci-token:${env.CI_JOB_TOKEN}`).toString('base64');
      const { read } = createClient({ base, headers: { authorization: `Basic ${basic}` }, delay: delayOf(env) });
      const refs = await read(`${base}.git/info/refs?service=git-upload-pack`);
      if (['\n', '\0'].some((end) => refs.includes(`${sha} refs/heads/${branch}${end}`))) return undefined;
      return `commit ${sha.slice(0, 12)} is no longer the newest of ${branch}, so nothing was applied: apply in the pipeline of the newest commit`;
    },
  };
}

/** What jobs of the default branch kept. */
function keptCalls(env, { call, read }, project) {
  const name = (env.CI_JOB_NAME ?? '').replace(/-plan$/, '-apply');
  const isApply = ({ name: one }) => one.startsWith(name) && /^(?:-[123])?$/.test(one.slice(name.length));
  // Free ones of gitlab.com give no artifacts to the token of a job, and a reporter may not have ours.
  const { read: readAsJob } = createClient({
    base: env.CI_API_V4_URL,
    headers: { 'job-token': env.CI_JOB_TOKEN },
    delay: delayOf(env),
  });
  return {
    /** Among the newest pipelines of the branch, also one that failed. */
    async lastApply() {
      const branch = encodeURIComponent(env.CI_DEFAULT_BRANCH);
      for (const { id } of await call('GET', `pipelines?ref=${branch}&per_page=${NEWEST}`)) {
        const jobs = await call('GET', `pipelines/${id}/jobs?scope[]=success&scope[]=failed&per_page=100`);
        const last = Math.max(...jobs.filter(isApply).map((job) => job.id));
        if (Number.isFinite(last)) return last;
      }
      return undefined;
    },
    async keptBy(job, path) {
      const from = `jobs/${job}/artifacts/${path}`;
      return (await orRefused(() => readAsJob(`${project}/${from}`))) ?? orRefused(() => read(from));
    },
  };
}

/** Undefined where it is not there for whoever asks. */
async function orRefused(ask) {
  try {
    return await ask();
  } catch (error) {
    if ([401, 403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Notes and issues; those of our own user where they are listed. */
function textCalls({ call, all, user }) {
  const notes = (iid) => `merge_requests/${iid}/notes`;
  const ours = async (path) => {
    const id = await user();
    return (await all(path(id))).filter(({ author }) => author?.id === id);
  };
  return {
    comments: (iid) => ours(() => `${notes(iid)}?per_page=100`),
    createComment: (iid, body) => call('POST', notes(iid), { body }, ONCE),
    updateComment: (iid, { id }, body) => call('PUT', `${notes(iid)}/${id}`, { body }),
    retireComment: (iid, { id }) => call('PUT', `${notes(iid)}/${id}`, { body: OUTDATED }),
    async openIssues() {
      const found = await ours((id) => `issues?state=opened&author_id=${id}&scope=all&per_page=100`);
      return found.map(({ iid, description }) => ({ number: iid, body: description ?? '' }));
    },
    createIssue: (title, description) => call('POST', 'issues', { title, description }, ONCE),
    updateIssue: (iid, description) => call('PUT', `issues/${iid}`, { description }),
    closeIssue: (iid) => call('PUT', `issues/${iid}`, { state_event: 'close' }),
    commentIssue: (iid, body) => call('POST', `issues/${iid}/notes`, { body }, ONCE),
  };
}

/** A branch with one commit, and its merge request. */
function proposalCalls({ call, all, read, user }) {
  const at = (branch) => `repository/branches/${encodeURIComponent(branch)}`;
  return {
    async proposals(branch) {
      const id = await user();
      const query = `source_branch=${encodeURIComponent(branch)}&state=all&scope=all&per_page=100`;
      const found = await all(`merge_requests?${query}`);
      // Of this project, and of no fork.
      const here = found.filter(
        (one) => one.source_branch === branch && one.source_project_id === one.target_project_id,
      );
      return here.map(({ iid, description, state, target_branch: base, author }) => ({
        number: iid,
        name: `!${iid}`,
        body: description ?? '',
        state: state === 'opened' ? 'open' : state,
        base,
        isOwn: author?.id === id,
      }));
    },
    async branchSince(branch, base) {
      const found = await orNothing(() => call('GET', at(branch)));
      if (found === undefined) return undefined;
      const sha = found.commit.id;
      const { commits, diffs } = await call('GET', `repository/compare?from=${base.sha}&to=${sha}`);
      const paths = diffs.map(({ new_path: path }) => path);
      return { sha, commits: commits.length, message: commits.at(-1)?.message ?? '', paths };
    },
    fileAt: (path, sha) => orNothing(() => read(`repository/files/${encodeURIComponent(path)}/raw?ref=${sha}`)),
    /** One commit on top of the one that was checked, whatever the branch had. */
    writeBranch: (branch, { base, message, files }) =>
      call('POST', 'repository/commits', {
        branch,
        start_sha: base.sha,
        force: true,
        commit_message: message,
        actions: [...files].map(([path, { text }]) => ({ action: 'update', file_path: path, content: text })),
      }),
    createProposal: ({ branch, base, title, body: description }) => {
      const asked = { source_branch: branch, target_branch: base, title, description, remove_source_branch: true };
      return call('POST', 'merge_requests', asked, ONCE);
    },
    updateProposal: (iid, { body, close = false }) =>
      call('PUT', `merge_requests/${iid}`, { description: body, ...(close && { state_event: 'close' }) }),
    deleteBranch: (branch) => orNothing(() => call('DELETE', at(branch))),
  };
}
