// What a plan is compared with where the origin gives nothing to the jobs: a private repository, without the credentials of the checkout.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { commit, git, GIT_ENV, startRepository } from '../support/repository.ts';
import { FLEET_TEMPLATE, TEMPLATE } from './gitlab-runner.ts';
import type { Action, Workflow } from './runner.ts';

const ACTION = '.github/actions/plan';
const newFolder = () => mkdtempSync(join(tmpdir(), 't-'));
const { jobs } = parse(pipelineText('github', { version: '1.2.3', stack: 'shop' })) as Workflow;
const { runs } = parse(readFileSync(join(ACTION, 'action.yml'), 'utf8')) as Action;

let base: string;
let head: string;
let root: string;
let forge: Server;
/** What the origin was asked. */
let asked: string[];

beforeEach(async () => {
  root = newFolder();
  startRepository(root, { 'edgeform.yaml': 'one\n' });
  git(root, 'switch', '--quiet', '--create', 'topic');
  head = commit(root, { 'edgeform.yaml': 'two\n' });
  git(root, 'switch', '--quiet', 'main');
  base = commit(root, { 'other.txt': 'merged meanwhile\n' });
  git(root, 'switch', '--quiet', '--create', 'merge');
  git(root, 'merge', '--quiet', '--no-ff', '--message', 'Merge', 'topic');
  asked = [];
  forge = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end();
  });
  await new Promise<void>((done) => forge.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  forge.closeAllConnections();
  forge.close();
});

/** As the runner leaves it for the steps: the commits of this depth, and an origin that asks for a password. */
function checkout(depth: number): string {
  const cwd = join(newFolder(), 'clone');
  git(root, 'clone', '--quiet', `--depth=${depth}`, '--branch', 'merge', `file://${root}`, cwd);
  const { port } = forge.address() as AddressInfo;
  git(cwd, 'remote', 'set-url', 'origin', `http://127.0.0.1:${port}/acme/shop`);
  return cwd;
}

/** The step of the action that looks for the base; the origin is served by this process, so it may not wait for the step. */
async function stepBase(cwd: string) {
  const [event, output] = [join(newFolder(), 'event.json'), join(newFolder(), 'output')];
  writeFileSync(event, JSON.stringify({ pull_request: { head: { sha: head }, base: { sha: base } } }));
  writeFileSync(output, '');
  const script = runs.steps.find(({ id }) => id === 'base')?.run ?? '';
  const env = { ...GIT_ENV, GITHUB_ACTION_PATH: resolve(ACTION), GITHUB_EVENT_PATH: event, GITHUB_OUTPUT: output };
  const child = spawn('bash', ['-e', '-c', script], { cwd, env });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += String(chunk)));
  await new Promise((done) => child.once('close', done));
  return { commit: /^base=(.*)$/m.exec(readFileSync(output, 'utf8'))?.[1], log };
}

test('the job checks the base out, so that nothing is asked later', async () => {
  const depth = Number(jobs['plan']?.steps[0]?.with?.['fetch-depth']);
  const cwd = checkout(depth);
  expect(await stepBase(cwd)).toMatchObject({ commit: base });
  expect(asked).toEqual([]);
  // What `plan --base` reads of it.
  expect(git(cwd, 'show', `${base}:edgeform.yaml`)).toBe('one');
});

test('a checkout of one commit is told, and asks for no password', async () => {
  const found = await stepBase(checkout(1));
  expect(found.commit).toBe('');
  expect(found.log).toMatch(/^::notice .*The plan does not say what of it is new, because its base/m);
  expect(asked).not.toEqual([]);
});

test.each([
  ['one stack', TEMPLATE],
  ['a fleet', FLEET_TEMPLATE],
])('the image of the component for %s has git', (_, template) => {
  const head = parseAllDocuments(template)[0]?.toJS() as { spec: { inputs: { image: { default: string } } } };
  // Of the images of Node, those without a suffix are built on one with git.
  expect(head.spec.inputs.image.default).toMatch(/^node:\d+$/);
});
