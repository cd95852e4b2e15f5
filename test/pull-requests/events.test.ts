// What each event starts: the conditions of the jobs, by GitHub's own library, and the rules of GitLab's.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import type { Value } from './expressions.ts';
import { holds } from './expressions.ts';
import { component, FLEET_TEMPLATE, TEMPLATE, whenOf } from './gitlab-runner.ts';
import type { Workflow } from './runner.ts';

interface Triggered extends Workflow {
  readonly on: Readonly<
    Record<string, { readonly types?: readonly string[]; readonly branches?: readonly string[] } | null>
  >;
}
type Pipeline = Parameters<typeof pipelineText>[1];
const workflowOf = (about: Partial<Pipeline> = {}) =>
  parse(pipelineText('github', { version: '1.2.3', stack: 'shop', proposesDrift: true, ...about })) as Triggered;

interface Event {
  readonly name: string;
  readonly branch?: string;
  readonly fork?: boolean;
  /** The repository that a pull request comes from; null for one that was deleted. */
  readonly from?: string | null;
  /** The variables of the repository; those of the setup by default. */
  readonly vars?: Readonly<Record<string, string>>;
}

/** The conditions that hold; a job that needs another one counts for itself. */
function started(workflow: Workflow, { name, branch = 'main', fork = false, from, vars = SET_UP }: Event): string[] {
  const repo = from === null ? null : { full_name: from };
  const pull: Value = from === undefined ? undefined : { head: { repo } };
  const event = { repository: { fork, default_branch: 'main' }, pull_request: pull };
  const github = { event_name: name, repository: 'acme/shop', ref_name: branch, event };
  const status = { failed: false, cancelled: false };
  return Object.entries(workflow.jobs).flatMap(([job, { if: condition }]) =>
    holds(condition, { github, vars }, status) ? [job] : [],
  );
}
const SET_UP = { EDGEFORM_BASE_URL: 'https://api.example.com' };
const QUEUED = 'gh-readonly-queue/main/pr-7-0123';
const DRIFT = ['drift', 'drift-pull-request'];

const EVENTS: readonly (readonly [string, Event, readonly string[]])[] = [
  ['a pull request', { name: 'pull_request', from: 'acme/shop' }, ['validate', 'plan']],
  ['a pull request from a fork', { name: 'pull_request', from: 'mallory/shop' }, ['validate']],
  ['a pull request from a fork that was deleted', { name: 'pull_request', from: null }, ['validate']],
  ['what a merge queue would merge', { name: 'merge_group', branch: QUEUED }, ['validate', 'plan']],
  ['a push', { name: 'push' }, ['apply']],
  ['a push in a fork', { name: 'push', fork: true, vars: {} }, ['validate']],
  ['a push in a fork that is set up', { name: 'push', fork: true }, ['apply']],
  ['a push before the setup', { name: 'push', vars: {} }, ['apply']],
  ['the schedule', { name: 'schedule' }, DRIFT],
  ['a start by hand', { name: 'workflow_dispatch' }, ['plan', ...DRIFT]],
  ['a start by hand of another branch', { name: 'workflow_dispatch', branch: 'topic' }, ['plan']],
];

describe('on GitHub and Gitea', () => {
  test.each(EVENTS)('%s', (_, event, jobs) => {
    expect(started(workflowOf(), event)).toEqual(jobs);
    const inWaves = jobs.flatMap((job) => (job === 'apply' ? ['apply-1', 'apply-2', 'apply-3'] : [job]));
    expect(started(workflowOf({ fleet: 'edgeform.fleet.yaml', hasWaves: true }), event)).toEqual(inWaves);
  });

  test('the workflow waits for each of them, and for a pull request that gets another base', () => {
    const { on } = workflowOf();
    expect(Object.keys(on).sort()).toEqual([...new Set(EVENTS.map(([, { name }]) => name))].sort());
    expect(on['pull_request']?.types).toEqual(['opened', 'reopened', 'synchronize', 'edited']);
    expect(on['push']?.branches).toEqual(['main']);
  });

  test('a push in a fork is a notice, and nothing else is', () => {
    const [notice, ...steps] = workflowOf().jobs['validate']?.steps ?? [];
    expect(notice).toMatchObject({ if: "github.event_name == 'push'", run: expect.stringContaining('::notice ') });
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
  });
});

describe.each([
  ['one stack', TEMPLATE, {}],
  ['a fleet', FLEET_TEMPLATE, {}],
  ['a fleet in waves', FLEET_TEMPLATE, { waves: 'true' }],
])('on GitLab, for %s', (_, template, inputs) => {
  const jobs = component({ stack: 'shop', ...inputs }, template);
  const offered = (source: string, branch = 'main') => {
    const variables = { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: 'main' };
    const found = Object.entries(jobs).filter(([name]) => !name.startsWith('.'));
    return found.map(([name, job]) => [name.replace(/edgeform-(\w+)(?:-\d)?$/, '$1'), whenOf(job, variables)] as const);
  };
  const whenIn = (name: string, ...where: Parameters<typeof offered>) =>
    new Set(offered(...where).flatMap(([job, when]) => (job === name ? [when] : [])));

  test('a check for drift can be started by hand on the default branch, and keeps no pipeline waiting', () => {
    expect(['push', 'web', 'schedule'].map((source) => [...whenIn('drift', source)])).toEqual([
      ['manual'],
      ['manual'],
      ['on_success'],
    ]);
    expect([...whenIn('drift', 'push', 'topic')]).toEqual(['never']);
    const rules = jobs['edgeform-drift']?.rules ?? [];
    expect(rules.filter(({ when }) => when === 'manual')).toEqual([expect.objectContaining({ allow_failure: true })]);
  });

  test('a pipeline that somebody starts, with variables of their own, plans and offers no apply', () => {
    for (const source of ['web', 'api', 'trigger', 'chat', 'pipeline', 'external']) {
      expect([...whenIn('apply', source)]).toEqual(['never']);
      expect([...whenIn('plan', source)]).toEqual(['on_success']);
    }
    for (const source of ['push', 'parent_pipeline']) expect(whenIn('apply', source)).toContain('manual');
  });
});

test.each(['STACK', 'team-STACK-main', 'NEEDS'])(
  'a branch that is called %s is that branch, and nothing else',
  (branch) => {
    const { on, concurrency } = parse(pipelineText('github', { version: '1.2.3', stack: 'shop', branch })) as {
      readonly on: { readonly push: { readonly branches: readonly string[] } };
      readonly concurrency: { readonly group: string };
    };
    expect([on.push.branches, concurrency.group.includes('/shop/')]).toEqual([[branch], true]);
  },
);
