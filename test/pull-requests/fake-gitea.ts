// The same calls as Gitea answers them: paths and fields of its API, by the fixtures; nothing that only GitHub has.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer, Asked } from './fake-forge.ts';
import { FakeGithub, REPOSITORY } from './fake-github.ts';

type Fixture = Readonly<Record<string, unknown>>;
export const recorded = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/gitea/${name}.json`, import.meta.url), 'utf8'));
const fixture = (name: string) => recorded(name) as Fixture;
const firstOf = (list: unknown) => (list as readonly Fixture[])[0] ?? {};
const [USER, RUN, PULL, ENVIRONMENT] = ['user', 'run', 'pull', 'environment'].map(fixture) as [
  Fixture,
  Fixture,
  Fixture,
  Fixture,
];
const [MERGED, JOBS] = [fixture('commit-pull'), fixture('jobs')];
const JOB = firstOf(JOBS['jobs']);
const COMMENT = firstOf(recorded('comments'));
const ARTIFACT = firstOf(fixture('artifacts')['artifacts']);
const ISSUES = recorded('issues') as readonly Fixture[];
const ISSUE = ISSUES.find((issue) => issue['pull_request'] === null) ?? {};
const NOT_FOUND: Answer = { status: 404, body: fixture('not-found') };

export const GITEA_BOT = String(USER['login']);
/** The event of a run for a later push to a pull request. */
export const SYNCHRONIZED = String(RUN['event']);
const OWN = ['GITEA_ACTIONS', 'GITHUB_GRAPHQL_URL', 'GITHUB_WORKFLOW', 'GITHUB_SERVER_URL', 'GITHUB_WORKFLOW_REF'];
/** What its runner gives jobs otherwise; what it does not give is empty. */
export const GITEA_ENV = Object.fromEntries(OWN.map((name) => [name, String(ENVIRONMENT[name] ?? '')]));

const BRANCH = recorded('branch') as { readonly commit: object };
const COMPARED = recorded('compare') as { readonly commits: readonly { readonly commit: object }[] };
const CONTENTS = recorded('contents') as object;
const [LISTED] = recorded('pulls') as readonly object[];

/** What an event says of a pull request. */
export const GITEA_PULL = fixture('event')['pull_request'] as Fixture;

interface Change {
  readonly operation: string;
  readonly path: string;
  readonly content: string;
  readonly sha: string;
}

const blobOf = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

export class FakeGitea extends FakeGithub {
  constructor(logins: Readonly<Record<string, string>>) {
    super(logins, '/api/v1');
  }

  protected override answer(asked: Asked): Answer {
    const [first = '', ...more] = asked.path.replace(`/api/v1/repos/${REPOSITORY}/`, '').split('/');
    const answer = this.ofBranches(`${asked.method} ${first}`, more.map(decodeURIComponent).join('/'), asked);
    if (answer !== undefined) {
      this.requests.push(`${asked.method} ${asked.path}`);
      return answer;
    }
    const found = this.ofTexts(asked);
    const isFile = `${asked.method} ${first}` === 'GET contents' && found.status === undefined;
    return isFile ? { body: { ...CONTENTS, ...(found.body as object) } } : found;
  }

  private ofTexts(asked: Asked): Answer {
    const path = asked.path.replace(/^\/api\/v1/, '');
    const request = `${asked.method} ${path.replace(`/repos/${REPOSITORY}/`, '')}`;
    if (path === '/user') {
      const login = this.logins[(asked.headers.authorization ?? '').replace('Bearer ', '')];
      return login === undefined ? { status: 401, body: {} } : { body: { ...USER, login, username: login } };
    }
    const [, sha] = /^GET commits\/(\w+)\/pull$/.exec(request) ?? [];
    if (sha !== undefined) {
      const found = this.pulls.find(({ merge_commit_sha: merged, head }) => merged === sha || head.sha === sha);
      return found === undefined ? NOT_FOUND : { body: { ...MERGED, ...found } };
    }
    if (/^GET actions\/runs(?:\/\d+)?$/.test(request)) return this.runsOf(request, asked.query.get('event'));
    if (request === 'GET issues') return this.issuesOf(asked);
    const isOfGithub = path === '/graphql' || /^GET (?:commits\/\w+\/pulls|actions\/workflows\/.*)$/.test(request);
    if (isOfGithub) return NOT_FOUND;
    return shaped(request, super.answer({ ...asked, path }));
  }

  /** Branches, comparisons and commits; undefined for a request about something else. */
  private ofBranches(call: string, name: string, { body, query }: Asked): Answer | undefined {
    const { repository } = this;
    switch (call) {
      case 'GET branches': {
        const id = repository.branches.get(name);
        return id === undefined ? NOT_FOUND : { body: { ...BRANCH, name, commit: { ...BRANCH.commit, id } } };
      }
      case 'DELETE branches':
        return repository.branches.delete(name) ? { status: 204 } : NOT_FOUND;
      case 'GET compare': {
        const [base = '', head = ''] = name.split('...');
        const commits = repository.between(base, head).map(([sha, { message, parent }]) => {
          const [known] = COMPARED.commits;
          const files = repository.changed(parent, sha).map((filename) => ({ filename, status: 'modified' }));
          return { ...known, sha, commit: { ...known?.commit, message }, files };
        });
        return { body: { ...COMPARED, total_commits: commits.length, commits } };
      }
      case 'POST contents':
        return this.change(body as unknown as Parameters<FakeGitea['change']>[0]);
      case 'GET pulls':
        // No list for a branch; the newest first.
        return query.get('state') !== 'all' || name !== ''
          ? undefined
          : { list: this.pulls.map((one) => ({ ...LISTED, ...this.seen(one) })).toReversed() };
      default:
        return call.endsWith(' git') ? NOT_FOUND : undefined;
    }
  }

  private change(asked: {
    readonly branch: string;
    readonly new_branch: string;
    readonly message: string;
    readonly files: readonly Change[];
    readonly force_push?: boolean;
  }): Answer {
    const { repository } = this;
    const from = repository.at(asked.branch) ?? {};
    if (repository.branches.has(asked.new_branch) && asked.force_push !== true) return { status: 422, body: {} };
    if (asked.files.some(({ path, sha }) => sha !== blobOf(from[path] ?? ''))) return { status: 422, body: {} };
    const changes = asked.files.map(({ path, content }) => [path, Buffer.from(content, 'base64').toString()] as const);
    const sha = createHash('sha1')
      .update(JSON.stringify([asked, repository.commits.size]))
      .digest('hex');
    const parent = repository.branches.get(asked.branch);
    repository.commit(
      sha,
      { ...from, ...Object.fromEntries(changes) },
      { parent, message: asked.message.trim(), branch: asked.new_branch },
    );
    return { status: 201, body: { commit: { sha } } };
  }

  /** The open ones of all users, for which the query has no name that the user of jobs has. */
  private issuesOf({ query, headers, path, method }: Asked): Answer {
    this.requests.push(`${method} ${path}`);
    this.queries.push(query.toString());
    if (this.logins[(headers.authorization ?? '').replace('Bearer ', '')] === undefined)
      return { status: 401, body: {} };
    if (query.has('created_by')) return NOT_FOUND;
    const isWanted = (issue: (typeof this.issues)[number]) =>
      issue.state === 'open' && (query.get('type') !== 'issues' || issue.pull_request === undefined);
    return { list: this.issues.filter(isWanted).map((issue) => ({ ...ISSUE, ...issue })) };
  }

  /** Every run of the repository, whatever its workflow. */
  private runsOf(request: string, event: string | null): Answer {
    const runs = this.runs.map((run) => ({
      ...RUN,
      ...run,
      // What started it is asked for, and what it is about is told: a schedule is about the last push.
      trigger: run.event.replace(SYNCHRONIZED, 'pull_request'),
      event: run.event === 'schedule' ? 'push' : run.event,
      // The name of the file alone.
      path: `${run.path.split('/').at(-1) ?? ''}@refs/heads/main`,
    }));
    const [, id] = /\/(\d+)$/.exec(request) ?? [];
    if (id === undefined) {
      const found = runs.filter((run) => run.trigger === event).reverse();
      return { body: { ...fixture('runs'), total_count: found.length, workflow_runs: found } };
    }
    const found = runs.find((run) => run.id === Number(id));
    return found === undefined ? NOT_FOUND : { body: found };
  }
}

/** An answer with the fields of Gitea's, and without those that only GitHub has. */
function shaped(request: string, answer: Answer): Answer {
  if (/comments$/.test(request) && answer.list !== undefined)
    // All at once, whatever page is asked for.
    return { body: answer.list.map((one) => ({ ...COMMENT, ...one, node_id: undefined })) };
  if (/^GET actions\/runs\/\d+\/jobs$/.test(request)) {
    const { jobs = [] } = answer.body as { readonly jobs?: readonly object[] };
    return { body: { ...JOBS, jobs: jobs.map((job) => ({ ...JOB, ...job })) } };
  }
  if (/^GET pulls\//.test(request) && answer.status === undefined)
    return { body: { ...PULL, ...(answer.body as object) } };
  if (/^GET actions\/artifacts$/.test(request))
    return {
      ...answer,
      list: (answer.list ?? []).map((one) => {
        const { workflow_run: run, ...rest } = one as {
          readonly workflow_run: { readonly head_repository_id: number };
        };
        const known = ARTIFACT['workflow_run'] as Fixture;
        return { ...ARTIFACT, ...rest, workflow_run: { ...known, ...run, head_repository_id: undefined } };
      }),
    };
  return answer;
}
