// Plans of a public repository: what is stored can be read by nobody without the secret, and is applied as any other.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fencesIn } from '../../scripts/docs/blocks.mjs';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import type { Job, Step, Workflow } from './runner.ts';
import { servedStubs } from './served.ts';
import { KEY, logOf, manifest, results, useWorld, workflowOf } from './world.ts';

const world = useWorld(await servedStubs(), true);
const ONE = manifest('one');
const PLAN_KEY = 'a-secret-of-both-jobs-with-40-characters';

const manual = fencesIn(readFileSync('docs/how-to/public-repositories.md', 'utf8')).fences.find(
  ({ language }) => language === 'yaml',
);
const { plan, apply } = parse(manual?.text ?? '') as Readonly<Record<'plan' | 'apply', Pick<Job, 'steps'>>>;

/** The workflow of `init` with the inputs of the manual. */
const workflow = (() => {
  const whole = parse(pipelineText('github', { version: '0.1.0', stack: 'shop' })) as Workflow;
  const withInputs = (job: Job | undefined, inputs: Step['with']) => ({
    ...job,
    steps: job?.steps.map((step) =>
      step.with?.['stack'] === undefined ? step : { ...step, with: { ...step.with, ...inputs } },
    ),
  });
  const jobs = {
    ...whole.jobs,
    plan: withInputs(whole.jobs['plan'], plan.steps[0]?.with),
    apply: withInputs(whole.jobs['apply'], apply.steps[0]?.with),
  };
  return JSON.stringify({ ...whole, jobs });
})();
const withKey = (key: string) => ({
  workflow,
  secrets: { EDGEFORM_API_KEY: KEY, ...(key !== '' && { EDGEFORM_PLAN_KEY: key }) },
});
const stored = () => world.github.artifacts.at(-1)?.files ?? {};

test('a sealed plan shows nothing of itself, is another text each time, and is applied', async () => {
  const pull = world.open();
  expect(results(await world.onPull(pull, ONE, withKey(PLAN_KEY)))).toEqual({ validate: 'success', plan: 'success' });
  const first = stored();
  expect(Object.keys(first)).toEqual(['plan.json.sealed']);
  const text = Buffer.from(first['plan.json.sealed'] ?? '', 'base64').toString('latin1');
  for (const part of ['shop', 'failover_backends', 'bkdhr_1', 'one', PLAN_KEY]) expect(text).not.toContain(part);
  await world.onPull(pull, ONE, withKey(PLAN_KEY));
  expect(stored()).not.toEqual(first);
  expect(results(await world.merge(pull, ONE, withKey(PLAN_KEY)))).toEqual({ apply: 'success' });
  expect(world.backend()).toMatchObject({ description: 'one' });
});

test('its comment, summary and log have names and no values', async () => {
  const pull = world.open();
  const planned = await world.onPull(pull, ONE, withKey(PLAN_KEY));
  const said = [...world.comments(pull).map(({ body }) => body), planned['plan']?.summary, logOf(planned['plan'])];
  for (const text of said) {
    expect(text).toContain('failover_backends.app');
    expect(text).not.toContain('bkdhr_1');
  }
});

test.each([
  ['another key', PLAN_KEY.replace('a-', 'b-'), 'was sealed with another plan-key, or was changed'],
  ['no key', '', 'plan-key: a secret of at least 32 characters'],
])('with %s, nothing of it is applied', async (_, key, said) => {
  const pull = world.open();
  await world.onPull(pull, ONE, withKey(PLAN_KEY));
  const merged = await world.merge(pull, ONE, withKey(key));
  expect([results(merged), world.backend()]).toEqual([{ apply: 'failure' }, undefined]);
  expect(logOf(merged['apply'])).toContain(said);
});

test('one that was changed is not applied', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE, withKey(PLAN_KEY));
  const bytes = Buffer.from(stored()['plan.json.sealed'] ?? '', 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  Object.assign(stored(), { 'plan.json.sealed': bytes.toString('base64') });
  const merged = await world.merge(pull, ONE, withKey(PLAN_KEY));
  expect([results(merged), world.backend()]).toEqual([{ apply: 'failure' }, undefined]);
});

test('without a key, and with a short one, no plan is stored, and no comment promises one', async () => {
  for (const key of ['', 'short']) {
    const pull = world.open();
    const planned = await world.onPull(pull, ONE, withKey(key));
    expect([results(planned)['plan'], stored(), world.comments(pull)]).toEqual(['failure', {}, []]);
    expect(logOf(planned['plan'])).toContain('plan-key: a secret of at least 32 characters');
  }
});

test.each(['yes', 'True', 'false', ''])(
  'with a plan-key, sealed: %j is refused, and nothing is stored in the clear',
  async (sealed) => {
    const pull = world.open();
    const loose = JSON.stringify(JSON.parse(workflow, (key, value: unknown) => (key === 'sealed' ? sealed : value)));
    const before = world.github.artifacts.length;
    const run = await world.onPull(pull, ONE, { ...withKey(PLAN_KEY), workflow: loose });
    expect(results(run)).toEqual({ validate: 'success', plan: 'failure' });
    expect(world.github.artifacts.slice(before).map(({ files }) => Object.keys(files))).toEqual([]);
  },
);

test('two fleets in one job share nothing: each stores its own plans, and applies them', async () => {
  const fleetOf = (name: string) => `version: 1\nstacks:\n  - { name: ${name}, path: ${name}.yaml }\n`;
  const files = {
    'a.fleet.yaml': fleetOf('blog'),
    'b.fleet.yaml': fleetOf('news'),
    'blog.yaml': ONE.replace('stack: shop', 'stack: blog'),
    'news.yaml': ONE.replace('stack: shop', 'stack: news'),
  };
  const both = (action: string, more: object) => ({
    workflow: workflowOf(
      ...['a', 'b'].map(
        (name) => [action, { stack: name, fleet: `${name}.fleet.yaml`, 'plan-key': PLAN_KEY, ...more }] as const,
      ),
    ),
  });
  const pull = world.open();
  const planned = await world.onPull(pull, files, both('plan', { sealed: 'true' }));
  expect(results(planned), logOf(planned['one'])).toEqual({ one: 'success' });
  expect(world.github.artifacts.slice(-2).map((one) => Object.keys(one.files).sort())).toEqual([
    ['plans.json.sealed', 'plans/blog.plan.json.sealed'],
    ['plans.json.sealed', 'plans/news.plan.json.sealed'],
  ]);
  const merged = await world.merge(pull, files, both('apply', {}));
  expect(results(merged), logOf(merged['one'])).toEqual({ one: 'success' });
  expect(world.service.objects('backends')).toHaveLength(2);
});
