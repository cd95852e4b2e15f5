// A full or read-only disk under one of the places that a run writes to, from any of its writes on: the journal, tokens,
// events, the summary, the saved plan. Whatever is lost there is said, and what was done is not.

import { isList, isObject, tryParseJson } from '../../src/core/json.ts';
import { HOME } from './disk.ts';
import type { Family, World } from './world-families.ts';
import type { FileFault } from './faults.ts';
import { FILE_FAULTS } from './faults.ts';
import { isDone } from './history.ts';
import type { Command, Point, Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { compareEnds, finalStateOf } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';
import type { WorldOutcome, Runner, Setup } from './setup.ts';
import { TOKENS } from './setup.ts';
import { commandOf, finish, prepare, simulated } from './world.ts';

/** A place that a run writes to. */
interface Target {
  readonly name: string;
  readonly path: string;
  /** Without it nothing more may be written; what it lacks stops no run where missing. */
  readonly isVital?: true;
}

const EVENTS: Target = { name: '--events', path: `${HOME}/events.jsonl` };
const SUMMARY: Target = { name: '--summary-file', path: `${HOME}/summary.md` };
const TARGETS: readonly Target[] = [
  { name: 'the journal', path: `${HOME}/.edgeform`, isVital: true },
  { name: '--token-dir', path: TOKENS, isVital: true },
  EVENTS,
  SUMMARY,
];
const PLAN = `${HOME}/shop.plan.json`;

const STORIES = [
  'address: create',
  'address: replace',
  'address: delete',
  'key: create',
  'key: create, update and delete',
  'https edge: change routes',
  'chain: create',
  'chain: prune',
];

const FULL = FILE_FAULTS.filter(({ effect }) => effect === 'ENOSPC' || effect === 'EROFS');

function writesTo(path: string, points: readonly Point[]): number[] {
  return points.flatMap(({ type, method, key }, at) =>
    type === 'file' && method !== 'remove' && key.includes(path) ? [at] : [],
  );
}

function placeOf({ objects, files, knobs }: Setup): Runner {
  return simulated(objects, files, knobs);
}

function fullAt(target: Pick<Target, 'path'>, at: number, file: FileFault): Command['faults'] {
  return [{ at, isLasting: true, file, under: target.path }];
}

async function playApply(setup: Setup, target: Target, at: number, file: FileFault): Promise<WorldOutcome> {
  const { scenario, knobs } = setup;
  const place = placeOf(setup);
  const command = commandOf(scenario, scenario.after, false, knobs);
  const first = await place.run({ ...command, faults: fullAt(target, at, file), seed: 1 });
  const wrong = [...checkTold(first, target.path), ...checkDone(place, setup, target, first)];
  const outcome = await finish(place, setup, [first], { seed: 1 });
  return { ...outcome, violations: [...wrong, ...outcome.violations] };
}

function claim(ran: Ran, text: string): Violation {
  return { oracle: 'claim', text: `run ${ran.number} (exit ${ran.exit ?? ''}): ${text}` };
}

/** The document names the place, and the exit code is no success. */
function checkTold(ran: Ran, path: string): Violation[] {
  const found = ran.exit === 0 || ran.exit === 2 ? [claim(ran, `${path} could not be written`)] : [];
  return ran.stdout.includes(path) ? found : [...found, claim(ran, `the document does not name ${path}`)];
}

/** Where all was done the exit code is 74; what stops no run has stopped nothing; partly done is what was begun. */
function checkDone({ service }: Runner, setup: Setup, { isVital }: Target, ran: Ran): Violation[] {
  const json = tryParseJson(ran.stdout);
  const steps = isObject(json) && isList(json['steps']) ? json['steps'].filter(isObject) : [];
  const isAll = steps.length > 0 && steps.every(({ status }) => status === 'done');
  const found: Violation[] = [];
  if ((isAll || isVital !== true) && ran.exit !== 74) found.push(claim(ran, 'all was done, and only output was lost'));
  const wasWritten = service.log.some((entry) => entry.run === ran.number && isDone(entry));
  const saysWritten = ran.exit === 3 || ran.exit === 7;
  if (!isAll && isVital === true && wasWritten !== saysWritten)
    found.push(claim(ran, wasWritten ? 'something was written' : 'nothing was written'));
  if (isAll || isVital !== true)
    for (const { text } of compareEnds(setup.finalState, finalStateOf(service.store, setup.foreign)))
      found.push(claim(ran, `all was to be done, and ${text}`));
  return found;
}

function planCommand({ scenario, knobs }: Setup): Omit<Command, 'faults' | 'seed'> {
  const command = commandOf(scenario, scenario.after, false, knobs);
  const [, ...args] = command.args.filter((arg) => arg !== '--auto-approve');
  return { ...command, args: ['plan', ...args, '--out', PLAN] };
}

/** A plan that cannot be saved is shown, and nothing is sent. */
async function playPlan(setup: Setup, file: FileFault): Promise<WorldOutcome> {
  const command = planCommand(setup);
  const { points } = await placeOf(setup).run({ ...command, faults: [], seed: 1 });
  const [at = -1] = writesTo(PLAN, points);
  const planning = placeOf(setup);
  const planned = await planning.run({ ...command, faults: fullAt({ path: PLAN }, at, file), seed: 1 });
  const wrong = checkTold(planned, PLAN);
  if (planned.exit !== 74) wrong.push(claim(planned, 'only the plan was lost'));
  if (planning.files().has(PLAN)) wrong.push(claim(planned, 'there is a plan all the same'));
  for (const { method, path } of planning.service.log)
    if (method !== 'GET') wrong.push(claim(planned, `planning sent ${method} ${path}`));
  const outcome = await finish(planning, setup, [planned], { seed: 1 });
  return { ...outcome, violations: [...wrong, ...outcome.violations] };
}

function withSinks(scenario: Scenario): Scenario {
  const flags = [EVENTS, SUMMARY].flatMap(({ name, path }) => [name, path]);
  return { ...scenario, flags: [...(scenario.flags ?? []), ...flags] };
}

async function worldsOf(scenario: Scenario): Promise<readonly World[]> {
  const [setup, plain] = await Promise.all([prepare(withSinks(scenario)), prepare(scenario)]);
  const applies = TARGETS.flatMap((target) =>
    writesTo(target.path, setup.clean.points).flatMap((at, index) =>
      FULL.map((file): World => ({
        name: `${scenario.name}: ${file.name} under ${target.name} from its write ${index} on`,
        play: () => playApply(setup, target, at, file),
      })),
    ),
  );
  const plans = FULL.map((file): World => ({
    name: `${scenario.name}: ${file.name} under plan --out`,
    play: () => playPlan(plain, file),
  }));
  return [...applies, ...plans];
}

export const FULL_DISKS: Family = {
  name: 'a full disk under one sink',
  weight: 5,
  worlds: async () => {
    const chosen = SCENARIOS.filter(({ name }) => STORIES.includes(name));
    return (await Promise.all(chosen.map(worldsOf))).flat();
  },
};
