// The workflow that `init --ci github` writes, run by act: from a pull request that is opened to drift, against a forge that records.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BOT, FakeGithub, REPOSITORY } from '../../../test/pull-requests/fake-github.ts';
import { filesAt } from '../../../test/pull-requests/runner.ts';
import { demand, isPlan, KEY, manifest, newRepository, ran, startRegistry, startService } from './scene.ts';
import { withoutQueue } from '../queue.mjs';
import { standIns } from './stand-ins.ts';

const TOKEN = 'token-of-the-job-71aa';
const WORKFLOW = '.github/workflows/edgeform.yml';

interface Event {
  readonly name: 'pull_request' | 'push' | 'schedule';
  readonly payload: object;
  readonly sha: string;
  readonly ref: string;
}

export async function lifeOnGithub(act: string, tarball: string): Promise<string> {
  const [registry, service] = [await startRegistry(tarball), await startService()];
  const github = await new FakeGithub({ [TOKEN]: BOT }).start();
  const home = mkdtempSync(join(tmpdir(), 'act-'));
  const store = join(home, 'store');
  for (const name of ['caches', 'artifacts']) mkdirSync(join(store, name), { recursive: true });
  // The tag of the workflow: our actions as they are here, and nothing else of this folder.
  const published = join(home, 'published');
  cpSync('.github/actions', join(published, '.github/actions'), { recursive: true });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const repositories = [
    ...standIns(join(home, 'stand-ins'), store),
    '--local-repository',
    `edgeform/edgeform@v${version}=${published}`,
  ];
  const { path, git, commit } = newRepository('github');
  const workflow = join(path, WORKFLOW);
  writeFileSync(workflow, withoutQueue(readFileSync(workflow, 'utf8')));
  mkdirSync(join(home, 'config/act'), { recursive: true });
  writeFileSync(join(home, 'config/act/actrc'), '-P ubuntu-latest=-self-hosted\n');
  let runs = 1000;

  const run = async ({ name, payload, sha, ref }: Event, head: string) => {
    runs += 1;
    const id = runs;
    github.runs.push({ id, run_number: id, event: name, path: WORKFLOW, status: 'in_progress' });
    writeFileSync(join(home, 'event.json'), JSON.stringify(payload));
    const given = {
      GITHUB_API_URL: github.url,
      GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_RUN_ID: String(id),
      GITHUB_RUN_NUMBER: String(id),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_REF: ref,
      SHA_REF: sha,
      // Act has none of its own.
      GITHUB_WORKFLOW_REF: `${REPOSITORY}/${WORKFLOW}@${ref}`,
      npm_config_registry: registry.url,
    };
    const args = [
      name,
      ...['-W', WORKFLOW, '-e', join(home, 'event.json'), '--no-cache-server', '--action-offline-mode'],
      ...repositories,
      ...Object.entries(given).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...['-s', `EDGEFORM_API_KEY=${KEY}`, '-s', `GITHUB_TOKEN=${TOKEN}`, '--var', `EDGEFORM_BASE_URL=${service.url}`],
    ];
    const stored = new Set(readdirSync(join(store, 'artifacts')));
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
    };
    const end = await ran(act, args, path, env);
    for (const artifact of readdirSync(join(store, 'artifacts')).filter((one) => !stored.has(one)))
      github.store(artifact, filesAt(join(store, 'artifacts', artifact)), {
        id,
        event: name,
        path: WORKFLOW,
        sha: head,
      });
    Object.assign(github.runs.find((one) => one.id === id) ?? {}, { status: 'completed' });
    return end;
  };

  try {
    const base = git('rev-parse', 'HEAD');
    git('switch', '--quiet', '-c', 'topic');
    const head = commit(manifest('one'));
    const pull = github.open({ sha: head, ref: 'topic', repo: { full_name: REPOSITORY } });
    Object.assign(pull.base, { sha: base });
    git('switch', '--quiet', 'main');
    git('merge', '--quiet', '--no-ff', '-m', 'merge', 'topic');
    const sha = git('rev-parse', 'HEAD');

    const opened = await run(
      { name: 'pull_request', payload: { pull_request: pull }, sha, ref: `refs/pull/${pull.number}/merge` },
      head,
    );
    const [comment, ...more] = github.comments.get(pull.number) ?? [];
    demand(opened.code === 0 && comment !== undefined && more.length === 0, `opened: ${opened.log}`);
    demand(isPlan(comment.body), `the comment: ${comment.body}`);
    demand(service.objects('backends').length === 0 && github.artifacts.length === 1, 'a plan writes nothing');

    const onMain = (name: 'push' | 'schedule', at = sha) =>
      run({ name, payload: { ref: 'refs/heads/main' }, sha: at, ref: 'refs/heads/main' }, at);
    github.merge(pull, sha);
    const merged = await onMain('push');
    demand(merged.code === 0 && service.objects('backends').length === 1, `merged: ${merged.log}`);
    demand(existsSync(join(store, 'caches')) && readdirSync(join(store, 'caches')).length === 1, 'the journal is kept');

    github.repository.commit(sha, { 'shop/edgeform.yaml': manifest('one') }, { branch: 'main' });
    const clean = await onMain('schedule');
    demand(clean.code === 0 && issues(github).length === 0, `no drift: ${clean.log}`);
    const proposals = () => github.pulls.filter((one) => one.head.ref.startsWith('edgeform/'));
    demand(proposals().length === 0, `nothing to propose: ${clean.log}`);
    const edit = (description: string) => {
      service.mutate('backends', String(service.objects('backends')[0]?.['id']), { description });
    };
    edit('by hand');
    const drifted = await onMain('schedule');
    demand(drifted.code !== 0 && issues(github)[0]?.state === 'open', `drift: ${drifted.log}`);
    const [proposal] = proposals();
    const proposed = github.repository.at(proposal?.head.ref ?? '')?.['shop/edgeform.yaml'];
    demand(proposal?.state === 'open' && proposed === manifest('by hand'), `the pull request: ${drifted.log}`);
    edit('one');
    const gone = await onMain('schedule');
    demand(gone.code === 0 && issues(github)[0]?.state === 'closed', `drift that is gone: ${gone.log}`);
    demand(proposals()[0]?.state === 'closed', `the pull request is closed: ${gone.log}`);

    // What is wrong is at its line, from the root of the checkout.
    git('switch', '--quiet', '-c', 'wrong');
    const wrong = commit(manifest('one').replace('backends: [', 'bakends: ['));
    const second = github.open({ sha: wrong, ref: 'wrong', repo: { full_name: REPOSITORY } });
    Object.assign(second.base, { sha });
    const refused = await run(
      { name: 'pull_request', payload: { pull_request: second }, sha: wrong, ref: `refs/pull/${second.number}/merge` },
      wrong,
    );
    demand(refused.code !== 0 && refused.log.includes('file=shop/edgeform.yaml,line=4'), `wrong: ${refused.log}`);
    demand(!JSON.stringify([merged, drifted, refused]).includes(KEY), 'no log holds the key');
    return `${github.requests.length} calls of the forge, ${service.requests.length} of the service`;
  } finally {
    registry.close();
    await service.close();
    await github.close();
  }
}

function issues(github: FakeGithub) {
  return github.issues.filter(({ pull_request: pull }) => pull === undefined);
}
