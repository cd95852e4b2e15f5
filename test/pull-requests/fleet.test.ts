// What a fleet has otherwise, on GitHub and on GitLab: a plan and a journal for each stack, waves, and exactly the reviewed plans.

import { beforeEach, describe, expect, test } from 'vitest';
import { type Emulator } from '../../src/emulator/http/server.ts';
import { historyOf } from '../../src/journal/history.ts';
import { journalOf } from '../../src/journal/place.ts';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { PROJECT_ID } from './fake-gitlab.ts';
import { component, FLEET_TEMPLATE, runPipeline, type GitlabEnd, type Pipeline } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { filesInCache } from './runner.ts';
import { servedStubs } from './served.ts';
import { exitCode, logOf, results, useWorld } from './world.ts';

const FLEET = `version: 1
stacks:
  - { name: network, path: network.yaml }
  - { name: shop-prod, path: shop.yaml, variables: { env: prod } }
  - { name: shop-dev, path: shop.yaml, variables: { env: dev } }
`;
const NETWORK = `version: 1
stack: network
reserved_addrs: { db: { description: db } }
`;
const shop = (text: string) => `version: 1
stack: "shop-\${var.env}"
variables: { env: {} }
imports: { db: { stack: network, address: reserved_addrs.db } }
failover_backends: { app: { description: "\${imports.db.addr} \${var.env} ${text}", backends: [bkdhr_1] } }
`;
const files = (text: string, more: Readonly<Record<string, string>> = {}) => ({
  'edgeform.fleet.yaml': FLEET,
  'network.yaml': NETWORK,
  'shop.yaml': shop(text),
  ...more,
});
const commands = await servedStubs();
/** What the backends say, without the address. */
const said = (service: Emulator) =>
  service.objects('backends').map(({ description }) => String(description).replace(/^\S+ /, ''));

/** What the caches keep of a stack, by name. */
function keptOf({ url }: Emulator, stack: string): readonly string[] {
  const journal = journalOf(new URL(url), stack);
  return [historyOf(journal), journal];
}

/** Without wave 2; 7 is a number without a job of its own. */
const WAVES = FLEET.replace('variables: { env: dev }', 'variables: { env: dev }, wave: 7');

describe('on GitHub', () => {
  const world = useWorld(commands, true);
  const workflow = pipelineText('github', { version: '0.1.0', stack: 'acme', fleet: 'edgeform.fleet.yaml' });
  const how = { workflow };

  test('the life of a change', async () => {
    const first = world.open();
    const opened = await world.onPull(first, files('one'), how);
    expect(results(opened), logOf(opened['plan'])).toEqual({ validate: 'success', plan: 'success' });
    const [comment, ...others] = world.comments(first);
    expect(others).toEqual([]);
    expect(comment?.body).toMatch(/^<!-- edgeform:plan stack=acme service=http:\S+ result=pending fingerprint=sha256/);
    for (const name of ['network', 'shop-prod', 'shop-dev']) expect(comment?.body).toMatch(new RegExp(`\\| .*${name}`));
    // The log has every change in a group of its own, and the summary the same as the comment.
    expect(logOf(opened['plan'])).toMatch(
      /^::group::\+ create reserved_addrs\.db[^]*^::group::\+ create failover_backends/m,
    );
    expect(opened['plan']?.summary).toMatch(/\| .*shop-dev[^]*failover_backends\.app/);
    expect(comment?.body).toContain('Merging applies exactly this plan');

    // Merged: the plans of the comment, the imported stack first, and one journal for each stack.
    const merged = await world.merge(first, files('one'), how);
    expect(results(merged), logOf(merged['apply'])).toEqual({ apply: 'success' });
    expect(said(world.service).sort()).toEqual(['dev one', 'prod one']);
    const [key = '', ...more] = world.caches.keys();
    expect([key, more]).toEqual([expect.stringMatching(/^edgeform-journal\/acme-[0-9a-f]{8}\//), []]);
    expect(filesInCache(world.caches.get(key) ?? '')).toEqual(
      ['network', 'shop-dev', 'shop-prod'].flatMap((name) => keptOf(world.service, name)),
    );

    // A change of one stack saves the plan of that stack alone, so that what happens to the others meanwhile is no matter.
    const second = world.open();
    const other = files('one', { 'network.yaml': NETWORK.replace('description: db', 'description: other') });
    await world.onPull(second, other, how);
    const [stored] = world.github.artifacts.slice(-1);
    expect(Object.keys(stored?.files ?? {}).sort()).toEqual(['plans.json', 'plans/network.plan.json']);
    const again = await world.merge(second, other, how);
    expect(results(again), logOf(again['apply'])).toEqual({ apply: 'success' });
    expect(world.service.objects('reserved_addrs')).toMatchObject([{ description: 'other' }]);

    // Nothing changes: nothing is applied, and that is a success.
    const third = world.open();
    await world.onPull(third, other, how);
    expect(world.comments(third)[0]?.body).toContain('result=clean');
    const idle = await world.merge(third, other, how);
    expect([results(idle), logOf(idle['apply'])]).toEqual([
      { apply: 'success' },
      expect.stringContaining('no stack had changes'),
    ]);
  });

  describe('in waves', () => {
    const about = { version: '0.1.0', stack: 'acme', fleet: 'edgeform.fleet.yaml', hasWaves: true };
    const inWaves = { workflow: pipelineText('github', about) };
    const of = (text: string) => files(text, { 'edgeform.fleet.yaml': WAVES });

    test('each job carries out its own, and the last one every number without a job', async () => {
      const pull = world.open();
      await world.onPull(pull, of('one'), inWaves);
      const merged = await world.merge(pull, of('one'), inWaves);
      const log = logOf(merged['apply-1']);
      expect(results(merged), log).toEqual({ 'apply-1': 'success', 'apply-2': 'success', 'apply-3': 'success' });
      expect(log).not.toContain('shop-dev:');
      expect(logOf(merged['apply-2'])).toContain('no stack of wave 2 had changes');
      expect(said(world.service).sort()).toEqual(['dev one', 'prod one']);
    });

    test('nothing of a later wave is sent after a failure, and a run goes on where it stopped', async () => {
      const first = world.open();
      await world.onPull(first, of('one'), inWaves);
      await world.merge(first, of('one'), inWaves);
      const pull = world.open();
      await world.onPull(pull, of('two'), inWaves);
      const sha = world.commit();
      world.github.merge(pull, sha);
      const prod = world.service.objects('backends').find((one) => String(one['description']).endsWith('prod one'));
      const say = (description: unknown) => {
        world.service.mutate('backends', String(prod?.['id']), { description: description as string });
      };
      say('by hand');
      const stopped = await world.onMain('push', of('two'), { ...inWaves, sha });
      expect(results(stopped), logOf(stopped['apply-1'])).toEqual({ 'apply-1': 'failure' });
      expect(said(world.service).sort()).toEqual(['dev one', 'hand']);
      say(prod?.['description']);
      const again = await world.onMain('push', of('two'), {
        ...inWaves,
        sha,
        again: world.github.runs.at(-1)?.id ?? 0,
      });
      const log = logOf(again['apply-1']);
      expect(results(again), log).toEqual({ 'apply-1': 'success', 'apply-2': 'success', 'apply-3': 'success' });
      expect(said(world.service).sort()).toEqual(['dev two', 'prod two']);
    });
  });

  test('a fleet of which one stack has no plan is not applied', async () => {
    const pull = world.open();
    const wrong = files('one', { 'network.yaml': `${NETWORK}nonsense: 1\n` });
    const opened = await world.onPull(pull, wrong, how);
    expect(results(opened)).toEqual({ validate: 'failure', plan: 'failure' });
    expect(world.comments(pull)[0]?.body).toMatch(/result=error[\s\S]*there is nothing to apply[\s\S]*nonsense/);
    const merged = await world.merge(pull, wrong, how);
    expect([results(merged), said(world.service)]).toEqual([{ apply: 'failure' }, []]);
  });

  test.each([
    ['another plan', { 'plans/network.plan.json': '{"fingerprint":"sha256:0","steps":[]}' }],
    ['one more plan', { 'plans/other.plan.json': '{"fingerprint":"sha256:0","steps":[]}' }],
    ['no list', { 'plans.json': '' }],
  ])('%s than that of the comment is refused', async (_, changed) => {
    const pull = world.open();
    await world.onPull(pull, files('one'), how);
    const [stored] = world.github.artifacts.slice(-1);
    Object.assign(stored?.files ?? {}, changed);
    const merged = await world.merge(pull, files('one'), how);
    expect(results(merged)).toEqual({ apply: 'failure' });
    expect(logOf(merged['apply'])).toContain('not the one in the comment');
    expect(world.service.objects('backends')).toEqual([]);
  });

  test('a stack that a safety rule refuses makes the check red, and merging applies nothing', async () => {
    const first = world.open();
    await world.onPull(first, files('one'), how);
    await world.merge(first, files('one'), how);
    const pull = world.open();
    const moved = files('two', { 'network.yaml': NETWORK.replace('description: db', 'region: eu') });
    const { plan } = await world.onPull(pull, moved, how);
    expect([plan?.result, exitCode(plan)], logOf(plan)).toEqual(['failure', 5]);
    const { body = '' } = world.comments(pull)[0] ?? {};
    expect(body).toMatch(/^<!-- edgeform:plan stack=acme service=\S+ result=refused -->/);
    expect(body).toMatch(/\| .*network/);
    expect(body).toContain('remove that import, and apply it, first');
    expect(body).toContain('Merging applies nothing. A safety rule refuses this plan.');
    expect(exitCode((await world.merge(pull, moved, how))['apply'])).toBe(5);
    expect(said(world.service).sort()).toEqual(['dev one', 'prod one']);
  });

  test('a value that changes after the review makes that stack out of date', async () => {
    await world.onPull(world.open(), files('one'), how);
    const first = world.open();
    await world.onPull(first, files('one'), how);
    await world.merge(first, files('one'), how);
    const pull = world.open();
    await world.onPull(pull, files('two'), how);
    const [one] = world.service.objects('backends');
    world.service.mutate('backends', String(one?.['id']), { description: 'by hand' });
    const merged = await world.merge(pull, files('two'), how);
    expect([results(merged), exitCode(merged['apply'])]).toEqual([{ apply: 'failure' }, 6]);
    expect(world.comments(pull, 'report')[0]?.body).toMatch(/result=stale[\s\S]*exit code 6/);
    expect(world.service.objects('backends').map(({ description }) => description)).toContain('by hand');
  });
});

describe('on GitLab', () => {
  const one = component({ stack: 'acme' }, FLEET_TEMPLATE);
  const inWaves = component({ stack: 'acme', waves: 'true' }, FLEET_TEMPLATE);
  let jobs = one;
  const gitlabWorld = useGitlab();
  beforeEach(() => {
    jobs = one;
  });

  function pipeline(
    source: string,
    sha: string,
    text: string,
    variables: Readonly<Record<string, string>> = {},
    manifests: Readonly<Record<string, string>> = files(text),
    more: Pick<Pipeline, 'before' | 'ended'> = {},
  ) {
    if (source === 'push') gitlabWorld.gitlab.head = sha;
    const all = {
      ...gitlabWorld.variablesOf(source, sha),
      ...(source !== 'merge_request_event' && { CI_COMMIT_BRANCH: 'main' }),
      EDGEFORM_RETRY_DELAY: '1',
      // Somebody's own variable of this name is nobody's business.
      FLEET: 'other.yaml',
      ...variables,
    };
    return runPipeline({
      jobs,
      files: manifests,
      path: commands,
      caches: gitlabWorld.caches,
      variables: all,
      play,
      ...more,
    });
  }
  const play = ['', '-1', '-2', '-3'].map((end) => `edgeform-apply${end}`);

  const codes = (ends: Readonly<Record<string, GitlabEnd>>) =>
    Object.fromEntries(Object.entries(ends).map(([name, { code }]) => [name.replace('edgeform-', ''), code]));

  test('the life of a change', async () => {
    const planned = await pipeline('push', 'a'.repeat(40), 'one');
    expect(codes(planned), planned['edgeform-plan']?.log).toEqual({ validate: 0, plan: 0, apply: 0 });
    expect(planned['edgeform-plan']?.told).toEqual({
      EDGEFORM_PLAN_DELETES: '0',
      EDGEFORM_PLAN_REPLACES: '0',
      EDGEFORM_PLAN_LOSSES: '0',
      EDGEFORM_PLAN_EXPOSURES: '0',
      EDGEFORM_PLAN_FINGERPRINT: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(said(gitlabWorld.service).sort()).toEqual(['dev one', 'prod one']);
    expect([...gitlabWorld.caches.keys()].sort()).toEqual(
      ['network', 'shop-dev', 'shop-prod'].flatMap((name) =>
        keptOf(gitlabWorld.service, name).map((path) => `edgeform-journals-acme ${path}`),
      ),
    );
    const idle = await pipeline('push', 'b'.repeat(40), 'one');
    expect([codes(idle), idle['edgeform-apply']?.log]).toEqual([
      { validate: 0, plan: 0, apply: 0 },
      expect.stringContaining('no stack had changes'),
    ]);
  });

  test('each job of a wave carries out its own, and the last one every number without a job', async () => {
    jobs = inWaves;
    const ends = await pipeline('push', 'a'.repeat(40), 'one', {}, files('one', { 'edgeform.fleet.yaml': WAVES }));
    const log = ends['edgeform-apply-1']?.log;
    expect(codes(ends), log).toEqual({ validate: 0, plan: 0, 'apply-1': 0, 'apply-2': 0, 'apply-3': 0 });
    expect(ends['edgeform-apply-2']?.log).toContain('no stack of wave 2 had changes');
    expect(said(gitlabWorld.service).sort()).toEqual(['dev one', 'prod one']);
  });

  test('nothing of a later wave is sent after a failure, and a job that is run again goes on where it stopped', async () => {
    jobs = inWaves;
    const waves = (text: string) => files(text, { 'edgeform.fleet.yaml': WAVES });
    await pipeline('push', 'a'.repeat(40), 'one', {}, waves('one'));
    const prod = gitlabWorld.service
      .objects('backends')
      .find((backend) => String(backend['description']).endsWith('prod one'));
    const say = (description: unknown) => {
      gitlabWorld.service.mutate('backends', String(prod?.['id']), { description: description as string });
    };
    const before = (job: string) => {
      if (job === 'edgeform-apply-1') say('by hand');
    };
    const stopped = await pipeline('push', 'b'.repeat(40), 'two', {}, waves('two'), { before });
    expect(codes(stopped), stopped['edgeform-apply-1']?.log).toEqual({ validate: 0, plan: 0, 'apply-1': 6 });
    expect(said(gitlabWorld.service).sort()).toEqual(['dev one', 'hand']);
    say(prod?.['description']);
    const ended = Object.fromEntries(Object.entries(stopped).filter(([, { code }]) => code === 0));
    const again = await pipeline('push', 'b'.repeat(40), 'two', {}, waves('two'), { ended });
    const log = again['edgeform-apply-1']?.log;
    expect(codes(again), log).toEqual({ validate: 0, plan: 0, 'apply-1': 0, 'apply-2': 0, 'apply-3': 0 });
    expect(said(gitlabWorld.service).sort()).toEqual(['dev two', 'prod two']);
  });

  test('a merge request has one note with all stacks', async () => {
    const request = gitlabWorld.gitlab.open('c'.repeat(40));
    const variables = {
      CI_MERGE_REQUEST_IID: String(request.iid),
      CI_MERGE_REQUEST_PROJECT_ID: PROJECT_ID,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: PROJECT_ID,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: request.sha,
    };
    const ends = await pipeline('merge_request_event', request.sha, 'one', variables);
    expect(codes(ends), ends['edgeform-plan']?.log).toEqual({ validate: 0, plan: 0 });
    expect(ends['edgeform-plan']?.log).toMatch(
      /section_start:0:edgeform_step_1\[collapsed=true\][^]*create reserved_addrs\.db/,
    );
    const notes = gitlabWorld.gitlab.notes.get(request.iid) ?? [];
    expect(notes).toHaveLength(1);
    expect(notes[0]?.body).toMatch(
      /^<!-- edgeform:plan stack=acme [^\n]*result=pending[\s\S]*shop-prod[\s\S]*Plan of commit/,
    );

    // One that a safety rule refuses is shown, and its pipeline stops there.
    await pipeline('push', 'd'.repeat(40), 'one');
    const moved = files('one', { 'network.yaml': NETWORK.replace('description: db', 'region: eu') });
    const refused = await pipeline('merge_request_event', request.sha, 'one', variables, moved);
    expect(codes(refused), refused['edgeform-plan']?.log).toEqual({ validate: 0, plan: 5 });
    expect(gitlabWorld.gitlab.notes.get(request.iid)?.at(-1)?.body).toMatch(
      /^<!-- edgeform:plan stack=acme [^\n]*result=refused[\s\S]*remove that import[\s\S]*A safety rule refuses this plan/,
    );
  });
});
