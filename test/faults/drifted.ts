// What `drift` says after a run with faults, and once a world has come to its end: as nobody but the stack's own runs was at
// work, nobody changed anything outside, neither by the manifest that was applied nor, in the end, by the one before.

import { isList, isObject, tryParseJson } from '../../src/core/json.ts';
import type { Command, Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { manifestOf } from './scenarios.ts';
import type { Runner, FaultPlan, Setup } from './setup.ts';

/** A look at the drift of a manifest, on the machine of a world. */
type Look = (yaml: string) => Promise<Ran>;
type Bare = Omit<Command, 'faults' | 'seed' | 'args'>;

/** The look; undefined where others were at work, or runs do not end well. */
function lookOf(place: Runner, { scenario, knobs }: Setup, { faults, seed }: FaultPlan, bare: Bare): Look | undefined {
  const { exit, isDestroyed, doubled } = scenario;
  const isAlone = faults.every(
    (one) =>
      !('request' in one) ||
      (one.request.reply.type !== 'concurrent edit' && one.request.isCrowded !== true && one.request.isEdited !== true),
  );
  const isWhole = (knobs.disabled ?? []).length === 0 && doubled === undefined;
  if (!isAlone || !isWhole || exit !== undefined || isDestroyed === true) return undefined;
  const args = ['drift', '-f', '-', '--format', 'json'];
  return (yaml) => place.run({ ...bare, args, stdin: manifestOf(yaml), faults: [], seed });
}

/** Wrong findings between the run with faults and the next one. */
export async function checkMidway(place: Runner, setup: Setup, plan: FaultPlan, bare: Bare): Promise<Violation[]> {
  const found = await lookOf(place, setup, plan, bare)?.(setup.scenario.after);
  return found === undefined ? [] : wrong(blamed(found).map((one) => `after the fault: ${JSON.stringify(one)}`));
}

/** Wrong findings at the end, by the manifest that was applied and by the one before. */
export async function checkDrift(place: Runner, setup: Setup, plan: FaultPlan, bare: Bare): Promise<Violation[]> {
  const { before, after } = setup.scenario;
  const look = lookOf(place, setup, plan, bare);
  if (look === undefined) return [];
  const now = await look(after);
  const clean = now.exit === 0 ? [] : [`after it was applied: ${told(now)}`];
  const then = before === undefined ? [] : blamed(await look(before));
  return wrong([...clean, ...then.map((one) => `by the manifest before: ${JSON.stringify(one)}`)]);
}

function wrong(texts: readonly string[]): Violation[] {
  return texts.map((text) => ({ oracle: 'drift', text: `drift blames others, ${text}` }));
}

function blamed(ran: Ran) {
  // What others added was there before, and is not the doing of the stack's runs.
  const own = findingsOf(ran).filter(({ type }) => type !== 'foreign-child');
  return own.filter(({ cause }) => cause === 'drift' || cause === 'both');
}

function findingsOf({ stdout, exit }: Ran) {
  const document = exit === undefined ? undefined : tryParseJson(stdout);
  const findings = isObject(document) ? document['findings'] : undefined;
  return isList(findings) ? findings.filter(isObject) : [];
}

function told(ran: Ran): string {
  const found = findingsOf(ran).filter(({ type }) => type !== 'unmanaged');
  return `exit ${ran.exit ?? ''}, ${JSON.stringify(found)} ${ran.stderr.slice(0, 500)}`;
}
