// The API of GitHub, as far as Gitea has the same paths and answers. `own` are the calls that the two have otherwise.

import { createClient, orNothing } from './rest.mjs';

const NEEDED =
  'the job needs `permissions: { contents: read, actions: read, pull-requests: write }`, and `issues: write` for drift';
const NEEDED_TO_PROPOSE =
  'the job needs `permissions: { contents: write, pull-requests: write }`, and the repository the setting "Allow GitHub Actions to create and approve pull requests"';

const ONCE = { once: true };

/** How a client of this forge begins: who asks, and what to do about refusals. */
export function clientOptions(env, step) {
  const needed = step === 'propose' ? NEEDED_TO_PROPOSE : NEEDED;
  return {
    headers: {
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'edgeform',
    },
    hints: { 401: 'give the action a github-token', 403: needed, 404: needed },
    delay: Number(env.EDGEFORM_RETRY_DELAY ?? 1000),
  };
}

/** Requests of the API, of its part for the repository, and whole lists there. */
export function restOf(env, step) {
  const { request, list } = createClient({ base: env.GITHUB_API_URL, ...clientOptions(env, step) });
  const repo = `repos/${env.GITHUB_REPOSITORY}`;
  return {
    request,
    call: (method, path, body, options) => request(method, `${repo}/${path}`, body, options),
    all: (path, itemsOf) => list(`${repo}/${path}`, itemsOf),
  };
}

export function githubCalls(env, rest, own) {
  return { ...reviewCalls(env, rest, own), ...textCalls(rest, own), ...proposalCalls(env, rest, own) };
}

/**
 * Whether jobs of other runs have begun that are the same as this one. A run is asked for its jobs whatever its status is, because that is the status
 * of all of them. A run lists no job that waits for another one, so a job that is not listed has not begun; where not even ours is listed under
 * its name, which a workflow may replace, every job of a run counts.
 */
function jobCalls({ GITHUB_JOB = '', GITHUB_RUN_ID }, { call }) {
  const jobsOf = async (id) => (await call('GET', `actions/runs/${id}/jobs?filter=all&per_page=100`)).jobs ?? [];
  const isOurs = ({ name }) => keyOf(name) === GITHUB_JOB;
  // Asked once, however many runs are looked at.
  let areNamed;
  const hasNames = () => (areNamed ??= jobsOf(GITHUB_RUN_ID).then((jobs) => jobs.some(isOurs)));
  const hasBegun = async ({ id }, isMeant) => {
    const begun = (await jobsOf(id)).filter(isBegun);
    return begun.some(isMeant) || (begun.length > 0 && !(await hasNames()));
  };
  return {
    /** This very job. */
    hasBegunHere: (run) => hasBegun(run, isOurs),
    /** This job, or that of another wave. */
    hasBegunToApply: (run) => hasBegun(run, ({ name }) => withoutWave(keyOf(name)) === withoutWave(GITHUB_JOB)),
  };
}

/** The key of a job in its workflow, of the name that is shown: `caller / key (of, a, matrix)`. */
function keyOf(name = '') {
  const [key] = name.split(' / ').at(-1).split(' (');
  return key;
}

function withoutWave(key) {
  return key.replace(/-\d+$/, '');
}

/**
 * A job that waits, was not approved, or was cancelled before its turn has no steps on GitHub (an assumption: its manual does not say so). Gitea
 * lists steps of a job that was skipped, as skipped.
 */
function isBegun({ conclusion, steps }) {
  return conclusion !== 'skipped' && (steps ?? []).some((step) => !['skipped', 'cancelled'].includes(step.conclusion));
}

/** What is under review, and what became of it. */
function reviewCalls(env, { call, all }, own) {
  const { GITHUB_REPOSITORY, GITHUB_SHA, GITHUB_REF_NAME, GITHUB_RUN_NUMBER } = env;
  const { hasBegunHere, hasBegunToApply } = jobCalls(env, { call });
  const mergedWith = async (commit) => {
    const pulls = await own.pullsOfCommit(commit);
    const merged = pulls.filter(({ merged_at: at, base }) => (at ?? null) !== null && base.ref === GITHUB_REF_NAME);
    const exact = merged.find(({ merge_commit_sha: sha }) => sha === commit);
    const pull = exact ?? (merged.length === 1 ? merged[0] : undefined);
    if (pull === undefined) return [];
    const { number, head } = pull;
    return [{ number, head: head.sha, isForeign: head.repo?.full_name !== GITHUB_REPOSITORY }];
  };
  const isLater = ({ run_number: number }) => number > Number(GITHUB_RUN_NUMBER);
  return {
    headOf: async (number) => (await call('GET', `pulls/${number}`)).head.sha,
    /** A later run for a push to this branch that has begun to apply. One that waits has its turn after this one. */
    async newer() {
      for (const run of (await own.pushes(GITHUB_REF_NAME)).filter(isLater))
        if (await hasBegunToApply(run))
          return `run ${run.run_number} of this workflow is newer, and only the newest state of ${GITHUB_REF_NAME} is applied`;
      return undefined;
    },
    merged: () => mergedWith(GITHUB_SHA),
    /** Of the runs for pushes to this branch since the last that succeeded. */
    async cancelled() {
      const isEarlier = ({ run_number: number }) => number < Number(GITHUB_RUN_NUMBER);
      const earlier = (await own.pushes(GITHUB_REF_NAME)).filter(isEarlier);
      const changes = [];
      for (const run of earlier.sort((a, b) => b.run_number - a.run_number)) {
        if (run.conclusion === 'success') break;
        const isLost = run.conclusion === 'cancelled' && !(await hasBegunHere(run));
        if (isLost) changes.push(...(await mergedWith(run.head_sha)));
      }
      return changes;
    },
    async artifacts(name, head) {
      const found = await all(`actions/artifacts?name=${name}&per_page=100`, (page) => page.artifacts);
      return found
        .filter(({ name: one, expired, workflow_run: run }) => one === name && !expired && own.isOfCommit(run, head))
        .map(({ id, workflow_run: run }) => ({ id, name, run: run.id }));
    },
    async isPlanning(id) {
      const run = await orNothing(() => call('GET', `actions/runs/${id}`));
      return run !== undefined && (await own.isPlanningRun(run));
    },
  };
}

/** Comments and issues; those of our own user where they are listed. */
function textCalls({ call, all }, own) {
  const ours = async (items) => {
    const me = await own.login();
    return items.filter(({ user }) => user?.login === me);
  };
  return {
    comments: async (number) => ours(await all(`issues/${number}/comments?per_page=100`)),
    createComment: (number, body) => call('POST', `issues/${number}/comments`, { body }, ONCE),
    updateComment: (_number, { id }, body) => call('PATCH', `issues/comments/${id}`, { body }),
    retireComment: (_number, comment) => own.retire(comment),
    openIssues: async () => {
      const issues = await ours(await all(await own.issues()));
      return issues.filter(({ pull_request: pull }) => (pull ?? undefined) === undefined);
    },
    createIssue: (title, body) => call('POST', 'issues', { title, body }, ONCE),
    updateIssue: (number, body) => call('PATCH', `issues/${number}`, { body }),
    closeIssue: (number) => call('PATCH', `issues/${number}`, { state: 'closed', state_reason: 'completed' }),
    commentIssue: (number, body) => call('POST', `issues/${number}/comments`, { body }, ONCE),
  };
}

/** A branch with one commit, and its pull request. */
function proposalCalls({ GITHUB_REPOSITORY }, { call }, own) {
  const path = (name) => name.split('/').map(encodeURIComponent).join('/');
  return {
    async proposals(branch) {
      const me = await own.login();
      const all = await own.pullsOfBranch(branch);
      // Of this repository, and of no fork.
      const here = all.filter(({ head }) => head.ref === branch && head.repo?.full_name === GITHUB_REPOSITORY);
      return here.map((pull) => ({
        number: pull.number,
        name: `#${pull.number}`,
        body: pull.body ?? '',
        state: stateOf(pull),
        base: pull.base.ref,
        isOwn: pull.user?.login === me,
      }));
    },
    async branchSince(branch, base) {
      const found = await orNothing(() => call('GET', `branches/${path(branch)}`));
      if (found === undefined) return undefined;
      const sha = found.commit.sha ?? found.commit.id;
      const compared = await call('GET', `compare/${base.sha}...${sha}`);
      const last = compared.commits.at(-1);
      const files = compared.files ?? last?.files ?? [];
      const paths = files.map(({ filename }) => filename);
      return { sha, commits: compared.total_commits, message: last?.commit.message ?? '', paths };
    },
    async fileAt(name, sha) {
      const found = await orNothing(() => call('GET', `contents/${path(name)}?ref=${sha}`));
      if (found?.type !== 'file') return undefined;
      // Large files come without their content.
      const { content } = found.encoding === 'base64' ? found : await call('GET', `git/blobs/${found.sha}`);
      return Buffer.from(content, 'base64').toString('utf8');
    },
    writeBranch: own.writeBranch,
    createProposal: ({ branch, base, title, body }) => call('POST', 'pulls', { title, head: branch, base, body }, ONCE),
    updateProposal: (number, { body, close = false }) =>
      call('PATCH', `pulls/${number}`, { body, ...(close && { state: 'closed' }) }),
    deleteBranch: (branch) => orNothing(() => call('DELETE', own.branchAt(branch))),
  };
}

function stateOf({ state, merged_at: merged }) {
  if (state === 'open') return state;
  return (merged ?? null) === null ? 'closed' : 'merged';
}
