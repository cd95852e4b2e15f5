// A step whose object was deleted again, because another run had created it first, has not done what the plan said.

import { journalOf } from '../../src/journal/place.ts';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import type { Drift } from '../../src/drift/drift.ts';
import { run } from '../support/host.ts';

let emulator: Emulator;
afterEach(() => emulator.close());
const network = createExchange({ maxBytes: 1 << 24 });

/** Another run creates the same object a moment before the first creation of this one arrives. */
function outrun(): Exchange {
  let isFirst = true;
  return async (asked) => {
    if (asked.method === 'POST' && isFirst) {
      isFirst = false;
      const body = String(asked.body).replace(/created_by\\":\\"[^\\]+/, 'created_by\\":\\"another-run');
      expect(body).not.toBe(String(asked.body));
      expect((await network({ ...asked, body })).status).toBe(201);
    }
    return network(asked);
  };
}

test('it is failed in the report, and the other object stays', async () => {
  emulator = await startEmulator();
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\nreserved_addrs: { db: {} }\n' });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const args = ['apply', '--auto-approve', '--format', 'json'];
  const { code, stdout } = await run(args, { cwd, env, ports: { exchange: outrun() } });
  const [left, ...more] = emulator.objects('reserved_addrs');
  expect(more).toEqual([]);
  expect(String(left?.['metadata'])).toContain('another-run');
  expect(JSON.parse(stdout)).toMatchObject({
    exit_code: code,
    steps: [{ status: 'failed', live_id: null, error: expect.stringContaining('was deleted again: another run') }],
  });
  expect(stdout).not.toContain('changed-in-part');
  expect(code).not.toBe(0);
  expect(stdout).not.toMatch(/still different:\s*"/);
});

const KEY = 'version: 1\nstack: shop\napi_keys: { ci: { owner_id: usr_OWNER } }\n';

test('a key of which it is the replacement is not made a second time, and its file goes with it alone', async () => {
  emulator = await startEmulator();
  const cwd = folder({ 'edgeform.yaml': KEY.replace('OWNER', 'one') });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const apply = (exchange: Exchange = network) =>
    run(['apply', '--auto-approve', '--format', 'json', '--token-dir', 'tokens', '--allow-loss', 'api_keys.ci'], {
      cwd,
      env,
      ports: { exchange },
    });
  const file = join(cwd, 'tokens/api_keys.ci.token');
  expect((await apply()).code).toBe(0);
  writeFileSync(join(cwd, 'edgeform.yaml'), KEY.replace('OWNER', 'two'));
  const posts = () => emulator.requests.filter((request) => request.method === 'POST').length;
  const before = posts();
  const { code, stdout } = await apply(outrun());
  expect([code, posts() - before]).toEqual([3, 2]);
  const [left, ...more] = emulator.objects('keys');
  expect([more, String(left?.['metadata'])]).toEqual([[], expect.stringContaining('another-run')]);
  expect(JSON.parse(stdout)).toMatchObject({ steps: [{ action: 'replace', status: 'failed' }, { status: 'done' }] });
  expect(existsSync(file)).toBe(false);
  // Whoever runs again has a key that is there, and its token.
  let token = '';
  const noting: Exchange = async (asked) => {
    const response = await network(asked);
    const body = asked.method === 'POST' ? parseJson(response.bytes?.toString() ?? 'null') : null;
    if (isObject(body)) token = String(body['token']);
    return response;
  };
  expect((await apply(noting)).code).toBe(0);
  expect(emulator.objects('keys')).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect(readdirSync(join(cwd, 'tokens'))).toEqual(['api_keys.ci.token']);
});

test.each([
  ['is not made anew in the one of the other run, and the step has failed', false],
  ['is one of the other run there, and the step has failed', true],
])('what lay inside it %s', async (_, isThere) => {
  emulator = await startEmulator();
  const route = '{ all: { match_type: path_prefix, match: / } }';
  const cwd = folder({ 'edgeform.yaml': `version: 1\nstack: shop\nhttps_edges: { site: { routes: ${route} } }\n` });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const other = outrun();
  const exchange: Exchange = async (asked) => {
    const [first] = emulator.objects('https_edges');
    if (isThere && asked.method === 'POST' && asked.url.pathname.endsWith('/routes') && first !== undefined) {
      const url = new URL(`/edges/https/${String(first['id'])}/routes`, asked.url);
      const body = String(asked.body).replace(/created_by\\":\\"[^\\]+/, 'created_by\\":\\"another-run');
      if (!emulator.requests.some(({ method, path }) => method === 'POST' && path === url.pathname))
        expect((await network({ ...asked, url, body })).status).toBe(201);
    }
    return other(asked);
  };
  const { stdout } = await run(['apply', '--auto-approve', '--format', 'json'], { cwd, env, ports: { exchange } });
  const [edge, ...more] = emulator.objects('https_edges');
  expect(more).toEqual([]);
  if (!isThere) expect(edge?.['routes']).toEqual([]);
  const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly address: string }[] };
  expect(steps.find(({ address }) => address.includes('routes'))).toMatchObject({ status: 'failed' });
});

describe('a run that was killed before it had looked for what another one created', () => {
  const RESERVED =
    'version: 1\nstack: shop\nreserved_addrs: { db: {} }\ntls_edges: { web: { hostports: ["${reserved_addrs.db.addr}"] } }\n';

  /** Ends the run after the creation was carried out. */
  function outrunAndCut(edit: (body: string) => string): Exchange {
    let isOver = false;
    return async (asked) => {
      if (isOver) throw new Error('cut off');
      if (asked.method !== 'POST') return network(asked);
      isOver = true;
      const body = edit(String(asked.body));
      if (body !== '') expect((await network({ ...asked, body })).status).toBe(201);
      return network(asked);
    };
  }

  const otherRun = (body: string) => body.replace(/created_by\\":\\"[^\\]+/, 'created_by\\":\\"another-run');

  async function killed(edit: (body: string) => string, last: 'intent' | 'outcome' | 'end') {
    emulator = await startEmulator();
    const cwd = folder({ 'edgeform.yaml': RESERVED });
    const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    await run(['apply', '--auto-approve'], { cwd, env, ports: { exchange: outrunAndCut(edit) } });
    const journal = join(cwd, journalOf(new URL(emulator.url), 'shop'));
    const lines = readFileSync(journal, 'utf8').split('\n');
    const at = lines.findIndex((line) => line.includes(`"type":"${last}"`));
    expect(at).toBeGreaterThan(0);
    writeFileSync(journal, `${lines.slice(0, at + 1).join('\n')}\n`);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
    const go = (...args: string[]) => run(args, { cwd, env });
    const manifest = (text: string) => {
      writeFileSync(join(cwd, 'edgeform.yaml'), text);
    };
    return {
      go,
      manifest,
      ids: emulator
        .objects('reserved_addrs')
        .map(({ id }) => String(id))
        .sort(),
    };
  }

  test.each(['intent', 'outcome'] as const)(
    'the next one with its journal plans what it would have done (%s)',
    async (last) => {
      const { go, ids } = await killed(otherRun, last);
      const { stdout } = await go('plan');
      expect(stdout).toContain(`${ids[0] ?? ''} is the object of this address`);
      expect((await go('apply', '--auto-approve')).code).toBe(0);
      expect(emulator.objects('reserved_addrs').map(({ id }) => id)).toEqual([ids[0]]);
      expect(emulator.objects('tls_edges')).toHaveLength(1);
      expect((await go('plan', '--detailed-exitcode')).code).toBe(0);
    },
  );

  test("a double that a person copied is nobody else's: a person decides", async () => {
    const { go } = await killed((body) => body, 'outcome');
    const { code, stdout } = await go('apply', '--auto-approve', '--format', 'json');
    expect([code, stdout]).toEqual([1, expect.stringContaining('duplicate-marker')]);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });

  test('nor once a run has come to a good end with the object', async () => {
    const { go, ids } = await killed(otherRun, 'outcome');
    const other = emulator.objects('reserved_addrs').find(({ id }) => id === ids[0]);
    emulator.mutate('reserved_addrs', ids[0] ?? '', { metadata: '' });
    expect((await go('apply', '--auto-approve')).code).toBe(0);
    emulator.mutate('reserved_addrs', ids[0] ?? '', { metadata: String(other?.['metadata']) });
    const { code, stdout } = await go('apply', '--auto-approve', '--format', 'json');
    expect([code, stdout]).toEqual([1, expect.stringContaining('duplicate-marker')]);
    expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  });

  test('drift finds it, and what follows from it', async () => {
    const { go } = await killed(otherRun, 'outcome');
    const { code, stdout } = await go('drift', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      {
        findings: [
          { type: 'duplicate', address: 'reserved_addrs.db', consequences: [{ action: 'delete' }] },
          { type: 'missing', address: 'tls_edges.web' },
        ],
        pending: [],
      },
    ]);
  });

  const KEPT = 'version: 1\nstack: shop\nreserved_addrs: { kept: {} }\n';

  test.each([
    ['deleted', ''],
    ['released', 'removed: [{ from: reserved_addrs.db, destroy: false }]\n'],
  ])('the plan names each object of the address that is %s', async (_, removed) => {
    const { go, ids, manifest } = await killed(otherRun, 'outcome');
    manifest(KEPT + removed);
    const { stdout } = await go('plan');
    for (const id of ids) expect(stdout).toContain(`reserved_addrs.db (${id})`);
    expect((await go('plan', '--format', 'markdown')).stdout).toContain(ids[1]);
  });

  test('a double goes for the same reason under a new address, in plan and drift', async () => {
    const { go, ids, manifest } = await killed(otherRun, 'outcome');
    manifest(RESERVED.replaceAll('db', 'main') + 'moved: [{ from: reserved_addrs.db, to: reserved_addrs.main }]\n');
    expect((await go('plan')).stdout).toContain(`${ids[0] ?? ''} is the object of this address`);
    const { pending, findings } = JSON.parse((await go('drift', '--format', 'json')).stdout) as Drift;
    expect(pending.filter(({ action }) => action === 'delete')).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        address: 'reserved_addrs.main',
        consequences: expect.arrayContaining([expect.objectContaining({ action: 'delete' })]) as unknown,
      }),
    );
  });

  test('a run of targets is no good end for what it left out', async () => {
    const { go, ids, manifest } = await killed(otherRun, 'outcome');
    manifest(`${RESERVED}ssh_credentials: { c: { public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJN1 } }\n`);
    expect((await go('apply', '--auto-approve', '--target', 'ssh_credentials.c')).code).toBe(0);
    expect((await go('plan')).stdout).toContain(`${ids[0] ?? ''} is the object of this address`);
  });

  test('nor without its journal', async () => {
    const { go } = await killed(otherRun, 'outcome');
    expect((await go('apply', '--auto-approve', '--journal', 'none.jsonl')).code).toBe(1);
  });
});

test('a deletion of a double that was begun is finished', async () => {
  emulator = await startEmulator();
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\nreserved_addrs: { db: {} }\n' });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  let isOver = false;
  const first = outrun();
  const exchange: Exchange = async (asked) => {
    isOver ||= asked.method === 'DELETE';
    if (isOver) throw new Error('cut off');
    return first(asked);
  };
  await run(['apply', '--auto-approve', '--settle', '1'], { cwd, env, ports: { exchange } });
  expect(emulator.objects('reserved_addrs')).toHaveLength(2);
  expect((await run(['apply', '--auto-approve'], { cwd, env })).code).toBe(0);
  expect(emulator.objects('reserved_addrs')).toHaveLength(1);
  expect(String(emulator.objects('reserved_addrs')[0]?.['metadata'])).toContain('another-run');
});

test('a deletion that was begun counts no more once a run has kept the object', async () => {
  emulator = await startEmulator();
  const content = 'version: 1\nstack: shop\nreserved_addrs: { db: {} }\n';
  const cwd = folder({ 'edgeform.yaml': content });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const consent = ['--allow-deletes', 'all', '--allow-loss', 'reserved_addrs.db'];
  const apply = (exchange: Exchange = network) =>
    run(['apply', '--auto-approve', ...consent], { cwd, env, ports: { exchange } });
  expect((await apply()).code).toBe(0);
  writeFileSync(join(cwd, 'edgeform.yaml'), content.replace('db', 'other'));
  await apply(async (asked) => {
    if (asked.method === 'DELETE') throw new Error('cut off');
    return network(asked);
  });
  writeFileSync(join(cwd, 'edgeform.yaml'), content.replace('{ db: {} }', '{ db: {}, other: {} }'));
  expect((await apply()).code).toBe(0);
  const own = emulator.objects('reserved_addrs').find(({ metadata }) => String(metadata).includes('reserved_addrs.db'));
  const journal = readFileSync(join(cwd, journalOf(new URL(emulator.url), 'shop')), 'utf8');
  expect(journal).toContain('"DELETE"');
  emulator.mutate('reserved_addrs', String(own?.['id']), { metadata: '' });
  const { stdout } = await run(['drift', '--format', 'json'], { cwd, env });
  expect(JSON.parse(stdout)).toMatchObject({
    findings: [{ type: 'changed', address: 'reserved_addrs.db', cause: 'drift' }],
  });
});
