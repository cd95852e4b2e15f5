// Who starts a run: our own variables, those of a pipeline, and git, in this order.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../../src/commands/options/settings.ts';
import { readStartedBy } from '../../../src/commands/options/started-by.ts';
import { folder } from '../../support/cli.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';
const read = (env: Readonly<Record<string, string>>, cwd = folder({})) =>
  readStartedBy({ env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env }, cwd, settings: readSettings({}, env) });

const GITHUB = {
  GITHUB_ACTOR: 'octo',
  GITHUB_SHA: SHA,
  GITHUB_SERVER_URL: 'https://github.test',
  GITHUB_REPOSITORY: 'acme/edge',
  GITHUB_RUN_ID: '7',
};
const GITLAB = {
  GITLAB_USER_LOGIN: 'tanuki',
  CI_COMMIT_SHA: SHA,
  CI_JOB_URL: 'https://gitlab.test/acme/edge/-/jobs/7',
};

test.each([
  ['nothing', {}, { actor: null, commit: null, link: null }],
  ['GitHub', GITHUB, { actor: 'octo', commit: SHA, link: 'https://github.test/acme/edge/actions/runs/7' }],
  ['who ran it again', { ...GITHUB, GITHUB_TRIGGERING_ACTOR: 'hub' }, { actor: 'hub' }],
  ['GitLab', GITLAB, { actor: 'tanuki', commit: SHA, link: 'https://gitlab.test/acme/edge/-/jobs/7' }],
  ['ours', { ...GITHUB, EDGEFORM_ACTOR: 'maria', EDGEFORM_COMMIT: 'fffffff' }, { actor: 'maria', commit: 'fffffff' }],
  ['an empty one', { ...GITHUB, EDGEFORM_ACTOR: ' ' }, { actor: 'octo' }],
  [
    'a link with a password and a token',
    { CI_JOB_URL: 'https://:secret@gitlab.test/j/1?private_token=t#x' },
    { link: 'https://gitlab.test/j/1' },
  ],
  ['a link that is too long', { CI_JOB_URL: `https://gitlab.test/${'x'.repeat(200)}` }, { link: null }],
])('%s', async (_name, env, expected) => {
  expect(await read(env)).toMatchObject(expected);
});

test('git says the rest, and no commit while something that it tracks here is changed', async () => {
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'commit.gpgsign=false', ...args], { cwd, env: { ...process.env, HOME: cwd } })
      .toString()
      .trim();
  git('init', '-q');
  git('config', 'user.name', 'maria');
  git('config', 'user.email', 'maria@example.com');
  expect(await read({}, cwd)).toEqual({ actor: 'maria', commit: null, link: null });
  git('add', '.');
  git('commit', '-qm', 'first');
  const head = git('rev-parse', 'HEAD');
  writeFileSync(join(cwd, 'plan.json'), '{}');
  expect(await read({}, cwd)).toMatchObject({ commit: head });
  writeFileSync(join(cwd, 'edgeform.yaml'), 'version: 1\nstack: other\n');
  expect(await read({}, cwd)).toMatchObject({ commit: null });
  mkdirSync(join(cwd, 'elsewhere'));
  expect(await read({}, join(cwd, 'elsewhere'))).toMatchObject({ commit: null });
});

/** A git that answers everything with one name, and notes what it was asked. */
const ANY_GIT = '#!/bin/sh\necho "$5" >> asked\necho maria\n';

test.each([
  ['no checkout', {}, {}, ['config']],
  ['a checkout', { '.git': 'gitdir: elsewhere\n' }, {}, ['config', 'rev-parse', '--no-optional-locks']],
  ['a checkout that is named', {}, { GIT_DIR: '/elsewhere' }, ['config', 'rev-parse', '--no-optional-locks']],
  ['a name that is given', {}, { EDGEFORM_ACTOR: 'otto' }, []],
])('git is asked for the commit in a checkout only: %s', async (_name, files, env, expected) => {
  const cwd = folder({ 'bin/git': ANY_GIT, ...files });
  chmodSync(join(cwd, 'bin/git'), 0o755);
  await read({ PATH: `${join(cwd, 'bin')}:/bin:/usr/bin`, ...env }, cwd);
  const asked = existsSync(join(cwd, 'asked')) ? readFileSync(join(cwd, 'asked'), 'utf8').trim().split('\n') : [];
  expect(asked.sort()).toEqual([...expected].sort());
});

test('where the folders above cannot be looked at, there is no commit', async () => {
  const cwd = folder({});
  // A folder in a file is one that cannot be looked at, for root, too.
  writeFileSync(join(cwd, 'file'), '');
  expect(await read({ EDGEFORM_ACTOR: 'otto' }, join(cwd, 'file', 'in'))).toMatchObject({
    actor: 'otto',
    commit: null,
  });
  symlinkSync('loop', join(cwd, 'loop'));
  expect(await read({ EDGEFORM_ACTOR: 'otto' }, join(cwd, 'loop', 'in'))).toMatchObject({
    actor: 'otto',
    commit: null,
  });
});
