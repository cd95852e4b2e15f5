// A repository on GitHub with the workflow of `init --ci github`, our actions with their real shells, the built program, an
// emulated service, and a fake of the few calls of GitHub's API.

import { afterAll, beforeEach } from 'vitest';
import { parse } from 'yaml';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { IS_FULL } from '../support/full.ts';
import { FakeGitea, GITEA_BOT, GITEA_ENV, GITEA_PULL } from './fake-gitea.ts';
import type { Comment, Pull } from './fake-github.ts';
import { BOT, FakeGithub, REPOSITORY } from './fake-github.ts';
import type { JobEnd, Start, Workflow } from './runner.ts';
import { runWorkflow } from './runner.ts';

export const KEY = 'key-of-the-service-9f3c';
export const TOKEN = 'token-of-the-job-71aa';
export const HOSTILE_BRANCH = '$(touch /tmp/pwned);`id`;"\'\n::error::x';

export const manifest = (description: string) => `version: 1
stack: shop
failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] }
`;

/** A manifest, or all files of the commit. */
type Files = string | Readonly<Record<string, string>>;
type Jobs = Readonly<Record<string, JobEnd>>;
type Overrides = Partial<
  Pick<Start, 'before' | 'env' | 'files' | 'jobs' | 'secrets' | 'path' | 'vars' | 'workflow'>
> & {
  /** In a fork of the repository. */
  readonly isFork?: boolean;
  readonly eventName?: string;
  /** Number of the run that is run again. */
  readonly again?: number;
};

export class World {
  service!: Emulator;
  github!: FakeGithub;
  readonly caches = new Map<string, string>();
  private runs = 1000;
  /** How often each run was started. */
  private readonly attempts = new Map<number, number>();
  private commits = 0;
  private readonly stubs: string;
  private readonly isHosted: boolean;

  private readonly env: Readonly<Record<string, string>>;
  /** What events say of a pull request beside what the fake knows. */
  private readonly known: object;

  constructor(commands: string, isHosted: boolean, env: Readonly<Record<string, string>> = {}, known: object = {}) {
    this.stubs = commands;
    this.isHosted = isHosted;
    this.env = env;
    this.known = known;
  }

  commit(): string {
    this.commits += 1;
    return this.commits.toString(16).padStart(8, '0').padEnd(40, 'a');
  }

  open(ref = 'topic', repo: string = REPOSITORY, base = 'main'): Pull {
    return this.github.open({ sha: this.commit(), ref, repo: { full_name: repo } }, base);
  }

  push(pull: Pull): void {
    pull.head.sha = this.commit();
  }

  onPull(pull: Pull, files: Files, overrides: Overrides = {}): Promise<Jobs> {
    const payload = { pull_request: { ...this.known, ...structuredClone(pull) } as never };
    const at = { sha: this.commit(), ref: `refs/pull/${pull.number}/merge`, files, head: pull.head.sha };
    return this.run({ name: overrides.eventName ?? 'pull_request', payload }, at, overrides);
  }

  merge(pull: Pull, files: Files, overrides: Overrides = {}): Promise<Jobs> {
    const sha = this.commit();
    this.github.merge(pull, sha);
    return this.onMain('push', files, { ...overrides, sha });
  }

  onMain(name: string, files: Files, { sha, ...overrides }: Overrides & { readonly sha?: string } = {}): Promise<Jobs> {
    const head = sha ?? this.commit();
    return this.run({ name, payload: {} }, { sha: head, ref: 'refs/heads/main', files, head }, overrides);
  }

  /** Merged, and its run is cancelled while it waits for another one. */
  mergeCancelled(pull: Pull, files: Readonly<Record<string, string>>): void {
    const sha = this.commit();
    this.github.merge(pull, sha);
    this.addCommit(sha, files, 'refs/heads/main');
    this.runs += 1;
    const run = { id: this.runs, run_number: this.runs, event: 'push', path: '.github/workflows/edgeform.yml' };
    this.github.runs.push({ ...run, head_sha: sha, status: 'completed', conclusion: 'cancelled' });
  }

  /** As a merge queue asks for it, with the branch that it makes. */
  onQueue(pull: Pull, files: Files, overrides: Overrides = {}): Promise<Jobs> {
    const [sha, base] = [this.commit(), this.commit()];
    const ref = `refs/heads/gh-readonly-queue/main/pr-${pull.number}-${base}`;
    const merge_group = { head_sha: sha, head_ref: ref, base_sha: base, base_ref: 'refs/heads/main' };
    const payload = { action: 'checks_requested', merge_group };
    return this.run({ name: 'merge_group', payload }, { sha, ref, files, head: sha }, overrides);
  }

  comments(pull: Pull, is = 'plan'): readonly Comment[] {
    const all = this.github.comments.get(pull.number) ?? [];
    return all.filter(
      ({ user, body }) => [BOT, GITEA_BOT].includes(user.login) && body.startsWith(`<!-- edgeform:${is} `),
    );
  }

  issues() {
    return this.github.issues.filter(({ pull_request: pull }) => pull === undefined);
  }

  backend() {
    return this.service.objects('backends')[0];
  }

  /** What somebody does by hand. */
  edit(description: string): void {
    this.service.mutate('backends', String(this.backend()?.['id']), { description });
  }

  /** On top of the branch, which is what the forge has of it from here on. */
  private addCommit(sha: string, files: Readonly<Record<string, string>>, ref: string): void {
    const { repository } = this.github;
    const branch = ref.replace('refs/heads/', '');
    if (!repository.commits.has(sha))
      repository.commit(sha, files, { parent: repository.branches.get(branch), branch });
  }

  private async run(
    event: Start['event'],
    { sha, ref, files, head }: Pick<Start, 'sha' | 'ref'> & { readonly files: Files; readonly head: string },
    { isFork = false, ...overrides }: Overrides,
  ): Promise<Jobs> {
    const repository = { full_name: REPOSITORY, default_branch: 'main', fork: isFork };
    const { github, service, caches } = this;
    this.runs += 1;
    const id = overrides.again ?? this.runs;
    const attempt = (this.attempts.get(id) ?? 0) + 1;
    this.attempts.set(id, attempt);
    const path = '.github/workflows/edgeform.yml';
    const run = github.runs.find((one) => one.id === id) ?? { id, run_number: id, event: event.name, path };
    if (overrides.again === undefined) github.runs.push(run);
    const workflow = overrides.workflow ?? pipelineText('github', { version: '0.1.0', stack: 'shop' });
    // A job that waits, is skipped, or is cancelled before it begins has no steps, as far as GitHub's manual and its answers show.
    const jobs = Object.keys((parse(workflow) as Workflow).jobs).map((name) => ({ name, steps: [] }));
    Object.assign(run, { status: 'in_progress', head_sha: sha, jobs });
    const ofCommit = typeof files === 'string' ? { 'edgeform.yaml': files } : files;
    this.addCommit(sha, overrides.files ?? ofCommit, ref);
    const ends = await runWorkflow({
      workflow,
      event: { ...event, payload: { repository, ...event.payload } },
      sha,
      ref,
      runId: String(id),
      attempt,
      api: github.url,
      token: TOKEN,
      repository: REPOSITORY,
      secrets: { EDGEFORM_API_KEY: KEY },
      vars: { EDGEFORM_BASE_URL: service.url },
      files: ofCommit,
      path: [this.stubs],
      isHosted: this.isHosted,
      caches,
      upload: (name, stored) => {
        github.store(name, stored, { id, event: event.name, path, sha: head });
      },
      download: (name, from) =>
        github.artifacts.findLast((one) => one.name === name && one.workflow_run.id === Number(from))?.files ?? {},
      ...overrides,
      env: { EDGEFORM_RETRY_DELAY: '1', ...this.env, ...overrides.env },
    });
    run.status = 'completed';
    run.jobs = jobs.map((job) => ({ ...job, conclusion: ends[job.name]?.result, steps: ends[job.name]?.steps ?? [] }));
    run.conclusion = Object.values(ends).some(({ result }) => result === 'failure') ? 'failure' : 'success';
    return ends;
  }
}

/** A workflow of one job without a condition, with these inputs of the actions beside the connection. */
export function workflowOf(...actions: readonly (readonly [string, Readonly<Record<string, string>>?])[]): string {
  const connection = { 'base-url': '${{ vars.EDGEFORM_BASE_URL }}', 'api-key': '${{ secrets.EDGEFORM_API_KEY }}' };
  const steps = actions.map(([action, inputs]) => ({
    uses: `./.github/actions/${action}`,
    with: { stack: 'shop', ...connection, ...inputs },
  }));
  return JSON.stringify({ on: 'pull_request', jobs: { one: { steps: [{ uses: 'actions/checkout@x' }, ...steps] } } });
}

/**
 * A new world for each test, with a folder of commands. Where it is hosted, steps that only run one of our modules have no
 * process of their own, but with all worlds they do.
 */
export function useWorld(commands: string, isHosted = false, isGitea = false): World {
  const hosted = isHosted && !IS_FULL;
  const world = isGitea ? new World(commands, hosted, GITEA_ENV, GITEA_PULL) : new World(commands, hosted);
  const open: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    world.service = await startEmulator({ apiKey: KEY });
    const [Forge, bot] = isGitea ? [FakeGitea, GITEA_BOT] : [FakeGithub, BOT];
    world.github = await new Forge({ [TOKEN]: bot, other: 'mallory' }).start();
    const { service, github } = world;
    open.push(service.close, () => github.close());
    world.caches.clear();
  });
  afterAll(async () => {
    for (const close of open) await close();
  });
  return world;
}

export function results(jobs: Jobs): Readonly<Record<string, string>> {
  const ran = Object.entries(jobs).filter(([, { result }]) => result !== 'skipped');
  return Object.fromEntries(ran.map(([name, { result }]) => [name, result]));
}

/** What the last step ends with: the exit code of the program. */
export function exitCode(job: JobEnd | undefined): number | undefined {
  return job?.steps.at(-1)?.code;
}

export function logOf(job: JobEnd | undefined): string {
  return job?.steps.map(({ log }) => log).join('\n') ?? '';
}
