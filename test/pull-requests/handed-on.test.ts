// What a job of GitLab takes from an earlier one lies among the files of the commit: only what that job told of is taken.

import { describe, expect, test } from 'vitest';
import { component, FLEET_TEMPLATE, runPipeline, type GitlabEnd } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { servedStubs } from './served.ts';
import { manifest } from './world.ts';

type Files = Readonly<Record<string, string>>;
interface How {
  readonly source?: string;
  readonly variables?: Files;
  readonly play?: readonly string[];
  readonly before?: (job: string) => void;
  readonly ended?: Readonly<Record<string, GitlabEnd>>;
}

const path = await servedStubs();
const world = useGitlab();
const commit = (number: number) => number.toString(16).padStart(40, 'c');
const description = () => world.service.objects('backends')[0]?.['description'];
const edit = (text: string) => {
  world.service.mutate('backends', String(world.service.objects('backends')[0]?.['id']), { description: text });
};

/** A pipeline of the default branch whose newest commit has these files. */
function onMain(jobs: Parameters<typeof runPipeline>[0]['jobs'], files: Files, number: number, how: How = {}) {
  world.gitlab.head = commit(number);
  const { source = 'push', variables, play = ['edgeform-apply'], ...more } = how;
  const own = { ...world.variablesOf(source, commit(number)), CI_COMMIT_BRANCH: 'main', ...variables };
  return runPipeline({ jobs, files, path, caches: world.caches, play, variables: own, ...more });
}

/** Without what an earlier job kept, as when it is gone. */
const without = (end: GitlabEnd | undefined): GitlabEnd => ({ ...end!, artifacts: {} });

describe('a fleet', () => {
  const jobs = component({ stack: 'acme' }, FLEET_TEMPLATE);
  const PLAN = 'edgeform-plans/plans/shop.plan.json';
  const LIST = 'edgeform-plans/plans.json';
  const files = (text: string, more: Files = {}) => ({
    'edgeform.fleet.yaml': 'version: 1\nstacks:\n  - { name: shop, path: shop.yaml }\n',
    'shop.yaml': manifest(text),
    ...more,
  });

  /** What the plan job keeps where the description was changed by hand. */
  async function planOfEdit(): Promise<Files> {
    await onMain(jobs, files('one'), 1);
    edit('hand');
    const { 'edgeform-plan': plan } = await onMain(jobs, files('one'), 2, { play: [] });
    return plan?.artifacts ?? {};
  }

  test('a plan file of the repository is not applied with those of the plan job', async () => {
    const { [PLAN]: stray = '' } = await planOfEdit();
    edit('one');
    const ends = await onMain(jobs, files('one', { [PLAN]: stray }), 3, {
      before: (job) => {
        if (job === 'edgeform-apply') edit('hand');
      },
    });
    expect(stray).toContain('"steps"');
    expect([ends['edgeform-apply']?.code, description()]).toEqual([6, 'hand']);
  });

  test('a plan file that somebody committed keeps no later plan from being applied', async () => {
    const { [PLAN]: stray = '' } = await planOfEdit();
    const other = PLAN.replace('shop', 'blog');
    const ends = await onMain(jobs, files('two', { [PLAN]: stray, [other]: stray }), 3);
    expect([ends['edgeform-apply']?.code, description()]).toEqual([0, 'two']);
  });

  test('plans of the repository with their list are no artifact', async () => {
    const { [PLAN]: plan = '', [LIST]: list = '' } = await planOfEdit();
    const stray = files('one', { [PLAN]: plan, [LIST]: list });
    edit('one');
    const planned = await onMain(jobs, stray, 3, { play: [] });
    edit('hand');
    const ended = { ...planned, 'edgeform-plan': without(planned['edgeform-plan']) };
    const { 'edgeform-apply': apply } = await onMain(jobs, stray, 3, { ended });
    expect([apply?.code, description()]).toEqual([1, 'hand']);
    expect(apply?.log).toContain('The saved plan is not the one that the plan job of this pipeline told of');
  });
});

describe('one stack', () => {
  const jobs = component({ stack: 'shop', 'pull-request': 'true' });
  const files = (text: string, more: Files = {}) => ({ 'edgeform.yaml': manifest(text), ...more });

  test('a plan of the repository does not stand in for one that is missing', async () => {
    await onMain(jobs, files('one'), 1);
    edit('hand');
    const { 'edgeform-plan': made } = await onMain(jobs, files('one'), 2, { play: [] });
    const stray = { 'edgeform-plan.json': made?.artifacts['edgeform-plan.json'] ?? '' };
    edit('one');
    const planned = await onMain(jobs, files('one', stray), 3, { play: [] });
    edit('hand');
    const ended = { ...planned, 'edgeform-plan': without(planned['edgeform-plan']) };
    const { 'edgeform-apply': apply } = await onMain(jobs, files('one', stray), 3, { ended });
    expect([apply?.code, description()]).toEqual([1, 'hand']);
  });

  test('accepted drift of the repository does not stand in for some that is missing', async () => {
    await onMain(jobs, files('one'), 1);
    edit('hand');
    const schedule = { source: 'schedule', variables: { EDGEFORM_GITLAB_TOKEN: '' } };
    const { 'edgeform-drift': drift } = await onMain(jobs, files('one'), 2, schedule);
    const stray = { 'edgeform-accepted.json': drift?.artifacts['edgeform-accepted.json'] ?? '' };
    expect(stray['edgeform-accepted.json']).toContain('description: hand');
    const unknown = { source: 'schedule', variables: { EDGEFORM_API_KEY: 'wrong' } };
    const { 'edgeform-drift-merge-request': proposing } = await onMain(jobs, files('one', stray), 3, unknown);
    expect(proposing?.log).toContain('it is not known whether there is drift');
    expect(world.gitlab.mergeRequests).toEqual([]);
  });
});
