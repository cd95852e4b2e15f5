// Runs jobs of a workflow as GitHub's runner does, as far as our files need it: contexts, conditions, outputs, files of
// commands, composite actions, and real shells. Actions of others are emulated by folders.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Contexts, JobStatus, Value } from './expressions.ts';
import { asksForStatus, fill, holds } from './expressions.ts';
import { onlyModule, runModule } from './modules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The module that is the command of GitLab's jobs. */
export const GITLAB_JOBS = join(ROOT, '.github/actions/lib/job.mjs');

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly 'working-directory'?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}
export interface Job {
  /** The job that must have succeeded. */
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
export interface Workflow {
  readonly permissions?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs?: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

/** What a run of the workflow is started with, and what outlives it. */
export interface Start {
  readonly workflow: string;
  readonly jobs?: readonly string[];
  readonly event: { readonly name: string; readonly payload: Readonly<Record<string, Value>> };
  readonly sha: string;
  readonly ref: string;
  readonly runId: string;
  /** How often the run was started; once where it is missing. */
  readonly attempt?: number;
  readonly api: string;
  readonly token: string;
  readonly repository: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** The files of the commit. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders with stubs for commands that would leave the machine. */
  readonly path: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly caches: Map<string, string>;
  /** Whether steps that only run one of our modules need no shell and no process of their own. */
  readonly isHosted?: boolean;
  /** Called with the folder of files to keep. */
  readonly upload: (name: string, files: Readonly<Record<string, string>>) => void;
  readonly download: (name: string, runId: string) => Readonly<Record<string, string>>;
  /** Called before each step of the job, inner ones too. */
  readonly before?: (name: string) => void;
}

/** One step that ran. */
export interface Ran {
  readonly job: string;
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly code: number;
  readonly log: string;
}
export interface JobEnd {
  readonly result: 'success' | 'failure' | 'skipped';
  readonly steps: readonly Ran[];
  readonly summary: string;
}

/** Runs the jobs whose condition holds, each in a workspace of its own. */
export async function runWorkflow(start: Start): Promise<Readonly<Record<string, JobEnd>>> {
  const { jobs } = parse(start.workflow) as Workflow;
  const ends: Record<string, JobEnd> = {};
  for (const [name, job] of Object.entries(jobs)) {
    if (start.jobs !== undefined && !start.jobs.includes(name)) continue;
    if (job.needs !== undefined && ends[job.needs]?.result !== 'success' && !asksForStatus(job.if)) {
      ends[name] = { result: 'skipped', steps: [], summary: '' };
      continue;
    }
    const running = new RunningJob(name, job, start);
    ends[name] = await running.run();
  }
  return ends;
}

interface Scope {
  readonly contexts: Contexts;
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: Record<string, Value>;
  status: JobStatus;
}

class RunningJob {
  private readonly home = mkdtempSync(join(tmpdir(), 'runner-'));
  private readonly workspace = join(this.home, 'work');
  private readonly temp = join(this.home, 'temp');
  private readonly steps: Ran[] = [];
  private readonly fileEnv: Record<string, string> = {};
  private readonly paths: string[] = [];
  private summary = '';
  private readonly name: string;
  private readonly job: Job;
  private readonly start: Start;

  constructor(name: string, job: Job, start: Start) {
    this.name = name;
    this.job = job;
    this.start = start;
    for (const path of [this.workspace, this.temp]) mkdirSync(path, { recursive: true });
    writeFileSync(join(this.home, 'event.json'), JSON.stringify(start.event.payload));
  }

  async run(): Promise<JobEnd> {
    const { secrets, vars } = this.start;
    const contexts = { github: this.github(), secrets, vars, runner: { temp: this.temp, os: 'Linux' } };
    if (!holds(this.job.if, contexts, RUNNING)) return { result: 'skipped', steps: [], summary: '' };
    const scope: Scope = { contexts, env: this.filled(this.job.env, contexts), outputs: {}, status: RUNNING };
    await this.runSteps(this.job.steps, scope, this.name);
    return { result: scope.status.failed ? 'failure' : 'success', steps: this.steps, summary: this.summary };
  }

  private github(): Readonly<Record<string, Value>> {
    const { event, sha, ref, runId, attempt = 1, token, repository } = this.start;
    const [ref_name] = [ref.replace(/^refs\/(?:heads|pull)\//, '')];
    const base = { event: event.payload, event_name: event.name, sha, ref, ref_name, run_id: runId };
    return { ...base, run_attempt: String(attempt), token, repository, workspace: this.workspace };
  }

  private filled(map: Readonly<Record<string, string | number | boolean>> = {}, contexts: Contexts) {
    return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, fill(String(value), contexts)]));
  }

  private async runSteps(steps: readonly Step[], scope: Scope, label: string): Promise<void> {
    for (const [index, step] of steps.entries()) {
      const contexts = { ...scope.contexts, steps: scope.outputs, env: { ...scope.env, ...this.fileEnv } };
      const name = `${label}/${step.id ?? step.uses?.replace(/@.*/, '') ?? index}`;
      if (!holds(step.if, contexts, scope.status)) {
        this.note(scope, step, { outcome: 'skipped', outputs: {} });
        continue;
      }
      this.start.before?.(name);
      const env = { ...scope.env, ...this.filled(step.env, contexts) };
      const ended = await this.runStep(step, { name, env, contexts });
      this.note(scope, step, { outcome: ended.code === 0 ? 'success' : 'failure', outputs: ended.outputs });
      if (ended.code !== 0) scope.status = { ...scope.status, failed: true };
    }
  }

  private note(scope: Scope, { id }: Step, { outcome, outputs }: { outcome: string; outputs: Value }): void {
    if (id !== undefined) scope.outputs[id] = { outcome, conclusion: outcome, outputs };
  }

  private async runStep(
    step: Step,
    {
      name,
      env,
      contexts,
    }: { readonly name: string; readonly env: Record<string, string>; readonly contexts: Contexts },
  ): Promise<{ readonly code: number; readonly outputs: Readonly<Record<string, string>> }> {
    if (step.run !== undefined) return this.shell(step, { name, env, contexts });
    const uses = step.uses ?? '';
    const given = this.filled(step.with, contexts);
    const own = /^(?:\.|edgeform\/edgeform)\/(\.github\/actions\/[\w-]+)(?:@v\d+\.\d+\.\d+)?$/.exec(uses)?.[1];
    if (own !== undefined) return this.composite(own, { name, env, contexts, given });
    const code = this.foreign(uses, given);
    this.steps.push({ job: this.name, name, env: { ...env, ...given }, code, log: uses });
    return { code, outputs: {} };
  }

  private async composite(
    folder: string,
    {
      name,
      env,
      contexts,
      given,
    }: { name: string; env: Record<string, string>; contexts: Contexts; given: Record<string, string> },
  ) {
    const path = join(ROOT, folder);
    const { inputs, outputs = {}, runs } = parse(readFileSync(join(path, 'action.yml'), 'utf8')) as Action;
    const unknown = Object.keys(given).filter((one) => inputs[one] === undefined);
    if (unknown.length > 0 || runs.using !== 'composite')
      throw new Error(`${folder}: no such inputs: ${unknown.join()}`);
    const github = { ...(contexts['github'] as Record<string, Value>), action_path: path };
    const values = Object.fromEntries(
      Object.entries(inputs).map(([key, { required, default: usual }]) => {
        if (required === true && given[key] === undefined) throw new Error(`${folder}: ${key} is required`);
        return [key, given[key] ?? fill(usual ?? '', { github })];
      }),
    );
    // Secrets and variables of the repository are not known inside.
    const inner = { github, inputs: values, runner: contexts['runner'] };
    const scope: Scope = { contexts: inner, env: { ...env, GITHUB_ACTION_PATH: path }, outputs: {}, status: RUNNING };
    await this.runSteps(runs.steps, scope, name);
    const told = Object.fromEntries(Object.entries(outputs).map(([key, { value }]) => [key, value]));
    return { code: scope.status.failed ? 1 : 0, outputs: this.filled(told, { ...inner, steps: scope.outputs }) };
  }

  private foreign(uses: string, given: Readonly<Record<string, string>>): number {
    const [action] = uses.split('@');
    const { caches, files, upload, download } = this.start;
    const path = given['path'] ?? '';
    switch (action) {
      case 'actions/checkout':
        for (const [file, text] of Object.entries(files)) write(join(this.workspace, file), text);
        return 0;
      case 'actions/setup-node':
        return 0;
      case 'actions/cache/restore': {
        const keys = [given['key'] ?? '', ...(given['restore-keys'] ?? '').split('\n').filter((key) => key !== '')];
        const found = keys.flatMap((key) => [...caches.keys()].filter((one) => one.startsWith(key)).at(-1) ?? [])[0];
        if (found !== undefined) this.restore(caches.get(found) ?? '');
        return 0;
      }
      case 'actions/cache/save':
        if (caches.has(given['key'] ?? '')) return 0;
        for (const text of this.kept(path)) caches.set(given['key'] ?? '', text);
        return 0;
      case 'actions/upload-artifact':
        upload(given['name'] ?? '', filesAt(path));
        return 0;
      case 'actions/download-artifact':
        // A pattern is a name here, and matches nothing where there is none.
        for (const [file, text] of Object.entries(
          download(given['name'] ?? given['pattern'] ?? '', given['run-id'] ?? this.start.runId),
        ))
          write(join(path, file), text);
        return 0;
      default:
        throw new Error(`not emulated: ${uses}`);
    }
  }

  /** What a cache holds: each file by its path below the fixed part of the pattern, and its text. */
  private kept(path: string): readonly string[] {
    const files = globbed(this.workspace, path);
    const texts = files.map((name) => [name, readFileSync(join(this.workspace, name), 'utf8')]);
    return files.length === 0 ? [] : [texts.flat().join(BETWEEN)];
  }

  private restore(text: string): void {
    const parts = text.split(BETWEEN);
    for (let at = 0; at < parts.length; at += 2) write(join(this.workspace, parts[at] ?? ''), parts[at + 1] ?? '');
  }

  private async shell(
    step: Step,
    { name, env: given, contexts }: { name: string; env: Record<string, string>; contexts: Contexts },
  ) {
    const folder = mkdtempSync(join(this.home, 'step-'));
    const commands = {
      GITHUB_OUTPUT: 'output',
      GITHUB_ENV: 'env',
      GITHUB_PATH: 'path',
      GITHUB_STEP_SUMMARY: 'summary',
    };
    const files = Object.fromEntries(Object.entries(commands).map(([key, file]) => [key, join(folder, file)]));
    for (const file of Object.values(files)) writeFileSync(file, '');
    const script = join(folder, 'script.sh');
    writeFileSync(script, fill(step.run ?? '', contexts));
    const env = { ...this.runnerEnv(), ...this.fileEnv, ...files, ...given };
    const cwd = resolve(this.workspace, fill(step['working-directory'] ?? '.', contexts));
    const bash = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script];
    const module = this.start.isHosted === true ? onlyModule(step.run ?? '', env) : undefined;
    const { code, log } = await (module === undefined
      ? spawned('bash', bash, { env, cwd })
      : runModule(module.path, { args: module.args, env, cwd }));
    const read = (key: keyof typeof commands) => readFileSync(files[key] ?? '', 'utf8');
    Object.assign(this.fileEnv, pairs(read('GITHUB_ENV')));
    this.paths.unshift(
      ...read('GITHUB_PATH')
        .split('\n')
        .filter((line) => line !== ''),
    );
    this.summary += read('GITHUB_STEP_SUMMARY');
    this.steps.push({ job: this.name, name, env, code, log });
    return { code, outputs: pairs(read('GITHUB_OUTPUT')) };
  }

  private runnerEnv(): Record<string, string> {
    const { api, event, sha, ref, runId, repository, path } = this.start;
    const github = this.github();
    return {
      PATH: [...this.paths, ...path, process.env['PATH'] ?? ''].join(delimiter),
      HOME: this.home,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: api,
      GITHUB_GRAPHQL_URL: `${api}/graphql`,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_JOB: this.name,
      GITHUB_EVENT_NAME: event.name,
      GITHUB_EVENT_PATH: join(this.home, 'event.json'),
      GITHUB_REPOSITORY: repository,
      GITHUB_RUN_ID: runId,
      GITHUB_RUN_NUMBER: runId,
      GITHUB_RUN_ATTEMPT: String(github['run_attempt']),
      GITHUB_SHA: sha,
      GITHUB_REF: ref,
      GITHUB_REF_NAME: String(github['ref_name']),
      GITHUB_HEAD_REF: (event.payload['pull_request'] as { head?: { ref?: string } } | undefined)?.head?.ref ?? '',
      GITHUB_WORKSPACE: this.workspace,
      GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/edgeform.yml@${ref}`,
      RUNNER_TEMP: this.temp,
      ...this.start.env,
    };
  }
}

const RUNNING: JobStatus = { failed: false, cancelled: false };

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

/** Between the names and the texts of cached files. */
const BETWEEN = '\0';

/** Every file below the folder whose path matches the pattern, in which each `*` stands for a part of one segment. */
export function globbed(folder: string, pattern: string): string[] {
  const segments = normalize(pattern).split('/');
  const fits = (name: string, segment: string) => {
    const [start = '', ...others] = segment.split('*');
    const end = others.pop();
    if (end === undefined) return name === segment;
    const inside = name.slice(start.length, name.length - end.length);
    return name.startsWith(start) && name.endsWith(end) && others.every((part) => inside.includes(part));
  };
  return segments
    .reduce<readonly string[]>(
      (found, segment) =>
        found.flatMap((above) => {
          const path = join(folder, above);
          const names = existsSync(path) && statSync(path).isDirectory() ? readdirSync(path) : [];
          return names.filter((name) => fits(name, segment)).map((name) => join(above, name));
        }),
      [''],
    )
    .toSorted();
}

/** The names of the files that a cache holds. */
export function filesInCache(text: string): readonly string[] {
  return text.split(BETWEEN).filter((_, at) => at % 2 === 0);
}

/** A file by its name, or all files of a folder by their paths below it. */
export function filesAt(path: string): Readonly<Record<string, string>> {
  if (!statSync(path).isDirectory()) return { [path.split('/').at(-1) ?? '']: readFileSync(path, 'utf8') };
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(path, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

/** `NAME=VALUE` on each line. */
export function pairs(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** A program with nothing but the given environment; its log is both of its streams. */
export function spawned(
  command: string,
  args: readonly string[],
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
): Promise<{ readonly code: number; readonly log: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.once('error', fail);
    child.once('close', (code) => {
      done({ code: code ?? 137, log });
    });
  });
}

/** A folder with commands: the built program, and an npm that notes what it was asked to install. */
export function stubs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stubs-'));
  const command = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };
  command('edgeform', `exec '${process.execPath}' '${join(ROOT, 'dist/cli.js')}' "$@"`);
  command('edgeform-gitlab', `exec '${process.execPath}' '${GITLAB_JOBS}' "$@"`);
  // What is installed is the program in this folder, which a test may replace; `0.0.0` is no version of it.
  command(
    'npm',
    `echo "npm $*" >> '${join(folder, 'npm.log')}'
case "$*" in *@0.0.0*) echo 'npm error code ETARGET' >&2; exit 1;; esac
[ "$2" = --prefix ] || exit 0
mkdir -p "$3/node_modules/.bin" && ln -sf "$(command -v edgeform)" "$3/node_modules/.bin/edgeform"`,
  );
  return folder;
}
