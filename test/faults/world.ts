// One world: a scenario on a fresh service, a fault, and runs without faults until nothing is left to do.

import type { Stored } from '../../src/emulator/store.ts';
import { createStore } from '../../src/emulator/store.ts';
import type { Planned } from './faults.ts';
import { foreignId, foreignObjects } from './foreign.ts';
import type { Command, Ran } from './machine.ts';
import { HOME } from './disk.ts';
import { Machine } from './machine.ts';
import type { Picture, Violation } from './oracles.ts';
import {
  checkCanaries,
  checkForeign,
  checkMoments,
  checkPosts,
  checkPrefixes,
  checkTokens,
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
const TOKENS = `${HOME}/tokens`;
const MOST_RERUNS = 3;
/** Exit codes that promise that nothing was written. */
const INERT = new Set<number | undefined>([4, 5, 6, 64]);

/** A scenario that is ready to run, with what a run without faults makes of it. */
export interface Stage {
  readonly scenario: Scenario;
  readonly knobs: Knobs;
  readonly objects: readonly Stored[];
  /** Files that the runs before it left, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids of other people's objects that stay theirs. */
  readonly foreign: ReadonlySet<string>;
  readonly picture: Picture;
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

type Bare = Omit<Command, 'faults' | 'seed'>;

function commandOf(scenario: Scenario, yaml: string, isDestroyed: boolean, knobs: Knobs): Bare {
  const args = [
    isDestroyed ? 'destroy' : 'apply',
    ...['-f', '-', '--auto-approve', '--format', 'json', '--allow-deletes', 'all', '--debug'],
    ...[
      '--token-dir',
      TOKENS,
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
  const stage = await stageOf(scenario, more);
  const expected = expectations.get(scenario.name);
  const [found] = expected === undefined ? [] : compareEnds(expected, stage.picture);
  if (found !== undefined) throw new Error(`${scenario.name}: without faults, ${found.text}`);
  return stage;
}

/** What runs without faults must come to, by scenario; those of the program as it should be. */
export const expectations = new Map<string, Picture>();

async function stageOf(scenario: Scenario, more: Knobs): Promise<Stage> {
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
    files = place.files();
  }
  const { run, service } = simulated(objects, files, scenario.knobs ?? {});
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const clean = await run({ ...command, faults: [], seed: 1 });
  must(clean, scenario, 'after');
  const picture = pictureOf(service.store, foreign);
  return { scenario, knobs, objects, files, foreign, picture, posts: postsByAddress(service.log), clean };
}

function must(ran: Ran, { name, exit }: Scenario, when: string): void {
  if (ran.exit !== (when === 'after' ? (exit ?? 0) : 0))
    throw new Error(`${name}, ${when}: ended with ${ran.exit ?? 'nothing'}\n${ran.stdout}\n${ran.stderr}`);
}

/** A machine and a service of its own, in this process and without any waiting. */
export function simulated(objects: readonly Stored[], files: ReadonlyMap<string, string>, knobs: Knobs): Place {
  const timeline = new Timeline();
  const service = new Service(objects, API_KEY, knobs, () => timeline.now);
  const machine = new Machine(timeline, service, files, files.size);
  return {
    service,
    run: (command) => machine.run(command),
    pass: (ms) => timeline.pass(ms),
    drain: () => timeline.drain(),
    files: () => machine.files,
  };
}

/** Where runs happen: simulated, or processes of their own. */
export interface Place {
  readonly service: Service;
  readonly run: (command: Command) => Promise<Ran>;
  /** Lets time go by. */
  readonly pass: (ms: number) => Promise<void>;
  /** Lets everything arrive that is still on its way. */
  readonly drain: () => Promise<void>;
  /** Files by path, as they are now. */
  readonly files: () => ReadonlyMap<string, string>;
}

/** Runs one world to its end, on simulated time. */
export function play(stage: Stage, plot: Plot): Promise<Outcome> {
  return playOn(simulated(stage.objects, stage.files, stage.knobs), stage, plot);
}

/** Runs one world to its end: the run with faults, then others without any until nothing is left to do. */
export async function playOn(place: Place, stage: Stage, plot: Plot): Promise<Outcome> {
  const { scenario, knobs } = stage;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const first = await place.run({ ...command, faults: plot.faults, seed: plot.seed });
  const impatient = checkPatience(stage, plot, first);
  await place.pass(plot.gapMs);
  const outcome = await finish(place, stage, [first], plot.seed);
  return { ...outcome, violations: [...impatient, ...outcome.violations] };
}

/** A trouble that passes, met once, is no reason to give up. */
function checkPatience({ clean, scenario, knobs }: Stage, { faults }: Plot, ran: Ran): Violation[] {
  const isPassing = faults.every((one) => 'request' in one && one.request.isPassing === true && !one.isLasting);
  // A creation that cannot be looked for, and a token that is shown once, may need another run, or a person.
  const isHopeless = knobs.disabled?.includes('https-edge-list') === true || scenario.name.startsWith('key');
  const isWrite = faults.some((one) => clean.points[one.at]?.method !== 'GET');
  if (faults.length > 1 || !isPassing || ran.exit === clean.exit || (isHopeless && isWrite)) return [];
  return [
    { oracle: 'patience', text: `run ${ran.number} ended with ${ran.exit ?? 'nothing'} after a fault that passes` },
  ];
}

/** Two runs at the same time, then others until nothing is left to do. */
export async function playTwo(place: Place, stage: Stage): Promise<Outcome> {
  const { scenario, knobs } = stage;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [1, 2].map((seed) => place.run({ ...command, faults: [], seed }));
  return finish(place, stage, await Promise.all(runs), 2);
}

/** Runs without faults until one has nothing to do. */
async function finish(place: Place, stage: Stage, soFar: readonly Ran[], seed: number): Promise<Outcome> {
  const { scenario, knobs } = stage;
  const { service } = place;
  const command = commandOf(scenario, scenario.after, scenario.isDestroyed === true, knobs);
  const runs = [...soFar];
  let reruns = 0;
  let isQuiet = false;
  while (!isQuiet && reruns <= MOST_RERUNS + 1) {
    const ran = await place.run({ ...command, faults: [], seed: seed + reruns + 1 });
    runs.push(ran);
    isQuiet =
      ran.exit === (scenario.exit ?? 0) &&
      !service.log.some((entry) => entry.run === ran.number && entry.method !== 'GET');
    // What comes late comes before the last word.
    const before = service.log.length;
    await place.drain();
    isQuiet &&= service.log.length === before;
    if (!isQuiet) reruns += 1;
  }
  const violations = [
    ...(isQuiet && reruns <= MOST_RERUNS ? [] : [notQuiet(runs.at(-1))]),
    ...violationsIn(place, stage, runs),
  ];
  return { violations: unique(violations), reruns, runs, log: service.log };
}

/** Everything that must hold, whatever happened. */
export function violationsIn(place: Place, stage: Stage, runs: readonly Ran[]): Violation[] {
  const { objects, foreign } = stage;
  const { log, store } = place.service;
  const theirs = objects.filter((one) => foreign.has(one.id));
  return [
    ...compareEnds(stage.picture, pictureOf(store, foreign)),
    ...checkForeign(theirs, store, log),
    ...checkPrefixes(log),
    ...checkMoments(log, objects),
    ...checkPosts(stage.posts, log),
    ...checkCanaries(canariesIn(objects, log), new Map([...outputsOf(runs), ...withoutTokens(place.files())])),
    ...checkTokens(store, place.files(), TOKENS),
    ...runs.flatMap((ran) => checkRun(ran, log, stage)),
  ];
}

/** Files that may hold no secret. */
function withoutTokens(files: ReadonlyMap<string, string>): [string, string][] {
  return [...files].filter(([path]) => !path.endsWith('.token'));
}

function notQuiet(last: Ran | undefined): Violation {
  return {
    oracle: 'convergence',
    text: `not done after ${MOST_RERUNS} more runs; the last ended with ${last?.exit ?? 'nothing'}`,
  };
}

function checkRun(ran: Ran, log: readonly Entry[], stage: Stage): Violation[] {
  const { objects: before, foreign, picture } = stage;
  const own = log.filter((entry) => entry.run === ran.number && entry.method !== 'GET');
  const found: Violation[] = [];
  if (ran.isHung) found.push({ oracle: 'deadline', text: `run ${ran.number} did not end` });
  if (ran.endedAt - ran.startedAt > LIMIT_MS)
    found.push({ oracle: 'deadline', text: `run ${ran.number} took too long` });
  if (ran.exit === -1 || ran.stdout.includes('"internal-error"'))
    found.push({ oracle: 'crash', text: `run ${ran.number} made a mistake: ${ran.stdout.slice(0, 500)}` });
  if (INERT.has(ran.exit) && own.some((entry) => isDone(entry)))
    found.push({ oracle: 'refused', text: `run ${ran.number} ended with ${ran.exit ?? ''} after a write` });
  for (const text of ran.misdeeds) found.push({ oracle: 'host', text });
  if (ran.exit === 0) {
    const end = log.filter((entry) => entry.run <= ran.number && entry.at <= ran.endedAt).at(-1)?.objects ?? before;
    const [wrong] = compareEnds(
      picture,
      pictureOf(
        createStore(end, () => undefined),
        foreign,
      ),
    );
    if (wrong !== undefined) found.push({ oracle: 'zero', text: `run ${ran.number} ended with 0, and ${wrong.text}` });
  }
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
