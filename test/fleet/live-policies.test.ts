// Policies `on: live` in a fleet: what a stack has is judged with that stack, and everything else once, as a single plan judges it.

import { beforeEach, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const NAMES = ['a', 'b', 'c'];
const edgeOf = (stack: string, more = '') =>
  `version: 1\nstack: ${stack}\nhttps_edges: { web: { hostports: ["${stack}.test:443"]${more} } }\n`;
const policy = (expression: string) => `version: 1
policies: [{ name: p, on: live, kinds: [https_edge, https_edge_route], expression: '${expression}', message: "of \${owner}" }]
`;
const place = usePlace({
  'edgeform.fleet.yaml': `version: 1\nstacks: [${NAMES.map((name) => `{ name: ${name}, path: ${name}.yaml }`).join(', ')}]\n`,
  ...Object.fromEntries([...NAMES, 'outside'].map((name) => [`${name}.yaml`, edgeOf(name)])),
  'never.yaml': policy('false'),
  'open.yaml': policy('!object.description.contains("secret")'),
});
const { run, write } = place;

interface Stacks {
  readonly stacks: readonly {
    readonly name: string;
    readonly plan: { readonly refusals: readonly Said[]; readonly diagnostics: readonly Said[] };
  }[];
}
interface Said {
  readonly message: string;
}

/** What each stack of the fleet is refused for. */
async function refusals(...args: string[]): Promise<Record<string, readonly string[]>> {
  const { stdout } = await run('fleet', 'plan', '--format', 'json', '--policy', 'never.yaml', ...args);
  const { stacks } = JSON.parse(stdout) as Stacks;
  return Object.fromEntries(stacks.map(({ name, plan }) => [name, plan.refusals.map(({ message }) => message).sort()]));
}

async function post(path: string, body: object): Promise<string> {
  const { url, apiKey } = place.emulator;
  const headers = { authorization: `Bearer ${apiKey}`, 'service-version': '2', 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { readonly id: string }).id;
}

/** The id of the edge of a stack. */
function edge(stack: string): string {
  const found = place.emulator.objects('https_edges').find((one) => String(one['hostports']) === `${stack}.test:443`);
  return String(found?.['id']);
}

const own = (stack: string) => `https_edges.web: of ${stack}`;

beforeEach(async () => {
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
});

test('what a stack that no entry names has, and what nobody has, is judged once', async () => {
  expect((await run('apply', '--auto-approve', '-f', 'outside.yaml')).code).toBe(0);
  const stray = await post('/edges/https', { hostports: ['stray.test:443'] });
  const rest = [`${edge('outside')}: of outside`, `${stray}: of `].sort();
  expect(await refusals()).toEqual({ a: [...rest, own('a')].sort(), b: [own('b')], c: [own('c')] });
  const { stdout } = await run('plan', '-f', 'b.yaml', '--format', 'json', '--policy', 'never.yaml');
  expect((JSON.parse(stdout) as Stacks['stacks'][0]['plan']).refusals).toHaveLength(5);
});

test('a run of some of the stacks judges the others as what it has nothing to do with', async () => {
  const foreign = ['a', 'c'].map((name) => `${edge(name)}: of ${name}`).sort();
  expect(await refusals('--only', 'b')).toEqual({ b: [...foreign, own('b')].sort() });
  const [first = ''] = foreign.filter((one) => one.endsWith('a'));
  expect(await refusals('--except', 'a')).toEqual({ b: [first, own('b')].sort(), c: [own('c')] });
});

test('what somebody added to an edge is judged with the edge, and goes with it', async () => {
  const route = await post(`/edges/https/${edge('b')}/routes`, {
    edge_id: edge('b'),
    match_type: 'path_prefix',
    match: '/x',
  });
  expect(await refusals()).toEqual({ a: [own('a')], b: [own('b'), `${route}: of `].sort(), c: [own('c')] });
});

test('what a stack of the run takes is judged by that one', async () => {
  expect((await run('apply', '--auto-approve', '-f', 'outside.yaml')).code).toBe(0);
  const stray = await post('/edges/https', { hostports: ['stray.test:443'] });
  const moved = 'moved: [{ from: { stack: outside, address: https_edges.web }, to: https_edges.moved }]\n';
  const blocks = `moved: { hostports: ["outside.test:443"] }, stray: { hostports: ["stray.test:443"], lifecycle: { adopt: ${stray} } } }\n`;
  write(edgeOf('c').replace(' }\n', `, ${blocks}`) + moved, 'c.yaml');
  expect(await refusals()).toEqual({ a: [own('a')], b: [own('b')], c: [own('c')] });
});

test('a sensitive value of another stack is a warning, and one of the stack a refusal', async () => {
  const { env } = place;
  place.env = { ...env, EDGEFORM_VAR_d: 'hidden' };
  const variables = 'variables: { d: { sensitive: true } }\n';
  write(edgeOf('outside', ', description: "${var.d}"') + variables, 'outside.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'outside.yaml')).code).toBe(0);
  const undecided = `${edge('outside')}: policy p cannot be decided before apply`;
  for (const args of [
    ['plan', '-f', 'a.yaml'],
    ['fleet', 'plan'],
    ['fleet', 'plan', '--only', 'c'],
  ]) {
    const { code, stdout, stderr } = await run(...args, '--policy', 'open.yaml');
    expect([code, `${stdout}${stderr}`.split(undecided).length]).toEqual([0, 2]);
  }
  expect(await run('plan', '-f', 'outside.yaml', '--policy', 'open.yaml')).toMatchObject({ code: 5 });
});
