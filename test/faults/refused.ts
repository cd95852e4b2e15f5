// Plans with refusals: whatever happens to the run, nothing is sent but reads, and it never says that all is done.

import { singles } from './enumerate.ts';
import { nameOf, type Planned } from './faults.ts';
import { lasting, unique } from './judge.ts';
import type { Violation } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import type { Setup, WorldOutcome } from './setup.ts';
import { familyOf } from './struck.ts';
import { commandOf, deadlineFor, prepare, simulated } from './world.ts';
import type { World } from './world-families.ts';

/** Exit code of a run that a safety rule refuses. */
const REFUSED = 5;

async function play(setup: Setup, fault: Planned): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const place = simulated(setup.objects, setup.files, knobs);
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const args = [...command.args, ...deadlineFor(scenario, { faults: [fault], seed: 1, gapMs: 0 })];
  const struck = await place.run({ ...command, args, faults: [fault], seed: 1 });
  await place.drain();
  const again = await place.run({ ...command, faults: [], seed: 2 });
  const { log } = place.service;
  const runs = [struck, again];
  const sent = log.filter(({ method }) => method !== 'GET');
  const written = sent.map(({ method, path }): Violation => ({
    oracle: 'refused',
    text: `${method} ${path} was sent`,
  }));
  const done = runs.filter(({ exit }) => exit === 0);
  const zero = done.map(({ number }): Violation => ({ oracle: 'zero', text: `run ${number} ended with 0` }));
  return { violations: unique([...written, ...zero, ...lasting(place, setup, runs, false)]), reruns: 0, runs, log };
}

async function worldsOf(scenario: Scenario): Promise<readonly World[]> {
  const setup = await prepare(scenario);
  return singles(setup.clean.points, 'plain').map((fault) => ({
    name: `${scenario.name}: ${nameOf(fault)} at ${fault.at}`,
    play: () => play(setup, fault),
  }));
}

export const REFUSED_PLANS = familyOf(
  { name: 'a plan that is refused', weight: 5 },
  ({ exit }) => exit === REFUSED,
  worldsOf,
);
