// Two machines apply one stack at the same time, each with a journal of its own: the second begins at any request of the
// first, requests of either take their time or fail, and lists lag behind by anything up to just over the settle time.

import { kindByName } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { idsIn } from '../../src/resource/references.ts';
import type { Family, World } from './world-families.ts';
import type { Planned, RequestFault } from './faults.ts';
import { faultNamed, slow } from './faults.ts';
import type { Ran } from './machine.ts';
import { ownAddress } from './read-markers.ts';
import type { Violation } from './oracles.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { Entry } from './service.ts';
import type { WorldOutcome, Runner, Setup } from './setup.ts';
import { commandOf, finish, prepare, simulated } from './world.ts';

const SETTLE_S = 3;
/** Long enough for lists to be what they should be. */
const GAP_MS = 5_000;
const LAGS_MS = [0, 800, 2_900, 3_100];

/** Stacks with and without values that only one object can have. */
const STORIES = [
  'address: create',
  'address: replace',
  'address: delete',
  'ssh: create',
  'ssh: replace',
  'destination: replace under a subscription',
  'subscription: create and delete',
  'key: create',
  'key: replace',
  'https edge: create with routes',
  'https edge: change routes',
  'chain: create',
  'chain: prune',
  'swap of hostports',
  'rename',
  'adopt',
];

const POOL = 'failover_backends: { f: {} }\n';
const edge = (hostport: string, more = '') =>
  `{ hostports: [${hostport}.example.com:443], backend: { backend_id: "\${failover_backends.f.id}" }${more} }`;
const ENDED = ', tls_termination: { terminate_at: edge, min_version: "1.2" }';
const COMMON: Scenario = { name: 'pool and edge', after: `${POOL}tls_edges: { t: ${edge('a')} }` };
const ENDING: Scenario = { name: 'pool and edge with a module', after: `${POOL}tls_edges: { t: ${edge('a', ENDED)} }` };

const served = (region: string) =>
  `reserved_addrs: { d: { region: ${region} } }\ntls_edges: { t: { hostports: ["\${reserved_addrs.d.addr}"] } }`;

interface Pairing {
  readonly name: string;
  readonly first: Scenario;
  /** Manifest of the second machine. */
  readonly second: string;
  /** Flags that only the runs after these two have. */
  readonly consents?: readonly string[];
}

/** The second machine has another manifest than the first, whose manifest it gets afterwards. */
const DIFFERING: readonly Pairing[] = [
  { name: 'another hostport', first: COMMON, second: `${POOL}tls_edges: { t: ${edge('b')} }` },
  { name: 'a module more', first: COMMON, second: ENDING.after },
  { name: 'an edge more', first: COMMON, second: `${POOL}tls_edges: { t: ${edge('a')}, u: ${edge('c')} }` },
  {
    name: 'an edge more, a module less and another hostport',
    first: ENDING,
    second: `${POOL}tls_edges: { t: ${edge('b')}, u: ${edge('c')} }`,
  },
  {
    name: 'another address that an edge serves',
    first: { name: 'address and edge', before: 'tls_edges: { t: {} }', after: served('eu') },
    second: served('us'),
    consents: ['--allow-loss', 'reserved_addrs.d'],
  },
];

/** What may become of one request of one of the two. */
const TROUBLES: readonly (RequestFault | undefined)[] = [
  undefined,
  ...['400', '500 before', '500 after', 'reset after', 'no answer after', 'crash before', 'crash after'].map(
    faultNamed,
  ),
  slow(100, 10),
  slow(10, 100),
  slow(900, 10),
  slow(10, 900),
  slow(3_500, 10),
  slow(10, 3_500),
];

interface Race {
  readonly lagMs: number;
  /** The second machine begins when the first has come to this effect. */
  readonly from: number;
  /** Which of the two has trouble, with which of its effects, and what trouble. */
  readonly struck: 0 | 1;
  readonly at: number;
  readonly fault: RequestFault | undefined;
}

/** All races over a run of so many effects, of which some are requests. */
function racesOf(setup: Setup): Race[] {
  const { points } = setup.clean;
  const places = points.flatMap(({ type }, at) => (type === 'request' ? [at] : []));
  const begins = places.filter((at) => points[at]?.method !== 'GET' || points[at + 1]?.method !== 'GET');
  return LAGS_MS.flatMap((lagMs) =>
    [0, ...begins].flatMap((from) =>
      TROUBLES.flatMap((fault): Race[] => {
        if (fault === undefined) return [{ lagMs, from, struck: 0, at: 0, fault }];
        const fits = places.filter((at) => fault.on !== 'write' || points[at]?.method !== 'GET');
        return fits.flatMap((at) => ([0, 1] as const).map((struck): Race => ({ lagMs, from, struck, at, fault })));
      }),
    ),
  );
}

async function play(setup: Setup, race: Race, { second, consents = [] }: Partial<Pairing>): Promise<WorldOutcome> {
  const knobs = { ...setup.knobs, lagMs: race.lagMs };
  const careful = [...(setup.scenario.flags ?? []), '--settle', String(SETTLE_S)];
  const scenario = { ...setup.scenario, flags: [...careful, ...consents] };
  const own: Setup = { ...setup, scenario, knobs };
  const place = simulated(setup.objects, setup.files, knobs, 2);
  const runs = await both(place, { ...own, scenario: { ...scenario, flags: careful } }, race, second ?? scenario.after);
  const changed = changedBeforeRollBack(place.service.log, runs);
  const isKilled = runs.some(({ exit }) => exit === undefined);
  // A key whose token a killed run has stored is somebody's, and a person decides.
  const mayStay = isKilled && scenario.name.startsWith('key');
  const more = (found: readonly Violation[], { violations, ...outcome }: WorldOutcome): WorldOutcome => {
    const left = second === undefined ? violations : violations.filter(isOfBoth);
    return { ...outcome, violations: [...changed, ...found, ...left] };
  };
  if (race.lagMs < 1000 * SETTLE_S && !mayStay)
    return more([], await finish(place, own, runs, { ...DONE, seed: 3, most: second === undefined ? 2 : 3 }));
  // Nothing is promised then, nor when lists lag behind for longer than a run waits, but that
  // what is there twice is named, and that nobody claims the opposite. Then a person chooses.
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  for (const machine of [0, 1]) {
    await place.pass(GAP_MS);
    runs.push(await place.run({ ...command, faults: [], seed: 3 + machine }, machine));
    await place.drain();
  }
  const wrong = chooseOne(place, own, runs.at(-1)!);
  return more(wrong, await finish(place, own, runs, { ...DONE, seed: 5 }));
}

const DONE = { machines: 2, most: 2, gapMs: GAP_MS };

/**
 * What is expected is the end that the first manifest asks for, which the second run never wanted, and may have changed after the
 * first run had seen it. Where a run's answer was lost
 * and the other one has rewritten the marker meanwhile, it cannot know that its creation was carried out; and the other one may delete what it has no use for.
 */
function isOfBoth({ oracle, text }: Violation): boolean {
  return (
    !(oracle === 'zero' && /^run [12] /.test(text)) &&
    !(oracle === 'honesty' && /called failed, and POST|called created .* not there/.test(text))
  );
}

/** While a run has a duplicate of an address, it leaves the other run's object of that address as it is. */
function changedBeforeRollBack(log: readonly Entry[], runs: readonly Ran[]): Violation[] {
  const writes = log.filter(({ method, status }) => method !== 'GET' && status < 500);
  const madeBy = new Map(
    writes.filter(({ method, status }) => method === 'POST' && status === 201).map((one) => [one.id, one]),
  );
  return writes.flatMap(({ run, method, path, id, address, objects, body }): Violation[] => {
    const maker = madeBy.get(id)?.run ?? run;
    const isRaced = maker !== run && [run, maker].every((number) => runs.some((ran) => ran.number === number));
    const own = objects.find((one) => madeBy.get(one.id)?.run === run && ownAddress(one) === address);
    const isReference = body !== undefined && Object.keys(body).every((name) => ['backend', 'metadata'].includes(name));
    if (!isRaced || own === undefined || isReference) return [];
    const text = `run ${run} sent ${method} ${path} to ${address ?? ''} of run ${maker}, while its own ${own.id} was there`;
    return [{ oracle: 'unplanned', text }];
  });
}

async function both(place: Runner, { scenario, knobs }: Setup, race: Race, other: string): Promise<Ran[]> {
  const faults = (machine: 0 | 1): Planned[] =>
    race.fault === undefined || race.struck !== machine ? [] : [{ at: race.at, isLasting: false, request: race.fault }];
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const { stdin } = commandOf(scenario, other, scenario.isDestroyed === true, knobs);
  let second: Promise<Ran> | undefined;
  const begin = () => (second ??= place.run({ ...command, stdin, faults: faults(1), seed: 2 }, 1));
  const onPoint = (index: number) => {
    if (index >= race.from) void begin();
  };
  const first = await place.run({ ...command, faults: faults(0), seed: 1, onPoint });
  return [first, await begin()];
}

/** A person deletes what is there too often and nobody needs; the last run must have named it, and not have been content. */
function chooseOne({ service: { store } }: Runner, { foreign }: Setup, last: Ran): Violation[] {
  const found: Violation[] = [];
  for (;;) {
    const own = store.all().filter(({ id }) => !foreign.has(id));
    const counts = new Map<string, number>();
    for (const one of own) counts.set(nameIn(one), (counts.get(nameIn(one)) ?? 0) + 1);
    const used = new Set(own.flatMap(({ kind, spec }) => idsIn(kindByName(kind).fields, spec)));
    const spare = own
      .filter((one) => ownAddress(one) !== undefined && (counts.get(nameIn(one)) ?? 0) > 1 && !used.has(one.id))
      .sort((a, b) => b.number - a.number)[0];
    if (spare === undefined) return found;
    if (last.exit === 0 || !last.stdout.includes(spare.id)) {
      const text = `run ${last.number} ended with ${last.exit ?? ''} and does not name ${spare.id}, a second ${nameIn(spare)}`;
      found.push({ oracle: 'claim', text });
    }
    store.remove([spare.id, ...own.filter(({ parentId }) => parentId === spare.id).map(({ id }) => id)]);
  }
}

/** Routes of two edges of one address are no duplicates of each other. */
function nameIn(stored: Stored): string {
  return `${stored.parentId ?? ''} ${ownAddress(stored) ?? ''}`;
}

function nameOf({ lagMs, from, struck, at, fault }: Race): string {
  const trouble = fault === undefined ? '' : `, ${fault.name} at ${at} of the ${struck === 0 ? 'first' : 'second'}`;
  return `lists lag ${lagMs} ms, the second begins at ${from}${trouble}`;
}

/** Worlds of one story; how many there are is known once it has run without faults. */
function worldsOf(scenario: Scenario | undefined, pairing: Partial<Pairing> = {}): () => Promise<readonly World[]> {
  return async () => {
    if (scenario === undefined) throw new Error('there is no such scenario');
    const setup = await prepare(scenario);
    return racesOf(setup).map((race) => ({ name: nameOf(race), play: () => play(setup, race, pairing) }));
  };
}

export const WRITERS: readonly Family[] = [
  ...STORIES.map((story) => ({
    name: `two writers: ${story}`,
    weight: 0.01,
    worlds: worldsOf(SCENARIOS.find(({ name }) => name === story)),
  })),
  ...DIFFERING.map((pairing) => ({
    name: `two writers with two manifests: ${pairing.name}`,
    weight: 0.01,
    worlds: worldsOf(pairing.first, pairing),
  })),
];
