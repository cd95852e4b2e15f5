// What the merge request about drift has otherwise on GitLab.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import type { GitlabEnd } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { KEY, TOKEN } from './world.ts';
import { component, FLEET_TEMPLATE, runPipeline } from './gitlab-runner.ts';
import { servedStubs } from './served.ts';

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

const world = useGitlab();
let commits = 0;

function pipeline(
  source: string,
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  before: (job: string) => void = () => undefined,
  jobs = JOBS,
) {
  commits += 1;
  const sha = String(commits).padStart(40, '0');
  const { repository } = world.gitlab;
  repository.commit(sha, files, { ...parentOf(repository.branches.get('main')), branch: 'main' });
  world.gitlab.head = sha;
  return runPipeline({
    jobs,
    files,
    path: COMMANDS,
    caches: world.caches,
    before,
    play: ['edgeform-apply'],
    variables: { ...world.variablesOf(source, sha), CI_COMMIT_BRANCH: 'main', ...variables },
  });
}
const parentOf = (parent: string | undefined) => (parent === undefined ? {} : { parent });
const schedule = (text = ONE, variables = {}) => pipeline('schedule', { 'edgeform.yaml': text }, variables);
const codes = (ends: Readonly<Record<string, GitlabEnd>>) =>
  Object.fromEntries(Object.entries(ends).map(([name, { code }]) => [name.replace('edgeform-', ''), code]));
const logOf = (ends: Readonly<Record<string, GitlabEnd>>) => ends[PROPOSING]?.log ?? '';
const edit = (description: string) => {
  world.service.mutate('backends', String(world.service.objects('backends')[0]?.['id']), { description });
};
const applied = async () => {
  expect(codes(await pipeline('push', { 'edgeform.yaml': ONE }))).toMatchObject({ apply: 0 });
};
const branch = () => [...world.gitlab.repository.branches.keys()].find((name) => name !== 'main') ?? '';
const proposed = () => world.gitlab.repository.at(branch())?.['edgeform.yaml'];
const writesSince = (from: number) => world.gitlab.requests.slice(from).filter((line) => !line.startsWith('GET '));

test('a manifest keeps its byte order mark', async () => {
  const marked = `\ufeff${ONE}`;
  expect(codes(await pipeline('push', { 'edgeform.yaml': marked }))).toMatchObject({ apply: 0 });
  edit('by hand');
  const drifted = await schedule(marked);
  expect(codes(drifted), logOf(drifted)).toEqual({ drift: 2, 'drift-merge-request': 0 });
  const head = world.gitlab.repository.branches.get(branch());
  expect(proposed()).toBe(`\ufeff${MANIFEST('by hand')}`);
  // The branch is known as ours.
  await schedule(marked);
  expect(world.gitlab.repository.branches.get(branch())).toBe(head);
});

test('one with commits of somebody else is left alone', async () => {
  await applied();
  edit('by hand');
  await schedule();
  const { repository } = world.gitlab;
  repository.commit(
    'mine',
    { 'edgeform.yaml': ONE },
    { ...parentOf(repository.branches.get(branch())), branch: branch() },
  );
  edit('once more');
  for (const end of [await schedule(), await schedule()])
    expect(logOf(end)).toContain('has commits that edgeform did not make');
  expect(repository.branches.get(branch())).toBe('mine');
  expect(world.gitlab.notes.get(world.gitlab.mergeRequests[0]?.iid ?? 0)).toHaveLength(1);
});

test('one that another user opened for the same branch, as an earlier token did, is named', async () => {
  await applied();
  edit('by hand');
  await schedule();
  const [theirs] = world.gitlab.mergeRequests;
  Object.assign(theirs ?? {}, { author: { id: 99 } });
  edit('again');
  const before = world.gitlab.requests.length;
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
  expect([world.gitlab.mergeRequests, branch()]).toEqual([[], '']);
});

test('the job that may write asks the service nothing', async () => {
  await applied();
  edit('by hand');
  const asked: number[] = [];
  const ends = await pipeline('schedule', { 'edgeform.yaml': ONE }, {}, (job) => {
    if (job === PROPOSING) asked.push(world.service.requests.length);
  });
  expect(asked).toEqual([world.service.requests.length]);
  const [, document] =
    Object.entries(ends['edgeform-drift']?.artifacts ?? {}).find(([name]) => name.includes('accepted')) ?? [];
  expect(document).not.toContain(KEY);
  expect(JSON.stringify(world.gitlab.mergeRequests)).not.toContain(KEY);
});

test.each([
  ['one stack', JOBS],
  ['a fleet', FLEET_JOBS],
])(
  'the job that may write has no key before it does anything, and what is installed sees no secret: %s',
  async (_, jobs) => {
    const bin = mkdtempSync(join(tmpdir(), 'seen-'));
    for (const command of ['npm', 'edgeform', 'edgeform-gitlab']) {
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
    // The program itself never gets the token of the forge.
    expect(seen('edgeform', 'edgeform-drift')).toEqual(
      Object.keys(secrets).filter((name) => name !== 'EDGEFORM_GITLAB_TOKEN'),
    );
    expect([seen('npm', 'edgeform-drift'), seen('npm', PROPOSING)]).toEqual([[], []]);
    expect(seen('edgeform-gitlab', PROPOSING)).toEqual(['EDGEFORM_GITLAB_TOKEN']);
    expect(readFileSync(join(bin, `edgeform-gitlab-${PROPOSING}`), 'utf8')).toContain(
      `EDGEFORM_BASE_URL=${world.service.url}`,
    );
  },
);
