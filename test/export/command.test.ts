// The command itself, in one process with its own host: options, exit codes, and what never happens.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const PROBE = 'probe-81c2';
const SEED = {
  keys: [{ id: 'ak_1', description: 'ci' }],
  reserved_addrs: [
    { id: 'ra_1', metadata: '{"edgeform":{"v":1,"stack":"shop","address":"reserved_addrs.db","applied":{}}}' },
  ],
  https_edges: [
    {
      id: 'edghts_1',
      hostports: ['a.example.com:443'],
      routes: [
        {
          id: 'edghtsrt_1',
          match_type: 'exact_path',
          match: '/',
          webhook_verification: { provider: 'github', secret: PROBE },
        },
      ],
    },
  ],
};

let emulator: Emulator;
let cwd: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed: SEED });
  cwd = folder({});
});
afterEach(() => emulator.close());

async function run(...args: string[]) {
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, EDGEFORM_VAR_root_secret: PROBE };
  const ran = await runIn(args, { cwd, env });
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(PROBE);
  return ran;
}

const writes = () => emulator.requests.filter(({ method }) => method !== 'GET');

test('export, plan and apply of what nobody owns', async () => {
  const made = await run('export', '--unmanaged');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(writes()).toEqual([]);
  writeFileSync(join(cwd, 'edgeform.yaml'), made.stdout);
  expect((await run('plan')).stdout).toMatch(/3 to adopt/);
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  const own = await run('export', '--stack', 'imported');
  expect(own.stdout).toContain('stack: imported\n');
  expect(own.stdout).not.toContain('adopt');
});

test('standard output is the manifest alone, warnings go to stderr', async () => {
  const { code, stdout, stderr } = await run('export', '--all', '--stack', 'mine');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# yaml-language-server: .*\nversion: 1\nstack: mine\n/);
  expect(stdout).toMatch(
    /\n# Not exported:\n# - ra_1 \(reserved address\): stack shop owns it \(reserved_addrs\.db\)\n$/,
  );
  expect(stderr).toContain('1 object could not be exported');
});

test('what repeats a secret is left alone where it can be, and its object is left out where it cannot', async () => {
  await emulator.close();
  const secret = { webhook_verification: { provider: 'github', secret: PROBE } };
  const named = { request_headers: { enabled: true, add: { [PROBE]: '1' }, remove: [] } };
  const routes = [
    { id: 'edghtsrt_1', match_type: 'exact_path', match: '/', description: `is ${PROBE}`, ...secret, ...named },
    { id: 'edghtsrt_2', match_type: 'exact_path', match: `/${PROBE}` },
  ];
  emulator = await startEmulator({ seed: { https_edges: [{ id: 'edghts_1', hostports: ['a.b:443'], routes }] } });
  const { stdout, stderr } = await run('export', '--unmanaged');
  expect(stderr).not.toContain('held back');
  expect(stdout).toContain('ignore_changes: [description, request_headers]');
  expect(stdout).toContain('edghtsrt_2 (HTTPS edge route): match repeats a secret');
  for (const format of ['json', 'text']) await run('export', '--all', '--format', format);
});

test.each([
  ['--all', 'before', ''],
  ['--unmanaged', 'after', ''],
  ['--unmanaged', 'after', 'shop'],
  ['--all', 'after', 'shop'],
])(
  'no text, and no name made of one, repeats a secret of another object: %s, received %s it, of stack %j',
  async (scope, when, stack) => {
    await emulator.close();
    const marked = (address: string) =>
      stack === '' ? '' : JSON.stringify({ edgeform: { v: 1, stack, address, applied: {} } });
    const secret = { webhook_verification: { provider: 'github', secret: PROBE } };
    const route = {
      id: 'edghtsrt_1',
      match_type: 'exact_path',
      match: '/',
      ...secret,
      metadata: marked('https_edges.a.routes.r'),
    };
    const edge = { id: 'edghts_1', hostports: ['a.b:443'], routes: [route], metadata: marked('https_edges.a') };
    const backends = [{ id: 'bkdfo_1', backends: ['bkdhr_2a'], description: `key ${PROBE}` }];
    const tlsEdges = [{ id: 'edgtls_1', hostports: [`${PROBE}.example.com:443`], description: `note ${PROBE}` }];
    const repeating = { tls_edges: tlsEdges, ...(when === 'before' ? {} : { backends }) };
    emulator = await startEmulator({ seed: { https_edges: [edge], ...repeating } });
    for (const format of ['text', 'json']) {
      const { stdout, stderr } = await run('export', scope, '--format', format);
      expect(stderr).not.toContain('held back');
      expect(stdout).not.toContain('(sensitive)');
      expect(stdout).toContain('edgtls_1');
    }
  },
);

test.each([
  { flags: '--kind api_keys', addresses: ['api_keys.ci'] },
  { flags: '--kind api_key --kind reserved_addrs', addresses: ['api_keys.ci'] },
  { flags: '--kind https_edges', addresses: ['https_edges.a-example-com-443', 'routes.root'] },
  { flags: '--kind routes', addresses: ['https_edges.a-example-com-443', 'routes.root'] },
  { flags: '--name c?', addresses: ['api_keys.ci'] },
  { flags: '--name ci --name a-*', addresses: ['api_keys.ci', 'https_edges.a-example-com-443', 'routes.root'] },
  { flags: '--name ROOT', addresses: [] },
  { flags: '--kind https_edge --name a-*', addresses: ['https_edges.a-example-com-443', 'routes.root'] },
])('$flags', async ({ flags, addresses }) => {
  const { code, stdout } = await run('export', '--unmanaged', ...flags.split(' '));
  const found = [...stdout.matchAll(/^( *)(\w+):\n\1 {2}([\w-]+):\n/gm)].map(([, , key, name]) => `${key}.${name}`);
  expect(found.filter((address) => !address.startsWith('variables'))).toEqual(addresses);
  expect(code).toBe(addresses.length === 0 ? 4 : 0);
});

test('a part of an export names the objects of the stack that it leaves out', async () => {
  const { stdout, stderr } = await run('export', '--all', '--stack', 'shop', '--kind', 'api_keys');
  expect(stderr).toContain('stack shop owns 1 object outside this export');
  expect(stdout).not.toContain('ra_1');
});

test('JSON has the same files, and what was left out', async () => {
  const { stdout } = await run('export', '--all', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    format: 'edgeform-export/1',
    stack: 'imported',
    resources: 3,
    variables: 1,
    files: [{ path: 'edgeform.yaml', text: (await run('export', '--all')).stdout }],
    left_out: [{ kind: 'reserved_addr', id: 'ra_1', why: 'stack shop owns it (reserved_addrs.db)' }],
    diagnostics: [{ code: 'not-exported', severity: 'warning' }],
  });
});

test.each([
  [[], 64, 'no objects were selected for export'],
  [['--all', '--unmanaged'], 64, 'exclude each other'],
  [['--unmanaged', '--stack', 'Not A Stack'], 64, 'is not a valid stack name'],
  [['--all', '--kind', 'tls_edgs'], 64, 'did you mean "tls_edges"'],
  [['--all', '--kind', 'application_sessions'], 64, 'is not a kind'],
  [['--all', '--name', 'nothing*'], 4, '--name "nothing*" matches no object of this export'],
  [['--stack', 'shpo'], 4, 'stack shpo owns nothing'],
])('%j ends with %i', async (args, code, words) => {
  const ended = await run('export', ...args);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(words);
});

test('an incomplete read exports nothing', async () => {
  await emulator.close();
  emulator = await startEmulator({
    seed: SEED,
    faults: [{ action: 'status', status: 403, match: { method: 'GET', path: '/edges/tls' } }],
  });
  expect(await run('export', '--all')).toMatchObject({ code: 1, stdout: '' });
});

test('a stack that owns nothing is told the same beside an object whose marker cannot be read', async () => {
  await emulator.close();
  const cut = '{"edgeform":{"v":1,"stack":"sh';
  emulator = await startEmulator({ seed: { reserved_addrs: [{ id: 'ra_1', metadata: cut }] } });
  const { code, stdout, stderr } = await run('export', '--stack', 'shpo');
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('[nothing-to-export]');
  expect(stderr).toContain('warning: 1 object may belong to any stack');
});

test('--out writes a new file, and never over one that is there', async () => {
  const printed = await run('export', '--unmanaged');
  const written = await run('export', '--unmanaged', '--out', 'found.yaml');
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: 'The manifest was written to "found.yaml".\n' });
  expect(readFileSync(join(cwd, 'found.yaml'), 'utf8')).toBe(printed.stdout);
  writeFileSync(join(cwd, 'found.yaml'), '# edited\n');
  const again = await run('export', '--unmanaged', '--out', 'found.yaml');
  expect([again.code, again.stdout]).toEqual([64, '']);
  expect(again.stderr).toContain('--out "found.yaml" exists already; nothing was written');
  expect(readFileSync(join(cwd, 'found.yaml'), 'utf8')).toBe('# edited\n');
});
