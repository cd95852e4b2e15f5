// fleet drift --accept: one patch of the manifests of all stacks, and what several stacks read left out.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const stack = (name: string, description = 'one', more = '') => `version: 1
stack: ${name}
${more}failover_backends:
  app: { description: ${description}, backends: [bkdhr_1] } # ${name}
`;
const FILES = {
  'edgeform.fleet.yaml': `version: 1
stacks:
  - { name: shop, path: stacks/shop.yaml }
  - { name: blog, path: stacks/blog }
  - { name: eu, path: shared.yaml, variables: { region: eu } }
  - { name: us, path: shared.yaml, variables: { region: us } }
`,
  'stacks/shop.yaml': stack('shop'),
  'stacks/blog/edgeform.yaml': stack('blog'),
  'shared.yaml': stack('web-${var.region}', 'one', 'variables: { region: {} }\n'),
};
const place = usePlace(FILES);
const { run } = place;
const read = (name: string) => readFileSync(join(place.cwd, name), 'utf8');
const edit = (owner: string, change: JsonObject) => {
  const found = place.emulator
    .objects('backends')
    .find(({ metadata }) => String(metadata).includes(`"stack":"${owner}"`));
  place.emulator.mutate('backends', String(found?.['id']), change);
};

beforeEach(async () => {
  for (const [name, text] of Object.entries(FILES)) place.write(text, name);
  const { code, stderr } = await run('fleet', 'apply', '--auto-approve');
  expect(code, stderr).toBe(0);
  place.emulator.requests.length = 0;
});

test('all drift of all stacks is one patch, which git takes; nothing is written to the service', async () => {
  edit('shop', { description: 'by hand' });
  edit('blog', { backends: ['bkdhr_2'] });
  const { code, stdout, stderr } = await run('fleet', 'drift', '--accept', 'all');
  expect([code, stderr]).toEqual([0, '2 changes accepted, for 2 files.\n']);
  expect(stdout.match(/^\+\+\+ .*$/gm)).toEqual(['+++ b/stacks/shop.yaml', '+++ b/stacks/blog/edgeform.yaml']);
  expect(place.emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const applied = spawnSync('git', ['apply'], { cwd: place.cwd, input: stdout, encoding: 'utf8' });
  expect(applied).toMatchObject({ status: 0, stderr: '' });
  expect(read('stacks/shop.yaml')).toBe(stack('shop', 'by hand'));
  expect((await run('fleet', 'drift')).code).toBe(0);
  expect((await run('fleet', 'drift', '--accept', 'all')).stderr).toBe('Nothing of this drifted.\n');
});

test('--write changes the files', async () => {
  edit('shop', { description: 'by hand' });
  expect(await run('fleet', 'drift', '--accept', 'all', '--write')).toMatchObject({
    code: 0,
    stdout: 'stacks/shop.yaml\n',
  });
  expect(read('stacks/shop.yaml')).toBe(stack('shop', 'by hand'));
});

test('a file that several stacks read is left alone, and named', async () => {
  edit('web-eu', { description: 'by hand' });
  edit('shop', { description: 'by hand' });
  const { code, stdout, stderr } = await run('fleet', 'drift', '--accept', 'all');
  expect([code, stdout.match(/^\+\+\+ /gm)?.length]).toEqual([2, 1]);
  expect(stderr).toMatch(
    /stands in a file that other stacks of the fleet\s+read,\s+too[\s\S]*--> shared\.yaml:\d+:\d+/,
  );
  expect(stderr).toMatch(/the entry eu\n *--> edgeform\.fleet\.yaml:5:\d+/);
  expect(stderr).toContain('1 change accepted, for 1 file; 1 left out.');
  // Also where the other one is not selected.
  expect((await run('fleet', 'drift', '--accept', 'all', '--only', 'eu')).code).toBe(2);
});

test('JSON has the document of each stack', async () => {
  edit('shop', { description: 'by hand' });
  edit('web-us', { description: 'by hand' });
  const { code, stdout } = await run('fleet', 'drift', '--accept', 'all', '--format', 'json');
  const { stacks, ...rest } = JSON.parse(stdout) as { stacks: { name: string; accept?: object }[] };
  expect([code, rest]).toMatchObject([2, { format: 'edgeform-fleet/1', command: 'drift', exit_code: 2 }]);
  expect(stacks).toMatchObject([
    {
      name: 'shop',
      exit_code: 0,
      result: 'ok',
      accept: { format: 'edgeform-accept/1', left_out: [], files: [{ path: 'stacks/shop.yaml' }] },
    },
    { name: 'blog', exit_code: 0, accept: { accepted: [], files: [] } },
    { name: 'eu', exit_code: 0, accept: { accepted: [], left_out: [] } },
    {
      name: 'us',
      exit_code: 2,
      result: 'pending',
      accept: { left_out: [{ reason: 'other-stacks', source: expect.stringMatching(/^shared\.yaml:/) }], files: [] },
    },
  ]);
});

test('one stack takes an address; several take all', async () => {
  edit('shop', { description: 'by hand' });
  const address = 'failover_backends.app.description';
  expect((await run('fleet', 'drift', '--accept', address, '--only', 'shop')).stdout).toContain(
    '+++ b/stacks/shop.yaml',
  );
  const { code, stderr } = await run('fleet', 'drift', '--accept', address);
  expect([code, stderr]).toEqual([64, expect.stringContaining('--only NAME')]);
  expect((await run('fleet', 'drift', '--write')).code).toBe(64);
  expect((await run('fleet', 'drift', '--accept', 'all', '--format', 'markdown')).code).toBe(64);
});

test('a file that is the overlay of another stack is left alone, too', async () => {
  place.write('version: 1\nstack: shop\n', 'stacks/shop.yaml');
  place.write('failover_backends:\n  app: { description: one, backends: [bkdhr_1] }\n', 'common.yaml');
  place.write('stack: blog\n', 'name.yaml');
  const entries = [
    '{ name: shop, path: [stacks/shop.yaml, common.yaml] }',
    '{ name: blog, path: stacks/blog, overlays: [common.yaml, name.yaml] }',
  ];
  place.write(`version: 1\nstacks:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`, 'edgeform.fleet.yaml');
  const applied = await run('fleet', 'apply', '--auto-approve', '--allow-deletes', 'all');
  expect(applied.code, applied.stderr).toBe(0);
  edit('shop', { description: 'by hand' });
  const before = read('common.yaml');
  const { code, stderr } = await run('fleet', 'drift', '--accept', 'all', '--write');
  expect([code, read('common.yaml')], stderr).toEqual([2, before]);
  expect(stderr).toContain('other stacks of the fleet');
});

test('what several stacks read stays, and the overlay of one takes its value', async () => {
  const entries = ['eu', 'us'].map((region) => `{ name: ${region}, path: shared.yaml, overlays: [${region}.yaml] }`);
  place.write(`version: 1\nstacks:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`, 'edgeform.fleet.yaml');
  for (const region of ['eu', 'us']) place.write(`variables: { region: { default: ${region} } }\n`, `${region}.yaml`);
  edit('web-eu', { description: 'by hand' });
  const { code, stdout, stderr } = await run('fleet', 'drift', '--accept', 'all', '--write');
  expect([code, stdout], stderr).toEqual([0, 'eu.yaml\n']);
  expect([read('shared.yaml'), read('us.yaml')]).toEqual([
    FILES['shared.yaml'],
    'variables: { region: { default: us } }\n',
  ]);
  expect((await run('fleet', 'drift')).code).toBe(0);
});

test('a stack that cannot be compared is named by its entry', async () => {
  place.write(
    `${stack('shop', 'one')}imports: { x: { stack: nobody, address: reserved_addrs.x } }\n`,
    'stacks/shop.yaml',
  );
  const { code, stderr } = await run('fleet', 'drift', '--accept', 'all');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/the entry shop\n *--> edgeform\.fleet\.yaml:\d+:\d+/);
  expect(stderr).not.toContain('Nothing of this drifted');
});

test('the block of a deleted object that another stack imports stays', async () => {
  place.write('version: 1\nstack: net\nreserved_addrs: { db: {}, free: {} }\n', 'net.yaml');
  place.write(
    `${stack('shop', 'one')}imports: { db: { stack: net, address: reserved_addrs.db } }\n`,
    'stacks/shop.yaml',
  );
  const entries = ['{ name: net, path: net.yaml }', '{ name: shop, path: stacks/shop.yaml }'];
  place.write(`version: 1\nstacks:\n${entries.map((entry) => `  - ${entry}\n`).join('')}`, 'edgeform.fleet.yaml');
  const applied = await run('fleet', 'apply', '--auto-approve');
  expect(applied.code, applied.stderr).toBe(0);
  const gone = place.emulator.objects('reserved_addrs').filter(({ metadata }) => String(metadata).includes('.db'));
  for (const { id } of gone) place.emulator.remove('reserved_addrs', String(id));
  const { code, stderr } = await run('fleet', 'drift', '--accept', 'all', '--write', '--only', 'net');
  expect([code, read('net.yaml')], stderr).toEqual([
    2,
    'version: 1\nstack: net\nreserved_addrs: { db: {}, free: {} }\n',
  ]);
  expect(stderr).toContain('something still refers to it');
});
