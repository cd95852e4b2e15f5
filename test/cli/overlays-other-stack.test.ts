// What a manifest takes from another stack goes to its own stack: an environment does not inherit it.

import { describe, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const objects = (host: string) => `reserved_addrs: { db: { region: eu, description: data } }
https_edges: { site: { hostports: ["${host}:443"] } }
`;
const manifest = (stack: string) => `version: 1\nstack: ${stack}\n${objects('shop.example.com')}`;
const TAKE = '{ from: { stack: legacy } }';
const TAKE_ONE = '{ from: { stack: legacy, address: reserved_addrs.db }, to: reserved_addrs.db }';
const RENAME = '{ from: reserved_addrs.old, to: reserved_addrs.db }';
const STAGING = 'stack: shop-staging\nhttps_edges: { site: { hostports: ["staging.example.com:443"] } }\n';
const FLEET = `version: 1
stacks:
  - { name: shop, path: base.yaml }
  - { name: staging, path: base.yaml, overlays: [staging.yaml] }
`;
const place = usePlace({
  'legacy.yaml': manifest('legacy'),
  'base.yaml': `${manifest('shop')}moved: [${TAKE}]\n`,
  'staging.yaml': STAGING,
  'edgeform.fleet.yaml': FLEET,
});
const { run, write } = place;
const BASE = ['-f', 'base.yaml'];
const OVERLAID = [...BASE, '--overlay', 'staging.yaml'];
const hostports = () => place.emulator.objects('https_edges').map((edge) => String(edge['hostports']));
const rendered = async () => (await run('render', ...OVERLAID)).stdout;

describe('at a service that has the objects of the old name', () => {
  test('staging makes its own, and production takes what was renamed', async () => {
    expect((await run('apply', '-f', 'legacy.yaml', '--auto-approve')).code).toBe(0);
    expect((await run('validate', ...OVERLAID)).code).toBe(0);
    expect((await run('apply', ...OVERLAID, '--auto-approve')).stdout).toContain('2 to create, 0 to update');
    expect(hostports().sort()).toEqual(['shop.example.com:443', 'staging.example.com:443']);
    expect((await run('drift', ...OVERLAID)).code).toBe(0);
    expect((await run('plan', ...BASE)).stdout).toContain('2 to adopt');
  });

  test('and is not told that one of them was renamed, neither the base nor what that takes from', async () => {
    expect((await run('apply', '-f', 'legacy.yaml', '--auto-approve')).code).toBe(0);
    expect((await run('plan', ...OVERLAID)).stdout).not.toContain('stack-renamed');
    expect((await run('apply', ...BASE, '--auto-approve')).code).toBe(0);
    expect((await run('plan', ...OVERLAID)).stdout).not.toContain('stack-renamed');
    // Another stack is told as ever.
    write(manifest('other'), 'other.yaml');
    expect((await run('plan', '-f', 'other.yaml')).stdout).toContain('stack-renamed');
  });

  test('in a fleet, too, whichever entries run', async () => {
    await run('apply', '-f', 'legacy.yaml', '--auto-approve');
    expect((await run('fleet', 'plan', '--only', 'staging')).stdout).toContain('2 to create');
    const applied = await run('fleet', 'apply', '--auto-approve');
    expect(applied.stderr).not.toContain('bad-move');
    expect(applied.code).toBe(0);
    expect(hostports().sort()).toEqual(['shop.example.com:443', 'staging.example.com:443']);
    expect((await run('fleet', 'plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('an overlay that means the entry writes it itself', async () => {
    await run('apply', '-f', 'legacy.yaml', '--auto-approve');
    for (const own of [`moved: [${TAKE}]\n`, `add: { moved: [${TAKE}] }\n`]) {
      write(`${STAGING}${own}`, 'staging.yaml');
      expect((await run('plan', ...OVERLAID)).stdout).toContain('2 to adopt');
    }
  });
});

describe('the plain manifest', () => {
  test('lacks what the base takes, a whole stack or one object, and keeps its renames', async () => {
    write(`${manifest('shop')}moved: [${TAKE_ONE}, ${RENAME}]\n`, 'base.yaml');
    expect(await rendered()).not.toContain('legacy');
    expect(await rendered()).toContain('reserved_addrs.old');
  });

  test('a problem of an entry that stays is told where it stands', async () => {
    write(`${manifest('shop')}moved:\n  - ${TAKE}\n  - { from: nowhere.at, to: reserved_addrs.db }\n`, 'base.yaml');
    const { code, stderr } = await run('validate', ...OVERLAID);
    expect(code).toBe(4);
    expect(stderr).toContain('base.yaml:7');
  });

  test('lacks it also if the stack is named under `add`, or last', async () => {
    write(`${objects('shop.example.com')}version: 1\nmoved: [${TAKE}]\n`, 'base.yaml');
    write('add: { stack: shop-staging }\n', 'staging.yaml');
    expect(await rendered()).not.toContain('legacy');
    write('stack: shop\n', 'staging.yaml');
    expect(await rendered()).not.toContain('legacy');
  });

  test('keeps it if the overlays name the stack of the base in the end', async () => {
    write('stack: shop\n', 'staging.yaml');
    expect(await rendered()).toContain('legacy');
    write(STAGING, 'other.yaml');
    expect((await run('render', ...BASE, '--overlay', 'other.yaml', '--overlay', 'staging.yaml')).stdout).toContain(
      'legacy',
    );
    expect((await run('render', ...OVERLAID, '--overlay', 'other.yaml')).stdout).not.toContain('legacy');
  });

  test('keeps it if a variable tells the stacks apart', async () => {
    const stack = '"shop-${var.env}"\nvariables: { env: {} }';
    write(`${manifest(stack)}moved: [{ from: { stack: "legacy-\${var.env}" } }]\n`, 'base.yaml');
    write('https_edges: { site: { hostports: ["staging.example.com:443"] } }\n', 'staging.yaml');
    expect(await rendered()).toContain('legacy-${var.env}');
  });

  test('has an empty list, which an overlay may drop', async () => {
    expect(await rendered()).toContain('moved: []');
    write(`${STAGING}without: [moved]\n`, 'staging.yaml');
    expect((await run('validate', ...OVERLAID)).code).toBe(0);
  });
});
