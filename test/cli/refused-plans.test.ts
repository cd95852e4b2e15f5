// A plan that apply would not carry out ends as apply would: 5 where a safety rule refuses it. It is printed and saved all the same.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const stack = (region: string, name = 'shop') => `version: 1
stack: ${name}
reserved_addrs: { db: { region: ${region} } }
`;

const FLEET = `version: 1
stacks: [{ name: shop, path: edgeform.yaml }, { name: blog, path: blog.yaml }]
`;

const place = usePlace({
  'edgeform.yaml': stack('eu'),
  'blog.yaml': stack('eu', 'blog'),
  'edgeform.fleet.yaml': FLEET,
});
const { run, write } = place;
const documentOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as JsonObject;

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  // Another region is another address, which is not to be had again.
  write(stack('us'));
});

describe('plan', () => {
  test.each([[[]], [['--detailed-exitcode']], [['--format', 'json']]])('%j ends with 5, and says all', async (more) => {
    const { code, stdout } = await run('plan', ...more);
    expect([code, stdout]).toEqual([5, expect.stringContaining('reserved_addrs.db')]);
    expect(stdout).toContain('irreplaceable');
  });

  test('saves it, and `show` ends with 5 as well', async () => {
    expect((await run('plan', '--out', 'p.json')).code).toBe(5);
    for (const format of ['text', 'json', 'markdown']) {
      const { code, stdout } = await run('show', 'p.json', '--format', format);
      expect([code, stdout]).toEqual([5, expect.stringContaining('reserved')]);
    }
  });

  test('ends with 0 or 2 once the loss is allowed, and is then carried out', async () => {
    const { refusals } = documentOf(await run('plan', '--format', 'json')) as { readonly refusals: JsonObject[] };
    const flag = String(refusals[0]?.['flag']).split(' ');
    expect((await run('plan', ...flag)).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode', ...flag, '--out', 'p.json')).code).toBe(2);
    expect((await run('show', 'p.json')).code).toBe(0);
    expect((await run('apply', 'p.json', '--auto-approve')).code).toBe(0);
  });

  test('ends with 1 where it has errors as well', async () => {
    write(`version: 1
stack: shop
reserved_addrs: { db: { region: us }, twin: { lifecycle: { adopt: ra_2none } } }
`);
    expect((await run('plan')).code).toBe(1);
  });
});

describe('a plan of which all that is left is blocked', () => {
  const edge = (routes: string) => `${stack('eu')}https_edges: { e: { routes: { ${routes} } } }\n`;
  const ROUTE = 'r: { match_type: path_prefix, match: / }';

  beforeEach(async () => {
    write(edge(''));
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    place.env['EDGEFORM_CAPABILITIES'] = '-routes';
    write(edge(ROUTE));
  });

  test.each([
    ['plan'],
    ['plan --detailed-exitcode'],
    ['apply --auto-approve'],
    ['fleet plan --only shop'],
    ['fleet apply --only shop --auto-approve'],
  ])('%s ends with 1', async (line) => {
    const { code, stdout } = await run(...line.split(' '));
    expect([code, stdout]).toEqual([1, expect.stringContaining('blocked')]);
  });

  test('is an error of what is left only: with steps beside it, they are done', async () => {
    write(edge(ROUTE).replace('{ db:', '{ more: {}, db:'));
    expect((await run('plan')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
    expect((await run('apply', '--auto-approve')).code).toBe(3);
  });
});

describe('fleet plan', () => {
  test.each([[[]], [['--detailed-exitcode']]])('%j ends with 5 when one stack is refused', async (more) => {
    const ran = await run('fleet', 'plan', '--format', 'json', '--out', 'plans', ...more);
    const { exit_code: code, stacks } = documentOf(ran) as {
      readonly exit_code: number;
      readonly stacks: JsonObject[];
    };
    expect([ran.code, code]).toEqual([5, 5]);
    expect(stacks.map((one) => `${String(one['name'])} ${String(one['result'])} ${String(one['exit_code'])}`)).toEqual([
      'shop refused 5',
      `blog pending ${more.length === 0 ? 0 : 2}`,
    ]);
    for (const name of ['shop', 'blog']) expect(existsSync(join(place.cwd, 'plans', `${name}.plan.json`))).toBe(true);
    expect(readFileSync(join(place.cwd, 'plans', 'shop.plan.json'), 'utf8')).toContain('irreplaceable');
  });
});

test('drift says what apply would refuse, and keeps its own exit codes', async () => {
  expect((await run('drift')).code).toBe(0);
});
