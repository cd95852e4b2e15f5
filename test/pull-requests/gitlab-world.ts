// A service and a GitLab for each test of a file, and what GitLab gives each job as its variables.

import { afterAll, beforeEach } from 'vitest';
import { startEmulator, type Emulator } from '../../src/emulator/http/server.ts';
import { FakeGitlab, PROJECT_ID } from './fake-gitlab.ts';
import { KEY, TOKEN } from './world.ts';

type Variables = Readonly<Record<string, string>>;

export interface GitlabWorld {
  service: Emulator;
  gitlab: FakeGitlab;
  /** What the runner keeps between pipelines of the default branch, which is protected; those of merge requests have others. */
  readonly caches: Map<string, string>;
  /** Those of a job whose pipeline has this source and commit; all else is the same for every pipeline here. */
  readonly variablesOf: (source: string, sha: string) => Variables;
}

/** Makes both before each test, and ends all of them after the last one. */
export function useGitlab(): GitlabWorld {
  const open: (() => Promise<void>)[] = [];
  const kept: Pick<GitlabWorld, 'caches' | 'variablesOf'> = {
    caches: new Map<string, string>(),
    variablesOf: (source: string, sha: string): Variables => ({
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: world.gitlab.url,
      CI_PROJECT_ID: PROJECT_ID,
      CI_PROJECT_URL: world.gitlab.url.replace('/api/v4', '/acme/shop'),
      CI_JOB_TOKEN: 'job',
      CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/1',
      CI_PIPELINE_SOURCE: source,
      CI_COMMIT_SHA: sha,
      CI_DEFAULT_BRANCH: 'main',
      EDGEFORM_BASE_URL: world.service.url,
      EDGEFORM_API_KEY: KEY,
      EDGEFORM_GITLAB_TOKEN: TOKEN,
    }),
  };
  const world = kept as GitlabWorld;
  beforeEach(async () => {
    world.service = await startEmulator({ apiKey: KEY });
    world.gitlab = await new FakeGitlab(TOKEN).start();
    open.push(world.service.close, world.gitlab.close.bind(world.gitlab));
    world.caches.clear();
  });
  afterAll(async () => {
    for (const close of open) await close();
  });
  return world;
}
