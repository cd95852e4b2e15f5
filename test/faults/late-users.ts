// Another stack takes an object into use while a run that is about to delete it waits, or right before the run asks who uses it:
// the object stays, nothing dangles, and everything else is done.

import { objectPath } from '../../src/catalog/path.ts';
import { kindByName, rootOf } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { faultNamed, slow } from './faults.ts';
import { lasting, unique } from './judge.ts';
import type { Violation } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import type { Knobs } from './service.ts';
import type { Runner, Setup, WorldOutcome } from './setup.ts';
import { familyOf, strike, type Strike } from './struck.ts';
import { usesOfKind, type Use } from './users.ts';
import { prepare } from './world.ts';
import type { World } from './world-families.ts';

/** Stories in which something is deleted that others may use. */
const STORIES = ['destination: replace under a subscription', 'chain: prune', 'chain: destroy'];
/** What makes a run wait at a deletion. */
const WAITS = ['429 with Retry-After', '503 with Retry-After', 'reset before'];
/** The service lets everything be deleted, so that only the program keeps references whole. */
const KNOBS: Knobs = { isLoose: true };

interface LateUse extends Strike {
  readonly victim: Stored;
  readonly use: Use;
}

/** Every deletion of what others may use, in every way: at a wait of it, and at the last list of those users before it. */
function lateUsesIn({ clean: { points } }: Setup, victims: readonly Stored[]): LateUse[] {
  return victims.flatMap((victim) => {
    const deletion = points.findIndex(({ key }) => key === `DELETE ${pathOf(victim)}`);
    if (deletion < 0) return [];
    return usesOfKind(kindByName(victim.kind)).flatMap((use) => {
      const list = `GET ${rootOf(use.kind).operations.list?.path ?? ''}`;
      const asked = points.findLastIndex(({ key }, at) => at < deletion && key.split('?')[0] === list);
      const waiting = WAITS.map((name) => ({ at: deletion, fault: faultNamed(name) }));
      const asking = asked < 0 ? [] : [{ at: asked, fault: slow(10, 10) }];
      const uses = { id: victim.id, as: use.name };
      return [...waiting, ...asking].map(({ at, fault }) => ({ at, victim, use, fault: { ...fault, uses } }));
    });
  });
}

function pathOf({ kind, id, parentId }: Stored): string {
  return objectPath(kindByName(kind), id, parentId);
}

async function play(setup: Setup, late: LateUse): Promise<WorldOutcome> {
  const { place, runs } = await strike(setup, late);
  const exits = runs.map(({ exit }) => exit);
  const violations = [...checkKept(place, late.victim, exits), ...lasting(place, setup, runs, true)];
  return { violations: unique(violations), reruns: runs.length - 2, runs, log: place.service.log };
}

/** What was taken into use stays, and no run says that everything is done. */
function checkKept({ service }: Runner, victim: Stored, exits: readonly (number | undefined)[]): Violation[] {
  if (service.intruders.size === 0) return [{ oracle: 'convergence', text: `nothing took ${victim.id} into use` }];
  const isKept = service.store.get(victim.id) !== undefined;
  const gone: Violation = { oracle: 'dangling', text: `${victim.id} was deleted after it was taken into use` };
  const zero: Violation = { oracle: 'zero', text: `a run ended with 0, although ${victim.id} is in use` };
  return [...(isKept ? [] : [gone]), ...(exits.includes(0) ? [zero] : [])];
}

async function worldsOf(scenario: Scenario): Promise<readonly World[]> {
  const setup = await prepare(scenario, KNOBS);
  const victims = setup.objects.filter(({ id }) => !setup.foreign.has(id));
  return lateUsesIn(setup, victims).map((late) => ({
    name: `${scenario.name}: ${late.victim.kind} ${late.victim.id} by ${late.use.name} at ${late.at}, ${late.fault.name}`,
    play: () => play(setup, late),
  }));
}

export const LATE_USERS = familyOf(
  { name: 'another stack takes into use', weight: 100 },
  ({ name }) => STORIES.includes(name),
  worldsOf,
);
