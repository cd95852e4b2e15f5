// Worlds whose runs are processes of their own: each is killed at one request, and two of them at once.

import type { Planned } from './faults.ts';
import { faultNamed } from './faults.ts';
import { ProcessHarness } from './kills.ts';
import type { Violation } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import type { WorldOutcome, Setup } from './setup.ts';
import { runWorldOn, runTwoMachines, prepare } from './world.ts';

export interface Killed {
  kills: number;
  worlds: number;
  mostReruns: number;
  readonly failures: {
    readonly name: string;
    readonly violations: readonly Violation[];
    readonly outcome: WorldOutcome;
  }[];
}

/** Stories with every kind of write; each request of each is a place to be killed at. */
const STORIES = [
  'address: replace',
  'address: create in two requests',
  'key: create, update and delete',
  'https edge: change routes',
  'destination: replace under a subscription',
  'chain: create',
  'chain: prune',
  'swap of hostports',
  'cycle of three hostports',
  'rename',
  'adopt',
];

/** How many worlds run at the same time. */
const WORKERS = 2;

/** Kills a run before and after each request of each story, up to `most` kills, and lets others finish its work. */
export async function killAll(cli: string, scenarios: readonly Scenario[], most: number): Promise<Killed> {
  const killed: Killed = { kills: 0, worlds: 0, mostReruns: 0, failures: [] };
  const jobs: (() => Promise<void>)[] = [];
  const setups: Setup[] = [];
  for (const scenario of scenarios.filter(({ name }) => STORIES.includes(name))) {
    const setup = await prepare(scenario);
    setups.push(setup);
    const count = setup.clean.points.filter((point) => point.type === 'request').length;
    for (let at = 0; at < count; at += 1)
      for (const name of ['crash before', 'crash after'])
        jobs.push(() => killAt(cli, setup, { at, isLasting: false, request: faultNamed(name) }, killed));
  }
  const step = Math.max(1, jobs.length / most);
  const chosen = jobs.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  await inParallel(chosen);
  await inParallel(setups.map((setup) => () => both(cli, setup, killed)));
  return killed;
}

async function killAt(cli: string, setup: Setup, planned: Planned, killed: Killed): Promise<void> {
  const harness = await ProcessHarness.open(cli, setup.objects, setup.files, setup.knobs);
  try {
    const outcome = await runWorldOn(harness, setup, { faults: [planned], seed: 1, gapMs: 0 });
    const name = 'request' in planned ? `${planned.request.name} at ${planned.at}` : '';
    note(`${setup.scenario.name}, ${name}`, outcome, killed);
    killed.kills += harness.kills;
  } finally {
    harness.close();
  }
}

async function both(cli: string, setup: Setup, killed: Killed): Promise<void> {
  const harness = await ProcessHarness.open(cli, setup.objects, setup.files, setup.knobs);
  try {
    note(`${setup.scenario.name}, two at once`, await runTwoMachines(harness, setup), killed);
  } finally {
    harness.close();
  }
}

function note(name: string, outcome: WorldOutcome, killed: Killed): void {
  killed.worlds += 1;
  killed.mostReruns = Math.max(killed.mostReruns, outcome.reruns);
  if (outcome.violations.length > 0) killed.failures.push({ name, violations: outcome.violations, outcome });
}

async function inParallel(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const rest = [...jobs];
  const worker = async () => {
    for (let job = rest.shift(); job !== undefined; job = rest.shift()) await job();
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
