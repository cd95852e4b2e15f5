// The pipeline that `init --ci gitlab --copy-actions` writes, run by gitlab-ci-local: from a merge request to drift, against a forge that
// records. Caches and artifacts are those of gitlab-ci-local.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FakeGitlab, PROJECT_ID } from '../../../test/pull-requests/fake-gitlab.ts';
import { demand, isPlan, KEY, manifest, newRepository, ran, startRegistry, startService } from './scene.ts';

const TOKEN = 'token-of-the-project-71aa';

/** `interpreter` is the program of gitlab-ci-local, and beside it the `node` that runs it. */
export async function lifeOnGitlab(interpreter: string, tarball: string): Promise<string> {
  const [registry, service] = [await startRegistry(tarball), await startService()];
  const gitlab = await new FakeGitlab(TOKEN).start();
  const { path, git, commit } = newRepository('gitlab', ['--copy-actions']);
  const home = mkdtempSync(join(tmpdir(), 'gitlab-home-'));

  const run = async (
    source: string,
    jobs: readonly string[],
    sha: string,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const given = {
      CI_PIPELINE_SOURCE: source,
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: PROJECT_ID,
      CI_PROJECT_URL: gitlab.url.replace('/api/v4', '/acme/shop'),
      CI_JOB_TOKEN: 'job',
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_SHA: sha,
      CI_BUILDS_DIR: join(home, 'builds'),
      EDGEFORM_BASE_URL: service.url,
      EDGEFORM_API_KEY: KEY,
      EDGEFORM_GITLAB_TOKEN: TOKEN,
      npm_config_registry: registry.url,
      ...more,
    };
    const variables = Object.entries(given).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
    const args = [interpreter, '--force-shell-executor', '--home', home, ...variables, ...jobs];
    const env = { PATH: process.env['PATH'], HOME: home };
    return ran(join(dirname(interpreter), 'node'), args, path, env);
  };

  try {
    git('switch', '--quiet', '-c', 'topic');
    const head = commit(manifest('one'));
    const request = gitlab.open(head);
    const ofRequest = {
      CI_MERGE_REQUEST_IID: String(request.iid),
      CI_MERGE_REQUEST_PROJECT_ID: PROJECT_ID,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: PROJECT_ID,
    };
    const opened = await run('merge_request_event', ['edgeform-validate', 'edgeform-plan'], head, ofRequest);
    const [note, ...others] = gitlab.notes.get(request.iid) ?? [];
    demand(opened.code === 0 && note !== undefined && others.length === 0, `opened: ${opened.log}`);
    demand(isPlan(note.body), `the note: ${note.body}`);
    demand(service.objects('backends').length === 0, 'a plan writes nothing');

    git('switch', '--quiet', 'main');
    git('merge', '--quiet', '--no-ff', '-m', 'merge', 'topic');
    const sha = git('rev-parse', 'HEAD');
    Object.assign(request, { state: 'merged', merge_commit_sha: sha });
    gitlab.head = sha;
    const merged = await run('push', ['edgeform-plan', 'edgeform-apply'], sha, { CI_COMMIT_BRANCH: 'main' });
    demand(merged.code === 0 && service.objects('backends').length === 1, `merged: ${merged.log}`);

    gitlab.repository.commit(sha, { 'shop/edgeform.yaml': manifest('one') }, { branch: 'main' });
    // All jobs of the pipeline.
    const schedule = () => run('schedule', [], sha, { CI_COMMIT_BRANCH: 'main' });
    const proposal = () => gitlab.mergeRequests.find(({ source_branch: branch }) => branch !== undefined);
    const edit = (description: string) => {
      service.mutate('backends', String(service.objects('backends')[0]?.['id']), { description });
    };
    const clean = await schedule();
    demand(clean.code === 0 && gitlab.issues.length === 0, `no drift: ${clean.log}`);
    edit('by hand');
    const drifted = await schedule();
    demand(drifted.code !== 0 && stateOf(gitlab) === 'opened', `drift: ${drifted.log}`);
    const proposed = gitlab.repository.at(proposal()?.source_branch ?? '')?.['shop/edgeform.yaml'];
    demand(proposal()?.state === 'opened' && proposed === manifest('by hand'), `the merge request: ${drifted.log}`);
    edit('one');
    const gone = await schedule();
    demand(gone.code === 0 && stateOf(gitlab) === 'closed', `drift that is gone: ${gone.log}`);
    demand(proposal()?.state === 'closed', `the merge request is closed: ${gone.log}`);

    // A version that the registry does not have: the program is not there to say so.
    const other = gitlab.open(sha);
    const file = join(path, '.gitlab-ci.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('      stack: "shop"', '$&\n      version: 0.0.0'));
    const missing = await run('merge_request_event', ['edgeform-plan'], sha, {
      ...ofRequest,
      CI_MERGE_REQUEST_IID: String(other.iid),
      // Of whoever starts the pipeline; the version of the project counts.
      EDGEFORM_CI_VERSION: '0.0.1',
    });
    const told = gitlab.notes.get(other.iid)?.[0]?.body ?? '';
    demand(missing.code !== 0 && told.includes('edgeform 0.0.0 could not be installed'), `missing: ${missing.log}`);
    demand(!JSON.stringify([opened, merged, drifted]).includes(KEY), 'no log holds the key');
    return `${service.requests.length} requests of the service`;
  } finally {
    registry.close();
    await service.close();
    await gitlab.close();
  }
}

function stateOf(gitlab: FakeGitlab): string | undefined {
  return gitlab.issues[0]?.state;
}
