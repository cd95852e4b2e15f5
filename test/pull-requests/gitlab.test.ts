// What GitLab has otherwise: the component's jobs with real shells, an emulated service, and a fake of the few calls of GitLab's API.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { historyOf } from '../../src/journal/history.ts';
import { journalOf } from '../../src/journal/place.ts';
// @ts-expect-error A script without types.
import { serviceOf as serviceByScript } from '../../.github/actions/lib/text.mjs';
// @ts-expect-error A script without types.
import { isAbout as aboutByScript, marker as markerByScript } from '../../.github/actions/lib/marker.mjs';
import type { MergeRequest } from './fake-gitlab.ts';
import { BOT_ID, PROJECT_ID } from './fake-gitlab.ts';
import type { GitlabEnd, GitlabJob, Pipeline } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { component, FLEET_TEMPLATE, runPipeline, TEMPLATE } from './gitlab-runner.ts';
import { stubs } from './runner.ts';
import { servedStubs } from './served.ts';

const SERVED = await servedStubs();
const HOSTILE_BRANCH = '$(touch /tmp/pwned);`id`;"\'x';
const MANIFEST = (description: string) => `version: 1
stack: shop
failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] }
`;
const jobs = component({ stack: 'shop' });
const serviceOf = serviceByScript as (address: string) => string;
const markerOf = markerByScript as (is: string, facts: object) => string;
const isAbout = aboutByScript as (text: string, is: string, about: object) => boolean;

const world = useGitlab();
let commands = SERVED;
beforeEach(() => {
  commands = SERVED;
});

type Overrides = Partial<Pick<Pipeline, 'play' | 'before' | 'jobs' | 'files'>> & {
  readonly variables?: Pipeline['variables'];
  /** The newest commit of main, where it is another one by now. */
  readonly head?: string;
};

function pipeline(source: string, sha: string, description: string, overrides: Overrides = {}) {
  const { variables = {}, ...rest } = overrides;
  if (source === 'push') world.gitlab.head = overrides.head ?? sha;
  return runPipeline({
    jobs,
    files: { 'edgeform.yaml': MANIFEST(description) },
    path: commands,
    caches: world.caches,
    variables: { ...world.variablesOf(source, sha), ...variables },
    ...rest,
  });
}

const onRequest = ({ iid, sha }: MergeRequest, description: string, from = PROJECT_ID, overrides: Overrides = {}) =>
  pipeline('merge_request_event', sha, description, {
    ...overrides,
    variables: {
      CI_MERGE_REQUEST_IID: String(iid),
      CI_MERGE_REQUEST_PROJECT_ID: PROJECT_ID,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: from,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: HOSTILE_BRANCH,
      CI_COMMIT_REF_NAME: HOSTILE_BRANCH,
      ...overrides.variables,
    },
  });
function merge(request: MergeRequest, sha: string, description: string, overrides: Overrides = {}) {
  Object.assign(request, { state: 'merged', merge_commit_sha: sha });
  const variables = { CI_COMMIT_BRANCH: 'main' };
  return pipeline('push', sha, description, { play: ['edgeform-apply'], variables, ...overrides });
}
const codes = (ends: Readonly<Record<string, GitlabEnd>>) =>
  Object.fromEntries(Object.entries(ends).map(([name, { code }]) => [name.replace('edgeform-', ''), code]));
const notes = ({ iid }: MergeRequest, is = 'plan') =>
  (world.gitlab.notes.get(iid) ?? []).filter(({ body }) => body.startsWith(`<!-- edgeform:${is} `));
const backend = () => world.service.objects('backends')[0];
const said = (ends: Readonly<Record<string, GitlabEnd>>) =>
  Object.values(ends)
    .map(({ log }) => log)
    .join('\n');

test('the widgets of a merge request get their reports, and the journal of an apply is kept', async () => {
  const request = world.gitlab.open('a1');
  const opened = await onRequest(request, 'one');
  expect(JSON.parse(opened['edgeform-plan']?.artifacts['edgeform-terraform.json'] ?? '')).toEqual({
    create: 1,
    update: 0,
    delete: 0,
  });
  expect(JSON.parse(opened['edgeform-validate']?.artifacts['edgeform-codequality.json'] ?? '')).toEqual([]);
  const merged = await merge(request, 'b1', 'one');
  expect(codes(merged), said(merged)).toEqual({ validate: 0, plan: 0, apply: 0 });
  const journal = `edgeform-journal-shop ${journalOf(new URL(world.service.url), 'shop')}`;
  expect([...world.caches.keys()]).toEqual([historyOf(journal), journal]);
});

test('without a token nothing is asked of GitLab, and with a wrong one the exit code stays', async () => {
  const request = world.gitlab.open('a1');
  expect(codes(await onRequest(request, 'one', PROJECT_ID, { variables: { EDGEFORM_GITLAB_TOKEN: '' } }))).toEqual({
    validate: 0,
    plan: 0,
  });
  const wrong = await onRequest(request, 'one', PROJECT_ID, { variables: { EDGEFORM_GITLAB_TOKEN: 'wrong' } });
  expect([codes(wrong), said(wrong)]).toEqual([
    { validate: 0, plan: 1 },
    expect.stringContaining('role Reporter and the scope api'),
  ]);
  const both = { EDGEFORM_GITLAB_TOKEN: 'wrong', CI_COMMIT_BRANCH: 'main' };
  const edit = (job: string) => {
    if (job === 'edgeform-apply') world.service.remove('backends', String(backend()?.['id']));
  };
  await merge(request, 'b1', 'one');
  expect(codes(await merge(request, 'b2', 'two', { variables: both, before: edit }))).toEqual({
    validate: 0,
    plan: 0,
    apply: 6,
  });
});

test('an old pipeline applies nothing, and its job without GitLab keeps its exit code', async () => {
  const request = world.gitlab.open('a1');
  const old = await merge(request, 'b1', 'one', { head: 'b2' });
  expect([codes(old), backend()]).toEqual([{ validate: 0, plan: 0, apply: 1 }, undefined]);
  expect(old['edgeform-apply']?.log).toContain('commit b1 is no longer the newest of main');
  const variables = { CI_COMMIT_BRANCH: 'main', EDGEFORM_RETRY_DELAY: '1', CI_API_V4_URL: 'http://127.0.0.1:1/api/v4' };
  const away = await merge(request, 'b2', 'one', { variables });
  expect([codes(away), said(away)]).toEqual([{ validate: 0, plan: 0, apply: 0 }, expect.stringContaining('no answer')]);
});

test('options are given to the jobs that have them, and no others', async () => {
  const jobs = component({ stack: 'shop', arguments: '--var-file edgeform.vars.yaml --allow-deletes=5 --settle 3' });
  const all = { ...(await onRequest(world.gitlab.open('a1'), 'one', PROJECT_ID, { jobs })) };
  expect(said(all)).not.toMatch(/unknown option|argument missing/);
});

test.each([
  ['--base-url=x', 'give the address as the variable EDGEFORM_BASE_URL'],
  ['--debug --format json', 'remove it, because the action sets the format'],
  ['--out=x', 'remove it, because the action saves the plan'],
  ['--summary-file x', 'remove it, because'],
])('%s is refused', async (given, why) => {
  const jobs = component({ stack: 'shop', arguments: given });
  const ends = await onRequest(world.gitlab.open('a2'), 'one', PROJECT_ID, { jobs });
  expect([codes(ends), said(ends), world.service.requests.length]).toEqual([
    { validate: 1, plan: 1 },
    expect.stringContaining(why),
    0,
  ]);
});

test('each job installs in a folder of its own, which it removes, and says when that fails', async () => {
  commands = stubs();
  const ends = await onRequest(world.gitlab.open('a1'), 'one');
  const installed = readFileSync(join(commands, 'npm.log'), 'utf8').match(/(?<=--prefix )\S+/g) ?? [];
  const builds = Object.values(ends).map((end) => end.builds);
  expect(installed.map((path) => dirname(path))).toEqual(builds);
  expect(new Set(installed.map((path) => basename(path))).size).toBe(2);
  expect(builds.flatMap((path) => readdirSync(path))).toEqual(['project', 'project']);
  const failed = await onRequest(world.gitlab.open('a2'), 'one', PROJECT_ID, {
    jobs: component({ stack: 'shop', version: '0.0.0' }),
  });
  expect(codes(failed)).toEqual({ validate: 1, plan: 1 });
  expect(said(failed)).toContain('edgeform 0.0.0 could not be installed, as npm says above');
});

describe('an installation that fails', () => {
  const missing = component({ stack: 'shop', version: '0.0.0' });

  test('is told in the note of the plan, which the next plan takes over', async () => {
    commands = stubs();
    const request = world.gitlab.open('a1');
    for (const who of [1, BOT_ID]) world.gitlab.say(request.iid, who, 'hello');
    await onRequest(request, 'one', PROJECT_ID, { jobs: missing });
    const [note] = notes(request);
    expect(note?.body).toMatch(
      / result=error -->\n\n\*\*The plan failed with exit code 1; there is nothing to apply\.\*\*/,
    );
    expect(note?.body).toContain('edgeform 0.0.0 could not be installed. The log of the job says why');
    expect(note?.body).toContain('See [this job](https://gitlab.example/acme/shop/-/jobs/1).');
    await onRequest(request, 'one');
    expect(notes(request).map(({ id, body }) => [id, body.includes('1 to create')])).toEqual([[note?.id, true]]);
    await onRequest(request, 'one', PROJECT_ID, { jobs: missing });
    expect(notes(request).map(({ id, body }) => [id, body.includes('0.0.0')])).toEqual([[note?.id, true]]);
    expect(world.gitlab.notes.get(request.iid)).toHaveLength(3);
  });

  test('is told the merge request whose plan was to be applied', async () => {
    commands = stubs();
    const request = world.gitlab.open('a1');
    const plan = jobs['edgeform-plan'];
    const before = { '.edgeform': jobs['.edgeform'] as GitlabJob, 'edgeform-plan': plan as GitlabJob };
    const late = { ...(missing['edgeform-apply'] as GitlabJob), extends: '.missing' };
    const ends = await merge(request, 'b1', 'one', {
      jobs: { ...before, '.missing': missing['.edgeform'] as GitlabJob, 'edgeform-apply': late },
    });
    expect([codes(ends), backend()]).toEqual([{ plan: 0, apply: 1 }, undefined]);
    expect(notes(request, 'report')[0]?.body).toMatch(
      /result=error -->\n\n\*\*Nothing was applied\.\*\* edgeform 0\.0\.0 could not be installed\./,
    );
  });

  test('leaves the note of a newer commit, and without a token is only in the log', async () => {
    commands = stubs();
    const request = world.gitlab.open('a1');
    await onRequest({ ...request, sha: 'a0' }, 'one', PROJECT_ID, { jobs: missing });
    const none = { EDGEFORM_GITLAB_TOKEN: '' };
    const ends = await onRequest(request, 'one', PROJECT_ID, { jobs: missing, variables: none });
    expect([codes(ends), world.gitlab.notes.get(request.iid)]).toEqual([{ validate: 1, plan: 1 }, undefined]);
    const wrong = { EDGEFORM_GITLAB_TOKEN: 'wrong' };
    const refused = await onRequest(request, 'one', PROJECT_ID, { jobs: missing, variables: wrong });
    expect(said(refused)).toMatch(/the merge request could not be told: .*401/);
  });

  test('is told by a fleet as by one stack', () => {
    const scripts = (template: string) =>
      Object.entries(component({ stack: 'shop' }, template)).flatMap(([name, job]) =>
        job.before_script === undefined
          ? []
          : [[name, job.before_script.filter((one) => !one.includes('END-OF-INPUT')), job.after_script]],
      );
    expect(scripts(FLEET_TEMPLATE)).toEqual(scripts(TEMPLATE));
    expect(scripts(TEMPLATE).map(([name]) => name)).toEqual(['.edgeform', 'edgeform-drift-merge-request']);
  });

  test.each([
    "https://edge.example/a--b---c(1)!~*'x/?q=1:2&r=%2F é",
    `https://edge.example/${'long/'.repeat(40)}`,
    'no address -->',
    `${'x'.repeat(119)}\u{1f600}`,
  ])('is told with the marker that other notes have, for the service %s', async (address) => {
    commands = stubs();
    const request = world.gitlab.open('a1');
    const variables = { EDGEFORM_BASE_URL: address };
    const ends = await onRequest(request, 'one', PROJECT_ID, { jobs: missing, variables });
    const [line = ''] = (world.gitlab.notes.get(request.iid)?.[0]?.body ?? said(ends)).split('\n');
    expect(line).toBe(markerOf('plan', { stack: 'shop', service: serviceOf(address), result: 'error' }));
    expect(isAbout(line, 'plan', { stack: 'shop', service: serviceOf(address) })).toBe(true);
  });
});

test('later jobs know how much the plan takes away, and the example of a second approval asks for it', async () => {
  const [, example = ''] = readFileSync('docs/pull-requests.md', 'utf8').split('```yaml\nremovals:\n');
  const { removals } = parse(`removals:\n${example.split('```')[0] ?? ''}`) as { readonly removals: GitlabJob };
  const told: GitlabJob = {
    rules: [{ when: 'on_success' }],
    needs: ['edgeform-plan'],
    script: [
      'echo "deletes $EDGEFORM_PLAN_DELETES, replaces $EDGEFORM_PLAN_REPLACES, losses $EDGEFORM_PLAN_LOSSES, exposures $EDGEFORM_PLAN_EXPOSURES"',
    ],
  };
  const all = { jobs: { ...jobs, told, removals } };
  const files = (kinds: string) => ({ files: { 'edgeform.yaml': `version: 1\nstack: shop\n${kinds}` } });
  const app = files('failover_backends:\n  app: { backends: [bkdhr_1] }\n');
  const creating = await onRequest(world.gitlab.open('a1'), '', PROJECT_ID, { ...all, ...app });
  expect(creating['told']?.log).toBe('deletes 0, replaces 0, losses 0, exposures 0\n');
  expect(codes(creating), said(creating)).toEqual({ validate: 0, plan: 0, told: 0, removals: 0 });
  await merge(world.gitlab.open('a2'), 'b2', '', app);

  const gone = files(
    'removed: [{ from: failover_backends.app, destroy: true }]\nreserved_addrs: { db: { region: eu } }\ntls_edges: { db: { hostports: [db.example.com:443] } }\n',
  );
  const deleting = await onRequest(world.gitlab.open('a3'), '', PROJECT_ID, { ...all, ...gone });
  expect(deleting['told']?.log, said(deleting)).toBe('deletes 1, replaces 0, losses 0, exposures 1\n');
  expect([codes(deleting)['removals'], said(deleting)]).toEqual([
    1,
    expect.stringContaining('label removals-approved'),
  ]);
  const variables = { CI_MERGE_REQUEST_LABELS: 'urgent,removals-approved' };
  const approved = await onRequest(world.gitlab.open('a4'), '', PROJECT_ID, { ...all, ...gone, variables });
  expect(codes(approved)['removals']).toBe(0);

  const failed = await onRequest(world.gitlab.open('a5'), '', PROJECT_ID, { ...all, ...files('nope: 1\n') });
  expect([failed['removals'], failed['edgeform-plan']?.artifacts['edgeform-plan.env']]).toEqual([undefined, undefined]);
});

test('manifests in quotes may have blanks in their names', async () => {
  const odd = component({ stack: 'shop', manifest: '"my stack/edgeform.yaml" edgeform.yaml' });
  const ends = await onRequest(world.gitlab.open('a1'), 'one', PROJECT_ID, { jobs: odd });
  expect(ends['edgeform-validate']?.log).toContain('"my stack/edgeform.yaml" does not exist');
  expect(ends['edgeform-validate']?.log).not.toContain('"edgeform.yaml" does not exist');
});
