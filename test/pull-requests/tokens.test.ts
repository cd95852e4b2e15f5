// What the program and git see of the tokens of a job.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GITLAB_JOBS, spawned } from './runner.ts';

const OF_JOB = ['CI_JOB_TOKEN', 'CI_REGISTRY_PASSWORD', 'CI_DEPENDENCY_PROXY_PASSWORD', 'CI_DEPLOY_PASSWORD'];
const OF_GITHUB = ['GITHUB_TOKEN', 'GH_TOKEN', 'ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'];

test('the program is started without any token of the forge, and with all else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'));
  writeFileSync(join(folder, 'edgeform'), `#!/bin/sh\nenv > ${folder}/env\n`, { mode: 0o755 });
  const tokens = Object.fromEntries([...OF_JOB, ...OF_GITHUB].map((name) => [name, `glcbt-of-${name}`]));
  const env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    CI_API_V4_URL: 'http://127.0.0.1:1',
    CI_PROJECT_ID: '1',
    CI_REPOSITORY_URL: 'https://gitlab-ci-token:glcbt-in-an-address@gitlab.example/acme/shop.git',
    CI_COMMIT_SHA: 'c'.repeat(40),
    EDGEFORM_CI_STACK: 'shop',
    EDGEFORM_API_KEY: 'key-of-the-service',
    EDGEFORM_GITLAB_TOKEN: 'glpat-of-the-project',
    ...tokens,
  };
  await spawned(process.execPath, [GITLAB_JOBS, 'validate'], { env, cwd: folder });
  const seen = readFileSync(join(folder, 'env'), 'utf8');
  expect(seen.match(/^.*(?:glcbt|glpat).*$/gm)).toBeNull();
  for (const kept of ['EDGEFORM_API_KEY=key-of-the-service', `CI_COMMIT_SHA=${env.CI_COMMIT_SHA}`])
    expect(seen).toContain(kept);
});
