// One world: a scenario on a fresh service, a fault, and runs without faults until nothing is left to do.

import type { Stored } from '../../src/emulator/state/store.ts';
import { checkDrift, checkMidway } from './drifted.ts';
import { foreignId, foreignObjects } from './foreign.ts';
import { checkRetryBudget, unique, violationsIn } from './judge.ts';
import type { Command, Ran } from './machine.ts';
import { Machine } from './machine.ts';
import type { FinalState, Violation } from './oracles.ts';
import { compareEnds, finalStateOf } from './oracles.ts';
import { postsByAddress } from './history.ts';
import { ownAddress } from './read-markers.ts';
import type { Scenario } from './scenarios.ts';
import { manifestOf, DUPLICATE } from './scenarios.ts';
import type { Knobs } from './service.ts';
import { BASE_URL, Service } from './service.ts';
import type { WorldOutcome, Runner, FaultPlan, Setup } from './setup.ts';
import { API_KEY, SECRET_PROBES, limitOf, TOKENS } from './setup.ts';
import { Timeline } from './timeline.ts';

const MOST_RERUNS = 3;
/** How long a run is throttled that nothing else ends. */
const THROTTLED_S = 900;
type Bare = Omit<Command, 'faults' | 'seed'>;

/** The command line that applies a manifest of a scenario. */
export function commandOf(scenario: Scenario, yaml: string, isDestroyed: boolean, knobs: Knobs): Bare {
  const { flags = [], deadlineS } = scenario;
  const args = [
    isDestroyed ? 'destroy' : 'apply',
    ...['-f', '-', '--auto-approve', '--format', 'json', '--detail', 'full', '--debug'],
    ...['--token-dir', TOKENS],
    ...(flags.includes('--allow-deletes') ? [] : ['--allow-deletes', 'all']),
    ...(deadlineS === undefined ? [] : ['--deadline', String(deadlineS)]),
    ...flags,
  ];
  const disabled = (knobs.disabled ?? []).map((name) => `-${name}`).join();
  const env = {
    EDGEFORM_API_KEY: API_KEY,
    // Without a name, git would be started for it.
    EDGEFORM_ACTOR: 'tester',
    EDGEFORM_BASE_URL: BASE_URL,
    EDGEFORM_CAPABILITIES: disabled,
    ...Object.fromEntries([...SECRET_PROBES].map(([name, text]) => [`EDGEFORM_VAR_${name}`, text])),
  };
  return { args, env, stdin: manifestOf(yaml), limitMs: limitOf(scenario) };
}

const plainSetups = new WeakMap<Scenario, Promise<Setup>>();

/** The scenario without more knobs, made once; worlds change nothing of it. */
function plainSetup(scenario: Scenario): Promise<Setup> {
  const setup = plainSetups.get(scenario) ?? setupOf(scenario, {});
  plainSetups.set(scenario, setup);
  return setup;
}

/** Applies the manifest of before, then, on a copy, that of after. Both must go well. */
export async function prepare(scenario: Scenario, more?: Knobs): Promise<Setup> {
  const setup = await (more === undefined ? plainSetup(scenario) : setupOf(scenario, more));
  const expected = expectations.get(scenario.name);
  const [found] = expected === undefined ? [] : compareEnds(expected, setup.finalState);
  if (found !== undefined) throw new Error(`${scenario.name}: without faults, ${found.text}`);
  return setup;
}

/** What runs without faults must come to, by scenario; those of the program as it should be. */
export const expectations = new Map<string, FinalState>();

async function setupOf(scenario: Scenario, more: Knobs): Promise<Setup> {
  const knobs = { ...scenario.knobs, ...more };
  const all = foreignObjects();
  const adopted = new Set((scenario.adopted ?? []).map(foreignId));
  const foreign = new Set(all.map((one) => one.id).filter((id) => !adopted.has(id)));
  let objects: readonly Stored[] = all;
  let files: ReadonlyMap<string, string> = new Map();
  if (scenario.before !== undefined) {
    const place = simulated(objects, files, {});
    const command = commandOf(scenario, scenario.before, false, knobs);
    must(await place.run({ ...command, faults: [], seed: 1 }), scenario, 'before');
    objects = place.service.store.all();
    if (scenario.doubled !== undefined) objects = withDuplicate(objects, scenario.doubled);
    files = kept(place.files(), { ...scenario, knobs });
  }
  const { run, service } = simulated(objects, files, scenario.knobs ?? {});
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const clean = await run({ ...command, faults: [], seed: 1 });
  must(clean, scenario, 'after');
  const finalState = finalStateOf(service.store, foreign);
  return { scenario, knobs, objects, files, foreign, finalState, posts: postsByAddress(service.log), clean };
}

/** The same address a second time, and a later object. */
function withDuplicate(objects: readonly Stored[], address: string): readonly Stored[] {
  const duplicate = objects.find((one) => ownAddress(one) === address);
  if (duplicate === undefined) throw new Error(`there is no ${address}`);
  const number = Math.max(...objects.map((one) => one.number)) + 1;
  return [...objects, { ...duplicate, id: `${duplicate.id}${DUPLICATE}`, number }];
}

function must(ran: Ran, { name, exit }: Scenario, when: string): void {
  if (ran.exit !== (when === 'after' ? (exit ?? 0) : 0))
    throw new Error(`${name}, ${when}: ended with ${ran.exit ?? 'nothing'}\n${ran.stdout}\n${ran.stderr}`);
}

/** A journal belongs to one machine: what could be listed has to be found again without it. */
function kept(files: ReadonlyMap<string, string>, { knobs, keepsJournal }: Scenario): ReadonlyMap<string, string> {
  if (keepsJournal === true || knobs?.keepsJournal === true || knobs?.disabled?.includes('https-edge-list') === true)
    return files;
  return new Map([...files].filter(([path]) => !path.includes('/.edgeform/')));
}

/** Machines and a service of their own, in this process and without any waiting. The first has the files. */
export function simulated(
  objects: readonly Stored[],
  files: ReadonlyMap<string, string>,
  knobs: Knobs,
  machines = 1,
): Runner {
  const timeline = new Timeline();
  const service = new Service(objects, API_KEY, knobs, () => timeline.now);
  const list = Array.from({ length: machines }, (_, index) => {
    return new Machine(index === 0 ? 'ci' : `ci-${index}`, { timeline, service, files });
  });
  let runs = 0;
  return {
    service,
    run: (command, machine = 0) => list[machine]!.run(++runs, command),
    pass: (ms) => timeline.pass(ms),
    drain: () => timeline.drain(),
    files: () =>
      new Map(
        list.flatMap((one, index) =>
          [...one.files].map(([path, text]) => [index === 0 ? path : `/${one.name}${path}`, text] as const),
        ),
      ),
  };
}

/** Runs one world to its end, on simulated time. */
export function runWorld(setup: Setup, faultPlan: FaultPlan): Promise<WorldOutcome> {
  return runWorldOn(simulated(setup.objects, setup.files, setup.knobs), setup, faultPlan);
}

/** Runs one world to its end: the run with faults, then others without any until nothing is left to do. */
export async function runWorldOn(place: Runner, setup: Setup, faultPlan: FaultPlan): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const args = [...command.args, ...deadlineFor(scenario, faultPlan)];
  const first = await place.run({ ...command, args, faults: faultPlan.faults, seed: faultPlan.seed });
  const gaveUp = checkRetryBudget(setup, faultPlan, first);
  const blamed = first.exit === 0 ? [] : await checkMidway(place, setup, faultPlan, command);
  await place.pass(faultPlan.gapMs);
  const outcome = await finish(place, setup, [first], { seed: faultPlan.seed });
  const violations = [...gaveUp, ...blamed, ...outcome.violations];
  if (violations.length > 0) return { ...outcome, violations };
  return { ...outcome, violations: await checkDrift(place, setup, faultPlan, command) };
}

/** The end of a run that would be throttled for ever. */
export function deadlineFor({ deadlineS }: Scenario, { faults }: FaultPlan): string[] {
  const isEndless = faults.some((one) => one.isLasting && 'request' in one && one.request.name.startsWith('429'));
  return isEndless && deadlineS === undefined ? ['--deadline', String(THROTTLED_S)] : [];
}

/** Two runs at the same time, then others until nothing is left to do. */
export async function runTwoMachines(place: Runner, setup: Setup): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [1, 2].map((seed) => place.run({ ...command, faults: [], seed }));
  return finish(place, setup, await Promise.all(runs), { seed: 2 });
}

export interface RunsUntilDone {
  readonly seed: number;
  /** Machines that take turns; each must have nothing left to do. */
  readonly machines?: number;
  /** How many runs may still have something to do. */
  readonly most?: number;
  /** Virtual time before each run. */
  readonly gapMs?: number;
}

/** Runs without faults until there is nothing left to do, and what must hold then. */
export async function finish(
  place: Runner,
  setup: Setup,
  soFar: readonly Ran[],
  { seed, machines = 1, most = MOST_RERUNS, gapMs = 0 }: RunsUntilDone,
): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const { service } = place;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [...soFar];
  let reruns = 0;
  let quiet = 0;
  while (quiet < machines && reruns <= most + 1) {
    const machine = (reruns + quiet) % machines;
    await place.pass(gapMs);
    const args = [...command.args, ...answersTo(runs.at(-1), service)];
    const ran = await place.run({ ...command, args, faults: [], seed: seed + reruns + 1 }, machine);
    runs.push(ran);
    const isQuiet =
      ran.exit === (scenario.exit ?? 0) &&
      !service.log.some((entry) => entry.run === ran.number && entry.method !== 'GET');
    const isStill = await drainsQuietly(place);
    if (isQuiet && isStill) quiet += 1;
    else [quiet, reruns] = [0, reruns + 1];
  }
  const violations = [
    ...(quiet === machines && reruns <= most ? [] : [notQuiet(runs.at(-1), most)]),
    ...violationsIn(place, setup, runs, machines > 1),
  ];
  return { violations: unique(violations), reruns, runs, log: service.log };
}

/** Lets everything happen that is still to come; false when a write came late, so that another run has the last word. */
export async function drainsQuietly(place: Runner): Promise<boolean> {
  const { log } = place.service;
  const before = log.length;
  await place.drain();
  return log.length === before;
}

/** What a person does who is told that an outcome is not known: looks, and runs the command that was shown. */
export function answersTo(ran: Ran | undefined, { store }: Service): string[] {
  if (ran?.exit !== 7) return [];
  const asked = [...`${ran.stdout}${ran.stderr}`.matchAll(/--resolve ([\w.-]+)=(?:ID|absent)/g)].map(
    ([, address]) => address,
  );
  return [...new Set(asked)].flatMap((address) => {
    const found = store.all().find((stored) => ownAddress(stored) === address);
    return ['--resolve', `${address ?? ''}=${found?.id ?? 'absent'}`];
  });
}

function notQuiet(last: Ran | undefined, most: number): Violation {
  return {
    oracle: 'convergence',
    text: `not done after ${most} more runs; the last ended with ${last?.exit ?? 'nothing'}`,
  };
}
