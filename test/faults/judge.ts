// Everything that must hold in a world, whatever happened in it.

import { isObject, tryParseJson } from '../../src/core/json.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { HELD_BACK } from '../support/cli.ts';
import type { Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { checkDeletions, checkMoments, checkPosts, checkPrefixes, checkProtected, isDone } from './history.ts';
import { checkSecretProbes, checkForeign, checkTokens, compareEnds, finalStateOf } from './oracles.ts';
import { checkReport } from './report.ts';
import type { Entry } from './service.ts';
import type { Runner, FaultPlan, Setup } from './setup.ts';
import { API_KEY, SECRET_PROBES, limitOf, TOKENS } from './setup.ts';

/** Exit codes that promise that nothing was written. */
const INERT = new Set<number | undefined>([4, 5, 6, 64]);

/** Everything that must hold, whatever happened; of `shared` stacks, on which two machines were at work, at their end. */
export function violationsIn(place: Runner, setup: Setup, runs: readonly Ran[], isShared = false): Violation[] {
  const { objects } = setup;
  const { log, store } = place.service;
  const others = new Set(theirsIn(place, setup).map((one) => one.id));
  return [
    ...compareEnds(setup.finalState, finalStateOf(store, others)),
    ...(isShared ? [] : [...checkMoments(log, objects, others), ...checkPosts(setup.posts, log)]),
    ...lasting(place, setup, runs, isShared),
    ...runs.flatMap((ran) => checkZero(ran, runs, log, { ...setup, foreign: others })),
  ];
}

function theirsIn({ service }: Runner, { objects, foreign }: Setup): Stored[] {
  return [...objects.filter((one) => foreign.has(one.id)), ...service.intruders.values()];
}

/** What holds also where the runs cannot come to the end that the manifest asks for. */
export function lasting(place: Runner, setup: Setup, runs: readonly Ran[], isShared: boolean): Violation[] {
  const { objects } = setup;
  const { log, store } = place.service;
  return [
    ...checkForeign(theirsIn(place, setup), store, log),
    ...checkPrefixes(log, isShared),
    ...checkDeletions(runs, log),
    ...checkProtected(log, objects),
    ...checkSecretProbes(probesIn(objects, log), new Map([...outputsOf(runs), ...withoutTokens(place.files())])),
    ...checkTokens(store, place.files(), TOKENS),
    ...runs.flatMap((ran) => checkRun(ran, log, setup, isShared)),
  ];
}

/** Files that may hold no secret. */
function withoutTokens(files: ReadonlyMap<string, string>): [string, string][] {
  return [...files].filter(([path]) => !path.endsWith('.token'));
}

/** A trouble that passes, met once, is no reason to give up. */
export function checkRetryBudget({ clean, scenario, knobs }: Setup, { faults }: FaultPlan, ran: Ran): Violation[] {
  const isPassing = faults.every((one) => 'request' in one && one.request.isPassing === true && !one.isLasting);
  // A creation that cannot be looked for, a token that is shown once, and a short deadline may need another run, or a person.
  const isHopeless =
    scenario.deadlineS !== undefined ||
    knobs.disabled?.includes('https-edge-list') === true ||
    scenario.name.startsWith('key');
  const isLost = faults.some(
    (one) =>
      clean.points[one.at]?.method !== 'GET' && 'request' in one && !/^connection refused|^429/.test(one.request.name),
  );
  if (faults.length > 1 || !isPassing || ran.exit === clean.exit || (isHopeless && isLost)) return [];
  return [
    { oracle: 'retry budget', text: `run ${ran.number} ended with ${ran.exit ?? 'nothing'} after a fault that passes` },
  ];
}

function checkRun(ran: Ran, log: readonly Entry[], setup: Setup, isShared: boolean): Violation[] {
  const { objects: before } = setup;
  const own = log.filter((entry) => entry.run === ran.number && entry.method !== 'GET');
  const found: Violation[] = [];
  if (ran.isHung) found.push({ oracle: 'deadline', text: `run ${ran.number} did not end` });
  if (ran.endedAt - ran.startedAt > limitOf(setup.scenario))
    found.push({ oracle: 'deadline', text: `run ${ran.number} took too long` });
  if (HELD_BACK.test(ran.stderr))
    found.push({ oracle: 'probe', text: `run ${ran.number} had to hold a secret back: ${ran.stderr.slice(-500)}` });
  if (ran.exit === -1 || ran.stdout.includes('"internal-error"'))
    found.push({ oracle: 'crash', text: `run ${ran.number} made a mistake: ${ran.stdout.slice(0, 500)}` });
  if (INERT.has(ran.exit) && own.some((entry) => isDone(entry)))
    found.push({ oracle: 'refused', text: `run ${ran.number} ended with ${ran.exit ?? ''} after a write` });
  for (const text of ran.misdeeds) found.push({ oracle: 'host', text });
  const said = exitCodeIn(ran);
  if (said !== undefined && said !== ran.exit)
    found.push({ oracle: 'exit', text: `run ${ran.number} ended with ${ran.exit ?? ''} and says ${said}` });
  return [...found, ...checkReport(ran, own, log, before, isShared)];
}

/** Exit code 0 means that everything is as the manifest asks, once those who were at work at the same time say so, too. */
function checkZero(ran: Ran, runs: readonly Ran[], log: readonly Entry[], setup: Setup): Violation[] {
  const beside = runs.filter((one) => one === ran || (one.startedAt < ran.endedAt && one.endedAt > ran.startedAt));
  if (beside.some((one) => one.exit !== 0)) return [];
  const until = Math.max(...beside.map((one) => one.endedAt));
  const last = Math.max(...beside.map((one) => one.number));
  const end = log.filter((entry) => entry.run <= last && entry.at <= until).at(-1)?.objects ?? setup.objects;
  const now = finalStateOf(
    createStore(end, () => undefined),
    setup.foreign,
  );
  const [wrong] = compareEnds(setup.finalState, now);
  if (wrong === undefined) return [];
  return [{ oracle: 'zero', text: `run ${ran.number} ended with 0, and ${wrong.text}` }];
}

/** The exit code in the document on standard output. */
function exitCodeIn({ stdout, exit }: Ran): number | undefined {
  const json = exit === undefined ? undefined : tryParseJson(stdout);
  return isObject(json) && typeof json['exit_code'] === 'number' ? json['exit_code'] : undefined;
}

/** Secrets of the world: the key, the variables, and every token that the service gave. */
function probesIn(objects: readonly Stored[], log: readonly Entry[]): string[] {
  const tokens = [objects, ...log.map((entry) => entry.objects)].flatMap((all) =>
    all.flatMap((one) => Object.values(one.once)),
  );
  return [...new Set([API_KEY, ...SECRET_PROBES.values(), ...tokens])];
}

function outputsOf(runs: readonly Ran[]): ReadonlyMap<string, string> {
  return new Map(
    runs.flatMap((ran): [string, string][] => [
      [`standard output of run ${ran.number}`, ran.stdout],
      [`standard error of run ${ran.number}`, ran.stderr],
    ]),
  );
}

export function unique(violations: readonly Violation[]): Violation[] {
  const seen = new Set<string>();
  return violations.filter(({ oracle, text }) => {
    const key = `${oracle} ${text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
