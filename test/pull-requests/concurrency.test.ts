// Runs that wait: which runs of the workflow share a group, who waits for whom, and what is lost. Groups are those of the file, filled in by
// GitHub's own library; what a group does is the model below, as GitHub's manual says it.

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { WITHOUT_QUEUE, withoutQueue } from '../../scripts/release/queue.mjs';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { fill } from './expressions.ts';
import { component, FLEET_TEMPLATE, TEMPLATE } from './gitlab-runner.ts';

interface Concurrency {
  readonly group: string;
  readonly 'cancel-in-progress'?: string | boolean;
  readonly queue?: string;
}
interface Queued {
  readonly name: string;
  readonly concurrency: Concurrency;
  readonly jobs: Readonly<Record<string, { readonly concurrency?: Concurrency }>>;
}
interface Run {
  readonly event: string;
  readonly ref: string;
  readonly id: number;
}

type Pipeline = Parameters<typeof pipelineText>[1];
const workflowOf = (about: Partial<Pipeline> = {}) =>
  parse(pipelineText('github', { version: '1.2.3', stack: 'shop', ...about })) as Queued;
const filled = (workflow: Queued, text: string, { event, ref, id }: Run) =>
  fill(text, { github: { workflow: workflow.name, event_name: event, ref, sha: `c0ffee${id}` } });
const groupOf = (workflow: Queued, run: Run, job?: string) =>
  filled(workflow, (job === undefined ? workflow : workflow.jobs[job])?.concurrency?.group ?? '', run);

/** What becomes of runs that come while the first of them runs: those that were cancelled, and those that wait. */
function arriving(workflow: Queued, runs: readonly Run[], job?: string) {
  const rules = (job === undefined ? workflow : workflow.jobs[job])?.concurrency;
  const groups = new Map<string, { running: number; waiting: number[] }>();
  const cancelled: number[] = [];
  for (const run of runs) {
    const group = groups.get(groupOf(workflow, run, job));
    const cancels = filled(workflow, String(rules?.['cancel-in-progress'] ?? false), run) === 'true';
    if (group === undefined) groups.set(groupOf(workflow, run, job), { running: run.id, waiting: [] });
    else if (cancels) {
      cancelled.push(group.running, ...group.waiting.splice(0));
      group.running = run.id;
    } else {
      if (rules?.queue !== 'max') cancelled.push(...group.waiting.splice(0));
      group.waiting.push(run.id);
    }
  }
  return { cancelled, waiting: [...groups.values()].flatMap(({ waiting }) => waiting) };
}

const onMain = (event: string, id: number): Run => ({ event, ref: 'refs/heads/main', id });
const ofPull = (number: number, id: number): Run => ({ event: 'pull_request', ref: `refs/pull/${number}/merge`, id });
const PUSHES = [1, 2, 3, 4].map((id) => onMain('push', id));

describe.each<[string, Partial<Pipeline>, readonly string[]]>([
  ['one stack', {}, ['apply']],
  ['a fleet in waves', { fleet: 'edgeform.fleet.yaml', hasWaves: true }, ['apply-1', 'apply-2', 'apply-3']],
])('the workflow for %s', (_, about, applying) => {
  const workflow = workflowOf(about);

  test('applies four merges one after the other, and drops none', () => {
    expect(arriving(workflow, PUSHES)).toEqual({ cancelled: [], waiting: [] });
    for (const job of applying) expect(arriving(workflow, PUSHES, job)).toEqual({ cancelled: [], waiting: [2, 3, 4] });
    expect(new Set(applying.map((job) => groupOf(workflow, onMain('push', 1), job))).size).toBe(1);
  });

  test('ends the plan of an older commit of the same pull request alone', () => {
    const runs = [ofPull(7, 1), ofPull(8, 2), ofPull(7, 3), onMain('push', 4)];
    expect(arriving(workflow, runs)).toEqual({ cancelled: [1], waiting: [] });
  });

  test('lets no plan and no check for drift wait for what applies, or for its approval', () => {
    const held = new Set(applying.map((job) => groupOf(workflow, onMain('push', 1), job)));
    for (const run of [ofPull(7, 2), onMain('schedule', 3), onMain('push', 4)])
      expect(held).not.toContain(groupOf(workflow, run));
    const others = Object.entries(workflow.jobs).filter(([name]) => !applying.includes(name));
    expect(others.filter(([, job]) => job.concurrency !== undefined)).toEqual([]);
  });

  test('queues nothing that is cancelled, which GitHub refuses', () => {
    for (const { concurrency } of [workflow, ...Object.values(workflow.jobs)])
      if (concurrency?.queue !== undefined) expect(concurrency).not.toHaveProperty('cancel-in-progress');
  });
});

test('two stacks of one repository, and two workflows of one stack, share no group', () => {
  const [shop, blog] = [workflowOf(), workflowOf({ stack: 'blog' })];
  const renamed = { ...shop, name: 'other' };
  const runs = [onMain('push', 1), onMain('schedule', 1), ofPull(7, 1)];
  const groups = [shop, blog, renamed].map((one) => [
    ...runs.map((run) => groupOf(one, run)),
    groupOf(one, onMain('push', 1), 'apply'),
  ]);
  expect(new Set(groups.flat()).size).toBe(12);
  // A name that is the end of another's is none of its groups.
  expect(groupOf(workflowOf({ stack: 'a' }), onMain('push', 1), 'apply')).toBe('edgeform/a/apply');
});

test('what the tools of a release do not know yet is the key, and nothing else', () => {
  const text = pipelineText('github', { version: '1.2.3', stack: 'shop' });
  const lines = new Set(withoutQueue(text).split('\n'));
  expect(text.split('\n').filter((line) => !lines.has(line))).toEqual(['      queue: max']);
  const sentence = new RegExp(WITHOUT_QUEUE[1] ?? '');
  expect('unexpected key "queue" for "concurrency" section. expected one of "group"').toMatch(sentence);
  expect('unexpected key "queues" for "concurrency" section').not.toMatch(sentence);
});

describe.each([
  ['one stack', TEMPLATE],
  ['a fleet', FLEET_TEMPLATE],
])('the component for %s', (_, template) => {
  const jobs = Object.entries(component({ stack: 'shop' }, template)).filter(([name]) => !name.startsWith('.'));
  const groupIn = (iid: string) => (name: string) =>
    jobs.find(([one]) => one === name)?.[1].resource_group?.replace('${CI_MERGE_REQUEST_IID}', iid);

  test('plans a merge request while something is applied, and the default branch after it', () => {
    const [onBranch, inSeven, inEight] = ['', '7', '8'].map(groupIn);
    expect(onBranch?.('edgeform-plan')).toBe(onBranch?.('edgeform-apply'));
    expect(onBranch?.('edgeform-drift')).toBe(onBranch?.('edgeform-apply'));
    const plans = [inSeven, inEight, onBranch].map((group) => group?.('edgeform-plan'));
    expect(new Set(plans).size).toBe(3);
  });

  test('applies once at a time', () => {
    const groups = jobs.flatMap(([name, job]) => (name.includes('-apply') ? [job.resource_group] : []));
    expect(groups.length).toBeGreaterThan(0);
    expect(new Set(groups)).toEqual(new Set(['edgeform-shop']));
  });
});
