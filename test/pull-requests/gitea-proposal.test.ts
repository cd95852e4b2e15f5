// The pull request about drift on Gitea: the calls that it has otherwise than GitHub, with its recorded answers.

import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import type { Answer, Asked } from './fake-forge.ts';
import { FakeGitea, GITEA_BOT, recorded } from './fake-gitea.ts';
import { REPOSITORY } from './fake-github.ts';
import { servedStubs } from './served.ts';
import { logOf, manifest, results, TOKEN, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true, true);
const WORKFLOW = pipelineText('github', { version: '0.1.0', stack: 'shop', proposesDrift: true });
const ONE = manifest('one');
const BRANCH = recorded('branch') as { readonly commit: object };
const COMPARED = recorded('compare') as { readonly commits: readonly { readonly commit: object }[] };
const CONTENTS = recorded('contents') as object;
const [LISTED] = recorded('pulls') as readonly object[];
const NOT_FOUND: Answer = { status: 404, body: { message: 'not found' } };

interface Change {
  readonly operation: string;
  readonly path: string;
  readonly content: string;
  readonly sha: string;
}

const blobOf = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

class Forge extends FakeGitea {
  protected override answer(asked: Asked): Answer {
    const { method, path } = asked;
    const rest = path.replace(`/api/v1/repos/${REPOSITORY}/`, '');
    const [first = '', ...more] = rest.split('/');
    const own = this.own(`${method} ${first}`, more.map(decodeURIComponent).join('/'), asked);
    if (own === undefined) {
      const answer = super.answer(asked);
      const isFile = `${method} ${first}` === 'GET contents' && answer.status === undefined;
      return isFile ? { body: { ...CONTENTS, ...(answer.body as object) } } : answer;
    }
    this.requests.push(`${method} ${path}`);
    return own;
  }

  private own(call: string, name: string, { body, query }: Asked): Answer | undefined {
    const { repository } = this;
    switch (call) {
      case 'GET branches': {
        const id = repository.branches.get(name);
        return id === undefined ? NOT_FOUND : { body: { ...BRANCH, name, commit: { ...BRANCH.commit, id } } };
      }
      case 'DELETE branches':
        return repository.branches.delete(name) ? { status: 204 } : NOT_FOUND;
      case 'GET compare': {
        const [base = '', head = ''] = name.split('...');
        const commits = repository.between(base, head).map(([sha, { message, parent }]) => {
          const [known] = COMPARED.commits;
          const files = repository.changed(parent, sha).map((filename) => ({ filename, status: 'modified' }));
          return { ...known, sha, commit: { ...known?.commit, message }, files };
        });
        return { body: { ...COMPARED, total_commits: commits.length, commits } };
      }
      case 'POST contents':
        return this.change(body as unknown as Parameters<Forge['change']>[0]);
      case 'GET pulls':
        // No list for a branch; the newest first.
        return query.get('state') !== 'all' || name !== ''
          ? undefined
          : { list: this.pulls.map((one) => ({ ...LISTED, ...this.seen(one) })).toReversed() };
      default:
        return call.endsWith(' git') ? NOT_FOUND : undefined;
    }
  }

  private change(asked: {
    readonly branch: string;
    readonly new_branch: string;
    readonly message: string;
    readonly files: readonly Change[];
    readonly force_push?: boolean;
  }): Answer {
    const { repository } = this;
    const from = repository.at(asked.branch) ?? {};
    if (repository.branches.has(asked.new_branch) && asked.force_push !== true) return { status: 422, body: {} };
    if (asked.files.some(({ path, sha }) => sha !== blobOf(from[path] ?? ''))) return { status: 422, body: {} };
    const changes = asked.files.map(({ path, content }) => [path, Buffer.from(content, 'base64').toString()] as const);
    const sha = createHash('sha1')
      .update(JSON.stringify([asked, repository.commits.size]))
      .digest('hex');
    const parent = repository.branches.get(asked.branch);
    repository.commit(
      sha,
      { ...from, ...Object.fromEntries(changes) },
      { parent, message: asked.message.trim(), branch: asked.new_branch },
    );
    return { status: 201, body: { commit: { sha } } };
  }
}

beforeEach(async () => {
  await world.github.close();
  world.github = await new Forge({ [TOKEN]: GITEA_BOT }).start();
});

const schedule = (text = ONE) => world.onMain('schedule', text, { workflow: WORKFLOW });
const proposals = () => world.github.pulls.filter(({ head }) => head.ref.startsWith('edgeform/'));
const branch = () => [...world.github.repository.branches.keys()].find((name) => name.startsWith('edgeform/')) ?? '';
const proposed = () => world.github.repository.at(branch())?.['edgeform.yaml'];

test('is opened, kept up to date, and closed', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE, { jobs: ['plan'] });
  await world.merge(pull, ONE);
  world.edit('by hand');
  const opened = await schedule();
  expect(results(opened), logOf(opened['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
  expect(proposals()).toMatchObject([
    { title: 'Accept the drift of stack shop', state: 'open', user: { login: GITEA_BOT } },
  ]);
  expect(proposed()).toBe(ONE.replace(': one', ': by hand'));

  const head = world.github.repository.branches.get(branch());
  await schedule(ONE);
  expect(world.github.repository.branches.get(branch())).toBe(head);

  world.edit('by another hand');
  await schedule();
  expect([proposals().length, proposed()]).toEqual([1, ONE.replace(': one', ': by another hand')]);

  world.edit('one');
  const gone = await schedule();
  expect(results(gone), logOf(gone['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
  expect([proposals()[0]?.state, branch()]).toEqual(['closed', '']);
  expect(world.github.requests.filter((line) => line.includes('graphql') || / .*\/git\//.test(line))).toEqual([]);
});

test('is found behind any number of newer pull requests', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE, { jobs: ['plan'] });
  await world.merge(pull, ONE);
  world.edit('by hand');
  await schedule();
  for (let newer = 0; newer < 5; newer += 1) world.open(`topic-${newer}`);
  const known = world.github.requests.length;
  await schedule();
  expect(world.github.requests.slice(known).filter((line) => /^(?:POST|PATCH) .*pulls/.test(line))).toEqual([]);

  // One that a person closed, too.
  Object.assign(proposals()[0] ?? {}, { state: 'closed' });
  const { 'drift-pull-request': job } = await schedule();
  expect(logOf(job)).toMatch(/pull request #\d+ with the same changes was closed by a person/);
  expect(proposals()).toMatchObject([{ state: 'closed' }]);
});
