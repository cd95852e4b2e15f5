// Another stack takes an object into use while a run that is about to delete it waits, or right before the run asks who uses it:
// the object stays, nothing dangles, and everything else is done.

import { objectPath } from '../../src/catalog/path.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { kindsUsing } from '../../src/catalog/users.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { faultNamed, slow, type RequestFault } from './faults.ts';
import { lasting, unique } from './judge.ts';
import type { Violation } from './oracles.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { USERS, type Knobs } from './service.ts';
import type { Runner, Setup, WorldOutcome } from './setup.ts';
import { commandOf, prepare, simulated } from './world.ts';
import type { Family, World } from './world-families.ts';

/** Stories in which something is deleted that others may refer to. */
const STORIES = ['destination: replace under a subscription', 'chain: prune', 'chain: destroy'];
/** What makes a run wait at a deletion. */
const WAITS = ['429 with Retry-After', '503 with Retry-After', 'reset before'];
/** The service lets everything be deleted, so that only the program keeps references whole. */
const KNOBS: Knobs = { isLoose: true };
const MOST_RUNS = 4;

interface LateUse {
  readonly at: number;
  readonly fault: RequestFault;
  readonly victim: Stored;
}

/** Every deletion of what others may use: at a wait of it, and at the last list of its possible users before it. */
function lateUsesIn({ clean: { points } }: Setup, victims: readonly Stored[]): LateUse[] {
  return victims.flatMap((victim) => {
    const deletion = points.findIndex(({ key }) => key === `DELETE ${pathOf(victim)}`);
    if (deletion < 0) return [];
    const lists = kindsUsing(kindByName(victim.kind)).flatMap(({ name, operations }) =>
      name === USERS[victim.kind]?.kind ? [`GET ${operations.list?.path ?? ''}`] : [],
    );
    const asked = points.findLastIndex(({ key }, at) => at < deletion && lists.includes(key.split('?')[0] ?? ''));
    const waiting = WAITS.map((name): LateUse => ({ at: deletion, victim, fault: faultNamed(name) }));
    const asking = asked < 0 ? [] : [{ at: asked, victim, fault: slow(10, 10) }];
    return [...waiting, ...asking].map((use) => ({ ...use, fault: { ...use.fault, uses: victim.id } }));
  });
}

function pathOf({ kind, id, parentId }: Stored): string {
  return objectPath(kindByName(kind), id, parentId);
}

async function play(setup: Setup, { at, fault, victim }: LateUse): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const place = simulated(setup.objects, setup.files, knobs);
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [await place.run({ ...command, faults: [{ at, isLasting: false, request: fault }], seed: 1 })];
  const hasWritten = () => place.service.log.some(({ run, method }) => run === runs.at(-1)?.number && method !== 'GET');
  do {
    await place.drain();
    runs.push(await place.run({ ...command, faults: [], seed: runs.length + 1 }));
  } while (hasWritten() && runs.length <= MOST_RUNS);
  const violations = [
    ...checkKept(
      place,
      victim,
      runs.map(({ exit }) => exit),
    ),
    ...lasting(place, setup, runs, true),
  ];
  return { violations: unique(violations), reruns: runs.length - 2, runs, log: place.service.log };
}

/** What was taken into use stays, and no run says that everything is done. */
function checkKept({ service }: Runner, victim: Stored, exits: readonly (number | undefined)[]): Violation[] {
  if (service.intruders.size === 0) return [{ oracle: 'convergence', text: `nothing took ${victim.id} into use` }];
  const isKept = service.store.get(victim.id) !== undefined;
  const gone: Violation = { oracle: 'dangling', text: `${victim.id} was deleted after it was taken into use` };
  const told: Violation = { oracle: 'zero', text: `a run ended with 0, although ${victim.id} is in use` };
  return [...(isKept ? [] : [gone]), ...(exits.includes(0) ? [told] : [])];
}

async function worldsOf(scenario: Scenario): Promise<readonly World[]> {
  const setup = await prepare(scenario, KNOBS);
  const victims = setup.objects.filter(({ id, kind }) => !setup.foreign.has(id) && USERS[kind] !== undefined);
  return lateUsesIn(setup, victims).map((use) => ({
    name: `${scenario.name}: ${use.victim.kind} ${use.victim.id} at ${use.at}, ${use.fault.name}`,
    play: () => play(setup, use),
  }));
}

export const LATE_USERS: Family = {
  name: 'another stack takes into use',
  weight: 100,
  worlds: async () => {
    const chosen = SCENARIOS.filter(({ name }) => STORIES.includes(name));
    return (await Promise.all(chosen.map(worldsOf))).flat();
  },
};
