// A fault at each request of a hand-over between stacks and of a chain of imports: a crash, a lost answer, a list that is behind.
// After reruns nothing is held twice, nothing is lost, nothing foreign is written, and drift blames nobody.

import { expect, test } from 'vitest';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import { chanceOf } from '../support/chance.ts';
import { fault, refuse } from '../support/fake-exchange.ts';
import { createDirect } from '../support/in-process.ts';
import type { Place } from './place.ts';
import { answering, applyFleet, createPlace, driftFleet, holderOf, LISTS, outcomes, planFleet } from './place.ts';

/** The share of the worlds; `npm test` plays some of them, and FAULTS_SHARE=1 all. */
const SHARE = Number(process.env['FAULTS_SHARE'] ?? 0.01);
const MOST_RUNS = 4;
const MOVING = 'moves.example.com:443';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const site = (name: string, host: string) =>
  stack(name, `tls_edges: { web: { hostports: ["${host}.example.com:443"] } }`);
const imports = (source: string, address: string) => `imports: { it: { stack: ${source}, address: ${address} } }`;
const NETWORK = stack('network', 'reserved_addrs: { db: { description: x } }');

const SITE = `{ hostports: ["${MOVING}"], routes: { api: { match_type: path_prefix, match: /api, compression: {} } } }`;
const TAKEN = 'moved: [{ from: { stack: a, address: https_edges.site }, to: https_edges.shop }]';

type Manifests = Readonly<Record<string, string>>;

const SCENARIOS: Readonly<Record<string, readonly [before: Manifests, after: Manifests]>> = {
  'a hostport goes from an edge to another stack': [
    { b: site('b', 'b'), a: site('a', 'moves') },
    { b: site('b', 'moves'), a: site('a', 'other') },
  ],
  'a hostport goes from a deleted edge to a new one': [
    { b: site('b', 'b'), a: site('a', 'moves') },
    {
      b: stack(
        'b',
        'tls_edges: { web: { hostports: ["b.example.com:443"] }, more: { hostports: ["moves.example.com:443"] } }',
      ),
      a: stack('a', 'reserved_addrs: { a: {} }'),
    },
  ],
  'hostports go through three stacks': [
    { c: site('c', 'c'), b: site('b', 'b'), a: site('a', 'moves') },
    { c: site('c', 'b'), b: site('b', 'moves'), a: site('a', 'other') },
  ],
  'a chain of imports is created': [
    {},
    {
      shop: stack(
        'shop',
        `${imports('middle', 'reserved_addrs.own')}, tls_edges: { web: { hostports: ["\${imports.it.addr}"] } }`,
      ),
      middle: stack(
        'middle',
        `${imports('network', 'reserved_addrs.db')}, reserved_addrs: { own: { description: "beside \${imports.it.id}" } }`,
      ),
      network: NETWORK,
    },
  ],
  'an edge with its route moves to another stack': [
    {
      b: stack('b', 'reserved_addrs: { b: {} }'),
      a: stack('a', `reserved_addrs: { a: {} }, https_edges: { site: ${SITE} }`),
    },
    {
      b: stack('b', `reserved_addrs: { b: {} }, https_edges: { shop: ${SITE} }, ${TAKEN}`),
      a: stack('a', 'reserved_addrs: { a: {} }'),
    },
  ],
  'a stack is renamed while another takes one of its objects': [
    { a: stack('a', `reserved_addrs: { a: {}, b: {} }, https_edges: { site: ${SITE} }`) },
    {
      c: stack('c', 'reserved_addrs: { a: {}, b: {} }, moved: [{ from: { stack: a } }]'),
      b: stack('b', `https_edges: { shop: ${SITE} }, ${TAKEN}`),
    },
  ],
  'a stack is renamed while two of its edges change places': [
    {
      a: stack(
        'a',
        'tls_edges: { x: { hostports: ["moves.example.com:443"] }, y: { hostports: ["y.example.com:443"] } }',
      ),
    },
    {
      c: stack(
        'c',
        'tls_edges: { x: { hostports: ["y.example.com:443"] }, y: { hostports: ["moves.example.com:443"] } }, moved: [{ from: { stack: a } }]',
      ),
    },
  ],
  'an import is used while a value moves': [
    { b: site('b', 'b'), a: site('a', 'moves') },
    {
      b: site('b', 'moves'),
      a: stack(
        'a',
        `${imports('network', 'reserved_addrs.db')}, tls_edges: { web: { hostports: ["\${imports.it.addr}"] } }`,
      ),
      network: NETWORK,
    },
  ],
};

interface At {
  readonly request: Parameters<Exchange>[0];
  /** Lets the service carry out the request. */
  readonly answer: (request: Parameters<Exchange>[0]) => HttpResponse;
  /** What the service would have answered before the run. */
  readonly earlier: (request: Parameters<Exchange>[0]) => HttpResponse;
  readonly crash: () => void;
}

/** What happens at one request; undefined for nothing out of the ordinary. */
type Fault = (at: At) => HttpResponse | Promise<never> | undefined;

const never = new Promise<never>(() => undefined);
const FAULTS: Readonly<Record<string, Fault>> = {
  'crash before': ({ crash }) => {
    crash();
    return never;
  },
  'crash after': ({ request, answer, crash }) => {
    answer(request);
    crash();
    return never;
  },
  'lost before': () => {
    throw fault('ECONNRESET');
  },
  'lost after': ({ request, answer }) => {
    answer(request);
    throw fault('ECONNRESET');
  },
  'refused for now': () => refuse(503),
  'a list that is behind': ({ request, earlier }) =>
    LISTS.has(`${request.method} ${request.url.pathname}`) ? earlier(request) : undefined,
  'failed after': ({ request, answer }) => {
    answer(request);
    return refuse(503);
  },
};

/** A service with the manifests applied, and with objects that no stack of the fleet owns. */
async function prepared(before: Manifests): Promise<Place> {
  const place = createPlace();
  await applyFleet(place.fleet({ ...before, others: site('others', 'others') }));
  place.direct.ask('POST', '/reserved_addrs', { description: 'nobody’s' });
  return place;
}

/** What the fleet must not touch. */
function foreignIn({ direct }: Place): string {
  const isForeign = (metadata: unknown) => {
    const { marker } = readMarker(String(metadata ?? ''));
    return marker === undefined || marker.stack === 'others';
  };
  return JSON.stringify(direct.store.all().filter(({ spec }) => isForeign(spec[METADATA])));
}

/** Stack and address of every object. */
function ownedIn({ direct }: Place): string[] {
  return direct.store.all().flatMap(({ spec }) => {
    const { marker } = readMarker(String(spec[METADATA] ?? ''));
    return marker === undefined ? [] : [`${marker.stack} ${marker.address}`];
  });
}

/** Runs the fleet with the fault at its request of that number. */
async function runWith(place: Place, after: Manifests, at: number, behave: Fault): Promise<void> {
  const before = answering(createDirect({ from: place.direct.store }));
  let count = 0;
  let hasCrashed = false;
  const over = new AbortController();
  const crashed = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  const crash = () => {
    hasCrashed = true;
    place.crash();
    over.abort();
  };
  place.intercept = (request) => {
    if (hasCrashed) return never;
    expect(holderOf(place, MOVING).length).toBeLessThan(2);
    return count++ === at ? behave({ request, answer: place.answer, earlier: before, crash }) : undefined;
  };
  await Promise.race([applyFleet(place.fleet(after)), crashed]);
  place.intercept = () => undefined;
}

/** Findings that blame others; an unknown outcome blames nobody. */
async function blamed(place: Place, after: Manifests) {
  const found = await driftFleet(place.fleet(after));
  const findings = found.flatMap((one) => (one.is === 'drift' ? one.drift.drift.findings : []));
  return findings.filter(({ type, cause }) => type !== 'unmanaged' && cause !== 'unknown');
}

interface Clean {
  readonly before: Manifests;
  readonly after: Manifests;
  /** How many requests it sends, and what the fleet owns in the end. */
  readonly requests: number;
  readonly wanted: readonly string[];
}

/** The scenario without a fault. */
async function cleanRun([before, after]: readonly [Manifests, Manifests]): Promise<Clean> {
  const place = await prepared(before);
  place.asked.splice(0);
  await applyFleet(place.fleet(after));
  return { before, after, requests: place.asked.length, wanted: ownedIn(place).sort() };
}

async function play({ before, after, wanted }: Clean, at: number, behave: Fault): Promise<void> {
  const place = await prepared(before);
  const foreign = foreignIn(place);
  await runWith(place, after, at, behave);
  expect(await blamed(place, after)).toEqual([]);
  for (let runs = 1; ; runs++) {
    place.asked.splice(0);
    const results = Object.values(outcomes(await applyFleet(place.fleet(after))));
    const hasWritten = place.asked.some((one) => !one.startsWith('GET '));
    if (!hasWritten && results.every((one) => one === 'done')) break;
    expect(runs, results.join('; ')).toBeLessThan(MOST_RUNS);
  }
  expect(Object.values(outcomes(await planFleet(place.fleet(after)))).join('')).toBe('');
  expect(Object.values(outcomes(await driftFleet(place.fleet(after)))).every((one) => one === '0 pending')).toBe(true);
  expect(foreignIn(place)).toBe(foreign);
  const owned = ownedIn(place);
  expect(new Set(owned).size).toBe(owned.length);
  expect([...owned].sort()).toEqual(wanted);
}

test.each(Object.entries(SCENARIOS))(
  '%s, with a fault at a request',
  { timeout: 1_800_000 },
  async (name, scenario) => {
    const clean = await cleanRun(scenario);
    const chance = chanceOf(name.length);
    for (const [kind, behave] of Object.entries(FAULTS))
      for (let at = 0; at < clean.requests; at++) {
        if (chance(1_000) >= SHARE * 1_000) continue;
        await play(clean, at, behave).catch((error: unknown) => {
          throw new Error(`${kind} at request ${at}`, { cause: error });
        });
      }
  },
);
