// What may go wrong on GitHub, and what somebody may try: nothing is applied that was not reviewed, nothing is said twice.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Artifact } from './fake-github.ts';
import { BOT } from './fake-github.ts';
import { stubs } from './runner.ts';
import { servedStubs } from './served.ts';
import { exitCode, KEY, logOf, manifest, results, useWorld, workflowOf } from './world.ts';

const world = useWorld(await servedStubs(), true);
const ONE = manifest('one');

const reviewed = async () => {
  const pull = world.open();
  await planned(pull, ONE);
  return pull;
};
/** Without the job that validates beside it. */
const planned = (...[pull, files, more]: Parameters<typeof world.onPull>) =>
  world.onPull(pull, files, { jobs: ['plan'], ...more });
const artifact = () => world.github.artifacts.at(-1) as Artifact;

/** What somebody may do to a saved plan, and why it is refused then. */
const TAMPERED: readonly (readonly [string, (found: Artifact) => void, RegExp])[] = [
  [
    'was stored by a fork under the same name',
    (found) => Object.assign(found.workflow_run, { head_repository_id: 2 }),
    /no saved plan/,
  ],
  ['is of another commit', (found) => Object.assign(found.workflow_run, { head_sha: 'b' }), /no saved plan/],
  [
    'comes from another workflow',
    () => Object.assign(world.github.runs[0] ?? {}, { path: '.github/workflows/x.yml' }),
    /no saved plan/,
  ],
  [
    'comes from another event',
    () => Object.assign(world.github.runs[0] ?? {}, { event: 'workflow_dispatch' }),
    /no saved plan/,
  ],
  ['has expired', (found) => Object.assign(found, { expired: true }), /no saved plan/],
  [
    'is another plan than that of the comment',
    ({ files }) =>
      Object.assign(files, {
        'plan.json': files['plan.json']?.replace(/"fingerprint": "sha256:./, '"fingerprint": "sha256:z'),
      }),
    /not the one in the comment/,
  ],
  [
    'was edited',
    ({ files }) => Object.assign(files, { 'plan.json': files['plan.json']?.replace('"one"', '"two"') }),
    /was edited/,
  ],
  ['is no plan', ({ files }) => Object.assign(files, { 'plan.json': '[' }), /not the one in the comment/],
];

describe('the comment', () => {
  test('of somebody else with our marker is left alone, also when a fingerprint stands in it', async () => {
    const pull = world.open();
    const about = `stack=shop service=${world.service.url}/`;
    for (const marker of [
      `<!-- edgeform:plan ${about} result=clean -->`,
      '<!-- edgeform:plan stack=shop -->',
      '<!-- x',
    ])
      world.github.say(pull.number, 'mallory', `${marker}\n\nlooks fine`);
    world.github.say(pull.number, BOT, '<!-- edgeform:plan stack=shop-eu service=x result=clean -->\nanother stack');
    world.github.say(pull.number, BOT, `quoted:\n<!-- edgeform:plan ${about} result=clean -->`);
    const before = structuredClone(world.github.comments.get(pull.number));
    expect(results(await planned(pull, ONE))).toMatchObject({ plan: 'success' });
    const after = world.github.comments.get(pull.number) ?? [];
    expect([after.slice(0, -1), after.length]).toEqual([before, 6]);
    const said = world.github.say(
      pull.number,
      'mallory',
      after.at(-1)?.body.replace(/fingerprint=\S+/, 'fingerprint=x') ?? '',
    );
    expect(results(await world.merge(pull, ONE))).toEqual({ apply: 'success' });
    expect(said.isMinimized).toBe(false);
  });

  test.each([true, false])('is made once when a server fails (and did it nevertheless: %s)', async (butDone) => {
    const pull = world.open();
    const before = (name: string) => {
      if (name.endsWith('/comment')) world.github.failPosts({ count: 2, butDone });
    };
    const { plan } = await planned(pull, ONE, { before });
    expect([plan?.result, world.comments(pull).length], logOf(plan)).toEqual(['success', 1]);
  });

  test('of a newer commit stays', async () => {
    const pull = await reviewed();
    const before = (name: string) => {
      if (name.endsWith('/comment')) world.push(pull);
    };
    const [said] = world.comments(pull).map(({ body }) => body);
    const { plan } = await planned(pull, manifest('late'), { before });
    expect([plan?.result, world.comments(pull).map(({ body }) => body)]).toEqual(['success', [said]]);
    expect(logOf(plan)).toContain('a newer commit was pushed');
  });

  test('says that the plan failed, and why; merging then applies nothing', async () => {
    const pull = await reviewed();
    world.push(pull);
    const { plan } = await planned(pull, ONE, { secrets: { EDGEFORM_API_KEY: 'wrong' } });
    expect([plan?.result, exitCode(plan), world.comments(pull).length]).toEqual(['failure', 1, 1]);
    expect(world.comments(pull)[0]?.body).toMatch(
      /^<!-- edgeform:plan stack=shop service=\S+ result=error -->\n\n\*\*The plan failed with exit code 1/,
    );
    expect(world.comments(pull)[0]?.body).toContain('Merging applies nothing.');
    const { apply } = await world.merge(pull, ONE);
    expect([apply?.result, world.backend()]).toEqual(['failure', undefined]);
    expect(world.comments(pull, 'report')[0]?.body).toMatch(
      /the last plan of pull request #\d+ failed, and nobody has reviewed/,
    );
  });

  test('says what is wrong with a manifest', async () => {
    const pull = world.open();
    const jobs = await world.onPull(pull, ONE.replace('backends: [', 'bakends: ['));
    expect([results(jobs), exitCode(jobs['validate']), exitCode(jobs['plan'])]).toEqual([
      { validate: 'failure', plan: 'failure' },
      4,
      4,
    ]);
    expect(world.comments(pull)[0]?.body).toContain('bakends');
  });

  test('is asked for with the rights that are missing', async () => {
    const pull = world.open();
    world.github.forbidden = true;
    const { plan } = await planned(pull, ONE);
    expect([plan?.result, logOf(plan)]).toEqual(['failure', expect.stringContaining('pull-requests: write')]);
  });
});

describe('an installation that fails', () => {
  const inputs = { version: '0.0.0' };
  const problem = '::error title=edgeform::edgeform 0.0.0 could not be installed: npm ended with exit code 1.';

  test('is what the annotation and the comment of a plan say, and nothing else', async () => {
    const pull = world.open();
    const { one } = await world.onPull(pull, ONE, { workflow: workflowOf(['plan', inputs]) });
    expect([one?.result, exitCode(one), logOf(one).match(/::error/g)?.length]).toEqual(['failure', 1, 1]);
    expect(logOf(one)).toContain(problem);
    expect(logOf(one)).not.toContain('PATH');
    const [comment] = world.comments(pull);
    expect(comment?.body).toMatch(/result=error -->[\s\S]*edgeform 0\.0\.0 could not be installed\. The log/);
    expect(comment?.body).toContain('Merging applies nothing.');
  });

  test('is what the comment says when nothing was applied', async () => {
    const pull = await reviewed();
    const { one } = await world.merge(pull, ONE, { workflow: workflowOf(['apply', inputs]) });
    expect([one?.result, logOf(one), world.backend()]).toEqual([
      'failure',
      expect.stringContaining(problem),
      undefined,
    ]);
    expect(world.comments(pull, 'report')[0]?.body).toContain('Nothing was applied.** edgeform 0.0.0 could not be');
  });

  test('is the one annotation of a check for drift', async () => {
    const { one } = await world.onMain('schedule', ONE, { workflow: workflowOf(['drift', inputs]) });
    expect([one?.result, logOf(one).match(/::error.*/g)]).toEqual(['failure', [expect.stringContaining(problem)]]);
  });
});

describe('an apply', () => {
  test('is refused when the saved plan is not the one that was reviewed', async () => {
    const pull = await reviewed();
    const { runs, artifacts } = world.github;
    const as = structuredClone({ runs, artifacts });
    // A refusal changes nothing, so what was reviewed is tampered with again and again, and applied when it is whole.
    const whole = () => {
      runs.splice(0, runs.length, ...structuredClone(as.runs));
      artifacts.splice(0, artifacts.length, ...structuredClone(as.artifacts));
      world.github.comments.set(pull.number, [...world.comments(pull)]);
    };
    for (const [what, tamper, why] of TAMPERED) {
      tamper(artifact());
      const { apply } = await world.merge(pull, ONE);
      expect([apply?.result, world.backend()], what).toEqual(['failure', undefined]);
      expect(world.comments(pull, 'report')[0]?.body, `${what}\n${logOf(apply)}`).toMatch(why);
      whole();
    }
    expect(results(await world.merge(pull, ONE))).toEqual({ apply: 'success' });
  });

  test('takes the newest plan of the commit, and none that a fork put beside it', async () => {
    const pull = await reviewed();
    await planned(pull, ONE);
    const { name, files } = artifact();
    const run = { id: 1, event: 'pull_request', path: '.github/workflows/edgeform.yml', sha: pull.head.sha };
    world.github.store(name, { ...files, 'plan.json': '{}' }, { ...run, fork: true });
    expect(results(await world.merge(pull, ONE))).toEqual({ apply: 'success' });
  });

  test('does nothing for a commit without a pull request, and fails when something is to be done', async () => {
    const pending = await world.onMain('push', ONE);
    expect([results(pending), exitCode(pending['apply']), world.backend()]).toEqual([
      { apply: 'failure' },
      1,
      undefined,
    ]);
    expect(logOf(pending['apply'])).toMatch(/::error title=edgeform::.*belongs to no merged pull request/);
    expect(results(await world.merge(await reviewed(), ONE))).toEqual({ apply: 'success' });
    expect(results(await world.onMain('push', ONE))).toEqual({ apply: 'success' });
  });

  test('of a pull request from a fork finds no plan', async () => {
    const pull = world.open('topic', 'mallory/shop');
    const { apply } = await world.merge(pull, ONE);
    expect([apply?.result, world.backend()]).toEqual(['failure', undefined]);
    expect(world.comments(pull, 'report')[0]?.body).toContain('came from a fork');
  });

  test('of a manifest that is not the reviewed one is out of date', async () => {
    const pull = await reviewed();
    const { apply } = await world.merge(pull, manifest('two'));
    expect([exitCode(apply), world.backend()]).toEqual([6, undefined]);
    expect(world.comments(pull, 'report')[0]?.body).toContain('has changed since the plan was made');
  });

  test('that is killed leaves its journal, with which the next one goes on', async () => {
    const pull = await reviewed();
    const folder = mkdtempSync(join(tmpdir(), 'killing-'));
    const real = join(stubs(), 'edgeform');
    // Killed as soon as the journal says that a write is under way.
    const script = `[ "$1" = apply ] || exec '${real}' "$@"
'${real}' "$@" & until grep -q '"intent"' .edgeform/*/shop.journal.jsonl 2>/dev/null; do kill -0 $! 2>/dev/null || break; sleep 0.02; done; kill -9 $!; kill -9 $PPID`;
    writeFileSync(join(folder, 'edgeform'), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
    const { apply } = await world.merge(pull, ONE, { path: [folder, stubs()] });
    expect(apply?.result).toBe('failure');
    expect(world.comments(pull, 'report')[0]?.body).toContain('its step was killed');
    const [journal] = [...world.caches.values()];
    expect(journal).toContain('"intent"');
    const next = world.open();
    await planned(next, ONE);
    const end = await world.merge(next, ONE);
    expect([results(end), world.service.objects('backends').length], logOf(end['apply'])).toEqual([
      { apply: 'success' },
      1,
    ]);
    // Beside it there may be a history, or none, as the kill came.
    const begin = /journal\.jsonl\0(.*)\n/.exec(journal ?? '')?.[1] ?? '?';
    expect([...world.caches.values()].at(-1)).toContain(`journal.jsonl\0${begin}\n`);
  });
});

describe('drift', () => {
  const drifted = async () => {
    await world.merge(await reviewed(), ONE);
    world.edit('by hand');
  };

  test('that is gone closes the issue, also where no comment may be made', async () => {
    await drifted();
    await world.onMain('schedule', ONE);
    world.edit('one');
    world.github.away = /issues\/\d+\/comments/;
    const { drift } = await world.onMain('schedule', ONE);
    expect([drift?.result, world.issues().map(({ state }) => state)]).toEqual(['success', ['closed']]);
    expect(logOf(drift)).toContain('closed without a comment');
  });
});

describe('a workflow of somebody else', () => {
  test('that forgets forks gets no plan of them', async () => {
    const pull = world.open('topic', 'mallory/shop');
    const { one } = await world.onPull(pull, ONE, { workflow: workflowOf(['plan']) });
    const ran = one?.steps.map(({ name }) => name.split('/').at(-1));
    expect([one?.result, ran?.slice(-2), world.service.requests.length]).toEqual([
      'success',
      ['install', 'validate'],
      0,
    ]);
    const inner = one?.steps.filter(({ name }) => name.includes('plan/')) ?? [];
    expect(JSON.stringify(inner.map(({ env }) => env))).not.toContain(KEY);
  });

  test.each<readonly [string, Readonly<Record<string, string>>, string, string]>([
    ['plan', {}, ONE, '0 1 sha256'],
    ['plan', { arguments: '--detailed-exitcode' }, ONE, '2 1 sha256'],
    ['plan', { 'validate-only': 'true' }, ONE, '0  '],
    ['plan', { 'validate-only': 'true' }, 'version: 1\nstack: shop\nnope: 1\n', '4  '],
    ['plan', { 'api-key': 'wrong' }, ONE, '1  '],
    ['plan', { arguments: '--format=x' }, ONE, '  '],
    ['apply', {}, ONE, '1  '],
    ['drift', {}, ONE, '0  '],
  ])('gets the exit code of %s with %j', async (action, inputs, files, told) => {
    const { jobs } = JSON.parse(workflowOf([action, inputs])) as { jobs: { one: { steps: object[] } } };
    const [checkout, step] = jobs.one.steps;
    const env = Object.fromEntries(
      ['code', 'changes', 'fingerprint'].map((name) => [name, `\${{ steps.it.outputs.${name} }}`]),
    );
    const tell = { if: 'always()', shell: 'bash', run: 'echo "TOLD $code $changes ${fingerprint%%:*}"', env };
    const workflow = JSON.stringify({ jobs: { one: { steps: [checkout, { ...step, id: 'it' }, tell] } } });
    const { one } = await world.onPull(world.open(), files, { workflow });
    expect(one?.steps.at(-1)?.log).toBe(`TOLD ${told}\n`);
  });

  test('for Dependabot, which gets no secrets, only validates', async () => {
    const { plan } = await planned(world.open(), ONE, { env: { GITHUB_ACTOR: 'dependabot[bot]' } });
    expect([plan?.result, world.service.requests.length]).toEqual(['success', 0]);
  });

  test.each([
    ['plan', 'pull_request_target'],
    ['apply', 'pull_request_target'],
    ['drift', 'pull_request_target'],
    ['plan', 'workflow_run'],
    ['plan', 'issue_comment'],
  ])('that runs files of forks with its secrets is refused by %s, for the event %s', async (action, eventName) => {
    const pull = world.open('topic', 'mallory/shop');
    const { one } = await world.onPull(pull, ONE, { workflow: workflowOf([action]), eventName });
    expect([one?.result, world.service.requests.length]).toEqual(['failure', 0]);
    expect(logOf(one)).toContain(`not ${eventName}`);
  });

  test.each([
    [{ stack: 'a/b' }, /stack: at most 63/],
    [{ stack: '$(touch pwned)' }, /stack: at most 63/],
    [{ version: '1.0.0; touch pwned' }, /version: a version such as/],
    [{ version: 'latest' }, /version: a version such as/],
    [{ version: '1.0.0-rc.1+build-5', stack: 'other' }, /another stack than --stack names/],
    [{ stack: 'other' }, /another stack than --stack names/],
    [{ manifest: '$(touch pwned)\n`touch pwned`' }, /touch pwned.*does not exist/],
    [{ arguments: '--var=x=$(touch pwned)\n--nope' }, /unknown option '--nope'/],
    [{ 'base-url': 'not a url' }, /EDGEFORM_BASE_URL|base URL|not a/],
  ])('with the inputs %j is told so, and no shell reads them', async (inputs, why) => {
    const pull = world.open();
    const { one } = await world.onPull(pull, ONE, { workflow: workflowOf(['plan', inputs]) });
    expect([one?.result, logOf(one)]).toEqual(['failure', expect.stringMatching(why)]);
    expect(world.comments(pull).filter(({ body }) => !body.includes('result=error'))).toEqual([]);
  });

  test('with several stacks in folders keeps their comments, plans and journals apart', async () => {
    const files = { 'a/stack.yaml': ONE, 'b/stack.yaml': manifest('other').replace('stack: shop', 'stack: blog') };
    const inputs = (stack: string, folder: string) => ({ stack, 'working-directory': folder, manifest: 'stack.yaml' });
    const stacks = [inputs('shop', 'a'), inputs('blog', 'b')];
    const pull = world.open();
    for (const stack of stacks) {
      const { one } = await world.onPull(pull, '', { files, workflow: workflowOf(['plan', stack]) });
      expect(one?.result, logOf(one)).toBe('success');
    }
    expect(world.comments(pull).map(({ body }) => /stack=(\w+)/.exec(body)?.[1])).toEqual(['shop', 'blog']);
    const sha = world.commit();
    world.github.merge(pull, sha);
    for (const stack of stacks) {
      const { one } = await world.onMain('push', '', { files, sha, workflow: workflowOf(['apply', stack]) });
      expect(one?.result, logOf(one)).toBe('success');
    }
    expect(world.service.objects('backends')).toHaveLength(2);
    expect([...world.caches.keys()].map((key) => /journal\/(\w+)-/.exec(key)?.[1])).toEqual(['shop', 'blog']);
  });
});

test('no log, comment, summary, artifact or cache holds the key', async () => {
  const pull = world.open();
  const ends = [await planned(pull, ONE), await world.merge(pull, ONE)];
  const kept = [[...world.caches], world.github.artifacts, [...world.github.comments]];
  const logs = ends.flatMap((jobs) => Object.values(jobs).map((job) => [logOf(job), job.summary]));
  expect(JSON.stringify([kept, logs])).not.toContain(KEY);
});
