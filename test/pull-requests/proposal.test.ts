// The pull request about drift on GitHub: one, kept up to date, closed when the drift is gone; and what somebody may do to it, or to what
// it is made of.

import { describe, expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import type { Pull } from './fake-github.ts';
import { BOT, REPOSITORY } from './fake-github.ts';
import { servedStubs } from './served.ts';
import { exitCode, KEY, logOf, manifest, results, TOKEN, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true);
const WORKFLOW = pipelineText('github', { version: '0.1.0', stack: 'shop', proposesDrift: true });
const ONE = manifest('one');

type Overrides = NonNullable<Parameters<typeof world.onMain>[2]>;
const schedule = (files: Parameters<typeof world.onMain>[1] = ONE, more: Overrides = {}) =>
  world.onMain('schedule', files, { workflow: WORKFLOW, ...more });
/** Applies the manifest, without a pull request of its own in what is counted. */
const applied = async (text = ONE) => {
  const pull = world.open();
  await world.onPull(pull, text, { jobs: ['plan'] });
  expect(results(await world.merge(pull, text))).toEqual({ apply: 'success' });
};
const drifted = async (description = 'by hand') => {
  await applied();
  world.edit(description);
};
const isOurs = ({ head }: Pull) => head.ref.startsWith('edgeform/');
const proposals = () => world.github.pulls.filter(isOurs);
const branch = () => [...world.github.repository.branches.keys()].find((name) => name.startsWith('edgeform/')) ?? '';
const proposed = (path = 'edgeform.yaml') => world.github.repository.at(branch())?.[path];
/** What the job wrote since a number of requests. */
const writesSince = (from: number) =>
  world.github.requests.slice(from).filter((line) => !/^GET|graphql|issues\/\d+$/.test(line));

describe('a pull request about drift', () => {
  test('is opened, kept up to date, and closed', async () => {
    await applied();
    const clean = await schedule();
    expect(results(clean), logOf(clean['drift-pull-request'])).toEqual({
      drift: 'success',
      'drift-pull-request': 'success',
    });
    expect([proposals(), branch()]).toEqual([[], '']);

    world.edit('by hand');
    const opened = await schedule();
    expect([results(opened), exitCode(opened['drift'])], logOf(opened['drift-pull-request'])).toEqual([
      { drift: 'failure', 'drift-pull-request': 'success' },
      2,
    ]);
    expect(proposals()).toMatchObject([
      { title: 'Accept the drift of stack shop', state: 'open', base: { ref: 'main' }, user: { login: BOT } },
    ]);
    expect(branch()).toMatch(/^edgeform\/drift-shop-[0-9a-f]{8}$/);
    expect(proposed()).toBe(ONE.replace('description: one', 'description: by hand'));
    const [{ body = '' } = {}] = proposals();
    expect(body).toMatch(
      /^<!-- edgeform:accept stack=shop service=\S+ result=open fingerprint=sha256:[0-9a-f]{64} -->\n/,
    );
    expect(body).toContain('Merging it changes nothing at the service but markers.');
    expect(body).toContain('failover_backends.app');
    expect(body).toContain('No workflow runs for it yet');
    expect(body).not.toContain('Not in it');

    // The same drift: nothing is written, whatever else was merged.
    const before = world.github.requests.length;
    const head = world.github.repository.branches.get(branch());
    await schedule({ 'edgeform.yaml': ONE, 'README.md': 'new' });
    expect([writesSince(before), world.github.repository.branches.get(branch())]).toEqual([[], head]);

    world.edit('by another hand');
    await schedule();
    expect([proposals().length, proposed()]).toEqual([
      1,
      ONE.replace('description: one', 'description: by another hand'),
    ]);
    expect(proposals()[0]?.body).toContain('by another hand');
    expect(proposals()[0]?.body).not.toBe(body);
    const sha = world.github.repository.branches.get(branch()) ?? '';
    expect(world.github.repository.between(world.github.repository.branches.get('main') ?? '', sha)).toHaveLength(1);

    // A manifest that changes meanwhile: the same drift on top of it.
    const more = `# A comment\n${ONE}`;
    await schedule(more);
    expect([proposals().length, proposed()?.startsWith('# A comment\n')]).toEqual([1, true]);

    world.edit('one');
    expect(results(await schedule(more))).toEqual({ drift: 'success', 'drift-pull-request': 'success' });
    const [{ number, state, body: last } = { number: 0 }] = proposals();
    expect([state, branch()]).toEqual(['closed', '']);
    expect(last).toContain('result=gone');
    expect(world.github.comments.get(number)).toMatchObject([
      { body: expect.stringMatching(/^The drift is gone, as .* Closed\.$/) },
    ]);

    // Drift that comes again has another one.
    world.edit('by another hand');
    await schedule(more);
    expect(proposals().map((one) => one.state)).toEqual(['closed', 'open']);
  });

  test('that is merged leaves a plan of markers, and its branch goes with the drift', async () => {
    await drifted();
    await schedule();
    const text = proposed() ?? '';
    const [pull] = proposals();
    Object.assign(pull ?? {}, { state: 'closed' });
    world.github.merge(pull as Pull, world.commit());
    const plan = await world.onMain('push', text);
    // Nobody has reviewed a plan of it here.
    expect([results(plan), logOf(plan['apply'])]).toEqual([
      { apply: 'failure' },
      expect.stringMatching(/\b1 to update/),
    ]);
    expect(results(await schedule(text))).toEqual({ drift: 'success', 'drift-pull-request': 'success' });
    expect([proposals().length, branch()]).toEqual([1, '']);
  });

  test('that a person closed stays closed until the drift changes', async () => {
    await drifted();
    await schedule();
    Object.assign(proposals()[0] ?? {}, { state: 'closed' });
    const again = await schedule();
    expect(proposals()).toMatchObject([{ state: 'closed' }]);
    expect(logOf(again['drift-pull-request'])).toMatch(
      /::notice .*pull request #\d+ with the same changes was closed by a person/,
    );
    // Also where its branch is gone, and the manifest has changed elsewhere.
    world.github.repository.branches.delete(branch());
    await schedule(`# x\n${ONE}`);
    expect(proposals()).toMatchObject([{ state: 'closed' }]);
    world.edit('another value');
    await schedule();
    expect(proposals()).toMatchObject([{ state: 'closed' }, { state: 'open' }]);
  });

  test('that a person closed is followed by a new one when its drift was gone and comes again', async () => {
    await drifted();
    await schedule();
    Object.assign(proposals()[0] ?? {}, { state: 'closed' });
    world.edit('one');
    await schedule();
    expect(proposals()).toMatchObject([{ state: 'closed', body: expect.stringMatching(/^<!-- .* result=gone -->\n/) }]);
    // That is said once.
    const before = world.github.requests.length;
    await schedule();
    expect(writesSince(before)).toEqual([]);
    world.edit('by hand');
    await schedule();
    expect(proposals()).toMatchObject([{ state: 'closed' }, { state: 'open' }]);
  });

  test.each([
    ['a commit on top of it', { 'edgeform.yaml': ONE, 'x.txt': 'mine' }, 'one more', false],
    [
      'its commit with another content and the same message',
      { 'edgeform.yaml': ONE.replace('one', 'edited') },
      '',
      true,
    ],
  ])('whose branch has %s is left alone, and says so once', async (_what, files, message, isAmended) => {
    await drifted();
    await schedule();
    const { repository } = world.github;
    const tip = repository.branches.get(branch()) ?? '';
    const { parent, message: own } = repository.commits.get(tip) ?? { parent: '', message: '' };
    repository.commit('c'.repeat(40), files, {
      parent: isAmended ? (parent ?? '') : tip,
      message: isAmended ? own : message,
      branch: branch(),
    });
    world.edit('yet another hand');
    for (const end of [await schedule(), await schedule()]) {
      expect(results(end)).toMatchObject({ 'drift-pull-request': 'success' });
      expect(logOf(end['drift-pull-request'])).toContain('has commits that edgeform did not make');
    }
    expect(repository.branches.get(branch())).toBe('c'.repeat(40));
    const [{ number } = { number: 0 }] = proposals();
    const said = world.github.comments.get(number) ?? [];
    expect(said.map(({ body }) => body)).toEqual([
      expect.stringMatching(/as it is now\. The branch `edgeform\/drift-\S+` has commits/),
    ]);
    // Neither is it closed with the drift, nor its branch deleted.
    world.edit('one');
    await schedule();
    expect([proposals()[0]?.state, repository.branches.get(branch())]).toEqual(['open', 'c'.repeat(40)]);
  });

  test('whose branch is deleted, as a comment says, is followed by a new one', async () => {
    await drifted();
    await schedule();
    const { repository } = world.github;
    const parent = repository.branches.get(branch()) ?? '';
    repository.commit('c'.repeat(40), { 'edgeform.yaml': ONE.replace('one', 'edited') }, { parent, branch: branch() });
    await schedule();
    // Forges close what has no branch any more.
    repository.branches.delete(branch());
    const [left] = world.github.pulls.slice(-1);
    Object.assign(left ?? {}, { state: 'closed' });
    await schedule();
    expect(proposals().map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('whose commit has an empty one on top, with the same message, is left alone', async () => {
    await drifted();
    await schedule();
    const { repository } = world.github;
    const parent = repository.branches.get(branch()) ?? '';
    const { message = '' } = repository.commits.get(parent) ?? {};
    repository.commit('e'.repeat(40), repository.at(branch()) ?? {}, { parent, message, branch: branch() });
    world.edit('yet another hand');
    const { 'drift-pull-request': job } = await schedule();
    expect(logOf(job)).toContain('has commits that edgeform did not make');
    expect(repository.branches.get(branch())).toBe('e'.repeat(40));
  });

  test('to which the default branch was merged has what is wanted, and hears nothing', async () => {
    await drifted();
    await schedule();
    const { repository } = world.github;
    const parent = repository.branches.get(branch()) ?? '';
    repository.commit('d'.repeat(40), { ...repository.at(branch()), 'x.txt': 'main' }, { parent, branch: branch() });
    const before = world.github.requests.length;
    await schedule();
    expect([writesSince(before), proposals().length]).toEqual([[], 1]);
  });

  test('of somebody else with our marker or from a fork is not ours', async () => {
    await drifted();
    await schedule();
    const [{ head, body = '' } = { head: { sha: '', ref: '', repo: null } }] = proposals();
    world.github.pulls.splice(0);
    const fork = world.github.open({ ...head, repo: { full_name: 'mallory/shop' } }, 'main', {
      body,
      state: 'open',
      user: { login: BOT },
    });
    await schedule();
    expect([fork.body, proposals().length]).toEqual([body, 2]);

    // A branch has one open pull request.
    world.github.pulls.splice(0);
    const theirs = world.github.open(head, 'main', { body, state: 'open', user: { login: 'mallory' } });
    world.edit('by another hand');
    const before = world.github.requests.length;
    const { 'drift-pull-request': job } = await schedule();
    expect([job?.result, theirs.body, proposals().length, writesSince(before)]).toEqual(['failure', body, 1, []]);
    expect(logOf(job)).toMatch(
      new RegExp(`pull request #${theirs.number} is open for the branch edgeform/\\S+, and another user opened it`),
    );

    // Without our marker it is not known any more.
    Object.assign(theirs, { user: { login: BOT }, body: 'edited' });
    expect(logOf((await schedule())['drift-pull-request'])).toContain('and its text lost the first line: close it');
  });

  test('names what it could not write, with its place and what to do', async () => {
    const text = `version: 1
stack: shop
presets:
  named: { description: "from a preset" }
failover_backends:
  app: { preset: named, backends: [bkdhr_1] }
`;
    await applied(text);
    world.service.mutate('backends', String(world.backend()?.['id']), {
      description: 'by hand',
      backends: ['bkdhr_2'],
    });
    await schedule(text);
    const [{ body = '' } = {}] = proposals();
    expect(body).toMatch(
      /\*\*Not in it\*\*.*\n\n```text\nfailover_backends\.app\.description \(edgeform\.yaml:\d+:\d+\): .*preset.*\n {2}fix: /,
    );
    expect(proposed()).toBe(text.replace('bkdhr_1', 'bkdhr_2'));
    // When nothing of it can be written, there is nothing to propose.
    world.service.mutate('backends', String(world.backend()?.['id']), { backends: ['bkdhr_1'] });
    const end = await schedule(text);
    expect(exitCode(end['drift'])).toBe(2);
    const [pull] = proposals();
    expect([pull?.state, branch()]).toEqual(['closed', '']);
    expect(world.github.comments.get(pull?.number ?? 0)?.at(-1)?.body).toMatch(/^Nothing of the drift can be written/);
  });

  test('stays as it is when nobody could look for drift', async () => {
    await drifted();
    await schedule();
    const before = structuredClone(proposals());
    const end = await schedule(ONE, { secrets: { EDGEFORM_API_KEY: 'wrong' } });
    expect([results(end), proposals()]).toEqual([{ drift: 'failure', 'drift-pull-request': 'success' }, before]);
    expect(logOf(end['drift-pull-request'])).toContain('It is not known whether there is drift');
  });

  test('is not made of what an earlier attempt of the run has stored', async () => {
    await drifted();
    await schedule(ONE, { jobs: ['drift'] });
    const again = world.github.runs.at(-1)?.id ?? 0;
    const failed = await schedule(ONE, { again, secrets: { EDGEFORM_API_KEY: 'wrong' } });
    expect([exitCode(failed['drift']), proposals()]).toEqual([1, []]);
    // The same where the job drift is not run again.
    const alone = await schedule(ONE, { again, jobs: ['drift-pull-request'] });
    for (const { 'drift-pull-request': job } of [failed, alone])
      expect([job?.result, logOf(job)]).toEqual([
        'failure',
        expect.stringMatching(/stored nothing in attempt [23] of this run.*: run all jobs again/),
      ]);
    expect(proposals()).toEqual([]);
    expect(results(await schedule(ONE, { again }))).toMatchObject({ 'drift-pull-request': 'success' });
    expect(proposals()).toMatchObject([{ state: 'open' }]);
  });

  test('is asked for with the rights and the setting that are missing', async () => {
    await drifted();
    const before = (name: string) => {
      if (name.endsWith('/propose')) world.github.forbidden = true;
    };
    const { 'drift-pull-request': job } = await schedule(ONE, { before });
    expect([job?.result, logOf(job)]).toEqual([
      'failure',
      expect.stringMatching(/contents: write, pull-requests: write.*Allow GitHub Actions to create/),
    ]);
  });

  test('is not made of a checkout that is not as the commit has it', async () => {
    await drifted();
    const before = (name: string) => {
      const { repository } = world.github;
      const sha = repository.branches.get('main') ?? '';
      if (name.endsWith('/find')) repository.commit(sha, { 'edgeform.yaml': ONE.replaceAll('\n', '\r\n') });
    };
    const { 'drift-pull-request': job } = await schedule(ONE, { before });
    expect([job?.result, proposals(), branch(), logOf(job)]).toEqual([
      'failure',
      [],
      '',
      expect.stringMatching(/edgeform\.yaml is not as commit \w{12} has it/),
    ]);
  });

  test.each([
    [true, /pulls$/],
    [false, /pulls$/],
    [true, /git\//],
  ])('is made once when a server fails (and did it nevertheless: %s, of %s)', async (butDone, of) => {
    await drifted();
    const before = (name: string) => {
      if (name.endsWith('/propose')) world.github.failPosts({ count: 2, butDone, of });
    };
    const { 'drift-pull-request': job } = await schedule(ONE, { before });
    expect([job?.result, proposals().length], logOf(job)).toEqual(['success', 1]);
  });

  test('does not promise workflows that are missing with a token of its own', async () => {
    await drifted();
    const workflow = WORKFLOW.replace(
      /(drift-pull-request@v0\.1\.0\n {8}with:)/,
      '$1\n          github-token: ${{ secrets.APP }}',
    );
    Object.assign(world.github, { logins: { ...world.github['logins'], app: 'app[bot]' } });
    await schedule(ONE, { workflow, secrets: { EDGEFORM_API_KEY: KEY, APP: 'app' } });
    expect(proposals()).toMatchObject([{ user: { login: 'app[bot]' } }]);
    expect(proposals()[0]?.body).not.toContain('No workflow runs');
  });
});

describe('what comes from the service', () => {
  test.each([
    'a\nb: "${var.x}"\n<!-- edgeform:accept stack=shop result=gone -->',
    '`` @mallory ``` ```',
    '--- a/x\n+++ b/.github/workflows/x.yml\n@@ -0,0 +1 @@\n+on: push',
    '../../etc/passwd',
    '$(touch /tmp/pwned)`id`\n::error::x',
  ])('changes one value, and is inert in all texts: %j', async (value) => {
    await drifted(value);
    const end = await schedule();
    expect(results(end), logOf(end['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
    const { repository } = world.github;
    const changed = repository.changed(repository.branches.get('main'), repository.branches.get(branch()) ?? '');
    expect(changed).toEqual(['edgeform.yaml']);
    const [{ title = '', body = '' } = {}] = proposals();
    expect(title).toBe('Accept the drift of stack shop');
    expect(body.match(/^<!-- edgeform:/gm)).toHaveLength(1);
    expect(repository.commits.get(repository.branches.get(branch()) ?? '')?.message).toMatch(
      /^Accept the drift of stack shop\n\n[^\n]*\n\nEdgeform-Changes: sha256:[0-9a-f]{64}$/,
    );
    // What is proposed is what is live: merged, there is no drift.
    expect(exitCode((await schedule(proposed() ?? ''))['drift'])).toBe(0);
    expect(proposals()).toMatchObject([{ state: 'closed' }]);
  });
});

describe('what the other job stored', () => {
  /** The branch and the pull request after somebody changed the document between the jobs. */
  const tampered = async (
    change: (document: Stored['document']) => void,
    files: Readonly<Record<string, string>> = {},
  ) => {
    await drifted();
    const before = (name: string) => {
      if (!name.endsWith('/find')) return;
      const stored = world.github.artifacts.at(-1)?.files as Record<string, string>;
      const whole = JSON.parse(stored['accepted.json'] ?? '') as Stored;
      change(whole.document);
      stored['accepted.json'] = JSON.stringify(whole);
    };
    const all = { 'edgeform.yaml': ONE, 'package.json': '{}\n', 'other.yaml': 'a: 1\n', ...files };
    const { 'drift-pull-request': job } = await schedule(all, { before });
    expect([job?.result, proposals(), branch()], logOf(job)).toEqual(['failure', [], '']);
    return logOf(job);
  };
  interface Stored {
    document: { files: { path: string; patch: string }[] };
  }
  const naming = (path: string) => (document: Stored['document']) => {
    document.files = [{ path, patch: '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a: 1\n+b: 1\n' }];
  };

  test.each([
    '.github/workflows/x.yml',
    '.GitHub/workflows/x.yml',
    './.github/workflows/x.yml',
    'a/../.github/workflows/x.yml',
    '../edgeform.yaml',
    '/etc/edgeform.yaml',
    'package.json',
    'other.yaml',
    'edgeform/new/deep.yaml',
    'edgeform/.hidden.yaml',
    'edgeform/x.sh',
    'edgeform\\x.yaml',
    'edgeform/a\nb.yaml',
  ])('is refused where it names %j', async (path) => {
    expect(await tampered(naming(path))).toContain('it is no file of the manifest');
  });

  test('is refused where it names a file that does not exist', async () => {
    expect(await tampered(naming('edgeform/new.yaml'))).toContain('it does not exist');
  });

  test.each<readonly [string, (patch: string) => string, RegExp]>([
    ['names other lines', (patch) => patch.replace('description: one', 'description: two'), /does not fit line 1/],
    ['has lines behind its end', (patch) => `${patch}+++ b/.github/workflows/x.yml\n`, /it is no patch/],
    ['is none', () => 'on: push', /it is no patch/],
    ['changes nothing', (patch) => patch.split('@@')[0] ?? '', /it changes nothing/],
    ['counts wrongly', (patch) => patch.replace(/\+1,\d/, '+1,9'), /it is no patch/],
  ])('is refused where its patch %s', async (_what, change, why) => {
    const log = await tampered(({ files }) => {
      for (const one of files) one.patch = change(one.patch);
    });
    expect(log).toMatch(why);
  });

  test('is refused where it names a file twice, or too many', async () => {
    expect(await tampered((document) => document.files.push(...structuredClone(document.files)))).toContain('twice');
    expect(
      await tampered(({ files }) => files.push(...Array.from({ length: 100 }, () => ({ path: 'x', patch: '' })))),
    ).toContain('more than 100 files');
  });
});

test('the job that may write has no key of the service, asks it nothing, and runs none of its files', async () => {
  await drifted();
  const asked: number[] = [];
  const before = (name: string) => {
    if (name.startsWith('drift-pull-request')) asked.push(world.service.requests.length);
  };
  const { 'drift-pull-request': job, drift } = await schedule(ONE, { before });
  expect(job?.steps.map(({ name }) => name.split('/').at(-1))).toEqual([
    'checkout',
    'setup-node',
    'find',
    'download-artifact',
    'propose',
  ]);
  expect(JSON.stringify(job?.steps)).not.toContain(KEY);
  expect(new Set([...asked, world.service.requests.length]).size).toBe(1);
  const withToken = job?.steps.filter(({ env }) => JSON.stringify(env).includes(TOKEN)).map(({ name }) => name);
  expect(withToken).toEqual([expect.stringMatching(/\/propose$/)]);
  expect(
    JSON.stringify([world.github.artifacts, drift?.summary, proposals(), [...world.github.repository.commits]]),
  ).not.toContain(KEY);
});

test.each([
  ['', 'infra/shop'],
  ['${{ github.workspace }}/', '${{ github.workspace }}/infra/shop/'],
])(
  'a manifest in a folder is changed there, also where that is named from the root of the disk: %s',
  async (_, folder) => {
    const inputs = { version: '0.1.0', stack: 'shop', proposesDrift: true };
    const workflow = pipelineText('github', inputs, 'infra/shop').replaceAll('"infra/shop"', JSON.stringify(folder));
    expect(workflow).toContain(`working-directory: ${JSON.stringify(folder)}`);
    const files = (text: string) => ({ 'infra/shop/edgeform.yaml': text, 'edgeform.yaml': ONE });
    const pull = world.open();
    await world.onPull(pull, files(ONE), { workflow, jobs: ['plan'] });
    await world.merge(pull, files(ONE), { workflow });
    world.edit('by hand');
    const end = await schedule(files(ONE), { workflow });
    expect(results(end), logOf(end['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
    expect([proposed('infra/shop/edgeform.yaml'), proposed()]).toEqual([ONE.replace(': one', ': by hand'), ONE]);
    expect(REPOSITORY).toBe('acme/shop');
  },
);

test('a manifest in a folder outside the checkout is none of the repository', async () => {
  await drifted();
  const workflow = WORKFLOW.replace(
    /(drift-pull-request@v0\.1\.0\n {8}with:)/,
    '$1\n          working-directory: ${{ github.workspace }}/..',
  );
  const { 'drift-pull-request': job } = await schedule(ONE, { workflow });
  expect([job?.result, logOf(job)]).toEqual(['failure', expect.stringContaining('it is no file of the manifest')]);
});
