// A git repository in a folder, which no configuration of the machine reaches.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Files = Readonly<Record<string, string | undefined>>;

/** What a process needs for such a repository. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  PATH: process.env['PATH'] ?? '',
  HOME: '/nowhere',
};

/** Writes files, with their folders; one without text is removed. */
export function put(root: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    if (text === undefined) rmSync(join(root, name), { recursive: true });
    else writeFileSync(join(root, name), text);
  }
}

export function git(root: string, ...args: string[]): string {
  const settings = ['user.name=a', 'user.email=a@example.com', 'commit.gpgsign=false'].flatMap((one) => ['-c', one]);
  return execFileSync('git', [...settings, ...args], { cwd: root, env: GIT_ENV, stdio: 'pipe' })
    .toString()
    .trim();
}

/** Commits everything in the folder, after these changes; returns the commit. */
export function commit(root: string, files: Files = {}, message = 'change'): string {
  put(root, files);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', message);
  return git(root, 'rev-parse', 'HEAD');
}

/** A repository with one commit of these files. */
export function startRepository(root: string, files: Files): string {
  git(root, 'init', '--quiet', '--initial-branch=main');
  return commit(root, files, 'start');
}
