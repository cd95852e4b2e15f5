// The few calls of GitHub's API that the actions make, with small pages, other users, and servers that fail.

import type { Answer, Asked } from './fake-forge.ts';
import { FakeForge } from './fake-forge.ts';
import { FakeRepository } from './fake-repository.ts';

export const REPOSITORY = 'acme/shop';
export const BOT = 'github-actions[bot]';
const REPOSITORY_ID = 1;

export interface Comment {
  readonly id: number;
  readonly node_id: string;
  readonly user: { readonly login: string };
  body: string;
  isMinimized: boolean;
}
export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly user: { readonly login: string };
  readonly pull_request?: object;
  body: string;
  state: string;
}
export interface Pull {
  readonly number: number;
  readonly head: { sha: string; readonly ref: string; readonly repo: { readonly full_name: string } | null };
  readonly base: { ref: string };
  merged_at: string | null;
  merge_commit_sha: string | null;
  readonly user?: { readonly login: string };
  readonly title?: string;
  body?: string;
  state?: string;
}
export interface Artifact {
  readonly id: number;
  readonly name: string;
  expired: boolean;
  readonly files: Readonly<Record<string, string>>;
  readonly workflow_run: {
    readonly id: number;
    readonly head_sha: string;
    readonly repository_id: number;
    readonly head_repository_id: number;
  };
}
/** As far as it is asked for. */
export interface JobOfRun {
  readonly name: string;
  readonly conclusion?: string | undefined;
  readonly steps: readonly object[];
}
interface Run {
  readonly id: number;
  readonly event: string;
  readonly path: string;
  readonly run_number?: number;
  status?: string;
  conclusion?: string;
  /** How many the job `apply` has, where the jobs are not given. */
  readonly steps?: number;
  jobs?: readonly JobOfRun[];
  head_sha?: string;
}
interface Failures {
  count: number;
  readonly butDone: boolean;
  /** Which ones; all where it is missing. */
  readonly of?: RegExp;
}
/** By a user who is known. */
type Known = Asked & { readonly login: string };

export class FakeGithub extends FakeForge {
  readonly comments = new Map<number, Comment[]>();
  readonly issues: Issue[] = [];
  readonly pulls: Pull[] = [];
  readonly artifacts: Artifact[] = [];
  readonly runs: Run[] = [];
  readonly repository = new FakeRepository();
  readonly requests: string[] = [];
  /** What lists were asked for, by their queries. */
  readonly queries: string[] = [];
  /** True where the token may not do what it asks for. */
  forbidden = false;
  /** What fails with 503. */
  away = /^$/;
  private failures: Failures = { count: 0, butDone: false };
  protected readonly logins: Readonly<Record<string, string>>;

  constructor(logins: Readonly<Record<string, string>>, root = '') {
    super(root, 100);
    this.logins = logins;
  }

  /** Answers creations with 502 this often, having done what it was asked for or not. */
  failPosts(failures: Readonly<Failures>): void {
    this.failures = { ...failures };
  }

  open(head: Pull['head'], base = 'main', more: Partial<Pull> = {}): Pull {
    const number = this.nextId();
    const pull = { number, head, base: { ref: base }, merged_at: null, merge_commit_sha: null, ...more };
    this.pulls.push(pull);
    this.issues.push({ number, title: 'x', user: { login: 'alice' }, pull_request: {}, body: '', state: 'open' });
    return pull;
  }

  merge(pull: Pull, sha: string): void {
    Object.assign(pull, { merged_at: '2026-11-22T00:00:00Z', merge_commit_sha: sha });
  }

  say(number: number, login: string, body: string): Comment {
    const id = this.nextId();
    const comment = { id, node_id: `IC_${id}`, user: { login }, body, isMinimized: false };
    this.comments.set(number, [...(this.comments.get(number) ?? []), comment]);
    return comment;
  }

  report(login: string, title: string, body: string): Issue {
    const issue = { number: this.nextId(), title, user: { login }, body, state: 'open' };
    this.issues.push(issue);
    return issue;
  }

  store(
    name: string,
    files: Readonly<Record<string, string>>,
    run: Run & { readonly sha: string; readonly fork?: boolean },
  ): void {
    const head_repository_id = run.fork === true ? 2 : REPOSITORY_ID;
    const workflow_run = { id: run.id, head_sha: run.sha, repository_id: REPOSITORY_ID, head_repository_id };
    this.artifacts.push({ id: this.nextId(), name, expired: false, files, workflow_run });
    if (!this.runs.some(({ id }) => id === run.id)) this.runs.push({ id: run.id, event: run.event, path: run.path });
  }

  /** A pull request as it is now: its head is that of its branch. */
  seen(pull: Pull): Pull {
    const sha = this.repository.branches.get(pull.head.ref) ?? pull.head.sha;
    return { ...pull, head: { ...pull.head, sha } };
  }

  protected override answer(asked: Asked): Answer {
    const { method, path, headers } = asked;
    const login = this.logins[(headers.authorization ?? '').replace('Bearer ', '')];
    this.requests.push(`${method} ${path}`);
    this.queries.push(asked.query.toString());
    if (login === undefined) return { status: 401, body: { message: 'Bad credentials' } };
    if (this.away.test(path)) return { status: 503, body: {} };
    if (this.forbidden && method !== 'GET')
      return { status: 403, body: { message: 'Resource not accessible by integration' } };
    const { count, of = /./ } = this.failures;
    const isFailing = count > 0 && method === 'POST' && path !== '/graphql' && of.test(path);
    if (isFailing) this.failures.count -= 1;
    const answer = isFailing && !this.failures.butDone ? {} : this.route({ ...asked, login });
    return isFailing ? { status: 502, body: { message: 'Server Error' } } : answer;
  }

  private route(asked: Known): Answer {
    const { method, path, body, login } = asked;
    if (path === '/graphql') return { body: { data: this.graphql(body, login) } };
    const rest = path.startsWith(`/repos/${REPOSITORY}/`) ? path.slice(`/repos/${REPOSITORY}/`.length) : '';
    const ofRepository = this.repository.answer(asked, rest);
    if (ofRepository !== undefined) return ofRepository;
    for (const [pattern, respond] of ROUTES) {
      const found = pattern.exec(`${method} ${rest}`);
      if (found !== null) return respond(this, { ...asked, found: found.slice(1) });
    }
    return { status: 404, body: { message: `Not Found: ${method} ${path}` } };
  }

  private graphql({ query = '', variables }: Readonly<Record<string, unknown>>, login: string): object {
    if (String(query).startsWith('query')) return { viewer: { login } };
    const { id } = variables as { readonly id: string };
    const comment = [...this.comments.values()].flat().find(({ node_id: node }) => node === id);
    if (comment !== undefined) comment.isMinimized = true;
    return { minimizeComment: { clientMutationId: null } };
  }
}

type Respond = (github: FakeGithub, asked: Known & { readonly found: readonly string[] }) => Answer;

const stepsOf = (count: number): readonly object[] => Array.from({ length: count }, () => ({}));

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

function one(item: object | undefined, change: object = {}): Answer {
  return item === undefined ? NOT_FOUND : { body: Object.assign(item, change) };
}

const ROUTES: readonly (readonly [RegExp, Respond])[] = [
  [/^GET issues\/(\d+)\/comments$/, (github, { found: [n] }) => ({ list: github.comments.get(Number(n)) ?? [] })],
  [
    /^POST issues\/(\d+)\/comments$/,
    (github, { found: [n], body, login }) => ({ status: 201, body: github.say(Number(n), login, body['body'] ?? '') }),
  ],
  [
    /^PATCH issues\/comments\/(\d+)$/,
    (github, { found: [id], body }) =>
      one(
        [...github.comments.values()].flat().find((comment) => comment.id === Number(id)),
        body,
      ),
  ],
  [
    /^GET issues$/,
    (github, { query }) => ({
      list: github.issues.filter(({ state, user }) => state === 'open' && user.login === query.get('creator')),
    }),
  ],
  [
    /^POST issues$/,
    (github, { body, login }) => ({ status: 201, body: github.report(login, body['title'] ?? '', body['body'] ?? '') }),
  ],
  [
    /^PATCH issues\/(\d+)$/,
    (github, { found: [n], body }) =>
      one(
        github.issues.find(({ number }) => number === Number(n)),
        body,
      ),
  ],
  [
    /^GET pulls$/,
    (github, { query }) => ({
      list: github.pulls.filter(({ head }) => `acme:${head.ref}` === query.get('head')).map((one) => github.seen(one)),
    }),
  ],
  [
    /^POST pulls$/,
    (github, { body: { head = '', base = '', title = '', body = '' }, login }) => {
      const sha = github.repository.branches.get(head);
      const isRival = (one: Pull) => one.state === 'open' && one.head.ref === head && one.base.ref === base;
      // One branch has one open pull request into another; that of a fork is another branch.
      const hasRival = github.pulls.some((one) => isRival(one) && one.head.repo?.full_name === REPOSITORY);
      if (sha === undefined || hasRival) return { status: 422, body: { message: 'Validation Failed' } };
      const at = { sha, ref: head, repo: { full_name: REPOSITORY } };
      return { status: 201, body: github.open(at, base, { title, body, state: 'open', user: { login } }) };
    },
  ],
  [
    /^PATCH pulls\/(\d+)$/,
    (github, { found: [n], body }) =>
      one(
        github.pulls.find(({ number }) => number === Number(n)),
        body,
      ),
  ],
  [/^GET pulls\/(\d+)$/, (github, { found: [n] }) => one(github.pulls.find(({ number }) => number === Number(n)))],
  [
    /^GET commits\/(\w+)\/pulls$/,
    (github, { found: [sha] }) => ({
      list: github.pulls.filter(({ merge_commit_sha: merged, head }) => merged === sha || head.sha === sha),
    }),
  ],
  [
    /^GET actions\/artifacts$/,
    (github, { query }) => ({
      list: github.artifacts.filter(({ name }) => name === query.get('name')).reverse(),
      wrap: (artifacts) => ({ total_count: artifacts.length, artifacts }),
    }),
  ],
  [
    /^GET actions\/workflows\/edgeform\.yml\/runs$/,
    (github, { query }) => ({
      list: github.runs.filter(({ event, status }) => status !== undefined && event === query.get('event')).reverse(),
      wrap: (workflow_runs) => ({ workflow_runs }),
    }),
  ],
  [
    /^GET actions\/runs\/(\d+)\/jobs$/,
    (github, { found: [id] }) => {
      const { steps = 0, jobs } = github.runs.find((run) => run.id === Number(id)) ?? {};
      return { body: { jobs: jobs ?? [{ name: 'apply', steps: stepsOf(steps) }] } };
    },
  ],
  [/^GET actions\/runs\/(\d+)$/, (github, { found: [id] }) => one(github.runs.find((run) => run.id === Number(id)))],
];
