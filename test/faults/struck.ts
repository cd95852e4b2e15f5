// What families of worlds have in common: a run that one fault strikes, others without any until nothing is written any more, and
// the worlds of chosen scenarios.

import type { RequestFault } from './faults.ts';
import type { Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { Runner, Setup } from './setup.ts';
import { commandOf, simulated } from './world.ts';
import type { Family, World } from './world-families.ts';

const MOST_RUNS = 4;

/** A fault at a point of the run. */
export interface Strike {
  readonly at: number;
  readonly fault: RequestFault;
}

/** What came of it. */
export interface Struck {
  readonly place: Runner;
  readonly runs: readonly Ran[];
  /** A violation if the last run still writes. */
  readonly endless: readonly Violation[];
}

export async function strike({ scenario, knobs, objects, files }: Setup, { at, fault }: Strike): Promise<Struck> {
  const place = simulated(objects, files, knobs);
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [await place.run({ ...command, faults: [{ at, isLasting: false, request: fault }], seed: 1 })];
  const hasWritten = () => place.service.log.some(({ run, method }) => run === runs.at(-1)?.number && method !== 'GET');
  do {
    await place.drain();
    runs.push(await place.run({ ...command, faults: [], seed: runs.length + 1 }));
  } while (hasWritten() && runs.length <= MOST_RUNS);
  return {
    place,
    runs,
    endless: hasWritten() ? [{ oracle: 'convergence', text: `run ${runs.length} still writes` }] : [],
  };
}

/** A family of the worlds of some scenarios. */
export function familyOf(
  { name, weight }: Omit<Family, 'worlds'>,
  isChosen: (scenario: Scenario) => boolean,
  worldsOf: (scenario: Scenario) => Promise<readonly World[]>,
): Family {
  return { name, weight, worlds: async () => (await Promise.all(SCENARIOS.filter(isChosen).map(worldsOf))).flat() };
}
