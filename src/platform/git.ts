// Runs git, for questions about the checkout. Knows no question; gives git no variables but its own.

import { execFile, execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { tryTo } from '../core/try.ts';
import { isTaken } from './paths.ts';

/** What git said, and its exit code; 'missing' if it could not be run. */
interface GitAnswer {
  readonly code: number | 'missing';
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs git in a directory. */
export type Git = (cwd: string, args: readonly string[]) => Promise<GitAnswer>;

/** Asks git for content, without giving way to anything else; undefined if it fails, or says more than `maxBytes`. */
export type ReadObjects = (cwd: string, args: readonly string[], input: string, maxBytes: number) => Buffer | undefined;

/**
 * A checkout may hold files that look like a repository of their own, with a configuration that names commands: only one with a
 * `.git` is believed. Needs git 2.38; older ones ignore it.
 */
const PLAIN = ['-c', 'core.fsmonitor=false', '-c', 'safe.bareRepository=explicit'];

/** Where git finds the configuration of the user. */
const PLACES = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'SYSTEMROOT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'];

/** Nothing that a configuration names is run, and no credential is in its environment. */
export function gitIn(env: Readonly<Record<string, string | undefined>>): Git {
  const options = { env: environmentOf(env), maxBuffer: MAX_BYTES, encoding: 'utf8' } as const;
  return (cwd, args) =>
    new Promise((resolve) => {
      execFile('git', [...PLAIN, ...args], { ...options, cwd }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 'missing';
        resolve({ code, stdout, stderr });
      });
    });
}

export function objectsIn(env: Readonly<Record<string, string | undefined>>): ReadObjects {
  const environment = environmentOf(env);
  return (cwd, args, input, maxBytes) =>
    tryTo(() =>
      execFileSync('git', [...PLAIN, ...args], {
        env: environment,
        stdio: ['pipe', 'pipe', 'ignore'],
        cwd,
        input,
        maxBuffer: maxBytes,
      }),
    );
}

/** The nearest folder that git knows as a checkout: this one, or one above it. */
export function checkoutAbove(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isTaken(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** What is not in the checkout is not fetched by the way. */
function environmentOf(env: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const own = Object.entries(env).filter(([name]) => isForGit(name.toUpperCase()));
  return { ...Object.fromEntries(own), LC_ALL: 'C', GIT_NO_LAZY_FETCH: '1' };
}

function isForGit(name: string): boolean {
  if (PLACES.includes(name)) return true;
  return name.startsWith('GIT_') && !/TOKEN|ASKPASS/.test(name);
}
