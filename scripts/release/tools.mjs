// What the stages of the release check share: programs to run, a folder of their own, and a first run as a user has it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Tools that a release is checked with, and that its users never see: fetched when they are needed. */
export const TOOLS = {
  attw: '@arethetypeswrong/cli@0.18.5',
  dockerfile: 'dockerfile-utils@0.16.3',
  pnpm: 'pnpm@10.34.9',
  postject: 'postject@1.0.0-alpha.6',
  publint: 'publint@0.3.25',
  yarn: 'yarn@1.22.22',
  berry: '@yarnpkg/cli-dist@4.18.1',
};

export const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';

/** Fails the stage with this text unless it holds. */
export function demand(holds, text) {
  if (!holds) throw new Error(text);
}

export const scratch = (name) => mkdtempSync(join(tmpdir(), `edgeform-${name}-`));

/** An environment without what npm, a test runner or a user's settings put into this one. */
export function cleanEnv(more = {}, ...first) {
  const path = [...first, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  return { PATH: path, HOME: homedir(), ...more };
}

/** What tools need of this environment: proxies and certificates, and nothing that npm put there for its script. */
function toolEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|EDGEFORM_)/.test(name)));
}

/** What a program prints on standard output; fails with all it printed. */
export function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', env: toolEnv(), ...options });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}

/** A tool from the registry, in the version of the table. */
export const tool = (name, args, options) => run('npx', ['--yes', ...binOf(name), ...args], options);

function binOf(name) {
  const bins = { dockerfile: 'dockerfile-utils', berry: 'yarn' };
  return ['--package', TOOLS[name], '--', bins[name] ?? name];
}

export const MANIFEST = `version: 1
stack: first
failover_backends:
  app: { backends: [bkdhr_2abc, bkdhr_2def] }
https_edges:
  site:
    hostports: [www.example.com:443]
    routes:
      root: { match_type: path_prefix, match: /, backend: { backend_id: "\${failover_backends.app.id}" } }
`;

/**
 * What a user does first, in a folder: the version, a validation and a plan against the emulator, which `start` runs too. It
 * takes arguments and returns what to execute.
 */
export async function firstRun(start, { cwd, env, version }) {
  const edgeform = (...args) => {
    const [command, ...rest] = start(args);
    return run(command, rest, { cwd, env });
  };
  demand(edgeform('--version') === `${version}\n`, `--version of ${version}`);
  rmSync(join(cwd, '.edgeform'), { recursive: true, force: true });
  writeFileSync(join(cwd, 'edgeform.yaml'), MANIFEST);
  demand(edgeform('validate').includes('stack first is valid'), 'validate');
  const [command, ...rest] = start(['emulator', '--api-key', 'local']);
  const emulator = spawn(command, rest, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(emulator.stdout, 'data');
    Object.assign(env, { EDGEFORM_BASE_URL: JSON.parse(line).url, EDGEFORM_API_KEY: 'local' });
    demand(edgeform('plan').includes('Plan: 3 to create'), 'plan');
    edgeform('apply', '--auto-approve');
    demand(edgeform('plan').includes('No changes'), 'plan after apply');
  } finally {
    const closed = once(emulator, 'close');
    emulator.kill();
    await closed;
  }
}

/** Seconds of CPU that a command takes, its children included: the least of some runs, which others on the machine disturbed least. */
export function cpuOf(command, args, { cwd, env, runs = 9 }) {
  const script = `"$@" >/dev/null && times`;
  const times = Array.from({ length: runs }, () => {
    // A pipe to standard input alone makes Node start five times as slowly.
    const printed = run('bash', ['-c', script, 'bash', command, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [, children = ''] = printed.trim().split('\n');
    return [...children.matchAll(/\b(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
  });
  return Math.min(...times);
}
