// Runs git, for questions about the checkout. Knows no question; gives git no variables but its own.

import { execFile } from 'node:child_process';

/** What git said, and its exit code; 'missing' if it could not be run. */
interface GitAnswer {
  readonly code: number | 'missing';
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs git in a directory. */
export type Git = (cwd: string, args: readonly string[]) => Promise<GitAnswer>;

/** Nothing that a configuration names is run, and no credential is in its environment. */
export function gitIn(env: Readonly<Record<string, string | undefined>>): Git {
  const own = Object.entries(env).filter(([name]) => isForGit(name.toUpperCase()));
  const options = { env: { ...Object.fromEntries(own), LC_ALL: 'C' }, maxBuffer: MAX_BYTES, encoding: 'utf8' } as const;
  return (cwd, args) =>
    new Promise((resolve) => {
      execFile('git', ['-c', 'core.fsmonitor=false', ...args], { ...options, cwd }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 'missing';
        resolve({ code, stdout, stderr });
      });
    });
}

function isForGit(name: string): boolean {
  if (['PATH', 'HOME', 'SYSTEMROOT'].includes(name)) return true;
  return name.startsWith('GIT_') && !/TOKEN|ASKPASS/.test(name);
}
