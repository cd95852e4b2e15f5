// A monorepository: the first step of the manual ends a job in which nothing of the stack changes, and never one in which something does.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fencesIn } from '../../scripts/docs/blocks.mjs';
import { commit, git, GIT_ENV, startRepository } from '../support/repository.ts';
import { holds } from './expressions.ts';
import type { Job, Step } from './runner.ts';

const [, manual = ''] = readFileSync('docs/pull-requests.md', 'utf8').split('### Monorepositories\n');
const [onGithub = '', onGitlab = ''] = fencesIn(manual)
  .fences.filter(({ language }) => language === 'yaml')
  .map(({ text }) => text);
const { plan } = parse(onGithub) as { readonly plan: Job };
const [checkout, changed, ours] = plan.steps as [Step, Step, Step];
const newFolder = () => mkdtempSync(join(tmpdir(), 't-'));

let origin: string;

beforeEach(() => {
  origin = newFolder();
  startRepository(origin, {
    'stacks/shop/edgeform.yaml': 'one\n',
    'stacks/shop-eu/edgeform.yaml': 'one\n',
    'presets/tls.yaml': 'one\n',
    'README.md': 'one\n',
  });
  git(origin, 'switch', '--quiet', '--create', 'topic');
});

/** What the step says of the merge of the topic into `main`, in a checkout of this depth. */
function stepOf(depth = Number(checkout.with?.['fetch-depth'])) {
  git(origin, 'switch', '--quiet', 'main');
  commit(origin, { 'stacks/blog/edgeform.yaml': 'merged meanwhile\n' });
  git(origin, 'merge', '--quiet', '--no-ff', '--message', 'Merge', 'topic');
  const cwd = join(newFolder(), 'clone');
  git(origin, 'clone', '--quiet', `--depth=${depth}`, '--branch', 'main', `file://${origin}`, cwd);
  const [output, summary] = [join(newFolder(), 'output'), join(newFolder(), 'summary')];
  for (const path of [output, summary]) writeFileSync(path, '');
  const env = { ...GIT_ENV, ...changed.env, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
  execFileSync('bash', ['-e', '-c', changed.run ?? ''], { cwd, env, stdio: 'pipe' });
  const [, any] = /^any=(.*)$/m.exec(readFileSync(output, 'utf8')) ?? [];
  const contexts = {
    github: { event_name: 'pull_request' },
    steps: { changed: { outputs: any === undefined ? {} : { any } } },
  };
  const isPlanned = holds(ours.if, contexts, { failed: false, cancelled: false });
  return { isPlanned, summary: readFileSync(summary, 'utf8') };
}

describe('is planned', () => {
  test.each([
    ['the stack', { 'stacks/shop/edgeform.yaml': 'two\n' }],
    ['a new file of the stack', { 'stacks/shop/more.yaml': 'two\n' }],
    ['a preset', { 'presets/tls.yaml': 'two\n' }],
    ['a file of the stack that goes', { 'stacks/shop/edgeform.yaml': undefined }],
  ])('where the pull request changes %s', (_, files) => {
    commit(origin, files);
    expect(stepOf()).toEqual({ isPlanned: true, summary: '' });
  });

  test('where an earlier commit of the pull request does', () => {
    commit(origin, { 'stacks/shop/edgeform.yaml': 'two\n' });
    commit(origin, { 'README.md': 'two\n' });
    expect(stepOf().isPlanned).toBe(true);
  });

  test('where git cannot tell', () => {
    commit(origin, { 'README.md': 'two\n' });
    expect(stepOf(1).isPlanned).toBe(true);
  });
});

describe('ends early, with the reason in the summary', () => {
  const ended = {
    isPlanned: false,
    summary: expect.stringMatching(/^Nothing changes in stacks\/shop presets .*nothing to plan/),
  };

  test.each([
    ['another file', { 'README.md': 'two\n' }],
    ['a stack with a longer name', { 'stacks/shop-eu/edgeform.yaml': 'two\n' }],
  ])('where the pull request changes %s', (_, files) => {
    commit(origin, files);
    expect(stepOf()).toEqual(ended);
  });

  test('where a later commit takes the change back', () => {
    commit(origin, { 'stacks/shop/edgeform.yaml': 'two\n' });
    commit(origin, { 'stacks/shop/edgeform.yaml': 'one\n' });
    expect(stepOf()).toEqual(ended);
  });
});

test('on GitLab the component is included for what changes, and for a schedule', () => {
  const { include } = parse(onGitlab) as { readonly include: readonly [{ readonly rules: readonly object[] }] };
  expect(include[0].rules).toEqual([
    { if: '$CI_PIPELINE_SOURCE == "schedule"' },
    { changes: expect.arrayContaining(['stacks/shop/**/*']) },
  ]);
});
