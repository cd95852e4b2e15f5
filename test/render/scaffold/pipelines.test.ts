// Pipelines: valid YAML, one version, and secrets for the steps that need them only.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { githubPipeline, gitlabPipeline } from '../../../src/render/scaffold/pipelines.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface Job {
  readonly steps: readonly Step[];
  readonly if: string;
  readonly environment?: string;
}

const github = parse(githubPipeline('1.2.3', 'shop')) as {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly permissions: object;
  readonly env?: object;
};
const gitlab = parse(gitlabPipeline('1.2.3', 'shop')) as Readonly<
  Record<
    string,
    {
      readonly script?: readonly string[];
      readonly cache?: { readonly key: string; readonly policy: string; readonly when?: string };
      readonly artifacts?: object;
      readonly rules?: readonly object[];
    }
  >
>;
const steps = Object.entries(github.jobs).flatMap(([job, { steps: own }]) => own.map((step) => ({ job, step })));

describe('a pipeline of GitHub', () => {
  test('runs one version in every job', () => {
    const runs = steps.flatMap(({ step }) => step.run ?? []);
    expect(runs).toHaveLength(4);
    expect(runs.filter((run) => !run.startsWith('npx --yes edgeform@1.2.3 '))).toEqual([]);
  });

  test('gives the key to the steps that run it, and not to validate', () => {
    const withKey = steps.flatMap(({ job, step }) =>
      JSON.stringify(step).includes('secrets.') ? [`${job} ${step.run?.split(' ')[3] ?? ''}`] : [],
    );
    expect(withKey).toEqual(['plan plan', 'apply apply', 'drift drift']);
    expect(github.env).toBeUndefined();
  });

  test('gives no key to pull requests of others', () => {
    expect(github.jobs['plan']?.if).toContain('head.repo.full_name == github.repository');
  });

  test('pins every action by a commit', () => {
    const actions = steps.flatMap(({ step }) => step.uses ?? []);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  test('applies only what was pushed, and keeps the journal however that ended', () => {
    const apply = github.jobs['apply'];
    const save = apply?.steps.at(-1);
    expect([apply?.if, apply?.environment, save?.if]).toEqual([
      "github.event_name == 'push'",
      'production',
      'always()',
    ]);
    expect([save?.uses, save?.with?.['path']]).toEqual([
      expect.stringContaining('cache/save'),
      '.edgeform/*.journal.jsonl',
    ]);
    expect(github.permissions).toEqual({ contents: 'read' });
  });

  test('keeps the journals of stacks apart', () => {
    const keys = (stack: string) => [...githubPipeline('1', stack).matchAll(/key: (\S+)/g)].map(([, key]) => key);
    expect(keys('a').filter((key) => keys('b').includes(key))).toEqual([]);
  });
});

describe('a pipeline of GitLab', () => {
  test('runs one version in every job', () => {
    const runs = Object.values(gitlab).flatMap(({ script = [] }) => script);
    expect(runs).toHaveLength(4);
    expect(runs.filter((run) => !run.startsWith('npx --yes edgeform@1.2.3 '))).toEqual([]);
  });

  test('applies the plan that was made, by hand, on the default branch', () => {
    expect(gitlab['plan']?.script?.[0]).toContain('--out plan.json');
    expect(gitlab['apply']?.script?.[0]).toContain('apply plan.json');
    expect(gitlab['apply']?.rules).toEqual([
      { if: expect.stringContaining('$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'), when: 'manual' },
    ]);
  });

  test.each([
    { job: 'plan', policy: 'pull', when: undefined },
    { job: 'apply', policy: 'pull-push', when: 'always' },
    { job: 'drift', policy: 'pull', when: undefined },
  ])('$job has the journal: $policy', ({ job, policy, when }) => {
    expect([gitlab[job]?.cache?.key, gitlab[job]?.cache?.policy, gitlab[job]?.cache?.when]).toEqual([
      'edgeform-shop',
      policy,
      when,
    ]);
  });

  test('has no key in its text', () => {
    expect(Object.keys(gitlab)).not.toContain('variables');
  });
});
