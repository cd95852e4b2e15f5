// Another stack takes an object over while a run is under way or waits: from then on nothing is written to the object or into
// it, neither by that run nor by a later one.

import type { Stored } from '../../src/emulator/state/store.ts';
import { faultNamed, slow } from './faults.ts';
import { lasting, unique } from './judge.ts';
import type { Violation } from './oracles.ts';
import { ownAddress } from './read-markers.ts';
import type { Scenario } from './scenarios.ts';
import type { Runner, Setup, WorldOutcome } from './setup.ts';
import { familyOf, strike, type Strike } from './struck.ts';
import { prepare } from './world.ts';
import type { World } from './world-families.ts';

/** Stories in which something is there before. */
const STORIES = [
  'address: replace',
  'address: delete',
  'ssh: replace',
  'backend: update',
  'key: create, update and delete',
  'destination: replace under a subscription',
  'tls edge: remove a module',
  'https edge: change routes',
  'https edge: delete',
  'route: rotate a secret',
  'swap of hostports',
  'a hostport goes to a new edge, its old one ends',
  'chain: prune',
  'chain: destroy',
  'rename',
  'release',
];

/** What makes a run wait at a write. */
const WAITS = ['429 with Retry-After', '503 with Retry-After', '500 before', 'reset before', 'no answer before'];
/** What makes it ask what became of one that was carried out. */
const LOST = ['reset after', '503 after'];

/** What was looked at right before may be on its way. */
const UNDER_WAY_MS = 80;

interface Takeover extends Strike {
  readonly victim: Stored;
}

/** Every object of the stack that a request is about, with every way to wait there. */
function takeoversIn({ clean, objects, foreign }: Setup): Takeover[] {
  const own = objects.filter((one) => !foreign.has(one.id) && ownAddress(one) !== undefined);
  return clean.points.flatMap(({ type, key, method }, at) => {
    if (type !== 'request') return [];
    const path = key.split(' ')[1]?.split('/') ?? [];
    const named = own.filter(({ id }) => path.includes(id));
    // What lies in an object is read after the object.
    const victims = method === 'GET' ? named.filter(({ id }) => path.at(-1) === id) : named;
    const faults = method === 'GET' ? [slow(10, 10)] : [...WAITS, ...LOST].map(faultNamed);
    return victims.flatMap((victim) =>
      faults.map((fault): Takeover => ({ at, victim, fault: { ...fault, takes: victim.id } })),
    );
  });
}

async function play(setup: Setup, takeover: Takeover): Promise<WorldOutcome> {
  const { place, runs, endless } = await strike(setup, takeover);
  const violations = [...checkTaken(place), ...endless, ...lasting(place, setup, runs, true)];
  return { violations: unique(violations), reruns: runs.length - 2, runs, log: place.service.log };
}

/** What is another stack's by now is written to by nobody, and still there. */
function checkTaken({ service: { log, store, taken } }: Runner): Violation[] {
  return [...taken.values()].flatMap(({ stored: { id }, at }) => {
    const later = log.filter((entry) => entry.method !== 'GET' && entry.at > at + UNDER_WAY_MS && !entry.isLate);
    const touched = later.find(({ path }) => path.split(/[/?]/).includes(id));
    if (touched !== undefined)
      return [{ oracle: 'foreign' as const, text: `${touched.method} ${touched.path} after another stack took ${id}` }];
    const end = later.find(({ objects }) => !objects.some((one) => one.id === id));
    if (store.get(id) !== undefined || end === undefined) return [];
    return [{ oracle: 'foreign' as const, text: `${end.method} ${end.path} took ${id}, another stack's, with it` }];
  });
}

async function worldsOf(scenario: Scenario): Promise<readonly World[]> {
  const setup = await prepare(scenario);
  return takeoversIn(setup).map((one) => ({
    name: `${scenario.name}: ${ownAddress(one.victim) ?? ''} at ${one.at}, ${one.fault.name}`,
    play: () => play(setup, one),
  }));
}

export const TAKEOVERS = familyOf(
  { name: 'another stack takes over', weight: 5 },
  ({ name }) => STORIES.includes(name),
  worldsOf,
);
