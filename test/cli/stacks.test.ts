// Which stacks own objects of a service, what can be done about one without its manifest, and the name that a manifest must have.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { run as runWith } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const manifest = (stack: string) => `version: 1
stack: ${stack}
tls_edges: { a: {}, b: {} }
reserved_addrs: { x: { description: "of ${stack}" } }
`;

const place = usePlace({}, { EDGEFORM_COMMIT: '0123456789abcdef0123456789abcdef01234567', EDGEFORM_ACTOR: 'maria' });
const { run } = place;

beforeEach(async () => {
  for (const stack of ['shop', 'old']) {
    place.write(manifest(stack), `${stack}.yaml`);
    expect((await run('apply', '-f', `${stack}.yaml`, '--auto-approve')).code).toBe(0);
  }
});

const stacks = async (...more: string[]) => {
  const { stdout, stderr, code } = await run('stacks', '--format', 'json', ...more);
  expect(code, stderr + stdout).toBe(0);
  return (JSON.parse(stdout) as { stacks: JsonObject[] }).stacks;
};
const names = async (...more: string[]) => (await stacks(...more)).map(({ stack }) => stack);

test('stacks lists them with their objects by kind, their commits and the last run that is on record', async () => {
  expect(await stacks()).toMatchObject([
    {
      stack: 'old',
      objects: { reserved_addr: 1, tls_edge: 2 },
      commits: [{ commit: '0123456789ab', objects: 3 }],
      last_run: { command: 'apply', actor: 'maria', exit_code: 0 },
    },
    { stack: 'shop' },
  ]);
  const { stdout } = await run('stacks');
  expect(stdout).toMatch(/^STACK +OBJECTS +KINDS +COMMITS +LAST RUN \(UTC\) +BY$/m);
  expect(stdout).toMatch(/^old +3 +reserved_addr 1, tls_edge 2 +0123456789ab +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +maria$/m);
});

test('orphans are those that neither the manifest nor the fleet names', async () => {
  expect(await names('--orphans', '-f', 'shop.yaml')).toEqual(['old']);
  place.write(
    'version: 1\nstacks:\n  - { name: one, path: shop.yaml }\n  - { name: two, path: old.yaml, base_url_env: OTHER_URL, api_key_env: OTHER_KEY }\n',
    'edgeform.fleet.yaml',
  );
  place.env['EDGEFORM_FLEET_CREDENTIALS'] = 'OTHER_URL,OTHER_KEY';
  // Where an entry is cannot be known: it may be here.
  expect(await names('--orphans')).toEqual([]);
  place.env['OTHER_URL'] = 'https://other.test';
  expect(await names('--orphans')).toEqual(['old']);
  expect(await names('--orphans', '--fleet', 'edgeform.fleet.yaml')).toEqual(['old']);
});

test('a fleet with a mistake names no orphans, and files mean nothing without --orphans', async () => {
  place.write('version: 1\nstacks:\n  - { name: one, path: none.yaml }\n', 'edgeform.fleet.yaml');
  expect((await run('stacks', '--orphans')).code).toBe(4);
  expect((await run('stacks', '-f', 'shop.yaml')).code).toBe(64);
  expect((await run('stacks', '--orphans', '-f', 'shop.yaml', '--fleet', 'edgeform.fleet.yaml')).code).toBe(64);
});

test('an object with a marker that cannot be read is named, because its stack is not known', async () => {
  const id = String(place.emulator.objects('tls_edges')[0]?.['id']);
  place.emulator.mutate('tls_edges', id, { metadata: 'edgeform/v1 {broken' });
  const { stderr } = await run('stacks');
  expect(stderr).toContain(`tls_edge ${id} is not counted: its ownership marker is damaged`);
});

describe('a stack of which there is no manifest here', () => {
  beforeEach(() => {
    rmSync(join(place.cwd, 'old.yaml'));
    place.write(manifest('shop'));
  });

  const onTerminal = (answer: string, ...args: string[]) => runWith(args, { ...place, answer });

  test('is destroyed after its plan was shown and its name was typed', async () => {
    const no = await onTerminal('yes', 'destroy', '--stack', 'old');
    expect([no.code, place.emulator.objects('tls_edges').length]).toEqual([5, 4]);
    expect(no.stderr).toContain('only "old" is consent');
    const yes = await onTerminal('old', 'destroy', '--stack', 'old');
    expect(yes.asked[0]).toContain('Enter "old" to continue');
    expect([yes.code, place.emulator.objects('tls_edges').length]).toEqual([0, 2]);
    expect(yes.stdout).toContain('3 to delete');
    expect(await names()).toEqual(['shop']);
  });

  test('is not destroyed without a question, and a name that owns nothing destroys nothing', async () => {
    expect((await run('destroy', '--stack', 'old')).code).toBe(5);
    const { code, stdout } = await run('destroy', '--stack', 'odl', '--auto-approve');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing to destroy: stack odl owns no objects')]);
    expect(stdout).toContain('; did you mean "old"?');
    const far = await run('destroy', '--stack', 'billing', '--auto-approve');
    expect([far.code, far.stdout]).toEqual([0, expect.stringContaining('; 2 stacks own objects there: old, shop.')]);
    expect(place.emulator.objects('tls_edges')).toHaveLength(4);
  });

  test('keeps what prevent_destroy protects', async () => {
    place.write(manifest('kept').replace('a: {}', 'a: { lifecycle: { prevent_destroy: true } }'), 'kept.yaml');
    await run('apply', '-f', 'kept.yaml', '--auto-approve');
    expect((await run('destroy', '--stack', 'kept', '--auto-approve')).code).toBe(5);
  });

  test('is exported', async () => {
    const { stdout, code } = await run('export', '--stack', 'old');
    expect([code, stdout]).toEqual([0, expect.stringContaining('stack: old')]);
  });

  test('takes no value of a variable', async () => {
    expect((await run('destroy', '--stack', 'old', '--var', 'x=1')).code).toBe(4);
  });
});

test('--stack is the name that the manifest must have', async () => {
  for (const command of ['plan', 'apply', 'drift', 'destroy']) {
    const { code, stderr } = await run(command, '-f', 'shop.yaml', '--stack', 'old');
    expect(code, command).toBe(4);
    expect(stderr).toContain('stack-mismatch');
    expect(stderr).toContain('shop.yaml:2:8');
  }
  for (const command of ['plan', 'drift'])
    expect((await run(command, '-f', 'shop.yaml', '--stack', 'shop')).code, command).toBe(0);
  expect((await run('plan', '-f', 'shop.yaml', '--stack', 'Shop')).code).toBe(64);
});
