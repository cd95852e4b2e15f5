// The live state that a run sees: what lists do not show is looked up, and a failure says what it means for the run.

import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { pinnedBy, readAll, readSessions, seenBy } from '../../src/reconcile/read.ts';
import type { RunEvent } from '../../src/reconcile/run.ts';
import type { ExpectedObject } from '../../src/reconcile/execution/run-effects.ts';
import type { ReadClient } from '../../src/service/transport.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { ApiError } from '../../src/service/transport.ts';
import { KEY } from '../support/fake-exchange.ts';
import { createDirect } from '../support/in-process.ts';
import { journal } from '../plan/sample.ts';
import { load } from '../support/world.ts';
import { liveOf, snapshotOf } from './sample.ts';

const manifest = load('version: 1\nstack: shop\ntls_edges: { a: {} }\n');
const run = createRun({ manifest, baseUrl: 'https://api.example.com', apiKey: KEY });
const A = 'tls_edges.a';

/** A service with an edge, a site and its route, and a reader of it whose lists lack some ids. */
function serviceWithout(...hidden: string[]) {
  const direct = createDirect();
  const create = (path: string, body = {}) => (direct.ask('POST', path, body).body as { id: string }).id;
  const edge = create('/edges/tls');
  const site = create('/edges/https');
  const route = create(`/edges/https/${site}/routes`, { match_type: 'path_prefix', match: '/', compression: {} });
  const asked: string[] = [];
  const names: Readonly<Record<string, string>> = { edge, site };
  const client: ReadClient = {
    list: async (path, key) => {
      const list = await direct.client.list(path, key);
      return { ...list, items: list.items.filter(({ id }) => !hidden.some((name) => names[name] === id)) };
    },
    get: (path) => {
      asked.push(path);
      return direct.client.get(path);
    },
  };
  return { client, asked, edge, site, route };
}

const marked = (address: string) => writeMarker('', { v: 1, stack: 'shop', address, applied: {} });

const expected = (kind: string, id: string, address: string): ExpectedObject => ({ kind, id, address });

describe('the live state', () => {
  test('is what the lists show, and nothing is asked for again', async () => {
    const { client, asked, edge, site, route } = serviceWithout();
    const { resources } = await readAll({ client, soFar: 'x', expectedObjects: [expected('tls_edge', edge, A)] }, run);
    expect([resources.map(({ id }) => id).sort(), asked]).toEqual([[edge, site, route].sort(), []]);
  });

  test('has what a run made and no list shows yet', async () => {
    const { client, edge } = serviceWithout('edge');
    const { resources, unlisted } = await readAll(
      { client, soFar: 'x', expectedObjects: [expected('tls_edge', edge, A)] },
      run,
    );
    expect([resources.some(({ id }) => id === edge), unlisted]).toEqual([true, [edge]]);
  });

  test('lacks what is not there, wherever one looks', async () => {
    const { client, asked } = serviceWithout();
    const { resources, unlisted } = await readAll(
      { client, soFar: 'x', expectedObjects: [expected('tls_edge', 'edgtls_9', A)] },
      run,
    );
    expect([resources.length, unlisted, asked]).toEqual([3, [], ['/edges/tls/edgtls_9']]);
  });

  test.each([
    { name: 'it is gone', isGone: true },
    { name: 'it is there again, or still', isGone: false },
  ])('asks for what a run deleted and a list still shows: $name', async ({ isGone }) => {
    const { client, asked, edge } = serviceWithout();
    const stale: ReadClient = {
      list: async (path, key) => {
        const list = await client.list(path, key);
        return { ...list, items: list.items.map((item) => ({ ...item, metadata: marked(A) })) };
      },
      get: async (path) => {
        const body = await client.get(path);
        return isGone ? undefined : body;
      },
    };
    const expectedObjects = [{ ...expected('tls_edge', edge, A), deletedBy: 'shop' }];
    const { resources } = await readAll({ client: stale, soFar: 'x', expectedObjects }, run);
    expect(asked).toEqual([`/edges/tls/${edge}`]);
    expect(resources.some(({ id }) => id === edge)).toBe(!isGone);
  });

  test('does not ask for what a run released', async () => {
    const { client, asked, edge } = serviceWithout();
    const expectedObjects = [{ ...expected('tls_edge', edge, A), deletedBy: 'shop' }];
    await readAll({ client, soFar: 'x', expectedObjects }, run);
    expect(asked).toEqual([]);
  });

  test('asks for both objects of one address, because a list may show one that is gone', async () => {
    const direct = createDirect();
    const create = (path: string, address: string, body = {}) =>
      (direct.ask('POST', path, { ...body, metadata: marked(address) }).body as { id: string }).id;
    const [first, second] = [create('/edges/tls', A), create('/edges/tls', A)];
    const site = create('/edges/https', 'https_edges.site');
    const route = { match_type: 'path_prefix', compression: {} };
    for (const match of ['/a', '/b'])
      create(`/edges/https/${site}/routes`, 'https_edges.site.routes.all', { ...route, match });
    const asked: string[] = [];
    const client: ReadClient = {
      list: (path, key) => direct.client.list(path, key),
      get: (path) => {
        asked.push(path);
        return path.endsWith(first) ? Promise.resolve(undefined) : direct.client.get(path);
      },
    };
    const { resources } = await readAll({ client, soFar: 'x' }, run);
    expect(asked.sort()).toEqual([`/edges/https/${site}`, `/edges/tls/${first}`, `/edges/tls/${second}`].sort());
    expect(resources.flatMap(({ kind, id }) => (kind === 'tls_edge' ? [id] : []))).toEqual([second]);
  });

  test('has what lies inside an object by asking for that object', async () => {
    const { client, asked, site, route } = serviceWithout('site');
    const objects = [
      expected('https_edge_route', route, 'https_edges.site.routes.all'),
      expected('https_edge', site, 'https_edges.site'),
    ];
    const { resources } = await readAll({ client, soFar: 'x', expectedObjects: objects }, run);
    expect(asked).toEqual([`/edges/https/${site}`]);
    expect(resources.map(({ id }) => id)).toEqual(expect.arrayContaining([site, route]));
  });
});

test('a reading tells how far it came and when it is over', async () => {
  const events: RunEvent[] = [];
  const { client } = serviceWithout();
  await readAll({ client, soFar: 'x' }, { ...run, emit: (event) => void events.push(event) });
  expect(events[0]).toMatchObject({ type: 'reading', kindsRead: 0, pages: 0 });
  expect(events.at(-1)).toMatchObject({ type: 'read', objects: 3 });
});

describe('a reading that fails', () => {
  const failing = (error: Error): ReadClient => ({
    list: () => Promise.reject(error),
    get: () => Promise.reject(error),
  });
  const failureOf = async (error: Error, of = run): Promise<unknown> =>
    readAll({ client: failing(error), soFar: 'nothing was changed' }, of).then(
      () => undefined,
      (reason: unknown) => reason,
    );

  test('of the service says so, with what that means', async () => {
    const error = await failureOf(
      new ApiError({ code: 'api-timeout', message: 'no answer', known: 'lost', type: 'read', fix: 'wait' }),
    );
    expect(error).toBeInstanceOf(Failure);
    expect(error).toMatchObject({ outcome: 'error', diagnostics: [{ code: 'api-timeout', fix: 'wait' }] });
    expect((error as Failure).diagnostics[0]?.message).toMatch(/^no answer.*; nothing was changed$/);
  });

  test('of a run that is to end keeps its outcome', async () => {
    const ended = new AbortController();
    ended.abort();
    const pending: ReadClient = { list: () => new Promise(() => undefined), get: () => Promise.resolve(undefined) };
    const stopped = readAll(
      { client: pending, soFar: 'nothing was changed' },
      { ...run, signal: ended.signal, signalName: () => 'SIGTERM' },
    );
    await expect(stopped).rejects.toMatchObject({
      outcome: 'terminated',
      diagnostics: [{ code: 'interrupted', message: expect.stringMatching(/SIGTERM; nothing was changed/) }],
    });
  });

  test('by a mistake of ours stays that mistake', async () => {
    const bug = new TypeError('a mistake');
    expect(await failureOf(bug)).toBe(bug);
  });
});

test('a list that is refused without a remedy fails without one', async () => {
  const error = new ApiError({ code: 'api-refused', message: 'no', known: 'refused', type: 'read' });
  const client: ReadClient = { list: () => Promise.reject(error), get: () => Promise.resolve(undefined) };
  const read = readSessions(run, client);
  await expect(read).rejects.toBeInstanceOf(Failure);
  const diagnostics = [{ code: 'api-refused', severity: 'error', message: 'no' }];
  await expect(read).rejects.toMatchObject({ outcome: 'error', diagnostics });
});

test.each([
  { name: 'no pin', lifecycle: '{}', ids: [] },
  { name: 'an object that is named', lifecycle: '{ id: edgtls_1 }', ids: ['edgtls_1'] },
  { name: 'an object that is taken over', lifecycle: '{ adopt: edgtls_2 }', ids: ['edgtls_2'] },
])('$name of a manifest is read by its id', ({ lifecycle, ids }) => {
  const pinning = load(`version: 1\nstack: shop\ntls_edges: { a: { lifecycle: ${lifecycle} } }\n`);
  expect(pinnedBy(pinning)).toEqual(ids.map((id) => ({ kind: 'tls_edge', id })));
});

test.each([
  { name: 'that a journal knows', ids: [['edgtls_1', A]], knownAs: A },
  { name: 'that no journal knows', ids: [], knownAs: undefined },
] as const)('an object without a marker $name', ({ ids, knownAs }) => {
  expect(
    seenBy(manifest, snapshotOf([liveOf('edgtls_1')]), journal({ ids: new Map(ids) })).resources[0]?.markerProblem
      ?.knownAs,
  ).toBe(knownAs);
});
