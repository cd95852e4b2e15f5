// The journal of a merge request's plan on GitLab, which keeps caches of protected branches from others: from the artifact of the last apply.

import { expect, test } from 'vitest';
import { journalOf } from '../../src/journal/place.ts';
// @ts-expect-error A script without types.
import { journalPath as pathByScript } from '../../.github/actions/lib/names.mjs';
import { component, FLEET_TEMPLATE, runPipeline } from './gitlab-runner.ts';
import { useGitlab } from './gitlab-world.ts';
import { servedStubs } from './served.ts';

const journalPath = pathByScript as (about: { readonly stack: string; readonly service: string }) => string;
const path = await servedStubs();
const world = useGitlab();
const edge = (description: string) => ({
  'edgeform.yaml': `version: 1
stack: shop
https_edges: { site: { description: ${description}, hostports: ["www.example.com:443"] } }
`,
});
type Variables = Readonly<Record<string, string>>;
const UNLISTED = { EDGEFORM_CAPABILITIES: '-https-edge-list' };

async function applied(description: string, variables: Variables = UNLISTED) {
  const ends = await runPipeline({
    jobs: component({ stack: 'shop' }),
    files: edge(description),
    path,
    caches: world.caches,
    play: ['edgeform-apply'],
    variables: { ...world.variablesOf('push', world.gitlab.head), CI_COMMIT_BRANCH: 'main', ...variables },
  });
  const apply = ends['edgeform-apply'];
  world.gitlab.applied('edgeform-apply', apply?.artifacts ?? {});
  return apply?.code;
}

/** The plan of a merge request, and what its note shows. */
async function planned(description: string, variables: Variables = UNLISTED) {
  const { iid, sha } = world.gitlab.open('c'.repeat(40));
  const caches = new Map<string, string>();
  const ends = await runPipeline({
    jobs: component({ stack: 'shop' }),
    files: edge(description),
    path,
    caches,
    variables: {
      ...world.variablesOf('merge_request_event', sha),
      CI_MERGE_REQUEST_IID: String(iid),
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
      ...variables,
    },
  });
  const { code, log } = ends['edgeform-plan'] ?? { code: undefined, log: '' };
  // What plans keeps none.
  expect([...caches]).toEqual([]);
  return { code, log, note: world.gitlab.notes.get(iid)?.[0]?.body ?? '' };
}

test.each([
  ['the token of the job', 'job'],
  ['our token, where the license has none for jobs', 'own'],
] as const)('is read with %s', async (_, reader) => {
  world.gitlab.gives = [reader];
  await applied('one');
  const { code, log, note } = await planned('two');
  expect([code, log]).toEqual([
    0,
    expect.stringMatching(/The journal is that of the last apply, from the artifact of the job \d+/),
  ]);
  expect(note).toContain('0 to create, 1 to update');
});

test('is that of the newest apply, and of no other job', async () => {
  await applied('one');
  expect(await applied('two')).toBe(0);
  for (const other of ['edgeform-apply-docs', 'another-apply', 'nothing-like-1-2']) {
    world.gitlab.applied(other, {});
    expect((await planned('two')).note).toContain('result=clean');
    world.gitlab.applies.pop();
  }
  world.gitlab.applied('edgeform-apply-2', {});
  expect((await planned('two')).code).toBe(1);
});

test('is not there before the first apply, and the plan is made', async () => {
  expect(await planned('one')).toMatchObject({ code: 0, note: expect.stringContaining('1 to create') as string });
});

test.each([
  ['nobody may have it', [], {}, /the job \d+ of the last apply gives nobody here its artifact/],
  ['there is no token', ['job'], { EDGEFORM_GITLAB_TOKEN: '' }, /there is no token that finds it/],
] as const)(
  'is missing where %s: no plan where only it knows what is there, and else a notice',
  async (_, gives, more, why) => {
    world.gitlab.gives = gives;
    await applied('one');
    const refused = await planned('one', { ...UNLISTED, ...more });
    const said = `${refused.log}${refused.note}`;
    expect([refused.code, said]).toEqual([1, expect.stringMatching(why)]);
    expect(refused.note).toMatch(
      'EDGEFORM_GITLAB_TOKEN' in more ? /^$/ : /There is no plan, because the journal is missing/,
    );
    expect(said).toContain('Use separate caches for protected branches');

    const listed = await planned('one', { EDGEFORM_CAPABILITIES: '', ...more });
    expect([listed.code, listed.log]).toEqual([0, expect.stringMatching(/The plan is made without the journal: /)]);
  },
);

test('is not looked for where no service is named, which the program says', async () => {
  const { code, log } = await planned('one', { EDGEFORM_BASE_URL: '' });
  expect(log).toContain('EDGEFORM_BASE_URL');
  expect([code, log]).toEqual([4, expect.not.stringMatching(/Invalid URL|without the journal/)]);
});

test('has the name that the program gives it', () => {
  for (const service of [
    'https://api.example.com/',
    'http://127.0.0.1:8080/x',
    'http://[::1]:1/',
    'https://a_b.example/',
  ])
    expect(journalPath({ stack: 'shop', service })).toBe(journalOf(new URL(service), 'shop'));
});

test.each([
  [
    'only it knows what is there',
    '-https-edge-list',
    1,
    'There is no plan, because the journal is missing: those of a fleet are not taken from the last apply. Switch off',
  ],
  ['lists say what is there', '', 0, 'The plan is made without the journal: those of a fleet'],
] as const)('of a fleet is not taken, which is told where %s', async (_, capabilities, code, said) => {
  const { iid, sha } = world.gitlab.open('c'.repeat(40));
  const ends = await runPipeline({
    jobs: component({ stack: 'acme' }, FLEET_TEMPLATE),
    files: { ...edge('one'), 'edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n' },
    path,
    caches: new Map(),
    variables: {
      ...world.variablesOf('merge_request_event', sha),
      CI_MERGE_REQUEST_IID: String(iid),
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
      EDGEFORM_CAPABILITIES: capabilities,
    },
  });
  const plan = ends['edgeform-plan'];
  expect([plan?.code, `${plan?.log ?? ''}${world.gitlab.notes.get(iid)?.[0]?.body ?? ''}`]).toEqual([
    code,
    expect.stringContaining(said),
  ]);
});
