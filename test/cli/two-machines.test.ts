// Two machines apply one manifest at the same time, with lists that lag behind and steps that fail: every address ends
// with one object, and no run claims more than it saw.

import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

const MANIFEST = `version: 1
stack: shop
reserved_addrs:
  a: {}
  b: {}
failover_backends:
  pool: { backends: [bkdhr_1] }
https_edges:
  site:
    routes:
      all: { match_type: path_prefix, match: /, backend: { backend_id: "\${failover_backends.pool.id}" } }
event_destinations:
  audit: { target: { kinesis: { stream_arn: arn, auth: { role: { role_arn: arn } } } } }
event_subscriptions:
  audit: { sources: [{ type: ip_policy_created.v0 }], destination_ids: ["\${event_destinations.audit.id}"] }
`;

let emulator: Emulator;
afterEach(() => emulator.close());

interface Weather {
  /** Milliseconds after which a new object appears in lists. */
  readonly lagMs?: number;
  /** Creations that are refused, by path, for one machine. */
  readonly refused?: RegExp;
  /** Creations whose answers are lost, by path, for one machine. */
  readonly lost?: RegExp;
  /** Called before each request of one machine is sent. */
  readonly before?: (asked: Parameters<Exchange>[0]) => Promise<void>;
}

const bornAt = new Map<string, number>();

/** The network as one machine sees it. */
function exchangeIn({ lagMs = 0, refused, lost, before }: Weather): Exchange {
  return async (asked) => {
    await before?.(asked);
    if (asked.method === 'POST' && refused?.test(asked.url.pathname) === true)
      return answer(422, { error_code: 'ERR', status_code: 422, msg: 'not now', details: {} });
    const response = await network(asked);
    const body = parseJson(response.bytes?.toString() === '' ? 'null' : (response.bytes?.toString() ?? 'null'));
    if (asked.method === 'POST' && isObject(body)) bornAt.set(String(body['id']), networkClock.now());
    if (asked.method === 'POST' && lost?.test(asked.url.pathname) === true)
      return answer(502, { error_code: 'ERR', status_code: 502, msg: 'bad gateway', details: {} });
    return asked.method === 'GET' && isObject(body) && 'next_page_uri' in body
      ? answer(response.status, late(body, lagMs) as JsonObject)
      : response;
  };
}

function answer(status: number, body: JsonObject): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) };
}

function late(value: Json, lagMs: number): Json {
  if (Array.isArray(value))
    return (value as Json[]).filter((item) => !isNew(item, lagMs)).map((item) => late(item, lagMs));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, late(item, lagMs)]));
}

function isNew(item: Json, lagMs: number): boolean {
  const born = isObject(item) ? bornAt.get(String(item['id'])) : undefined;
  return born !== undefined && networkClock.now() - born < lagMs;
}

interface Machine {
  readonly apply: (weather?: Weather) => ReturnType<typeof run>;
}

function machine(): Machine {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return {
    apply: (weather = {}) =>
      run(['apply', '--auto-approve', '--settle', '20'], {
        cwd,
        env,
        ports: { clock: networkClock, exchange: exchangeIn(weather) },
      }),
  };
}

const KEYS = ['reserved_addrs', 'backends', 'https_edges', 'event_destinations', 'event_subscriptions'];

/** Addresses of all objects, each as often as it exists. */
function addresses(): string[] {
  const objects = KEYS.flatMap((key) => emulator.objects(key));
  const routes = objects.flatMap((one) => (Array.isArray(one['routes']) ? (one['routes'] as JsonObject[]) : []));
  return [...objects, ...routes].map((one) => readMarker(String(one['metadata'])).marker?.address ?? '').sort();
}

const ALL = [
  'event_destinations.audit',
  'event_subscriptions.audit',
  'failover_backends.pool',
  'https_edges.site',
  'https_edges.site.routes.all',
  'reserved_addrs.a',
  'reserved_addrs.b',
];

describe('two machines at once', () => {
  test.each<[string, Weather, Weather]>([
    ['with lists that are up to date', {}, {}],
    ['with lists that are 300 ms late', { lagMs: 300 }, { lagMs: 300 }],
    ['with lists that are 1 s late', { lagMs: 1000 }, { lagMs: 1000 }],
    ['while a step of one fails', { refused: /event_destinations/ }, {}],
    ['while a step of each fails', { refused: /event_destinations/ }, { refused: /backends/ }],
    ['while the edge of one has no route', { refused: /routes/, lagMs: 300 }, { lagMs: 300 }],
    ['while an answer of one is lost', { lost: /event_destinations/ }, {}],
    ['while answers of both are lost and lists are late', { lost: /backends/, lagMs: 800 }, { lost: /./, lagMs: 800 }],
  ])('%s', async (_, one, other) => {
    emulator = await startEmulator({ latencyMs: 5 });
    const [a, b] = [machine(), machine()];
    await Promise.all([a.apply(one), b.apply(other)]);
    const after = await a.apply();
    const last = await b.apply();
    expect([after.code, last.code], after.stderr + last.stderr).toEqual([0, 0]);
    expect(addresses()).toEqual(ALL);
  });
});
