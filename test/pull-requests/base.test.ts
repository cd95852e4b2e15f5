// What the pipelines compare a plan with: the scripts as they are, in shallow clones of a real repository.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { commit, git, GIT_ENV, startRepository } from '../support/repository.ts';

const STEP = fileURLToPath(new URL('../../.github/actions/lib/step.mjs', import.meta.url));
const JOB = fileURLToPath(new URL('../../.github/actions/lib/job.mjs', import.meta.url));
const folder = () => mkdtempSync(join(tmpdir(), 't-'));

/** A repository with a pull request: the base, its head, and what the forge merged for the run. */
interface Origin {
  readonly root: string;
  readonly base: string;
  readonly head: string;
}
let origin: Origin;

beforeEach(() => {
  const root = folder();
  startRepository(root, { 'edgeform.yaml': 'one\n' });
  git(root, 'switch', '--quiet', '--create', 'topic');
  const head = commit(root, { 'edgeform.yaml': 'two\n' });
  git(root, 'switch', '--quiet', 'main');
  const base = commit(root, { 'other.txt': 'merged meanwhile\n' });
  git(root, 'switch', '--quiet', '--create', 'merge');
  git(root, 'merge', '--quiet', '--no-ff', '--message', 'Merge', 'topic');
  git(root, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  origin = { root, base, head };
});

/** A clone as a runner makes it. */
function checkout(branch: string): string {
  const cwd = join(folder(), 'clone');
  git(origin.root, 'clone', '--quiet', '--depth=1', '--branch', branch, `file://${origin.root}`, cwd);
  return cwd;
}

const has = (cwd: string, name: string) =>
  spawnSync('git', ['cat-file', '-e', `${name}^{commit}`], { cwd, env: GIT_ENV }).status === 0;

/** What the step of the action puts out, and its log. */
function findBase(cwd: string, event: object, env: Readonly<Record<string, string>> = {}) {
  const [path, output] = [join(folder(), 'event.json'), join(folder(), 'output')];
  writeFileSync(path, JSON.stringify(event));
  writeFileSync(output, '');
  const ended = spawnSync(process.execPath, [STEP, 'base'], {
    cwd,
    env: { ...GIT_ENV, GITHUB_EVENT_PATH: path, GITHUB_OUTPUT: output, ...env },
    encoding: 'utf8',
  });
  expect(ended.status, ended.stdout + ended.stderr).toBe(0);
  return { output: readFileSync(output, 'utf8'), log: ended.stdout };
}

describe('on GitHub', () => {
  const pull = () => ({ pull_request: { head: { sha: origin.head }, base: { sha: origin.base } } });

  test('it is what the pull request was merged into for the run, and fetched', () => {
    const cwd = checkout('merge');
    expect(has(cwd, origin.base)).toBe(false);
    const older = { pull_request: { head: { sha: origin.head }, base: { sha: 'a'.repeat(40) } } };
    expect(findBase(cwd, older).output).toBe(`base=${origin.base}\n`);
    expect([has(cwd, origin.base), has(cwd, origin.head)]).toEqual([true, false]);
  });

  test('where the head itself is checked out, it is the base of the pull request', () => {
    expect(findBase(checkout('topic'), pull()).output).toBe(`base=${origin.base}\n`);
  });

  test('a clone with its history stays whole, and nothing is fetched', () => {
    const cwd = join(folder(), 'clone');
    git(origin.root, 'clone', '--quiet', '--branch', 'merge', `file://${origin.root}`, cwd);
    git(cwd, 'remote', 'set-url', 'origin', '/nowhere');
    expect(findBase(cwd, pull()).output).toBe(`base=${origin.base}\n`);
    expect(git(cwd, 'rev-parse', '--is-shallow-repository')).toBe('false');
  });

  test.each<{ name: string; at?: () => string; event?: () => object; env?: Readonly<Record<string, string>> }>([
    { name: 'a push', event: () => ({}) },
    { name: 'a folder that is no checkout', at: folder },
    { name: 'options that name another base', env: { ARGUMENTS: '--base=v1' } },
    {
      name: 'a base that is no commit',
      at: () => checkout('topic'),
      event: () => ({ pull_request: { head: { sha: origin.head }, base: { sha: '--upload-pack=x' } } }),
    },
    {
      name: 'a base that cannot be fetched',
      at: () => checkout('topic'),
      event: () => ({ pull_request: { head: { sha: origin.head }, base: { sha: 'a'.repeat(40) } } }),
    },
  ])('$name gives none', ({ at = () => checkout('merge'), event = pull, env }) => {
    const cwd = at();
    expect(findBase(cwd, event(), env).output).toBe('base=\n');
  });

  test('what cannot be had is said, and the plan is made without it', () => {
    const cwd = checkout('merge');
    git(cwd, 'remote', 'set-url', 'origin', '/nowhere');
    const { output, log } = findBase(cwd, pull());
    expect([output, log]).toEqual([
      'base=\n',
      expect.stringMatching(/^::notice title=edgeform::The plan does not say what of it is new[\s\S]*nowhere/),
    ]);
  });
});

describe('on GitLab', () => {
  /** What the program is called with, by a job in the clone. */
  function called(cwd: string, env: Readonly<Record<string, string>>): string {
    const bin = folder();
    const log = join(bin, 'called');
    writeFileSync(join(bin, 'edgeform'), `#!/bin/sh\necho "$@" >> ${log}\nexit 4\n`, { mode: 0o755 });
    spawnSync(process.execPath, [JOB, 'plan'], {
      cwd,
      env: { ...GIT_ENV, PATH: `${bin}${delimiter}${GIT_ENV['PATH'] ?? ''}`, EDGEFORM_CI_STACK: 'shop', ...env },
    });
    return readFileSync(log, 'utf8');
  }

  test('it is what the merge request left its target at, or what it is merged into, and fetched', () => {
    const cwd = checkout('topic');
    const left = git(origin.root, 'rev-parse', 'topic~1');
    expect(called(cwd, { CI_MERGE_REQUEST_DIFF_BASE_SHA: left })).toContain(`--base ${left}`);
    expect(has(cwd, left)).toBe(true);
    const merged = checkout('merge');
    const variables = { CI_MERGE_REQUEST_DIFF_BASE_SHA: left, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: origin.base };
    expect(called(merged, variables)).toContain(`--base ${origin.base}`);
  });

  test('without a merge request, and with a base of its own, there is none', () => {
    expect(called(checkout('topic'), {})).not.toContain('--base');
    const own = called(checkout('topic'), {
      CI_MERGE_REQUEST_DIFF_BASE_SHA: origin.base,
      EDGEFORM_CI_ARGUMENTS: '--base=v1',
    });
    expect(own.match(/--base/g)).toHaveLength(1);
  });
});
