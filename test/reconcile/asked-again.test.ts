// A rule of the plan is asked again of what is known when the write is sent: whatever happens while the question waits for "yes", or
// while a service that throttles is waited for.

import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { StackResult } from '../../src/fleet/fleet.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Place } from '../fleet/place.ts';
import { applyFleet, createPlace } from '../fleet/place.ts';
import { refuse, reply } from '../support/fake-exchange.ts';

let place: Place;
beforeEach(() => {
  place = createPlace();
});

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const BACKENDS = 'failover_backends: { a: {}, b: {} }';
const shop = (body = '') => stack('shop', body === '' ? 'outputs: {}' : body);

function idOf(address: string): string {
  const found = place.direct.store.all().find(({ spec }) => String(spec['metadata']).includes(`"${address}"`));
  return found?.id ?? '';
}

/** Another stack makes an object. */
function another(path: string, spec: JsonObject, address = 'tls_edges.theirs'): string {
  const metadata = writeMarker('', { v: 1, stack: 'other', address, applied: {} });
  const { status, body } = place.direct.ask('POST', path, { ...spec, metadata });
  expect([status, body]).toEqual([201, expect.anything()]);
  return String((body as JsonObject)['id']);
}

interface Told {
  readonly result: string;
  /** Status of each step, by its address. */
  readonly steps: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  readonly errors: readonly string[];
}

function told([result]: readonly StackResult[]): Told {
  if (result?.is !== 'applied') throw new Error(`the stack ended as ${result?.is ?? 'nothing'}`);
  const { report } = result;
  return {
    result: report.result,
    steps: Object.fromEntries(report.results.map(({ address, status }) => [address, status])),
    codes: report.diagnostics.map(({ code }) => code),
    errors: report.results.flatMap(({ error }) => error ?? []),
  };
}

const FREE = {
  allowDeletes: 'all',
  allowLoss: ['reserved_addrs.db', 'reserved_addrs.z', 'api_keys.a', 'api_keys.b'],
  tokenDir: undefined,
} as const;

/** Applies one stack; `meanwhile` happens while the question waits for "yes". */
async function apply(manifest: string, meanwhile: () => void = () => undefined): Promise<Told> {
  place.asked.length = 0;
  const approve = async () => {
    meanwhile();
    place.asked.length = 0;
    await Promise.resolve();
  };
  return told(await applyFleet(place.fleet({ shop: manifest }, { approve }, FREE)));
}

const keeping = 'failover_backends: { keep: {} }';

describe('a deletion', () => {
  beforeEach(async () => {
    await apply(shop('failover_backends: { keep: {}, a: {}, b: {} }, reserved_addrs: { db: {} }'));
  });

  const withAddr = `${keeping}, reserved_addrs: { db: {} }`;

  test('of what was taken into use while the question waited fails, and nothing else is lost', async () => {
    const id = idOf('failover_backends.a');
    const end = await apply(shop(withAddr), () => another('/edges/tls', { backend: { backend_id: id } }));
    expect(end).toMatchObject({
      result: 'partial',
      steps: { 'failover_backends.a': 'failed', 'failover_backends.b': 'done' },
      codes: ['still-referenced'],
      errors: [expect.stringMatching(/was taken into use.*tls_edges\.theirs of stack other.*still refers to it/)],
    });
    expect(place.direct.store.get(id)).toBeDefined();
  });

  test('of what was taken into use during the pause of a 429 fails', async () => {
    const id = idOf('failover_backends.a');
    let isFirst = true;
    place.intercept = ({ method, url }) => {
      if (method !== 'DELETE' || !url.pathname.endsWith(id) || !isFirst) return undefined;
      isFirst = false;
      another('/edges/tls', { backend: { backend_id: id } });
      return refuse(429, { 'retry-after': '30' });
    };
    const end = await apply(shop(withAddr));
    expect([isFirst, end.steps['failover_backends.a'], end.codes]).toEqual([false, 'failed', ['still-referenced']]);
    expect(place.direct.store.get(id)).toBeDefined();
  });

  test('of an address that another edge serves by now fails', async () => {
    const id = idOf('reserved_addrs.db');
    const { body } = place.direct.ask('GET', `/reserved_addrs/${id}`);
    const addr = String((body as JsonObject)['addr']);
    const end = await apply(shop('failover_backends: { keep: {}, a: {}, b: {} }'), () =>
      another('/edges/tls', { hostports: [addr] }),
    );
    expect([end.steps, end.codes]).toEqual([{ 'reserved_addrs.db': 'failed' }, ['still-referenced']]);
    expect(end.errors[0]).toContain(`still serves ${addr}`);
  });

  test('asks once for all deletions of a moment', async () => {
    await apply(shop(withAddr));
    const lists = place.asked.slice(
      0,
      place.asked.findLastIndex((one) => one.startsWith('DELETE')),
    );
    expect(lists.filter((one) => one.startsWith('GET') && one.split('/').length < 4).sort()).toEqual([
      'GET /backends/failover',
      'GET /edges/https',
      'GET /edges/tls',
    ]);
  });

  test('asks again after a wait', async () => {
    let isFirst = true;
    place.intercept = ({ method }) => {
      if (method !== 'DELETE' || !isFirst) return undefined;
      isFirst = false;
      return refuse(429, { 'retry-after': '30' });
    };
    await apply(shop(withAddr));
    const asked = place.asked.slice(
      0,
      place.asked.findLastIndex((one) => one.startsWith('DELETE')),
    );
    expect(asked.filter((one) => one === 'GET /edges/tls')).toHaveLength(2);
  });

  test('goes on when a list shows a use that is gone', async () => {
    const id = idOf('failover_backends.a');
    await apply(
      shop(
        `failover_backends: { keep: {}, a: {}, b: {} }, reserved_addrs: { db: {} }, tls_edges: { e: { backend: { backend_id: "\${failover_backends.a.id}" } } }`,
      ),
    );
    const before = place.answer({
      method: 'GET',
      url: new URL('http://localhost/edges/tls'),
      headers: {},
      body: undefined,
      timeoutMs: 1,
    });
    place.intercept = ({ method, url }) => (method === 'GET' && url.pathname === '/edges/tls' ? before : undefined);
    const end = await apply(shop(`${withAddr}, tls_edges: { e: { } }`));
    expect(end.steps).toMatchObject({ 'failover_backends.a': 'done', 'failover_backends.b': 'done' });
    expect(place.direct.store.get(id)).toBeUndefined();
  });

  test('of what cannot be asked about fails', async () => {
    let isAsked = false;
    place.intercept = ({ method, url }) => {
      if (method === 'DELETE') isAsked = true;
      return !isAsked &&
        place.asked.length > 0 &&
        url.pathname === '/edges/tls' &&
        place.asked[0] !== 'GET /agent_ingresses'
        ? refuse(500)
        : undefined;
    };
    const end = await apply(shop(withAddr));
    expect(end.steps).toEqual({ 'failover_backends.a': 'failed', 'failover_backends.b': 'failed' });
  });
});

describe('a value of an import', () => {
  const importing = shop(
    'imports: { db: { stack: other, address: reserved_addrs.db } }, tls_edges: { web: { hostports: ["${imports.db.addr}"] }, own: {} }, failover_backends: { z: { description: "${imports.db.addr}" } }',
  );

  test('is read once for the writes that carry it', async () => {
    const id = another('/reserved_addrs', {}, 'reserved_addrs.db');
    expect((await apply(importing)).result).toBe('done');
    expect(place.asked.filter((one) => one === `GET /reserved_addrs/${id}`)).toHaveLength(1);
  });

  test.each([
    ['is gone', (id: string) => place.direct.ask('DELETE', `/reserved_addrs/${id}`), /no longer exists/],
    [
      'is that of another object',
      (id: string) => {
        const metadata = writeMarker('', { v: 1, stack: 'other', address: 'reserved_addrs.x', applied: {} });
        place.direct.ask('PATCH', `/reserved_addrs/${id}`, { metadata });
      },
      /no longer has the marker of reserved_addrs\.db of stack other/,
    ],
  ])('is not sent when it %s meanwhile', async (_, change, why) => {
    const id = another('/reserved_addrs', {}, 'reserved_addrs.db');
    const end = await apply(importing, () => {
      change(id);
    });
    expect(end.steps).toEqual({ 'tls_edges.web': 'failed', 'tls_edges.own': 'done', 'failover_backends.z': 'failed' });
    expect([end.codes.filter((code) => code === 'import-changed').length, end.errors[0]]).toEqual([
      2,
      expect.stringMatching(why),
    ]);
  });
});

describe('API keys', () => {
  const KEYS = 'api_keys: { a: {}, b: {} }';
  const tokens = { ...FREE, tokenDir: '/tokens' };
  const CODES = expect.toSatisfy(
    (codes: readonly string[]) => [...codes].sort().join() === 'own-key-deleted,token-file-left',
  ) as string[];

  const applied = async (manifest: string) => told(await applyFleet(place.fleet({ shop: manifest }, {}, tokens)));

  beforeEach(async () => {
    await applied(shop(`${KEYS}, ${BACKENDS}, reserved_addrs: { z: {} }`));
    place.asked.length = 0;
  });

  const writesOf = () =>
    place.asked.filter((one) => !one.startsWith('GET')).map((one) => one.split('/').slice(0, 2).join('/'));

  test('are deleted after everything else', async () => {
    await applied(shop('reserved_addrs: { z: { description: later } }'));
    const writes = writesOf();
    expect(writes.slice(0, 3).sort()).toEqual(['DELETE /backends', 'DELETE /backends', 'PATCH /reserved_addrs']);
    expect(writes.slice(3)).toEqual(['DELETE /api_keys', 'DELETE /api_keys']);
  });

  test('are deleted even when something else failed', async () => {
    place.intercept = ({ method }) => (method === 'PATCH' ? refuse(400) : undefined);
    const end = await applied(
      shop('reserved_addrs: { z: { description: later } }, failover_backends: { a: {}, b: {} }'),
    );
    expect(end.steps).toEqual({ 'reserved_addrs.z': 'failed', 'api_keys.a': 'done', 'api_keys.b': 'done' });
  });

  test('that the run itself uses: the report says that this run deleted it', async () => {
    let isGone = false;
    const refused = { error_code: 'ERR', status_code: 401, msg: 'no such key', details: {} };
    place.intercept = ({ method, url }) => {
      if (isGone) return reply(401, refused);
      isGone = method === 'DELETE' && url.pathname.startsWith('/api_keys/');
      return undefined;
    };
    const end = await applied(shop(`${BACKENDS}, reserved_addrs: { z: {} }, api_keys: { b: {} }`));
    expect([end.steps, end.codes]).toEqual([{ 'api_keys.a': 'done' }, CODES]);
  });

  test('of which the first was its own: the second fails, and the report says why', async () => {
    let isGone = false;
    place.intercept = ({ method, url }) => {
      if (isGone) return reply(401, { error_code: 'ERR', status_code: 401, msg: 'no such key', details: {} });
      isGone = method === 'DELETE' && url.pathname.startsWith('/api_keys/');
      return undefined;
    };
    const end = await applied(shop(`${BACKENDS}, reserved_addrs: { z: {} }`));
    expect([Object.values(end.steps).sort(), end.codes]).toEqual([['done', 'failed'], CODES]);
  });

  test('of one stack are deleted when the other stacks of the run are done', async () => {
    place.asked.length = 0;
    const other = stack('other', 'failover_backends: { x: {}, y: {} }');
    await applyFleet(place.fleet({ shop: shop('failover_backends: { a: {} }'), other }, {}, tokens));
    const writes = place.asked.filter((one) => !one.startsWith('GET'));
    const last = writes.findLastIndex((one) => one === 'POST /backends/failover');
    expect(writes.findIndex((one) => one.startsWith('DELETE'))).toBeGreaterThan(last);
  });
});
