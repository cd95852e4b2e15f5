// What both pipelines run in: a registry with the packed program, an emulated service, and a git repository.

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { startEmulator } from '../../../src/emulator/http/server.ts';

export const KEY = 'key-of-the-service-9f3c';
const CLI = resolve('dist/cli.js');

export const manifest = (description: string) => `version: 1
stack: shop
failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] }
`;

export function demand(holds: boolean, text: string): asserts holds {
  if (!holds) throw new Error(text);
}

/** True for the comment about a plan of the manifest above. */
export function isPlan(text: string): boolean {
  return text.startsWith('<!-- edgeform:plan ') && text.includes('1 to create');
}

interface Ran {
  readonly code: number;
  readonly log: string;
}

/** Runs a program with nothing but the given environment. */
export function ran(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 300_000 } as const;
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, log: `${stdout}${stderr}` });
    });
    child.stdin?.end();
  });
}

/** A registry that has one package. */
export async function startRegistry(tarball: string) {
  const bytes = readFileSync(tarball);
  const about = JSON.parse(
    execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as Readonly<Record<string, unknown>> & { readonly version: string };
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) {
      response.end(bytes);
      return;
    }
    const dist = {
      tarball: `${url()}/edgeform/-/edgeform-${about.version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const known = {
      name: 'edgeform',
      'dist-tags': { latest: about.version },
      versions: { [about.version]: { ...about, dist } },
    };
    response.writeHead(request.url === '/edgeform' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/edgeform' ? known : { error: 'not found' }));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: url(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Repository {
  readonly path: string;
  readonly git: (...args: string[]) => string;
  /** Writes the manifest, and commits; the name of the commit. */
  readonly commit: (text: string) => string;
}

/** A repository with the pipeline that `edgeform init` writes into it, for a manifest in a folder. */
export function newRepository(ci: 'github' | 'gitlab', more: readonly string[] = []): Repository {
  const path = mkdtempSync(join(tmpdir(), `pipelines-${ci}-`));
  const identity = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const env = { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_GLOBAL: '/dev/null', ...identity };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path, env, encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', 'https://forge.example/acme/shop.git');
  const commit = (text: string) => {
    mkdirSync(dirname(join(path, 'shop/edgeform.yaml')), { recursive: true });
    writeFileSync(join(path, 'shop/edgeform.yaml'), text);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', 'change');
    return git('rev-parse', 'HEAD');
  };
  execFileSync(process.execPath, [CLI, 'init', 'shop', '--ci', ci, '--drift-pull-request', ...more], {
    cwd: path,
    env,
    stdio: 'pipe',
  });
  commit('version: 1\nstack: shop\n');
  return { path, git, commit };
}

export const startService = () => startEmulator({ apiKey: KEY });
