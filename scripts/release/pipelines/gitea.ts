// The workflow that `init --ci github --copy-actions` writes, run by a Gitea and its runner: from a pull request that is opened to drift.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishActions } from './gitea-actions.ts';
import { record } from './gitea-record.ts';
import { againOf, runOf, startGitea } from './gitea-server.ts';
import { demand, isPlan, KEY, manifest, newRepository, startRegistry, startService } from './scene.ts';

const REPOSITORY = 'acme/shop';
const BOT = 'gitea-actions';
const WORKFLOW = '.github/workflows/edgeform.yml';

interface Text {
  readonly id: number;
  readonly body: string;
  readonly state?: string;
  readonly user: { readonly login: string };
  readonly head?: { readonly ref: string };
}

interface Artifact {
  readonly name: string;
  readonly workflow_run: { readonly id: number };
}

/** With a folder, what Gitea answers is recorded there. */
export async function lifeOnGitea(
  tools: string,
  tarball: string,
  folder = process.env['RECORD_GITEA'],
): Promise<string> {
  const [registry, service] = [await startRegistry(tarball), await startService()];
  const stop = async () => {
    registry.close();
    await service.close();
  };
  const gitea = await startGitea(tools, { npm_config_registry: registry.url }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { api } = gitea;
  const at = `repos/${REPOSITORY}`;
  const repository = newRepository('github', ['--copy-actions']);
  const { path, git, commit } = repository;
  const backends = () => service.objects('backends');
  const edit = (description: string) => {
    service.mutate('backends', String(backends()[0]?.['id']), { description });
  };

  try {
    // As the manual says.
    const [, recipe = ''] =
      readFileSync('docs/pull-requests.md', 'utf8').split('### Gitea\n')[1]?.split('```sh\n') ?? [];
    execFileSync('bash', ['-e', '-c', recipe.split('```')[0] ?? ''], { cwd: path });
    await publishActions(gitea, join(path, '.github'), tools);
    await api('POST', 'orgs', { username: 'acme' });
    await api('POST', 'orgs/acme/repos', { name: 'shop', default_branch: 'main' });
    await api('PUT', `${at}/actions/secrets/EDGEFORM_API_KEY`, { data: KEY });
    await api('POST', `${at}/actions/variables/EDGEFORM_BASE_URL`, { value: service.url });
    // Nobody waits for a quarter past four.
    const workflow = join(path, WORKFLOW);
    writeFileSync(workflow, readFileSync(workflow, 'utf8').replace('17 4 * * *', '@every 1s'));
    commit('version: 1\nstack: shop\n');
    git('remote', 'set-url', 'origin', gitea.remote(REPOSITORY));
    const push = (branch: string) =>
      runOf(gitea, REPOSITORY, () => Promise.resolve(git('push', '--quiet', 'origin', branch)));

    const first = await push('main');
    demand(
      first.conclusion === 'success' && first.log.includes('belongs to no merged pull request'),
      `first: ${first.log}`,
    );

    git('switch', '--quiet', '-c', 'topic');
    commit(manifest('zero'));
    git('push', '--quiet', 'origin', 'topic');
    const open = async (head: string) => {
      let number = 0;
      const run = await runOf(gitea, REPOSITORY, async () => {
        const pull = await api('POST', `${at}/pulls`, { title: 'Change', head, base: 'main' });
        ({ number } = pull as { readonly number: number });
      });
      return { ...run, number };
    };
    const merge = (number: number) => api('POST', `${at}/pulls/${number}/merge`, { Do: 'merge' });
    const opened = await open('topic');
    const { number } = opened;
    const texts = (of: string) => api('GET', `${at}/${of}`) as Promise<readonly Text[]>;
    const comments = () => texts(`issues/${number}/comments`);
    const [comment, ...more] = await comments();
    demand(opened.conclusion === 'success' && comment !== undefined && more.length === 0, `opened: ${opened.log}`);
    demand(
      isPlan(comment.body) && comment.body.includes('This change: ') && comment.user.login === BOT,
      `the comment: ${comment.body}`,
    );
    demand(backends().length === 0, 'a plan writes nothing');

    commit(manifest('one'));
    const pushed = await push('topic');
    const [again, ...others] = await comments();
    demand(pushed.conclusion === 'success' && others.length === 0 && again?.id === comment.id, `pushed: ${pushed.log}`);
    demand(again.body !== comment.body, `the same comment: ${again.body}`);

    const merged = await runOf(gitea, REPOSITORY, () => merge(number));
    demand(merged.conclusion === 'success' && backends()[0]?.['description'] === 'one', `merged: ${merged.log}`);

    const schedule = () =>
      runOf(gitea, REPOSITORY, async () => {
        // Begins the schedule anew, which waits a minute after each of its runs otherwise.
        for (const has_actions of [false, true]) await api('PATCH', at, { has_actions });
        await new Promise((done) => setTimeout(done, 2000));
        await api('POST', 'admin/cron/start_schedule_tasks');
      });
    const issues = () => texts('issues?state=all&type=issues');
    const proposals = async () =>
      (await texts('pulls?state=open')).filter(({ head }) => head?.ref.startsWith('edgeform/'));
    // Of the branch, which is gone where there is none.
    const proposedText = async () => {
      const branches = (await api('GET', `${at}/branches`)) as readonly { readonly name: string }[];
      const name = branches.find((one) => one.name.startsWith('edgeform/'))?.name;
      return name === undefined ? '' : String(await api('GET', `${at}/raw/shop/edgeform.yaml?ref=${name}`));
    };
    const clean = await schedule();
    demand(clean.conclusion === 'success' && (await issues()).length === 0, `no drift: ${clean.log}`);
    demand(clean.log.includes('restored edgeform-journal/shop-'), `the journal of the apply: ${clean.log}`);

    // Somebody changes the object between plan and merge: the pull request is told, and an older run brings nothing back.
    git('switch', '--quiet', '-c', 'later');
    commit(manifest('two'));
    git('push', '--quiet', 'origin', 'later');
    const later = await open('later');
    edit('by hand');
    const stale = await runOf(gitea, REPOSITORY, () => merge(later.number));
    const report = (await texts(`issues/${later.number}/comments`)).at(-1)?.body ?? '';
    demand(stale.conclusion === 'failure' && report.includes('result=stale'), `stale: ${report}${stale.log}`);
    const old = await againOf(gitea, REPOSITORY, merged.id);
    demand(old.conclusion === 'failure' && old.log.includes('is newer, and only'), `run again: ${old.log}`);
    demand(backends()[0]?.['description'] === 'by hand', 'nothing was applied');

    // The next pull request plans what is there now. What is changed from then on is drift, and no change of the manifest.
    git('switch', '--quiet', '-c', 'again');
    commit(manifest('three'));
    git('push', '--quiet', 'origin', 'again');
    const planned = await open('again');
    const applied = await runOf(gitea, REPOSITORY, () => merge(planned.number));
    demand(applied.conclusion === 'success' && backends()[0]?.['description'] === 'three', `again: ${applied.log}`);
    edit('by hand');

    const drifted = await schedule();
    const [issue] = await issues();
    demand(
      drifted.conclusion === 'failure' && issue?.state === 'open' && issue.user.login === BOT,
      `drift: ${drifted.log}`,
    );
    const [proposal, proposed] = [await proposals(), await proposedText()];
    demand(proposal.length === 1 && proposed === manifest('by hand'), `the pull request: ${drifted.log}`);
    edit('by another hand');
    const another = await schedule();
    demand((await proposedText()) === manifest('by another hand'), `the same pull request: ${another.log}`);
    if (folder !== undefined) {
      const { artifacts } = (await api('GET', `${at}/actions/artifacts`)) as {
        readonly artifacts: readonly Artifact[];
      };
      const branch = (await proposals())[0]?.head?.ref ?? '';
      const artifact = artifacts.find(({ workflow_run: { id } }) => id === pushed.id)?.name ?? '';
      const about = { repository: REPOSITORY, number, sha: merged.head_sha, run: pushed.id, artifact, branch };
      await record(gitea, repository, about, folder);
    }
    edit('three');
    const gone = await schedule();
    demand(gone.conclusion === 'success' && (await issues())[0]?.state === 'closed', `drift that is gone: ${gone.log}`);
    demand(
      (await proposals()).length === 0 && (await proposedText()) === '',
      `the pull request is closed: ${gone.log}`,
    );
    demand(!JSON.stringify([opened, merged, drifted]).includes(KEY), 'no log holds the key');
    return `${service.requests.length} requests of the service`;
  } finally {
    await gitea.close();
    await stop();
  }
}
