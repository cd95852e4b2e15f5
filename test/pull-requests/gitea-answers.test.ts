// What the adapter of Gitea makes of the answers that were recorded from a real one, as they are (`test/fixtures/gitea`).

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { gitea as giteaByScript } from '../../.github/actions/lib/forges/gitea.mjs';
import { recorded } from './fake-gitea.ts';

interface Forge {
  readonly canTell: boolean;
  headOf(number: number): Promise<string>;
  merged(): Promise<readonly object[]>;
  newer(): Promise<string | undefined>;
  artifacts(name: string, head: string): Promise<readonly object[]>;
  isPlanning(run: number): Promise<boolean>;
  comments(number: number): Promise<readonly object[]>;
  openIssues(): Promise<readonly object[]>;
  proposals(branch: string): Promise<readonly object[]>;
  branchSince(branch: string, base: object): Promise<object | undefined>;
  fileAt(path: string, sha: string): Promise<string | undefined>;
}

const commit = (number: number) => `a${String(number).padStart(39, '0')}`;
const BRANCH = 'edgeform/drift-shop-00000000';

/** The recording that answers a request. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/^\/user$/, 'user'],
  [/\/actions\/runs\/\d+$/, 'run'],
  [/\/actions\/runs$/, 'runs'],
  [/\/actions\/runs\/\d+\/jobs$/, 'jobs'],
  [/\/actions\/artifacts$/, 'artifacts'],
  [/\/issues\/\d+\/comments$/, 'comments'],
  [/\/issues$/, 'issues'],
  [/\/pulls\/\d+$/, 'pull'],
  [/\/pulls$/, 'pulls'],
  [/\/commits\/a0{38}1\/pull$/, 'commit-pull'],
  [new RegExp(`/branches/${encodeURIComponent(BRANCH)}$|/branches/${BRANCH}$`), 'branch'],
  [/\/compare\//, 'compare'],
  [/\/contents\/shop\/edgeform\.yaml$/, 'contents'],
];

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://gitea');
  const found = ANSWERS.find(([path]) => path.test(pathname.replace('/api/v1', '')));
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(recorded(found?.[1] ?? 'not-found')));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** In a job as the recorded one was, but for what a test says. */
function forge(env: Readonly<Record<string, string>> = {}): Forge {
  const { port } = server.address() as AddressInfo;
  const job = recorded('environment') as Readonly<Record<string, string>>;
  const own = { GITHUB_API_URL: `http://127.0.0.1:${port}/api/v1`, EDGEFORM_RETRY_DELAY: '1', GITHUB_TOKEN: 'token' };
  return (giteaByScript as (env: object, step: string) => Forge)({ ...job, ...own, ...env }, 'find');
}

test('the merged change is that of the commit, and a commit without one has none', async () => {
  const onMain = { GITHUB_SHA: commit(1), GITHUB_REF_NAME: 'main' };
  expect(await forge(onMain).merged()).toEqual([{ number: 1, head: commit(3), isForeign: false }]);
  expect(await forge({ ...onMain, GITHUB_REF_NAME: 'other' }).merged()).toEqual([]);
  expect(await forge({ ...onMain, GITHUB_SHA: '0'.repeat(40) }).merged()).toEqual([]);
  expect(await forge({ ...onMain, GITHUB_REPOSITORY: 'acme/shop' }).headOf(1)).toMatch(/^a0+\d$/);
});

test('a run is newer by its number, whatever file its path names in front', async () => {
  const pushed = { GITHUB_REF_NAME: 'main', GITHUB_RUN_ID: '3' };
  expect(await forge({ ...pushed, GITHUB_RUN_NUMBER: '4' }).newer()).toMatch(/^run 7 of this workflow is newer/);
  expect(await forge({ ...pushed, GITHUB_RUN_NUMBER: '7' }).newer()).toBeUndefined();
});

test('the saved plan is that of the commit, from a run for a change under review', async () => {
  const name = `edgeform-plan-shop-00000000-${commit(1)}`;
  expect(await forge().artifacts(name, commit(1))).toEqual([{ id: 2, name, run: 3 }]);
  expect(await forge().artifacts(name, commit(2))).toEqual([]);
  expect(await forge().artifacts('edgeform-plan-other', commit(1))).toEqual([]);
  expect(await forge({ GITHUB_RUN_ID: '3' }).isPlanning(3)).toBe(true);
});

test('comments and issues are those of the user of jobs, without pull requests', async () => {
  expect(await forge().comments(1)).toMatchObject([{ id: 2, body: '<!-- edgeform:plan -->' }]);
  const issues = recorded('issues') as readonly { readonly user: { readonly login: string }; pull_request: unknown }[];
  expect(issues.some(({ user }) => user.login !== 'gitea-actions')).toBe(true);
  const own = issues.filter(({ user, pull_request: pull }) => user.login === 'gitea-actions' && pull === null);
  expect([own.length, await forge().openIssues()]).toEqual([1, own]);
});

test('the proposal is the one of its branch, which adds one commit with a file', async () => {
  expect(await forge().proposals(BRANCH)).toMatchObject([{ state: 'open', base: 'main', isOwn: true }]);
  expect(await forge().proposals('record')).toMatchObject([{ state: 'open', isOwn: false }]);
  expect(await forge().branchSince(BRANCH, { sha: commit(2) })).toMatchObject({
    sha: commit(1),
    commits: 1,
    message: expect.stringContaining('Accept the drift of stack shop') as string,
    paths: ['shop/edgeform.yaml'],
  });
  expect(await forge().branchSince('none', { sha: commit(2) })).toBeUndefined();
  expect(await forge().fileAt('shop/edgeform.yaml', 'main')).toMatch(/^version: 1\nstack: shop\n/);
  expect(await forge().fileAt('none.yaml', 'main')).toBeUndefined();
});
