// A stack whose name holds a variable without a value: unknown is not none, and it is not another stack either.

import { beforeEach, describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: "shop-\${var.env}"
variables: { env: {}, text: { default: x } }
tls_edges: { a: { description: "\${var.text}" } }
`;
const FLEET = `version: 1
stacks:
  - { name: here, path: edgeform.yaml }
  - { name: prod, path: edgeform.yaml, variables: { env: prod } }
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST });
const { run } = place;

beforeEach(async () => {
  expect((await run('apply', '--var', 'env=staging', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
});

/** The exit code, how many requests were sent, and the codes of the problems. */
async function refusal(...args: string[]) {
  const { code, stdout, stderr } = await run(...args);
  const codes = [...`${stdout}${stderr}`.matchAll(/^error:[^[]*\[([a-z-]+)\]/gm)].map(([, one]) => one);
  return [code, place.emulator.requests.length, ...codes];
}

describe('nothing is read from the service while the name of the stack is not known', () => {
  test.each([
    ['stacks --orphans'],
    ['stacks --orphans -f edgeform.yaml'],
    ['stacks --orphans --var text=y'],
    ['history'],
    ['history tls_edges.a'],
    ['output'],
    ['output tls_edges.a.id'],
    ['eval tls_edges.a.id'],
    ['drift'],
    ['destroy --auto-approve'],
  ])('%s', async (line) => {
    expect(await refusal(...line.split(' '))).toEqual([4, 0, 'unset-variable']);
  });

  test.each([
    ['stacks --orphans'],
    ['stacks --orphans --fleet edgeform.fleet.yaml'],
    ['fleet drift'],
    ['fleet drift --only prod'],
    ['fleet plan --only prod'],
    ['fleet apply --only prod --auto-approve'],
    ['fleet destroy --only prod --auto-approve'],
  ])('%s, beside a fleet file', async (line) => {
    place.write(FLEET, 'edgeform.fleet.yaml');
    expect(await refusal(...line.split(' '))).toEqual([4, 0, 'unset-variable']);
  });
});

test('only the values in the name are needed', async () => {
  place.write(MANIFEST.replace('{ default: x }', '{}'));
  const orphans = await run('stacks', '--orphans', '--var', 'env=staging');
  expect([orphans.code, orphans.stdout]).toEqual([0, '']);
  expect((await run('stacks', '--orphans', '--var', 'env=other')).stdout).toContain('shop-staging');
  expect((await run('history', '--var', 'env=staging')).stdout).toContain('apply');
});

test('what names no stack needs no manifest', async () => {
  expect((await run('stacks')).stdout).toContain('shop-staging');
  expect((await run('history', '--stack', 'shop-staging')).stdout).toContain('apply');
});

test('two stacks whose names are not known are not one stack, and no command calls them by the text', async () => {
  place.write(FLEET.replace('stacks:', 'stacks:\n  - { name: there, path: edgeform.yaml }'), 'edgeform.fleet.yaml');
  expect(await refusal('fleet', 'validate')).toEqual([0, 0]);
  const { stdout } = await run('fleet', 'list', '--format', 'json');
  const { stacks } = JSON.parse(stdout) as { stacks: { name: string; stack: string | null }[] };
  expect(stacks.map(({ name, stack }) => [name, stack])).toEqual([
    ['there', null],
    ['here', null],
    ['prod', 'shop-prod'],
  ]);
  expect((await run('fleet', 'list')).stdout).toContain('here   its stack is not known without values of variables');
});
