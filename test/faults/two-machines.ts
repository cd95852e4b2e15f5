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
import { SCENARIOS } from './scenarios.ts';
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

async function play(setup: Setup, race: Race): Promise<WorldOutcome> {
  const knobs = { ...setup.knobs, lagMs: race.lagMs };
  const scenario = { ...setup.scenario, flags: [...(setup.scenario.flags ?? []), '--settle', String(SETTLE_S)] };
  const own: Setup = { ...setup, scenario, knobs };
  const place = simulated(setup.objects, setup.files, knobs, 2);
  const runs = await both(place, own, race);
  const isKilled = runs.some(({ exit }) => exit === undefined);
  // A key whose token a killed run has stored is somebody's, and a person decides.
  const mayStay = isKilled && scenario.name.startsWith('key');
  if (race.lagMs < 1000 * SETTLE_S && !mayStay)
    return finish(place, own, runs, { seed: 3, machines: 2, most: 2, gapMs: GAP_MS });
  // Nothing is promised then, nor when lists lag behind for longer than a run waits, but that
  // what is there twice is named, and that nobody claims the opposite. Then a person chooses.
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  for (const machine of [0, 1]) {
    await place.pass(GAP_MS);
    runs.push(await place.run({ ...command, faults: [], seed: 3 + machine }, machine));
    await place.drain();
  }
  const wrong = chooseOne(place, own, runs.at(-1)!);
  const outcome = await finish(place, own, runs, { seed: 5, machines: 2, most: 2, gapMs: GAP_MS });
  return { ...outcome, violations: [...wrong, ...outcome.violations] };
}

async function both(place: Runner, { scenario, knobs }: Setup, race: Race): Promise<Ran[]> {
  const faults = (machine: 0 | 1): Planned[] =>
    race.fault === undefined || race.struck !== machine ? [] : [{ at: race.at, isLasting: false, request: race.fault }];
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  let second: Promise<Ran> | undefined;
  const begin = () => (second ??= place.run({ ...command, faults: faults(1), seed: 2 }, 1));
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
function worldsOf(name: string): () => Promise<readonly World[]> {
  return async () => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
    const setup = await prepare(scenario);
    return racesOf(setup).map((race) => ({ name: nameOf(race), play: () => play(setup, race) }));
  };
}

export const WRITERS: readonly Family[] = STORIES.map((story) => ({
  name: `two writers: ${story}`,
  weight: 0.01,
  worlds: worldsOf(story),
}));
