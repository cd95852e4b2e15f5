// People edit metadata: the object stays the object that it was, or the run stops and names it. Through the command line.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { folder } from '../support/cli.ts';
import { byTurns } from '../support/full.ts';
import { run as runIn } from '../support/host.ts';
import type { Edit } from '../support/metadata-edits.ts';
import { DAMAGES, LINE_EDITS, OBJECT_EDITS, REMAINS } from '../support/metadata-edits.ts';

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;
afterEach(() => emulator.close());

const manifest = (metadata: string, lifecycle = '') => `version: 1
stack: shop
tls_edges:
  a: { metadata: ${JSON.stringify(metadata)}, description: mine, hostports: [a.example.com:443]${lifecycle} }
event_destinations:
  d: { target: { kinesis: { stream_arn: "arn:1", auth: { role: { role_arn: "arn:2" } } } } }
event_subscriptions:
  s: { sources: [{ type: a.v0 }], destination_ids: ["\${event_destinations.d.id}"] }
`;

const run = (...args: string[]) => runIn(args, { cwd, env });
const apply = () => run('apply', '--auto-approve');
const edges = () => emulator.objects('tls_edges');
const ids = () =>
  ['tls_edges', 'event_destinations', 'event_subscriptions'].map((list) =>
    emulator.objects(list).map((one) => one['id']),
  );
const writes = () => emulator.requests.filter((request) => request.method !== 'GET').length;

async function begin(text: string): Promise<void> {
  emulator = await startEmulator();
  cwd = folder({ 'edgeform.yaml': text });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  expect((await apply()).code).toBe(0);
}

const headers = () => ({
  authorization: `Bearer ${emulator.apiKey}`,
  'service-version': '2',
  'content-type': 'application/json',
});

/** Somebody edits the metadata of one object in a form of the service. */
async function edit(list: string, path: string, how: Edit): Promise<string> {
  const [object] = emulator.objects(list);
  const metadata = how(String(object?.['metadata']));
  const response = await fetch(`${emulator.url}/${path}/${String(object?.['id'])}`, {
    method: 'PATCH',
    headers: headers(),
    body: JSON.stringify({ metadata }),
  });
  expect(response.status).toBe(200);
  return metadata;
}

async function json(...args: string[]): Promise<JsonObject> {
  const { stdout } = await run(...args, '--format', 'json');
  const document = parseJson(stdout);
  return isObject(document) ? document : {};
}

const EDITS = [
  ...Object.entries(OBJECT_EDITS).flatMap(([name, how], turn) =>
    byTurns(['', '{}', '{"team":"a"}'], turn, 3).map((user) => [name, user, how] as const),
  ),
  ...Object.entries(LINE_EDITS).map(([name, how]) => [name, 'my text\nof two lines', how] as const),
];

describe('an edit around the marker', () => {
  test.each(EDITS)(
    '%s, of %j: the same object, at most drift of its metadata, and apply ends it',
    async (_, user, how) => {
      await begin(manifest(user));
      const before = ids();
      await edit('tls_edges', 'edges/tls', how);
      const drift = await json('drift');
      const found = Array.isArray(drift['findings']) ? (drift['findings'] as JsonObject[]) : [];
      const what = found.flatMap(({ type, address, changes }) =>
        (changes as JsonObject[]).map(
          ({ path, cause }) => `${String(type)} ${String(address)} ${String(path)} ${String(cause)}`,
        ),
      );
      expect([[], ['changed tls_edges.a metadata drift']]).toContainEqual(what);
      expect((await apply()).code).toBe(0);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
      expect((await run('drift')).code).toBe(0);
      expect(ids()).toEqual(before);
    },
  );

  test.each(EDITS.filter(([, user]) => user !== '' && user !== '{}'))(
    '%s, of %j: kept where changes of metadata are ignored',
    async (_, user, how) => {
      await begin(manifest(user, ', lifecycle: { ignore_changes: [metadata] }'));
      const before = ids();
      const text = await edit('tls_edges', 'edges/tls', how);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
      expect((await apply()).code).toBe(0);
      expect(edges().map((edge) => edge['metadata'])).toEqual([text]);
      expect(ids()).toEqual(before);
    },
  );
});

describe('a damaged marker', () => {
  const cases = Object.entries({ ...DAMAGES, ...REMAINS }).flatMap(([name, how], turn) =>
    byTurns(['{"team":"a"}', 'my text'], turn, 2).map((user) => [name, user, how] as const),
  );
  test.each(cases)('%s, of %j: nothing is changed, and the object is named', async (_, user, how) => {
    await begin(manifest(user));
    const isMarked = readMarker(await edit('tls_edges', 'edges/tls', how)).markerProblem !== undefined;
    const [id] = edges().map((edge) => String(edge['id']));
    const sent = writes();
    const plan = await run('plan');
    expect(plan.code).toBe(1);
    expect(plan.stdout + plan.stderr).toContain(id);
    const { steps, diagnostics, unmanaged } = await json('plan');
    expect([steps, unmanaged]).toMatchObject([[{ action: 'create', address: 'tls_edges.a' }], []]);
    expect(diagnostics).toMatchObject([{ code: 'broken-marker', severity: 'error' }]);
    expect((await apply()).code).toBe(1);
    expect(writes()).toBe(sent);
    expect((await run('drift')).code).toBe(2);
    expect((await json('drift'))['findings']).toMatchObject([
      { type: 'changed', address: 'tls_edges.a', kind: 'tls_edge', live_id: id, cause: 'drift' },
    ]);
    expect((await run('output', 'tls_edges.a.id')).code).toBe(1);
    const exported = await run('export', '--unmanaged', '--stack', 'shop');
    if (isMarked) expect(exported.stdout).toMatch(new RegExp(`- ${id ?? ''} .*its ownership marker`));
    else expect(exported.stdout).toContain(`adopt: ${id ?? ''}`);
    // What is no marker does not keep the rest of the stack.
    expect((await run('destroy', '--auto-approve')).code).toBe(isMarked ? 1 : 3);
    expect(edges().map((edge) => edge['id'])).toEqual([id]);
  });

  test('of another stack beyond doubt: it stops that stack alone', async () => {
    await begin(manifest('my text'));
    await edit('tls_edges', 'edges/tls', (text) => text.replace('"stack":"shop"', '"stack":"other"').slice(0, -4));
    const plan = await run('plan');
    expect(plan.code).toBe(5);
    expect(plan.stdout).toContain('moved-away');
  });

  test('of an object that nothing waits for: the report of an apply says so, too, whatever it did', async () => {
    await begin(manifest('my text'));
    const stranger = await fetch(`${emulator.url}/edges/tls`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ metadata: '{"edgeform":true}' }),
    });
    expect(stranger.status).toBe(201);
    for (const description of ['mine', 'new']) {
      writeFileSync(join(cwd, 'edgeform.yaml'), manifest('my text').replace('mine', description));
      const report = await json('apply', '--auto-approve');
      expect(report).toMatchObject({ result: 'done', exit_code: 0, diagnostics: [{ code: 'broken-marker' }] });
    }
  });

  test('that is gone: a block with the id says how it takes the object over', async () => {
    await begin(manifest(''));
    await edit('tls_edges', 'edges/tls', () => '');
    const [id] = edges().map((edge) => String(edge['id']));
    for (const how of ['id', 'adopt']) {
      writeFileSync(join(cwd, 'edgeform.yaml'), manifest('', `, lifecycle: { ${how}: ${id ?? ''} }`));
      const { steps } = await json('plan');
      expect(steps).toMatchObject([
        { action: 'adopt', reason: { code: 'adopted', text: `adopted by \`lifecycle.${how}\`` } },
      ]);
    }
  });

  test('of a referrer or of what it refers to: no second object', async () => {
    await begin(manifest(''));
    const before = ids();
    let whole = '';
    await edit('event_destinations', 'event_destinations', (text) => {
      whole = text;
      return text.slice(0, -3);
    });
    expect((await apply()).code).toBe(1);
    expect(ids()).toEqual(before);
    await edit('event_destinations', 'event_destinations', () => whole);
    expect((await apply()).code).toBe(0);
    expect(ids()).toEqual(before);
  });

  test('of any object stops a saved plan, too', async () => {
    await begin(manifest('my text'));
    writeFileSync(join(cwd, 'edgeform.yaml'), manifest('my text').replace('mine', 'new'));
    expect((await run('plan', '--out', 'p.json')).code).toBe(0);
    await edit('event_destinations', 'event_destinations', (text) => text.slice(0, -3));
    const sent = writes();
    const { code, stderr } = await run('apply', 'p.json', '--auto-approve');
    expect([code, writes()]).toEqual([1, sent]);
    expect(stderr).toContain('Nothing was changed.');
  });

  const ways = { 'removed wholly': () => '{"team":"a"}', ...DAMAGES, ...REMAINS };
  test.each(Object.entries(ways))('%s: its object is taken over again by its id', async (name, how) => {
    await begin(manifest('{"team":"a"}'));
    const before = ids();
    await edit('tls_edges', 'edges/tls', how);
    const [id] = edges().map((edge) => String(edge['id']));
    const isOthers = name === 'a member twice';
    cwd = folder({ 'edgeform.yaml': manifest('{"team":"a"}', `, lifecycle: { adopt: ${id ?? ''} }`) });
    expect((await apply()).code).toBe(isOthers ? 1 : 0);
    expect(ids()).toEqual(before);
    if (isOthers) return;
    cwd = folder({ 'edgeform.yaml': manifest('{"team":"a"}') });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('of a stranger: the rest of the stack goes on, and drift is not found', async () => {
    emulator = await startEmulator({ seed: { tls_edges: [{ id: 'edgtls_x', metadata: '{"edgeform":"managed"}' }] } });
    env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    cwd = folder({ 'edgeform.yaml': manifest('') });
    expect((await apply()).code).toBe(0);
    expect(edges()).toHaveLength(2);
    cwd = folder({ 'edgeform.yaml': manifest('').replace(/tls_edges:\n.*\n/u, '') });
    expect((await apply()).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    expect(await json('drift')).toMatchObject({ findings: [], diagnostics: [{ severity: 'warning' }] });
    expect((await run('destroy', '--auto-approve')).code).toBe(0);
    expect(edges()).toEqual([expect.objectContaining({ id: 'edgtls_x', metadata: '{"edgeform":"managed"}' })]);
  });
});

describe('a stranger who speaks of us while a plan waits', () => {
  const post = (path: string, body: JsonObject) =>
    fetch(`${emulator.url}/${path}`, { method: 'POST', headers: headers(), body: JSON.stringify(body) });
  const saved = async (kind: string, body: JsonObject) => {
    await begin(manifest(''));
    writeFileSync(join(cwd, 'edgeform.yaml'), `${manifest('')}reserved_addrs: { r: {} }\n`);
    expect((await run('plan', '--out', 'p.json')).code).toBe(0);
    expect((await post(kind, { ...body, metadata: '{"edgeform":true}' })).status).toBe(201);
    return (await run('apply', 'p.json', '--auto-approve')).code;
  };

  test('stops nothing, and no reading', async () => {
    expect(await saved('edges/tls', {})).toBe(0);
    expect((await run('output', 'tls_edges.a.id')).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    expect((await run('export', '--stack', 'shop')).code).toBe(0);
  });
});

describe('a copied marker', () => {
  /** Somebody creates an object of their own with the metadata of one of ours. */
  async function copyTo(path: string, body: JsonObject): Promise<string> {
    const [original] = edges();
    const response = await fetch(`${emulator.url}/${path}`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ ...body, metadata: original?.['metadata'] ?? '' }),
    });
    expect(response.status).toBe(201);
    const made: unknown = await response.json();
    return isObject(made) ? String(made['id']) : '';
  }

  test('on an object of another kind: told, left alone, and exported as nobody’s', async () => {
    await begin(manifest('my text'));
    const before = ids();
    const id = await copyTo('reserved_addrs', {});
    const seen = JSON.stringify(emulator.objects('reserved_addrs'));
    const plan = await json('plan');
    expect(plan).toMatchObject({
      steps: [],
      refusals: [],
      diagnostics: [{ code: 'misplaced-marker', severity: 'warning' }],
    });
    expect(plan['unmanaged']).toEqual([{ kind: 'reserved_addr', id, owner: null }]);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect((await run('drift')).code).toBe(0);
    const drift = await json('drift');
    expect(drift).toMatchObject({
      drifted: false,
      findings: [{ type: 'unmanaged', live_id: id }],
      diagnostics: [{ code: 'misplaced-marker' }],
    });
    expect((await run('output', 'tls_edges.a.id')).stdout.trim()).toBe(before[0]?.[0]);
    expect((await run('export', '--unmanaged', '--stack', 'shop')).stdout).toContain(`adopt: ${id}`);
    expect((await run('export', '--stack', 'shop')).stdout).toMatch(new RegExp(`- ${id} .*tls_edges.a`));
    expect((await run('destroy', '--auto-approve')).code).toBe(0);
    expect(JSON.stringify(emulator.objects('reserved_addrs'))).toBe(seen);
  });

  test('on an object of the same kind: which one is ours is not guessed', async () => {
    await begin(manifest('my text'));
    await copyTo('edges/tls', {});
    const sent = writes();
    expect(await json('plan')).toMatchObject({ diagnostics: [{ code: 'duplicate-marker', severity: 'error' }] });
    expect((await apply()).code).toBe(1);
    expect((await run('drift')).code).toBe(2);
    expect(writes()).toBe(sent);
  });

  test('that says it replaces a later object: its word does not delete that one', async () => {
    emulator = await startEmulator({ seed: { tls_edges: [{ id: 'edgtls_f', created_at: '2001-01-01T00:00:00Z' }] } });
    cwd = folder({ 'edgeform.yaml': manifest('') });
    env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    expect((await apply()).code).toBe(0);
    const own = edges().find((edge) => edge['id'] !== 'edgtls_f');
    const id = String(own?.['id']);
    const metadata = String(own?.['metadata']).replace('"applied"', `"replaces":"${id}","applied"`);
    emulator.mutate('tls_edges', 'edgtls_f', { metadata });
    const { diagnostics } = await json('plan');
    expect(diagnostics).toMatchObject([{ code: 'duplicate-marker', severity: 'error' }]);
    expect(JSON.stringify(diagnostics)).toMatch(new RegExp(`(?=.*${id}).*edgtls_f`));
    expect((await apply()).code).toBe(1);
    expect(edges()).toHaveLength(2);
  });
});
