// One world: a scenario on a fresh service, a fault, and runs without faults until nothing is left to do.

import type { Stored } from '../../src/emulator/store.ts';
import { createStore } from '../../src/emulator/store.ts';
import type { Planned } from './faults.ts';
import { foreignId, foreignObjects } from './foreign.ts';
import type { Ran } from './machine.ts';
import { Machine } from './machine.ts';
import type { Violation } from './oracles.ts';
import {
  checkCanaries,
  checkForeign,
  checkMoments,
  checkPosts,
  checkPrefixes,
  compareEnds,
  isDone,
  pictureOf,
  postsByAddress,
} from './oracles.ts';
import { checkReport } from './report.ts';
import type { Scenario } from './scenarios.ts';
import { manifestOf, SECRETS } from './scenarios.ts';
import type { Entry, Knobs } from './service.ts';
import { BASE_URL, Service } from './service.ts';
import { Timeline } from './timeline.ts';

/** Canaries: no output may hold them. */
export const API_KEY = 'canary-key-5f0c2b7e91d84a63';
const CANARIES = new Map(SECRETS.map((name, index) => [name, `canary-${name}-${'9d3e71ab'.repeat(index + 1)}`]));

/** How long one run may take, in virtual time: its own deadline and some seconds. */
const LIMIT_MS = 915_000;
const MOST_RERUNS = 3;
/** Exit codes that promise that nothing was written. */
const INERT = new Set<number | undefined>([4, 5, 6, 64]);

/** A scenario that is ready to run, with what a run without faults makes of it. */
export interface Stage {
  readonly scenario: Scenario;
  readonly knobs: Knobs;
  readonly objects: readonly Stored[];
  /** Ids of other people's objects that stay theirs. */
  readonly foreign: ReadonlySet<string>;
  readonly picture: ReadonlyMap<string, readonly string[]>;
  readonly posts: ReadonlyMap<string, number>;
  readonly clean: Ran;
}

export interface Plot {
  readonly faults: readonly Planned[];
  readonly seed: number;
  /** Virtual time between the faulty run and the next. */
  readonly gapMs: number;
}

export interface Outcome {
  readonly violations: readonly Violation[];
  /** Runs without faults that still had something to do. */
  readonly reruns: number;
  readonly runs: readonly Ran[];
  readonly log: readonly Entry[];
}

function commandOf(scenario: Scenario, yaml: string, isDestroyed: boolean, knobs: Knobs) {
  const args = [
    isDestroyed ? 'destroy' : 'apply',
    ...['-f', '-', '--auto-approve', '--format', 'json', '--allow-deletes', 'all', '--debug'],
    ...[
      '--token-dir',
      '/tokens',
      ...(scenario.flags ?? []).filter((flag) => flag !== '--allow-deletes' && flag !== 'all'),
    ],
  ];
  const disabled = (knobs.disabled ?? []).map((name) => `-${name}`).join();
  const env = {
    EDGEFORM_API_KEY: API_KEY,
    EDGEFORM_BASE_URL: BASE_URL,
    EDGEFORM_CAPABILITIES: disabled,
    ...Object.fromEntries([...CANARIES].map(([name, text]) => [`EDGEFORM_VAR_${name}`, text])),
  };
  return { args, env, stdin: manifestOf(yaml), limitMs: LIMIT_MS };
}

/** Applies the manifest of before, then, on a copy, that of after. Both must go well. */
export async function prepare(scenario: Scenario, more: Knobs = {}): Promise<Stage> {
  const knobs = { ...scenario.knobs, ...more };
  const all = foreignObjects();
  const adopted = new Set((scenario.adopted ?? []).map(foreignId));
  const foreign = new Set(all.map((one) => one.id).filter((id) => !adopted.has(id)));
  let objects: readonly Stored[] = all;
  if (scenario.before !== undefined) {
    const { machine, service } = machineOn(objects, {});
    const command = commandOf(scenario, scenario.before, false, knobs);
    must(await machine.run({ ...command, faults: [], seed: 1 }), scenario, 'before');
    objects = service.store.all();
  }
  const { machine, service } = machineOn(objects, scenario.knobs ?? {});
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const clean = await machine.run({ ...command, faults: [], seed: 1 });
  must(clean, scenario, 'after');
  const picture = pictureOf(service.store, foreign);
  return { scenario, knobs, objects, foreign, picture, posts: postsByAddress(service.log), clean };
}

function must(ran: Ran, { name }: Scenario, when: string): void {
  if (ran.exit !== 0)
    throw new Error(`${name}, ${when}: ended with ${ran.exit ?? 'nothing'}\n${ran.stdout}\n${ran.stderr}`);
}

function machineOn(objects: readonly Stored[], knobs: Knobs) {
  const timeline = new Timeline();
  const service = new Service(objects, API_KEY, knobs, () => timeline.now);
  return { timeline, service, machine: new Machine(timeline, service) };
}

/** Runs one world to its end. */
export async function play(stage: Stage, plot: Plot): Promise<Outcome> {
  const { scenario, knobs, objects, foreign } = stage;
  const { timeline, service, machine } = machineOn(objects, knobs);
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs: Ran[] = [await machine.run({ ...command, faults: plot.faults, seed: plot.seed })];
  await timeline.pass(plot.gapMs);
  let reruns = 0;
  let isQuiet = false;
  while (!isQuiet && reruns <= MOST_RERUNS + 1) {
    const ran = await machine.run({ ...command, faults: [], seed: plot.seed + reruns + 1 });
    runs.push(ran);
    isQuiet = ran.exit === 0 && !service.log.some((entry) => entry.run === ran.number && entry.method !== 'GET');
    if (!isQuiet) reruns += 1;
    // What comes late comes before the last word.
    if (reruns === 0 || !isQuiet) {
      const before = service.store.all();
      await timeline.drain();
      if (service.store.all().some((one) => !before.includes(one)) || before.length !== service.store.all().length)
        isQuiet = false;
    }
  }
  const { log, store } = service;
  const theirs = objects.filter((one) => foreign.has(one.id));
  const violations = [
    ...(isQuiet && reruns <= MOST_RERUNS ? [] : [notQuiet(runs.at(-1))]),
    ...compareEnds(stage.picture, pictureOf(store, foreign)),
    ...checkForeign(theirs, store, log),
    ...checkPrefixes(log),
    ...checkMoments(log, objects),
    ...checkPosts(stage.posts, log),
    ...checkCanaries(canariesIn(objects, log), outputsOf(runs)),
    ...runs.flatMap((ran) => checkRun(ran, log, createStore(objects, () => undefined).all())),
  ];
  return { violations: unique(violations), reruns, runs, log };
}

function notQuiet(last: Ran | undefined): Violation {
  return {
    oracle: 'convergence',
    text: `not done after ${MOST_RERUNS} more runs; the last ended with ${last?.exit ?? 'nothing'}`,
  };
}

function checkRun(ran: Ran, log: readonly Entry[], before: readonly Stored[]): Violation[] {
  const own = log.filter((entry) => entry.run === ran.number && entry.method !== 'GET');
  const found: Violation[] = [];
  if (ran.isHung) found.push({ oracle: 'deadline', text: `run ${ran.number} did not end` });
  if (ran.endedAt - ran.startedAt > LIMIT_MS)
    found.push({ oracle: 'deadline', text: `run ${ran.number} took too long` });
  if (ran.exit === -1 || ran.stdout.includes('"internal-error"'))
    found.push({ oracle: 'crash', text: `run ${ran.number} made a mistake: ${ran.stdout.slice(0, 500)}` });
  if (INERT.has(ran.exit) && own.some((entry) => isDone(entry)))
    found.push({ oracle: 'refused', text: `run ${ran.number} ended with ${ran.exit ?? ''} after a write` });
  return [...found, ...checkReport(ran, own, log, before)];
}

/** Secrets of the world: the key, the variables, and every token that the service gave. */
function canariesIn(objects: readonly Stored[], log: readonly Entry[]): string[] {
  const tokens = [objects, ...log.map((entry) => entry.objects)].flatMap((all) =>
    all.flatMap((one) => Object.values(one.once)),
  );
  return [...new Set([API_KEY, ...CANARIES.values(), ...tokens])];
}

function outputsOf(runs: readonly Ran[]): ReadonlyMap<string, string> {
  return new Map(
    runs.flatMap((ran): [string, string][] => [
      [`standard output of run ${ran.number}`, ran.stdout],
      [`standard error of run ${ran.number}`, ran.stderr],
    ]),
  );
}

function unique(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ oracle, text }) => {
    const key = `${oracle} ${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
