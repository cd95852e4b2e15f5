// A saved plan that is applied again until it is done: a fault strikes at any effect of the first apply, and the same file goes on
// from there. Whatever happens, nothing is sent that the file does not hold. Where the file cannot go on, it is out of date, and a
// new plan does the rest.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, isObject, parseJson, tryParseJson } from '../../src/core/json.ts';
import type { Plan, PlannedRequest } from '../../src/plan/plan.ts';
import { HOME } from './disk.ts';
import { singles } from './enumerate.ts';
import { nameOf, type Planned } from './faults.ts';
import { isDone } from './history.ts';
import { unique, violationsIn } from './judge.ts';
import type { Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { ownAddress } from './read-markers.ts';
import { isPartOfRequest, isSameRequest } from './planned-requests.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { Entry, Service } from './service.ts';
import type { Runner, Setup, WorldOutcome } from './setup.ts';
import type { Family, World } from './world-families.ts';
import { answersTo, commandOf, deadlineFor, drainsQuietly, finish, prepare, simulated } from './world.ts';

const FILE = 'plan.json';
/** How often the file may be applied until it is done. */
const MOST_RUNS = 5;
const GAPS_MS = [0, 1_000, 90_000];
/** Ends of a run after which a person makes a new plan. */
const STALE = 6;

/** Scenarios whose end is reached by a plan of `apply`; those with a deadline or a refusal have other ends. */
const isPlanned = ({ isDestroyed, exit = 0, isLarge, deadlineS }: Scenario) =>
  isDestroyed !== true && exit === 0 && isLarge !== true && deadlineS === undefined;

interface Prepared {
  readonly setup: Setup;
  /** The file. */
  readonly text: string;
  readonly plan: Plan;
  /** The run of the file without faults. */
  readonly clean: Ran;
}

/** Manifests are on the real disk, because standard input is the plan. */
const folder = mkdtempSync(join(tmpdir(), 'saved-plans-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

/** The command line of a scenario, with its manifest in a file. */
function commandFor(scenario: Scenario, { knobs }: Pick<Setup, 'knobs'>) {
  const { args, stdin, ...command } = commandOf(scenario, scenario.after, false, knobs);
  const path = join(folder, `${scenario.name.replaceAll(/\W/g, '-')}.yaml`);
  writeFileSync(path, stdin);
  return { ...command, stdin: '', args: args.map((one) => (one === '-' ? path : one)) };
}

/** The scenario with its saved plan. */
async function withPlan(scenario: Scenario): Promise<Prepared> {
  const setup = await prepare(scenario);
  const place = simulated(setup.objects, setup.files, setup.knobs);
  const { args, ...command } = commandFor(scenario, setup);
  const flags = args.filter((one) => one !== 'apply' && one !== '--auto-approve');
  const made = await place.run({ ...command, args: ['plan', ...flags, '--out', FILE], faults: [], seed: 1 });
  const text = place.files().get(`${HOME}/${FILE}`);
  if (made.exit !== 0 || text === undefined) throw new Error(`${scenario.name}: no plan\n${made.stdout}${made.stderr}`);
  const planned = { setup, text, plan: parseJson(text) as unknown as Plan };
  const clean = await applySaved(simulated(setup.objects, setup.files, setup.knobs), planned, { faults: [], seed: 1 });
  if (clean.exit !== 0) throw new Error(`${scenario.name}: not carried out\n${clean.stdout}${clean.stderr}`);
  return { ...planned, clean };
}

interface Attempt {
  readonly faults: readonly Planned[];
  readonly seed: number;
  readonly more?: readonly string[];
}

function applySaved(
  place: Runner,
  { setup, text }: Omit<Prepared, 'clean'>,
  { faults, seed, more = [] }: Attempt,
): Promise<Ran> {
  const { args, ...command } = commandFor(setup.scenario, setup);
  return place.run({ ...command, stdin: text, args: [...args, '-', ...more], faults, seed });
}

async function play(prepared: Prepared, fault: Planned, gapMs: number): Promise<WorldOutcome> {
  const { setup, plan } = prepared;
  const place = simulated(setup.objects, setup.files, setup.knobs);
  const { service } = place;
  const more = deadlineFor(setup.scenario, { faults: [fault], seed: 1, gapMs });
  const runs = [await applySaved(place, prepared, { faults: [fault], seed: 1, more })];
  await place.pass(gapMs);
  for (let isOver = false; !isOver && runs.length <= MOST_RUNS;) {
    const answers = answersTo(runs.at(-1), service);
    const ran = await applySaved(place, prepared, { faults: [], seed: runs.length + 1, more: answers });
    runs.push(ran);
    const isQuiet = await drainsQuietly(place);
    isOver = ran.exit === STALE || (ran.exit === 0 && isQuiet && !hasWritten(ran, service));
  }
  const held = notHeld(plan, setup, service.log);
  const last = runs.at(-1);
  if (last?.exit === 0 && isConverged(last))
    return {
      violations: unique([...held, ...notSaid(last), ...violationsIn(place, setup, runs)]),
      reruns: runs.length - 2,
      runs,
      log: service.log,
    };
  const toldOpen = runs.filter((ran) => ran.exit === 0 && !isConverged(ran));
  const reason =
    last?.exit === STALE ? whyWrongly(fault, place, setup, runs) : toldOpen.length > 0 ? [] : endless(last);
  const outcome = await finish(place, setup, runs, { seed: runs.length + 1 });
  const isTold = ({ oracle, text }: Violation) =>
    oracle === 'zero' && toldOpen.some(({ number }) => text.startsWith(`run ${number} `));
  const wrong = outcome.violations.filter((one) => !isTold(one));
  return { ...outcome, violations: unique([...held, ...reason, ...wrong]) };
}

function hasWritten({ number }: Ran, { log }: Service): boolean {
  return log.some(({ run, method }) => run === number && method !== 'GET');
}

function endless(last: Ran | undefined): Violation[] {
  const text = `the saved plan is not done; the last run ended with ${last?.exit ?? 'nothing'}`;
  return [{ oracle: 'convergence', text }];
}

/** False for a run that says what is open elsewhere: a saved plan answers for what it touches. */
function isConverged({ stdout }: Ran): boolean {
  const report = tryParseJson(stdout);
  return !isObject(report) || report['converged'] !== false;
}

/** A file that is carried out whole says so. */
function notSaid({ stdout }: Ran): Violation[] {
  const report = parseJson(stdout);
  const isSaid = isObject(report) && isList(report['already_done']) && report['already_done'].length > 0;
  return isSaid ? [] : [{ oracle: 'claim', text: 'a plan that was carried out whole does not say so' }];
}

/** Out of date is right after a change by somebody else, for a key whose token is lost, and where an object is there twice. */
function whyWrongly(fault: Planned, place: Runner, setup: Setup, runs: readonly Ran[]): Violation[] {
  const isEdited =
    'request' in fault && (fault.request.reply.type === 'concurrent edit' || fault.request.isEdited === true);
  const isKey = setup.scenario.name.startsWith('key');
  const addresses = place.service.store.all().flatMap((one) => ownAddress(one) ?? []);
  const isDoubled = new Set(addresses).size < addresses.length;
  if (isEdited || isKey || isDoubled) return [];
  return [
    { oracle: 'convergence', text: `the saved plan is out of date: ${(runs.at(-1)?.stdout ?? '').slice(0, 600)}` },
  ];
}

/**
 * Every write of these runs is a request of the plan, but for the deletion of what the same run created a second time. What the
 * service may not have taken of a request whose answer was lost is sent once more.
 */
function notHeld({ steps }: Plan, { objects }: Setup, log: readonly Entry[]): Violation[] {
  const planned = steps.flatMap(({ requests }) => requests);
  const made = new Map(log.filter((one) => one.method === 'POST' && isDone(one)).map((one) => [one.id, one.run]));
  const before = new Set(objects.map(({ id }) => id));
  const isSentBefore = (request: PlannedRequest, entry: Entry) =>
    isPartOfRequest(request, entry) &&
    log.slice(0, log.indexOf(entry)).some((earlier) => isDone(earlier) && isSameRequest(request, earlier));
  return log
    .filter(({ method }) => method !== 'GET')
    .filter((entry) => !planned.some((request) => isSameRequest(request, entry) || isSentBefore(request, entry)))
    .filter(({ method, id, run }) => !(method === 'DELETE' && !before.has(id) && made.get(id) === run))
    .map(({ method, path, body }) => {
      return { oracle: 'unplanned', text: `the saved plan has no ${method} ${path} ${JSON.stringify(body ?? null)}` };
    });
}

export const SAVED_PLANS: Family = {
  name: 'saved plans',
  weight: 1,
  worlds: async () => {
    const prepared = await Promise.all(SCENARIOS.filter(isPlanned).map(withPlan));
    return prepared.flatMap((one) =>
      singles(one.clean.points, 'plain').map((fault, index): World => ({
        name: `${one.setup.scenario.name}: ${nameOf(fault)} (${one.clean.points[fault.at]?.key ?? ''})`,
        play: () => play(one, fault, GAPS_MS[index % GAPS_MS.length] ?? 0),
      })),
    );
  },
};
