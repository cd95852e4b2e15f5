// Nothing that no plan names is deleted, but what this very run created twice over: lists that lag behind, pins, protection
// and copied markers must not make it more.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const KEY = 'ssh_credentials:\n  ci: { public_key: ssh-ed25519 AAAA ci@example.com, owner_id: OWNER }\n';
const ADDR = 'reserved_addrs:\n  db: { description: one }\n';
const network = createExchange({ maxBytes: 1 << 24 });

let emulator: Emulator;
let cwd: string;
afterEach(() => emulator.close());

function write(manifest: string): void {
  writeFileSync(join(cwd, 'edgeform.yaml'), `version: 1\nstack: shop\n${manifest}`);
}

async function start(manifest: string): Promise<void> {
  emulator = await startEmulator();
  cwd = folder({});
  write(manifest);
  expect((await apply()).code).toBe(0);
}

function apply(exchange: Exchange = network, ...more: string[]) {
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const args = ['apply', '--auto-approve', '--allow-deletes', 'all', ...more];
  return runIn(args, { cwd, env, ports: { exchange } });
}

/** The list under a path, once more as it was before the first write, right after the last write of this kind. */
function staleAfter(method: string, path: string): Exchange {
  let before: HttpResponse | undefined;
  let isDue = false;
  return async (asked) => {
    const isList = asked.method === 'GET' && asked.url.pathname === path;
    if (isList && isDue && before !== undefined) {
      isDue = false;
      return before;
    }
    const response = await network(asked);
    if (isList) before ??= response;
    if (asked.method === method) isDue = true;
    return response;
  };
}

describe('one object is left', () => {
  test('after a replacement that deletes first, when the next list is stale', async () => {
    await start(KEY.replace('OWNER', 'usr_1'));
    const [old] = emulator.objects('ssh_credentials');
    write(KEY.replace('OWNER', 'usr_2'));
    await apply(staleAfter('POST', '/ssh_credentials'));
    const left = emulator.objects('ssh_credentials');
    expect(left).toHaveLength(1);
    expect(left[0]?.['id']).not.toBe(old?.['id']);
    expect((await apply()).code).toBe(0);
    expect(emulator.objects('ssh_credentials')).toEqual(left);
  });

  test('after the newer of two duplicates was pinned, when the next list is stale', async () => {
    await start(ADDR);
    const [old] = emulator.objects('reserved_addrs');
    const newer = await copyOf('reserved_addrs', old);
    write(`reserved_addrs:\n  db: { description: two, lifecycle: { id: ${newer} } }\n`);
    await apply(staleAfter('DELETE', '/reserved_addrs'), '--allow-loss', 'reserved_addrs.db');
    expect(emulator.objects('reserved_addrs').map((one) => one['id'])).toEqual([newer]);
  });

  test('when a pinned and protected object has a duplicate, and only it is targeted', async () => {
    await start(ADDR);
    const [old] = emulator.objects('reserved_addrs');
    const newer = await copyOf('reserved_addrs', old);
    write(`reserved_addrs:\n  db: { description: two, lifecycle: { id: ${newer}, prevent_destroy: true } }\n`);
    await apply(network, '--target', 'reserved_addrs.db');
    expect(emulator.objects('reserved_addrs').map((one) => one['id'])).toContain(newer);
  });

  test('when somebody copied the marker to an object of another kind', async () => {
    await start(ADDR);
    const [first] = emulator.objects('reserved_addrs');
    const marker = String(first?.['metadata']);
    const other = await post('/backends/failover', { backends: [], metadata: marker });
    write('reserved_addrs:\n  db: { description: two }\n  other: {}\n');
    await apply();
    expect(emulator.objects('reserved_addrs').map((one) => one['id'])).toContain(first?.['id']);
    expect(emulator.objects('backends').map((one) => one['id'])).toEqual([other]);
  });
});

async function post(path: string, body: object): Promise<string> {
  const response = await fetch(`${emulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.apiKey}`, 'service-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const made = (await response.json()) as { readonly id: string };
  return made.id;
}

function copyOf(key: string, object: Readonly<Record<string, unknown>> | undefined): Promise<string> {
  return post(`/${key}`, { description: object?.['description'], metadata: object?.['metadata'] });
}

describe('a copy that somebody makes while the run is under way', () => {
  const counts = ['reserved_addrs', 'tls_edges'] as const;
  const manifest = 'reserved_addrs:\n  db: { description: one }\ntls_edges:\n  e: {}\n';

  test.each(['as it was created', 'with the name of another run', 'without the name of the run'])(
    '%s: both stay, and the run names them',
    async (how) => {
      emulator = await startEmulator();
      cwd = folder({});
      write(manifest);
      let copy = '';
      const copying: Exchange = async (asked) => {
        const response = await network(asked);
        if (copy === '' && asked.method === 'POST' && asked.url.pathname === '/reserved_addrs') {
          const [made] = emulator.objects('reserved_addrs');
          const text = String(made?.['metadata']);
          const metadata = how.startsWith('as')
            ? text
            : text.replace(/,"created_by":"[^"]*"/, how.startsWith('without') ? '' : ',"created_by":"another"');
          copy = await post('/reserved_addrs', { description: 'one', metadata });
        }
        return response;
      };
      const ran = await apply(copying);
      expect(copy).not.toBe('');
      expect(counts.map((list) => emulator.objects(list).length)).toEqual([2, 1]);
      expect(emulator.requests.filter((one) => one.method === 'DELETE')).toEqual([]);
      expect(ran.code).not.toBe(0);
      for (const { id } of emulator.objects('reserved_addrs')) expect(ran.stdout + ran.stderr).toContain(id);
      expect((await apply()).code).toBe(1);
      expect(emulator.objects('reserved_addrs')).toHaveLength(2);
    },
  );
});

describe('an answer about an object that was there before', () => {
  test('is no creation: nothing is sent to that object, and the outcome is unknown or found', async () => {
    await start(ADDR);
    const [old] = emulator.objects('reserved_addrs');
    write('reserved_addrs:\n  db: { description: one }\n  other: { endpoint_configuration_id: ec_1 }\n');
    emulator.requests.length = 0;
    const wrong: Exchange = async (asked) => {
      const response = await network(asked);
      if (asked.method !== 'POST') return response;
      return { ...response, bytes: Buffer.from(JSON.stringify({ ...old, metadata: null })) };
    };
    const { code } = await apply(wrong);
    expect(code).toBe(0);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
    expect(emulator.requests.filter((one) => one.method !== 'GET' && one.path.includes(String(old?.['id'])))).toEqual(
      [],
    );
  });
});
