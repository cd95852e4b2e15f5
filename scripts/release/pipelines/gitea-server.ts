// A Gitea with its runner on this machine: a folder of its own, SQLite, jobs as processes of the host.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { demand } from './scene.ts';

const ADMIN = 'alice';

export interface Run {
  readonly id: number;
  readonly event: string;
  readonly path: string;
  readonly head_sha: string;
  readonly status: string;
  readonly conclusion: string;
}

/** `tools` is the folder with both programs; `env` is what each job has beside its own. */
export async function startGitea(tools: string, env: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'gitea-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const ini = join(home, 'app.ini');
  writeFileSync(ini, settings(home, url, join(tools, 'static')));
  const own = { PATH: process.env['PATH'] ?? '', HOME: home };
  const gitea = (...args: string[]) =>
    execFileSync(join(tools, 'gitea'), ['--config', ini, ...args], {
      cwd: home,
      env: own,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  gitea('migrate');
  gitea(
    'admin',
    'user',
    'create',
    '--admin',
    '--username',
    ADMIN,
    '--password',
    'alice-1234',
    '--email',
    'a@example.com',
    '--must-change-password=false',
  );
  // Warnings are printed before it.
  const words = ['generate-access-token', '--username', ADMIN, '--scopes', 'all', '--raw'];
  const token =
    gitea('admin', 'user', ...words)
      .trim()
      .split('\n')
      .at(-1) ?? '';
  const server = started(join(tools, 'gitea'), ['--config', ini, 'web'], home, own);
  const children: ChildProcess[] = [server];
  const api = clientOf(`${url}/api/v1`, token);
  const close = async () => {
    for (const child of children.toReversed()) await stopped(child);
  };
  try {
    await until('Gitea answers', () =>
      api('GET', 'version').then(
        () => true,
        (error: unknown) => no(error),
      ),
    );
    const { token: secret } = (await api('POST', 'admin/actions/runners/registration-token')) as {
      readonly token: string;
    };
    const config = join(home, 'runner.yaml');
    writeFileSync(config, JSON.stringify(runnerSettings(home, env)));
    const runner = join(tools, 'gitea-runner');
    const register = ['register', '--no-interactive', '--instance', url, '--token', secret, '--name', 'one'];
    execFileSync(runner, ['-c', config, ...register], { cwd: home, env: own, stdio: 'pipe' });
    children.push(started(runner, ['-c', config, 'daemon'], home, own));
  } catch (error) {
    await close();
    throw error;
  }
  /** Where git finds a repository, with the right to push. */
  const remote = (name: string) => `${url.replace('://', `://${ADMIN}:${token}@`)}/${name}.git`;
  return { url, home, api, remote, close };
}

export type Gitea = Awaited<ReturnType<typeof startGitea>>;

function settings(home: string, url: string, root: string): string {
  const secret = 'no-secret-of-anybody-'.repeat(3);
  return `RUN_USER = ${userInfo().username}
WORK_PATH = ${home}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${new URL(url).port}
ROOT_URL = ${url}/
STATIC_ROOT_PATH = ${root}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${join(home, 'gitea.db')}
[security]
INSTALL_LOCK = true
SECRET_KEY = ${secret}
PASSWORD_HASH_ALGO = pbkdf2_v1
[repository]
ROOT = ${join(home, 'repositories')}
DEFAULT_BRANCH = main
[actions]
ENABLED = true
DEFAULT_ACTIONS_URL = self
[cron.start_schedule_tasks]
SCHEDULE = @every 24h
[log]
LEVEL = warn
ROOT_PATH = ${join(home, 'log')}
`;
}

/** Two jobs at a time, so that jobs of one run do meet. */
function runnerSettings(home: string, envs: Readonly<Record<string, string>>): object {
  for (const name of ['work', 'cache']) mkdirSync(join(home, name), { recursive: true });
  const runner = {
    file: join(home, '.runner'),
    capacity: 2,
    envs,
    fetch_interval: '1s',
    fetch_interval_max: '1s',
    labels: ['ubuntu-latest:host'],
  };
  return {
    runner: { ...runner, log_report_interval: '1s', log_report_max_latency: '500ms', state_report_interval: '1s' },
    cache: { enabled: true, dir: join(home, 'cache'), host: '127.0.0.1' },
    host: { workdir_parent: join(home, 'work') },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        done(port);
      });
    });
  });
}

function started(command: string, args: readonly string[], home: string, env: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(join(home, `${command.split('/').at(-1) ?? ''}.log`), 'a');
  return spawn(command, args, { cwd: home, env, stdio: ['ignore', log, log] });
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      done();
      return;
    }
    child.once('close', () => {
      done();
    });
    child.kill();
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  });
}

/** False while a server does not listen yet. */
function no(error: unknown): false {
  if (error instanceof TypeError && error.message === 'fetch failed') return false;
  throw error;
}

/** Asks again until it holds, for a time that is long enough for a busy machine. */
export async function until(what: string, holds: () => Promise<boolean>, seen = () => ''): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error(`it did not come to pass that ${what}: ${seen()}`);
}

function clientOf(base: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${base}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    demand(answer.ok, `${method} ${path}: ${answer.status}: ${text.slice(0, 500)}`);
    const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
    return isJson ? JSON.parse(text) : text;
  };
}

interface RunJob {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly conclusion: string;
}

/** What runs an action starts: once they have ended, the newest of them with the logs of its jobs. */
export async function runOf(gitea: Gitea, repository: string, start: () => Promise<unknown>) {
  const all = async () => {
    const answer = await gitea.api('GET', `repos/${repository}/actions/runs`);
    return (answer as { readonly workflow_runs: readonly Run[] }).workflow_runs;
  };
  const last = Math.max(0, ...(await all()).map(({ id }) => id));
  await start();
  const [run] = await allEnded(gitea, repository, async () => (await all()).filter(({ id }) => id > last));
  return withLog(gitea, repository, run);
}

/** The same for a run that is started again. */
export async function againOf(gitea: Gitea, repository: string, id: number) {
  const path = `repos/${repository}/actions/runs/${id}`;
  await gitea.api('POST', `${path}/rerun`);
  const [run] = await allEnded(gitea, repository, async () => [(await gitea.api('GET', path)) as Run]);
  return withLog(gitea, repository, run);
}

/** A run is said to be completed while a job that needs a failed one has not begun, so the jobs are asked for, too. */
async function allEnded(
  gitea: Gitea,
  repository: string,
  find: () => Promise<readonly Run[]>,
): Promise<readonly Run[]> {
  let found: readonly (Run & { readonly jobs: readonly RunJob[] })[] = [];
  await until(
    'the run ends',
    async () => {
      found = [];
      for (const run of await find()) found = [...found, { ...run, jobs: await jobsOf(gitea, repository, run.id) }];
      return found.length > 0 && found.flatMap(({ jobs, ...run }) => [run, ...jobs]).every(isCompleted);
    },
    () => JSON.stringify(found),
  );
  return found;
}

const isCompleted = ({ status }: { readonly status: string }) => status === 'completed';

async function jobsOf({ api }: Gitea, repository: string, run: number): Promise<readonly RunJob[]> {
  const { jobs } = (await api('GET', `repos/${repository}/actions/runs/${run}/jobs`)) as { readonly jobs: RunJob[] };
  return jobs;
}

async function withLog(gitea: Gitea, repository: string, run: Run | undefined) {
  demand(run !== undefined, 'no run');
  const ran = (await jobsOf(gitea, repository, run.id)).filter(({ conclusion }) => conclusion !== 'skipped');
  const logs: string[] = [];
  for (const { id, name, conclusion } of ran) {
    const text = await gitea.api('GET', `repos/${repository}/actions/jobs/${id}/logs`).catch(String);
    logs.push(`== ${name}: ${conclusion}\n${String(text)}`);
  }
  return { ...run, log: logs.join('\n') };
}
