// The merge request about drift on GitLab: the same as on GitHub, with the calls of GitLab's API.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { BOT_ID, FakeGitlab, PROJECT_ID } from './fake-gitlab.ts';
import type { GitlabEnd } from './gitlab-runner.ts';
import { component, FLEET_TEMPLATE, runPipeline } from './gitlab-runner.ts';
import { servedStubs } from './served.ts';

const KEY = 'key-of-the-service-9f3c';
const TOKEN = 'token-of-the-project-71aa';
const COMMANDS = await servedStubs();
const MANIFEST = (description: string) => `version: 1
stack: shop
failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] }
`;
const ONE = MANIFEST('one');
const JOBS = component({ stack: 'shop', 'pull-request': 'true' });
const FLEET_JOBS = component({ stack: 'acme', 'pull-request': 'true' }, FLEET_TEMPLATE);
const FLEET_FILES = {
  'edgeform.fleet.yaml': 'version: 1\nstacks:\n  - { name: shop, path: stacks/shop.yaml }\n',
  'stacks/shop.yaml': ONE,
};
const PROPOSING = 'edgeform-drift-merge-request';

let service: Emulator;
let gitlab: FakeGitlab;
let commits = 0;
const caches = new Map<string, string>();
const open: (() => Promise<void>)[] = [];

beforeEach(async () => {
  service = await startEmulator({ apiKey: KEY });
  gitlab = await new FakeGitlab(TOKEN).start();
  open.push(service.close, () => gitlab.close());
  caches.clear();
});
afterAll(async () => {
  for (const close of open) await close();
});

function pipeline(
  source: string,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  before: (job: string) => void = () => undefined,
  jobs = JOBS,
) {
  commits += 1;
  const sha = String(commits).padStart(40, '0');
  const { repository } = gitlab;
  repository.commit(sha, files, { ...parentOf(repository.branches.get('main')), branch: 'main' });
  gitlab.head = sha;
  return runPipeline({
    jobs,
    files,
    path: COMMANDS,
    caches,
    before,
    play: ['edgeform-apply'],
    variables: {
      CI: 'true',
      GITLAB_CI: 'true',
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: PROJECT_ID,
      CI_JOB_URL: 'https://gitlab.example/acme/shop/-/jobs/1',
      CI_PIPELINE_SOURCE: source,
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_BRANCH: 'main',
      CI_PROJECT_URL: gitlab.url.replace('/api/v4', '/acme/shop'),
      CI_JOB_TOKEN: 'job',
      CI_COMMIT_SHA: sha,
      EDGEFORM_BASE_URL: service.url,
      EDGEFORM_API_KEY: KEY,
      EDGEFORM_GITLAB_TOKEN: TOKEN,
      ...variables,
    },
  });
}
const parentOf = (parent: string | undefined) => (parent === undefined ? {} : { parent });
const schedule = (text = ONE, variables = {}) => pipeline('schedule', { 'edgeform.yaml': text }, variables);
const codes = (ends: Readonly<Record<string, GitlabEnd>>) =>
  Object.fromEntries(Object.entries(ends).map(([name, { code }]) => [name.replace('edgeform-', ''), code]));
const logOf = (ends: Readonly<Record<string, GitlabEnd>>) => ends[PROPOSING]?.log ?? '';
const edit = (description: string) => {
  service.mutate('backends', String(service.objects('backends')[0]?.['id']), { description });
};
const applied = async () => {
  expect(codes(await pipeline('push', { 'edgeform.yaml': ONE }))).toMatchObject({ apply: 0 });
};
const branch = () => [...gitlab.repository.branches.keys()].find((name) => name !== 'main') ?? '';
const proposed = () => gitlab.repository.at(branch())?.['edgeform.yaml'];
const writesSince = (from: number) => gitlab.requests.slice(from).filter((line) => !line.startsWith('GET '));

test('a merge request about drift is opened, kept up to date, and closed', async () => {
  await applied();
  const clean = await schedule();
  expect([codes(clean), gitlab.mergeRequests], logOf(clean)).toEqual([{ drift: 0, 'drift-merge-request': 0 }, []]);

  edit('by hand');
  const drifted = await schedule();
  expect(codes(drifted), logOf(drifted)).toEqual({ drift: 2, 'drift-merge-request': 0 });
  expect(gitlab.mergeRequests).toMatchObject([
    { title: 'Accept the drift of stack shop', target_branch: 'main', state: 'opened', author: { id: BOT_ID } },
  ]);
  expect(branch()).toMatch(/^edgeform\/drift-shop-[0-9a-f]{8}$/);
  expect(proposed()).toBe(MANIFEST('by hand'));
  const [{ description = '' } = {}] = gitlab.mergeRequests;
  expect(description).toMatch(/^<!-- edgeform:accept stack=shop service=\S+ result=open fingerprint=/);
  expect(description).toContain('This merge request writes');
  expect(description).not.toMatch(/pull request|No workflow/);

  const before = gitlab.requests.length;
  const head = gitlab.repository.branches.get(branch());
  await schedule();
  expect([writesSince(before), gitlab.repository.branches.get(branch())]).toEqual([[], head]);

  edit('by another hand');
  await schedule();
  expect([gitlab.mergeRequests.length, proposed()]).toEqual([1, MANIFEST('by another hand')]);

  edit('one');
  expect(codes(await schedule())).toEqual({ drift: 0, 'drift-merge-request': 0 });
  expect([gitlab.mergeRequests[0]?.state, branch()]).toEqual(['closed', '']);
  expect(gitlab.notes.get(gitlab.mergeRequests[0]?.iid ?? 0)?.at(-1)?.body).toMatch(
    /^The drift is gone, as .* Closed\.$/,
  );
});

test('a manifest keeps its byte order mark', async () => {
  const marked = `\ufeff${ONE}`;
  expect(codes(await pipeline('push', { 'edgeform.yaml': marked }))).toMatchObject({ apply: 0 });
  edit('by hand');
  const drifted = await schedule(marked);
  expect(codes(drifted), logOf(drifted)).toEqual({ drift: 2, 'drift-merge-request': 0 });
  const head = gitlab.repository.branches.get(branch());
  expect(proposed()).toBe(`\ufeff${MANIFEST('by hand')}`);
  // The branch is known as ours.
  await schedule(marked);
  expect(gitlab.repository.branches.get(branch())).toBe(head);
});

test('one that a person closed stays closed; one with commits of somebody else is left alone', async () => {
  await applied();
  edit('by hand');
  await schedule();
  Object.assign(gitlab.mergeRequests[0] ?? {}, { state: 'closed' });
  expect(logOf(await schedule())).toMatch(/merge request !\d+ with the same changes was closed by a person/);
  expect(gitlab.mergeRequests).toMatchObject([{ state: 'closed' }]);

  edit('again');
  await schedule();
  expect(gitlab.mergeRequests).toMatchObject([{ state: 'closed' }, { state: 'opened' }]);
  const { repository } = gitlab;
  repository.commit(
    'mine',
    { 'edgeform.yaml': ONE },
    { ...parentOf(repository.branches.get(branch())), branch: branch() },
  );
  edit('once more');
  for (const end of [await schedule(), await schedule()])
    expect(logOf(end)).toContain('has commits that edgeform did not make');
  expect(repository.branches.get(branch())).toBe('mine');
  expect(gitlab.notes.get(gitlab.mergeRequests[1]?.iid ?? 0)).toHaveLength(1);
});

test('one that another user opened for the same branch, as an earlier token did, is named', async () => {
  await applied();
  edit('by hand');
  await schedule();
  const [theirs] = gitlab.mergeRequests;
  Object.assign(theirs ?? {}, { author: { id: 99 } });
  edit('again');
  const before = gitlab.requests.length;
  const ends = await schedule();
  const written = writesSince(before).filter((line) => !line.includes('/issues/'));
  expect([codes(ends), written]).toEqual([{ drift: 2, 'drift-merge-request': 1 }, []]);
  expect(logOf(ends)).toContain(
    `merge request !${theirs?.iid ?? ''} is open for the branch ${branch()}, and another user opened it: close it`,
  );
  // Nor is it ours to close.
  edit('one');
  const gone = await schedule();
  expect([codes(gone), theirs?.state, branch()]).toEqual([{ drift: 0, 'drift-merge-request': 0 }, 'opened', '']);
  expect(logOf(gone)).toMatch(/merge request !\d+ is open for the branch \S+, and another user opened it/);
});

test('without a token, or without what the check stored, nothing is written', async () => {
  await applied();
  edit('by hand');
  const none = await schedule(ONE, { EDGEFORM_GITLAB_TOKEN: '' });
  expect([codes(none), logOf(none)]).toEqual([
    { drift: 2, 'drift-merge-request': 1 },
    expect.stringContaining('with the role Developer'),
  ]);
  const unknown = await schedule(ONE, { EDGEFORM_API_KEY: 'wrong' });
  expect([codes(unknown), logOf(unknown)]).toEqual([
    { drift: 1, 'drift-merge-request': 0 },
    expect.stringContaining('it is not known whether there is drift'),
  ]);
  expect([gitlab.mergeRequests, branch()]).toEqual([[], '']);
});

test('the job that may write asks the service nothing', async () => {
  await applied();
  edit('by hand');
  const asked: number[] = [];
  const ends = await pipeline('schedule', { 'edgeform.yaml': ONE }, {}, (job) => {
    if (job === PROPOSING) asked.push(service.requests.length);
  });
  expect(asked).toEqual([service.requests.length]);
  const [, document] =
    Object.entries(ends['edgeform-drift']?.artifacts ?? {}).find(([name]) => name.includes('accepted')) ?? [];
  expect(document).not.toContain(KEY);
  expect(JSON.stringify(gitlab.mergeRequests)).not.toContain(KEY);
});

test.each([
  ['one stack', JOBS],
  ['a fleet', FLEET_JOBS],
])(
  'the job that may write has no key before it does anything, and what is installed sees no secret: %s',
  async (_, jobs) => {
    const bin = mkdtempSync(join(tmpdir(), 'seen-'));
    for (const command of ['npm', 'edgeform-gitlab']) {
      const text = `#!/bin/sh\nenv > "${bin}/${command}-$CI_JOB_NAME"\nexec '${COMMANDS}/${command}' "$@"\n`;
      writeFileSync(join(bin, command), text, { mode: 0o755 });
    }
    const secrets = {
      EDGEFORM_API_KEY: KEY,
      EDGEFORM_GITLAB_TOKEN: TOKEN,
      PARTNER_API_KEY: 'key-of-a-partner',
      EDGEFORM_VAR_password: 'first line\nof-a-password',
    };
    const variables = {
      ...secrets,
      PATH: [bin, COMMANDS, process.env['PATH'] ?? ''].join(delimiter),
      EDGEFORM_FLEET_CREDENTIALS: ' PARTNER_URL,PARTNER_API_KEY, EDGEFORM_BASE_URL',
    };
    const files = { 'edgeform.yaml': ONE, ...FLEET_FILES };
    const ends = await pipeline('schedule', files, variables, undefined, jobs);
    expect(codes(ends), logOf(ends)).toMatchObject({ 'drift-merge-request': 0 });
    const seen = (command: string, job: string) => {
      const env = readFileSync(join(bin, `${command}-${job}`), 'utf8');
      return Object.entries(secrets).flatMap(([name, value]) => (env.includes(value) ? [name] : []));
    };
    expect(seen('edgeform-gitlab', 'edgeform-drift')).toEqual(Object.keys(secrets));
    expect([seen('npm', 'edgeform-drift'), seen('npm', PROPOSING)]).toEqual([[], []]);
    expect(seen('edgeform-gitlab', PROPOSING)).toEqual(['EDGEFORM_GITLAB_TOKEN']);
    expect(readFileSync(join(bin, `edgeform-gitlab-${PROPOSING}`), 'utf8')).toContain(
      `EDGEFORM_BASE_URL=${service.url}`,
    );
  },
);

test('a fleet has one merge request, too', async () => {
  expect(codes(await pipeline('push', FLEET_FILES, {}, undefined, FLEET_JOBS))).toMatchObject({ apply: 0 });
  edit('by hand');
  const ends = await pipeline('schedule', FLEET_FILES, {}, undefined, FLEET_JOBS);
  expect(codes(ends), logOf(ends)).toEqual({ drift: 2, 'drift-merge-request': 0 });
  expect(gitlab.mergeRequests).toMatchObject([{ title: 'Accept the drift of fleet acme', state: 'opened' }]);
  expect(gitlab.repository.at(branch())?.['stacks/shop.yaml']).toBe(MANIFEST('by hand'));
});
