// --overlay: every command that reads a manifest sees the plain one; an overlay is read like a file of the manifest; a saved plan
// is for the overlays that it was made with.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { loadManifest, readManifestFiles } from '../../src/index.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop
reserved_addrs:
  db: { description: plain }
  old: {}
`;
const PROD = `stack: shop
without: [reserved_addrs.old]
reserved_addrs:
  db: { description: "\${file:note.txt}" }
add:
  variables: { level: { default: high } }
  reserved_addrs:
    more: { description: "\${var.level}" }
  outputs: { id: "\${reserved_addrs.more.id}" }
`;
const place = usePlace({ 'edgeform.yaml': MANIFEST, 'prod.yaml': PROD, 'note.txt': 'noted' });
const { run } = place;
const OVERLAY = ['--overlay', 'prod.yaml'];
const descriptions = () => place.emulator.objects('reserved_addrs').map((one) => one['description']);

test('validate, plan, apply, drift, output, eval, graph and destroy see the manifest with the overlay', async () => {
  expect((await run('validate', ...OVERLAY)).stdout).toContain('is valid: 2 resources');
  expect((await run('plan', ...OVERLAY)).stdout).toContain('2 to create');
  expect((await run('apply', '--auto-approve', ...OVERLAY)).code).toBe(0);
  expect(descriptions().sort()).toEqual(['high', 'noted']);
  expect((await run('plan', '--detailed-exitcode', ...OVERLAY)).code).toBe(0);
  expect((await run('drift', ...OVERLAY)).code).toBe(0);
  expect((await run('output', 'id', ...OVERLAY)).stdout).toMatch(/^ra_\w+\n$/);
  expect((await run('eval', 'var.level', ...OVERLAY)).stdout).toBe('high\n');
  expect((await run('graph', ...OVERLAY)).stdout).toContain('reserved_addrs.more');
  expect((await run('plan')).stdout).toContain('reserved_addrs.old');
  expect((await run('destroy', '--auto-approve', ...OVERLAY)).code).toBe(0);
  expect(descriptions()).toEqual([]);
});

test('of several overlays, the later one lies on top', async () => {
  place.write('reserved_addrs: { db: { description: last } }\n', 'last.yaml');
  const last = ['--overlay', 'last.yaml'];
  expect((await run('render', ...OVERLAY, ...last)).stdout).toContain('description: last');
  expect((await run('render', ...last, ...OVERLAY)).stdout).toContain('description: "${file:note.txt}"');
});

test('what is evaluated is no part of what an overlay drops', async () => {
  place.write(PROD.replace('without: [', 'without: [outputs, '), 'prod.yaml');
  place.write(`${MANIFEST}outputs: { o: x }\n`);
  expect((await run('eval', 'x-${var.level}', ...OVERLAY)).stdout).toBe('x-high\n');
});

test('an overlay that releases one object takes no other release away', async () => {
  await run('apply', '--auto-approve');
  const [db, old] = ['reserved_addrs.db', 'reserved_addrs.old'];
  place.write(`version: 1\nstack: shop\nremoved: [{ from: ${old}, destroy: false }]\n`);
  place.write(`stack: shop\nremoved: [{ from: ${db}, destroy: false }]\n`, 'prod.yaml');
  const { stdout } = await run('plan', '--format', 'json', ...OVERLAY);
  const { steps } = JSON.parse(stdout) as { readonly steps: readonly JsonObject[] };
  expect(steps.map(({ address, action }) => `${String(action)} ${String(address)}`).sort()).toEqual([
    `release ${db}`,
    `release ${old}`,
  ]);
});

test('a saved plan is stale without its overlay, and when that has changed', async () => {
  const { stderr } = await run('plan', '--out', 'p.json', ...OVERLAY);
  expect(stderr).toContain('edgeform apply p.json --overlay prod.yaml');
  const apply = (...more: string[]) => run('apply', 'p.json', '--auto-approve', ...more);
  expect((await apply()).code).toBe(6);
  place.write(PROD.replace('high', 'low'), 'prod.yaml');
  expect((await apply(...OVERLAY)).code).toBe(6);
  expect(place.writes()).toEqual([]);
  place.write(`# The same values.\n${PROD}`, 'prod.yaml');
  expect((await apply(...OVERLAY)).code).toBe(0);
  expect(descriptions().sort()).toEqual(['high', 'noted']);
});

test.each([
  ['one that is not there', 'none.yaml', /"none\.yaml" does not exist/],
  ['a folder', 'folder', /"folder" is not a regular file/],
  ['one that cannot be parsed', 'broken.yaml', /broken\.yaml:1:\d+/],
  ['one with an unknown key', 'unknown.yaml', /unknown\.yaml:1:1[\s\S]*unknown_key/],
])('%s is an error, and nothing is asked of the service', async (_, name, words) => {
  mkdirSync(join(place.cwd, 'folder'));
  place.write('a: [1\n', 'broken.yaml');
  place.write('unknown_key: 1\nstack: shop\n', 'unknown.yaml');
  place.write(`${MANIFEST}  bad: { descriptio: x }\n`);
  const ran = await run('plan', '--overlay', name);
  expect([ran.code, ran.stdout]).toEqual([4, '']);
  expect(ran.stderr).toMatch(words);
  // What else is wrong is said, too.
  expect(ran.stderr).toContain('descriptio');
  expect(place.emulator.requests).toEqual([]);
});

test.each([
  ['whole', 'stack: shop\nvariables: { pw: { sensitive: true } }\n'],
  ['broken', 'stack: shop\nvariables: { pw: { sensitive: true }\n'],
])(
  'a default is not quoted where another layer may say that it is a secret: an overlay that is %s',
  async (_, text) => {
    place.write(`${MANIFEST}variables:\n  pw: { default: hunter2-hunter2, unknown: 1 }\n`);
    place.write(text, 'layer.yaml');
    const { code, stdout, stderr } = await run('validate', '--overlay', 'layer.yaml');
    expect(code).toBe(4);
    expect(stdout + stderr).toContain('pw: {');
    expect(stdout + stderr).not.toContain('hunter2');
  },
);

test('an overlay may come from a pipe or lie behind a link that is named', async () => {
  const piped = await runIn(['render', '--overlay', '-'], { ...place, stdin: PROD });
  expect(piped.stdout).toBe((await run('render', ...OVERLAY)).stdout);
  symlinkSync(join(place.cwd, 'prod.yaml'), join(place.cwd, 'link.yaml'));
  expect((await run('render', '--overlay', 'link.yaml')).stdout).toBe(piped.stdout);
  const both = await runIn(['render', '-f', '-', '--overlay', '-'], { ...place, stdin: PROD });
  expect([both.code, both.stderr]).toEqual([64, expect.stringContaining('two inputs read standard input')]);
});

test('no output of a command may be an overlay', async () => {
  for (const words of [
    ['plan', '--out'],
    ['plan', '--summary-file'],
    ['render', '--out'],
  ]) {
    const ran = await run(...words, './prod.yaml', ...OVERLAY);
    expect([ran.code, ran.stderr]).toEqual([64, expect.stringContaining('the same file as a file of the manifest')]);
  }
  expect(readFileSync(join(place.cwd, 'prod.yaml'), 'utf8')).toBe(PROD);
});

test('a problem in an overlay shows its line', async () => {
  place.write('stack: shop\nreserved_addrs:\n  db: { description: 7 }\n', 'prod.yaml');
  const { stdout } = await run('validate', '--format', 'json', ...OVERLAY);
  expect(JSON.parse(stdout) as JsonObject).toMatchObject({
    diagnostics: [{ code: 'wrong-type', file: 'prod.yaml', line: 3, column: 22, related: [{ file: 'edgeform.yaml' }] }],
  });
  expect((await run('plan', ...OVERLAY)).stderr).toContain('3 |   db: { description: 7 }');
});

test('the library reads overlays and lays them over the manifest', async () => {
  writeFileSync(join(place.cwd, 'broken.yaml'), 'a: [1\n');
  const read = await readManifestFiles([], place.cwd, { overlays: ['prod.yaml'] });
  if (read.value === undefined) throw new Error('nothing was read');
  const { value } = loadManifest({ ...read.value, variables: new Map(), env: {} });
  expect(value?.resources.map(({ address }) => address).sort()).toEqual(['reserved_addrs.db', 'reserved_addrs.more']);
});
