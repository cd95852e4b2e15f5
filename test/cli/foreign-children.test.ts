// A route that somebody added to an edge of the stack: every format names its edge, its match and its modules, and the line that
// adopts it works as it is printed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const manifest = (route = '', lifecycle = '', variables = '{}') => `version: 1
stack: shop
variables: ${variables}
failover_backends:
  app: { backends: [bkdhr_1] }
https_edges:
  site:
    hostports: [shop.example.com:443]
    routes:
      api: { match_type: path_prefix, match: /api, compression: {} }
${route === '' ? '' : `      ${route}\n`}${lifecycle === '' ? '' : `    lifecycle: ${lifecycle}\n`}`;

const place = usePlace({ 'edgeform.yaml': manifest() });
const { run, write, writes } = place;
const SECRET = 'hush-hush-4711';
let id = '';

async function add(body: JsonObject): Promise<string> {
  const edge = String(place.emulator.objects('https_edges')[0]?.['id']);
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const url = `${place.emulator.url}/edges/https/${edge}/routes`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return String(((await answer.json()) as JsonObject)['id']);
}

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  const [backend] = place.emulator.objects('backends');
  id = await add({
    match_type: 'path_prefix',
    match: '/admin,x',
    description: '${not a reference}, "quoted"',
    backend: { backend_id: String(backend?.['id']) },
    webhook_verification: { provider: 'github', secret: SECRET },
  });
});

const FORMATS = [
  ...['text', 'json', 'markdown', 'html', 'github', 'gitlab', 'sarif', 'junit', 'codequality'].map((one) => [
    'drift',
    one,
  ]),
  ...['text', 'json', 'markdown', 'html', 'github', 'gitlab', 'sarif', 'junit'].map((one) => ['plan', one]),
];

test.each(FORMATS)('%s --format %s names its edge, its match and its modules', async (command = '', format = '') => {
  const { code, stdout } = await run(command, '--format', format);
  expect(code).toBe(command === 'drift' ? 2 : 0);
  const text = stdout.replaceAll('&quot;', '"').replaceAll('\\"', '"').replaceAll(/\s+/g, ' ');
  for (const part of ['https_edges.site', '/admin,x', 'backend', 'webhook_verification', `adopt: ${id}`])
    expect(text).toContain(part);
  expect(stdout).not.toContain(SECRET);
});

test.each(FORMATS)(
  '%s --format %s names one that hides behind the marker of another stack',
  async (command = '', format = '') => {
    const marker = { v: 1, stack: 'ghost', address: 'https_edges.site.routes.api', applied: {} };
    place.emulator.mutate('routes', id, { metadata: JSON.stringify({ edgeform: marker }) });
    const { code, stdout } = await run(command, '--format', format);
    expect(code).toBe(command === 'drift' ? 2 : 0);
    const text = stdout.replaceAll('`', '').replaceAll(/\s+/g, ' ');
    const fix = 'remove the text of the marker from its metadata, or delete it yourself';
    for (const part of ['/admin,x', 'its marker names stack ghost (https_edges.site.routes.api)', fix])
      expect(text).toContain(part);
    expect(text).not.toContain(`adopt: ${id}`);
    expect(stdout).not.toContain(SECRET);
  },
);

const childIn = ({ stdout }: { readonly stdout: string }) => {
  const { foreign_children: children } = JSON.parse(stdout) as {
    readonly foreign_children: readonly { readonly adopt: { readonly block: string; readonly variables: string[] } }[];
  };
  return children[0]?.adopt ?? { block: '', variables: [] };
};

test('is adopted by the line as it is printed, and nothing is drift afterwards', async () => {
  const { block, variables } = childIn(await run('plan', '--format', 'json'));
  expect(variables).toHaveLength(1);
  expect(block).toContain('${failover_backends.app.id}');
  place.env[`EDGEFORM_VAR_${variables.join()}`] = SECRET;
  write(manifest(block, '', `{ ${variables.join()}: { sensitive: true } }`));
  const before = writes().length;
  const { code, stdout, stderr } = await run('apply', '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain('1 to adopt');
  // Only its marker is written.
  expect(writes().slice(before)).toMatchObject([{ method: 'PATCH', body: { metadata: expect.any(String) as Json } }]);
  expect((await run('drift')).code).toBe(0);
});

test('is left by apply, and said again in its report', async () => {
  write(manifest().replace('[bkdhr_1]', '[bkdhr_1, bkdhr_2]'));
  const { code, stdout } = await run('apply', '--auto-approve', '--format', 'json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { converged: true, diagnostics: [{ code: 'foreign-child' }] }]);
  expect((await run('drift')).code).toBe(2);
});

test('is deleted when the edge is exclusive, by a plan that shows it', async () => {
  write(manifest('', '{ exclusive: true }'));
  const drift = await run('drift');
  expect([drift.code, drift.stdout]).toEqual([2, expect.stringContaining('apply: deletes it')]);
  const planned = await run('plan', '--out', 'p.json', '--detailed-exitcode');
  expect([planned.code, planned.stdout]).toEqual([2, expect.stringContaining('1 to delete')]);
  expect(readFileSync(join(place.cwd, 'p.json'), 'utf8')).not.toContain(SECRET);
  const before = writes().length;
  expect((await run('apply', 'p.json', '--auto-approve')).code).toBe(0);
  expect(writes().slice(before)).toMatchObject([{ method: 'DELETE', path: expect.stringContaining(id) as Json }]);
  expect((await run('drift')).code).toBe(0);
});

test('only a kind with children may be exclusive', async () => {
  write(`${manifest()}tls_edges: { a: { lifecycle: { exclusive: true } } }\n`);
  const { code, stdout, stderr } = await run('validate');
  expect([code, `${stdout}${stderr}`]).toEqual([4, expect.stringContaining('exclusive')]);
  expect((await run('explain', 'https_edges.lifecycle.exclusive')).stdout).toContain('that have no marker');
});

test('in a fleet, it is told where its edge is, and once; other stacks have a count', async () => {
  write('version: 1\nstack: other\nreserved_addrs: { db: {} }\n', 'other.yaml');
  const entries = ['shop, path: edgeform.yaml', 'other, path: other.yaml'].map((one) => `{ name: ${one} }`);
  write(`version: 1\nstacks: [${entries.join(', ')}]\n`, 'edgeform.fleet.yaml');
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  // Both stacks have something to say.
  const [address] = place.emulator.objects('reserved_addrs');
  place.emulator.mutate('reserved_addrs', String(address?.['id']), { description: 'changed outside' });
  for (const [command, format, detail] of [
    ['drift', 'text', 'changes'],
    ['drift', 'markdown', 'changes'],
    ['drift', 'html', 'changes'],
    ['plan', 'markdown', 'full'],
  ] as const) {
    const { stdout } = await run('fleet', command, '--format', format, '--detail', detail);
    const shown = stdout.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(shown, stdout).not.toContain(`https_edge_route ${id}`);
    expect(shown).toContain('https_edges.site');
    if (command === 'drift') expect(shown).toContain('1 object that no stack owns is in objects of other stacks');
    else expect(shown).toContain('outside this stack, left alone');
  }
  const { stacks } = JSON.parse((await run('fleet', 'drift', '--format', 'json')).stdout) as {
    readonly stacks: readonly { readonly name: string; readonly drift: { readonly findings: readonly JsonObject[] } }[];
  };
  const found = stacks.find(({ name }) => name === 'other')?.drift.findings.find((one) => one['live_id'] === id);
  expect(found).toMatchObject({ type: 'unmanaged', parent: 'https_edges.site', parent_stack: 'shop' });
});
