// Which steps of a saved plan are left, by the steps of a new plan: what the new plan still holds is left, what it no longer holds
// is done. Compares requests, and knows nothing of live objects.

import { METADATA } from '../../catalog/fields/common.ts';
import { isRemoval } from '../fingerprint.ts';
import type { Step } from '../plan.ts';
import { comparableRequests, isPartOf, type ComparableRequest, type FillingSource } from './filled-requests.ts';

/** What became of a saved step. */
export type StepFate =
  /**
   * The new plan holds it with the same requests, or, after so many of them were sent, with the rest. Of the last one that was sent
   * a part may be left, which the service may not have taken.
   */
  | { readonly is: 'left'; readonly step: Step; readonly now: Step; readonly sent: number }
  /** The new plan holds nothing of the kind. */
  | { readonly is: 'missing'; readonly step: Step }
  /** The new plan holds a step for the same object that sends something else. */
  | { readonly is: 'changed'; readonly step: Step; readonly now: Step };

/** A saved plan beside a new one. */
export interface WorkLeft {
  /** In the order of the saved plan. */
  readonly fates: readonly StepFate[];
  /** Steps of the new plan at the same addresses that the saved plan does not hold. */
  readonly added: readonly Step[];
}

/** Pairs each saved step with that of the new plan which is about the same. */
export function findWorkLeft(saved: readonly Step[], now: readonly Step[], source: FillingSource): WorkLeft {
  const byKey = new Map(now.map((step) => [keyOf(step), step]));
  const addresses = new Set(saved.map(({ address }) => address));
  const fates = saved.map((step) => fateOf(step, byKey, source));
  const matched = new Set(fates.flatMap((fate) => (fate.is === 'missing' ? [] : [fate.now])));
  return { fates, added: now.filter((step) => addresses.has(step.address) && !matched.has(step)) };
}

function fateOf(step: Step, byKey: ReadonlyMap<string, Step>, source: FillingSource): StepFate {
  const now = byKey.get(keyOf(step)) ?? (isCreation(step) ? byKey.get(writeKey(step.address)) : undefined);
  if (now === undefined) return { is: 'missing', step };
  const sent = requestsSent(comparableRequests(step, source), comparableRequests(now, source));
  // The paths of the requests name the object.
  return sent === undefined ? { is: 'changed', step, now } : { is: 'left', step, now, sent };
}

/**
 * How many requests of a step were sent if only these are left; undefined if they are others.
 *
 *   planned [A, B], left [A, B]      none was sent
 *   planned [A, B], left [B]         A was sent
 *   planned [A, B], left [part of B] both were sent: the marker of B is there, and a value that B sent is not
 */
function requestsSent(planned: readonly ComparableRequest[], left: readonly ComparableRequest[]): number | undefined {
  const before = planned.length - left.length;
  const [firstPlanned, ...laterPlanned] = planned.slice(Math.max(before, 0));
  const [firstLeft, ...laterLeft] = left;
  if (before < 0 || !laterLeft.every((request, at) => isSame(request, laterPlanned[at]))) return undefined;
  if (isSame(firstLeft, firstPlanned)) return before;
  return isWrittenRest(firstLeft, firstPlanned) ? before + 1 : undefined;
}

function isSame(left: ComparableRequest | undefined, planned: ComparableRequest | undefined): boolean {
  if (left === undefined || planned === undefined) return left === planned;
  return left.fields.size === planned.fields.size && isPartOf(left, planned);
}

/** True for a part of a request whose marker was written: the service has taken the request, or a part of it. */
function isWrittenRest(left: ComparableRequest | undefined, planned: ComparableRequest | undefined): boolean {
  if (left === undefined || planned === undefined) return false;
  return planned.fields.has(METADATA) && !left.fields.has(METADATA) && isPartOf(left, planned);
}

function isCreation({ live_id: id }: Step): boolean {
  return id === null;
}

/**
 * Equal for steps that do the same to one object. The old object of a replacement is deleted, whatever the plan calls it once its
 * successor exists; a new object whose creation needs further requests is updated from then on.
 */
function keyOf(step: Step): string {
  const { action, phase, address, live_id: id } = step;
  if (isRemoval(step)) return `remove ${id ?? ''}`;
  if (action === 'release') return `release ${id ?? ''}`;
  // An adopted object may have an update of its own after it.
  if (action === 'adopt') return `adopt ${address}`;
  return isCreation(step) ? `create ${address}` : writeKey(address, phase);
}

function writeKey(address: string, phase?: Step['phase']): string {
  return `write ${address} ${phase ?? ''}`;
}
