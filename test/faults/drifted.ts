// What `drift` says once a world has come to its end: as nobody but the stack's own runs was at work, nobody changed anything
// outside, neither by the manifest that was applied nor by the one before.

import { isList, isObject, tryParseJson } from '../../src/core/json.ts';
import type { Command, Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { manifestOf } from './scenarios.ts';
import type { Runner, FaultPlan, Setup } from './setup.ts';

/** Wrong findings, with the command's setting; none is looked for where others were at work, or runs do not end well. */
export async function checkDrift(
  place: Runner,
  { scenario, knobs }: Setup,
  { faults, seed }: FaultPlan,
  bare: Omit<Command, 'faults' | 'seed' | 'args'>,
): Promise<Violation[]> {
  const { before, after, exit, isDestroyed, doubled } = scenario;
  const isAlone = faults.every(
    (one) =>
      !('request' in one) ||
      (one.request.reply.type !== 'concurrent edit' && one.request.isCrowded !== true && one.request.isEdited !== true),
  );
  const isWhole = (knobs.disabled ?? []).length === 0 && doubled === undefined;
  if (!isAlone || !isWhole || exit !== undefined || isDestroyed === true) return [];
  const drift = (yaml: string) =>
    place.run({ ...bare, args: ['drift', '-f', '-', '--format', 'json'], stdin: manifestOf(yaml), faults: [], seed });
  const now = await drift(after);
  const clean = now.exit === 0 ? [] : [`after it was applied: ${told(now)}`];
  const then = before === undefined ? undefined : await drift(before);
  const blamed =
    then === undefined ? [] : findingsOf(then).filter(({ cause }) => cause === 'drift' || cause === 'both');
  const wrong = [...clean, ...blamed.map((one) => `by the manifest before: ${JSON.stringify(one)}`)];
  return wrong.map((text) => ({ oracle: 'drift', text: `drift blames others, ${text}` }));
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
