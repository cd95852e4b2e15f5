// Every fault at every point of every scenario, once and lasting; and what came of it, counted.

import { chanceOf } from './chance.ts';
import type { FileFault, Planned, RequestFault } from './faults.ts';
import { FILE_FAULTS, nameOf, REQUEST_FAULTS, strikes } from './faults.ts';
import type { Point } from './machine.ts';
import type { Oracle } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import type { Knobs } from './service.ts';
import type { WorldOutcome, FaultPlan, Setup } from './setup.ts';
import { runWorld, prepare } from './world.ts';

/** Services on which every scenario is tried, by name. */
export const CONDITIONS: Readonly<Record<string, Knobs>> = {
  plain: {},
  'lists lag 4 s': { lagMs: 4_000 },
  'lists lag 2 reads': { lagReads: 2 },
  'lists lack what is new for 4 s': { lagMs: 4_000, lagOf: 'created' },
  'lists have what is gone for 4 s': { lagMs: 4_000, lagOf: 'deleted' },
  'deletes anything': { isLoose: true },
  'its journal is there': { keepsJournal: true },
};

export interface Failure {
  readonly scenario: string;
  readonly condition: string;
  readonly faultPlan: FaultPlan;
  readonly name: string;
  readonly outcome: WorldOutcome;
}

export interface Tally {
  scenarios: number;
  worlds: number;
  points: number;
  faults: number;
  crashes: number;
  mostReruns: number;
  runs: number;
  readonly families: Map<string, number>;
  /** Faults that a world had, by name. */
  readonly tried: Set<string>;
  readonly violations: Map<Oracle, number>;
  readonly failures: Failure[];
  /** Scenarios that do not even go well without faults. */
  readonly broken: string[];
  /** Whether these failures are enough to know; missing when all worlds are wanted. */
  readonly isOver?: (failures: readonly Failure[]) => boolean;
}

export function emptyTally(): Tally {
  return {
    scenarios: 0,
    worlds: 0,
    points: 0,
    faults: 0,
    crashes: 0,
    mostReruns: 0,
    runs: 0,
    families: new Map(),
    tried: new Set(),
    violations: new Map(),
    failures: [],
    broken: [],
  };
}

function faultsFor(point: Point): (RequestFault | FileFault)[] {
  // Nothing needs space to go away.
  if (point.type === 'file')
    return FILE_FAULTS.filter(({ effect }) => effect !== 'ENOSPC' || point.method !== 'remove');
  return REQUEST_FAULTS.filter((fault) => strikes(fault, point));
}

/** Only what tells services apart is tried on all of them. */
function fits(condition: string, fault: RequestFault | FileFault, point: Point): boolean {
  if (condition === 'plain') return true;
  if (point.type === 'file') return true;
  if (condition === 'deletes anything') return 'done' in fault && /^crash|^reset|^500 before/.test(fault.name);
  return /^crash|^reset|^silence after|^502/.test(fault.name) && point.method !== 'GET';
}

/** All single faults of a run with these points. */
export function singles(points: readonly Point[], condition: string): Planned[] {
  return points.flatMap((point, at) =>
    faultsFor(point)
      .filter((fault) => fits(condition, fault, point))
      .flatMap((fault): Planned[] => {
        const made = 'reply' in fault ? { request: fault } : { file: fault };
        const isEnd = 'reply' in fault ? fault.reply.type === 'crash' : !fault.effect.startsWith('E');
        const once = { at, isLasting: false, ...made };
        return isEnd ? [once] : [once, { at, isLasting: true, ...made }];
      }),
  );
}

/** Objects of a kind without a list, and two of one address, are read before they are planned for; a change then is no surprise. */
function isPremature({ scenario, knobs }: Setup, planned: Planned): boolean {
  if (!('request' in planned)) return false;
  const isConcurrentEdit = planned.request.reply.type === 'concurrent edit';
  if (scenario.doubled !== undefined) return isConcurrentEdit || planned.request.isEdited === true;
  return isConcurrentEdit && knobs.disabled?.includes('https-edge-list') === true;
}

const MOST_KEPT = 300;
const GAPS_MS = [0, 1_000, 90_000];

/** Tries a share of the single faults of a scenario on a condition; with a name, all faults of that name. */
export async function tryScenario(
  scenario: Scenario,
  condition: string,
  share: number | string,
  tally: Tally,
): Promise<void> {
  const setup = await (condition === 'plain' ? prepare(scenario) : prepare(scenario, CONDITIONS[condition]));
  tally.points += setup.clean.points.length;
  const chance = chanceOf(scenario.name.length * 1_000 + condition.length);
  await tryFaultPlan(setup, condition, { faults: [], seed: 1, gapMs: 0 }, tally);
  const part = typeof share === 'string' ? 0 : scenario.isLarge === true ? share / 20 : share;
  for (const [index, planned] of singles(setup.clean.points, condition).entries()) {
    if (tally.isOver?.(tally.failures) === true) return;
    const isNamed = typeof share === 'string' && nameOf(planned).startsWith(share);
    const kind = ('request' in planned ? planned.request : planned.file).name;
    // However small the share is, no fault is left out.
    const isDue = chance() < part || (part > 0 && !tally.tried.has(kind));
    if ((!isDue && !isNamed) || isPremature(setup, planned)) continue;
    tally.tried.add(kind);
    await tryFaultPlan(
      setup,
      condition,
      { faults: [planned], seed: 1, gapMs: GAPS_MS[index % GAPS_MS.length]! },
      tally,
    );
  }
}

/** Tries pairs of faults, drawn at random. */
export async function tryPairs(scenario: Scenario, number: number, tally: Tally): Promise<void> {
  const setup = await prepare(scenario);
  const all = singles(setup.clean.points, 'plain').filter((one) => !isPremature(setup, one));
  const chance = chanceOf(scenario.name.length * 7_000);
  for (let index = 0; index < number; index += 1) {
    const one = all[Math.floor(chance() * all.length)]!;
    const other = all[Math.floor(chance() * all.length)]!;
    if (one.at === other.at) continue;
    const gapMs = GAPS_MS[index % GAPS_MS.length]!;
    await tryFaultPlan(setup, 'plain', { faults: [one, other], seed: index + 1, gapMs }, tally);
  }
}

async function tryFaultPlan(setup: Setup, condition: string, faultPlan: FaultPlan, tally: Tally): Promise<void> {
  const outcome = await runWorld(setup, faultPlan);
  tally.faults += faultPlan.faults.length;
  if (outcome.runs[0]?.exit === undefined) tally.crashes += 1;
  const name = faultPlan.faults.map((one) => describe(one, setup)).join(' and ');
  count(tally, outcome, { scenario: setup.scenario.name, condition: condition, faultPlan, name });
}

export function count(tally: Tally, outcome: WorldOutcome, about: Omit<Failure, 'outcome'>): void {
  tally.worlds += 1;
  tally.runs += outcome.runs.length;
  tally.mostReruns = Math.max(tally.mostReruns, outcome.reruns);
  for (const oracle of new Set(outcome.violations.map((one) => one.oracle)))
    tally.violations.set(oracle, (tally.violations.get(oracle) ?? 0) + 1);
  if (outcome.violations.length === 0) return;
  // Logs are large; nobody reads hundreds of them.
  const kept = tally.failures.length < MOST_KEPT ? outcome : { ...outcome, runs: [], log: [] };
  tally.failures.push({ ...about, outcome: kept });
}

/** A fault with the request that it strikes in a run without faults. */
function describe(planned: Planned, setup: Setup): string {
  return `${nameOf(planned)} (${setup.clean.points[planned.at]?.key ?? 'none'})`;
}
