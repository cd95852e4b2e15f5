// The same calls as Gitea answers them: paths and fields of its API, by the fixtures; nothing that only GitHub has.

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

/** What an event says of a pull request. */
export const GITEA_PULL = fixture('event')['pull_request'] as Fixture;

export class FakeGitea extends FakeGithub {
  constructor(logins: Readonly<Record<string, string>>) {
    super(logins, '/api/v1');
  }

  protected override answer(asked: Asked): Answer {
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
