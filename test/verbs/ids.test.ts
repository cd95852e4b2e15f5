// Ids from everywhere: one that could change a path is refused where it comes in, and no request is made of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

/** What follows a prefix: each would make another request, or another line, of it. */
const SUFFIXES = ['1/../../../api_keys/ak_1?x=', '1/..', '1?x', '1#x', '1%2f..', '1\\..', '1 2', '1\u0085', '1é'];

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;

beforeEach(async () => {
  emulator = await startEmulator();
  cwd = folder({ 'edgeform.yaml': manifest('') });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
});
afterEach(() => emulator.close());

const manifest = (text: string) => `version: 1\nstack: shop\n${text}`;
const write = (text: string, name = 'edgeform.yaml') => {
  writeFileSync(join(cwd, name), manifest(text));
};
const run = (...args: string[]) => runIn(args, { cwd, env });

describe.each(SUFFIXES)('an id that ends in %j', (suffix) => {
  const quoted = (prefix: string) => JSON.stringify(`${prefix}${suffix}`);

  test.each([
    ['lifecycle.id', () => `https_edges: { a: { lifecycle: { id: ${quoted('edghts_')} } } }`],
    ['lifecycle.adopt', () => `reserved_addrs: { a: { lifecycle: { adopt: ${quoted('ra_')} } } }`],
    ['a reference', () => `tls_edges: { a: { backend: { backend_id: ${quoted('bkdhr_')} } } }`],
    ['a list of them', () => `failover_backends: { a: { backends: [bkdhr_1, ${quoted('bkdhr_')}] } }`],
    ['what only updates accept', () => `reserved_addrs: { a: { endpoint_configuration_id: ${quoted('ec_')} } }`],
    ['an owner', () => `api_keys: { a: { owner_id: ${quoted('usr_')} } }`],
    [
      'a variable',
      () =>
        `variables: { v: { default: ${quoted('bkdhr_')} } }\ntls_edges: { a: { backend: { backend_id: "\${var.v}" } } }`,
    ],
    [
      'a sensitive variable',
      () =>
        `variables: { v: { sensitive: true, default: ${quoted('bkdhr_')} } }\ntls_edges: { a: { backend: { backend_id: "\${var.v}" } } }`,
    ],
  ])('is refused in the manifest as %s', async (_, text) => {
    write(text());
    for (const command of ['validate', 'plan', 'apply', 'drift']) {
      const { code } = await run(command);
      expect(code, command).toBe(4);
    }
    expect(emulator.requests).toEqual([]);
  });

  test('is refused by --resolve and sessions revoke', async () => {
    write('https_edges: { a: {} }');
    expect(await run('apply', '--auto-approve', '--resolve', `https_edges.a=edghts_${suffix}`)).toMatchObject({
      code: 64,
    });
    expect(await run('sessions', 'revoke', '--auto-approve', `as_${suffix}`)).toMatchObject({ code: 64 });
    expect(emulator.requests).toEqual([]);
  });

  test('is not believed of a journal', async () => {
    write('https_edges: { a: {} }');
    const begin = { v: 1, run: 'r', stack: 'shop', service: `${emulator.url}/`, fingerprint: 'f', at: 't' } as const;
    const { text } = encodeJournal([
      { type: 'begin', ...begin },
      { type: 'resolved', address: 'https_edges.a', as: { id: `edghts_${suffix}` } },
      { type: 'end', run: 'r', result: '0' },
    ]);
    writeFileSync(join(cwd, 'journal'), text);
    const { code, stderr } = await run('apply', '--auto-approve', '--journal', 'journal');
    expect([code, stderr]).toEqual([1, expect.stringContaining('journal-damaged')]);
    expect(emulator.requests).toEqual([]);
  });

  test('is an answer that was not understood, and named', async () => {
    await emulator.close();
    const id = `edghts_${suffix}`;
    emulator = await startEmulator({ seed: { https_edges: [{ id, hostports: [] }] } });
    env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    write('https_edges: { a: {} }');
    for (const args of [['plan'], ['apply', '--auto-approve'], ['drift'], ['export', '--all']]) {
      const { code, stdout, stderr } = await run(...args, '--format', 'json');
      const said = `${stdout}${stderr}`;
      expect([args[0], code, said.includes('api-not-understood')]).toEqual([args[0], 1, true]);
      expect(said).toContain('an id that starts with edghts_');
    }
    expect(emulator.requests.filter(({ method, path }) => method !== 'GET' || path.includes('_1'))).toEqual([]);
  });
});

test('an id of another kind in a journal is not read as one', async () => {
  write('https_edges: { a: {} }');
  const begin = { v: 1, run: 'r', stack: 'shop', service: `${emulator.url}/`, fingerprint: 'f', at: 't' } as const;
  const { text } = encodeJournal([
    { type: 'begin', ...begin },
    { type: 'resolved', address: 'https_edges.a', as: { id: 'ak_1' } },
    { type: 'end', run: 'r', result: '0' },
  ]);
  writeFileSync(join(cwd, 'journal'), text);
  expect(await run('apply', '--auto-approve', '--journal', 'journal')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('by an id that its kind cannot have'),
  });
  expect(emulator.requests).toEqual([]);
});

test('a reference with text around it is no id', async () => {
  write('failover_backends: { a: {} }\ntls_edges: { b: { backend: { backend_id: "${failover_backends.a.id}/x" } } }');
  const { code, stderr } = await run('validate');
  expect([code, stderr]).toEqual([4, expect.stringContaining('a reference with text around it is no id')]);
});
