// What a write's object and its parent are right before it is sent: the service has no conditional requests (§1), so every write
// is judged by a read that nothing was waited for since. Sends no write.

import { kindByName } from '../catalog/lookup.ts';
import type { ReadClient } from '../service/transport.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteDeletion } from './gate/run-history.ts';
import { refreshObject, type ObservedObject } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';

/**
 * Reads the parent of the step's object, unless this run created it and no other run can know it, or the object itself, if it has
 * one. Throws `GateViolation` of the rule `exists` if one of them no longer exists.
 */
export async function readBeforeWrite(
  run: StepRun,
  get: ReadClient['get'],
): Promise<Pick<GatedWrite, 'observed' | 'parent'>> {
  const { step, live_id, parentId, history, requestsDone } = run;
  const { parent: place } = kindByName(step.kind);
  const isKnown = place !== undefined && parentId !== undefined && !history.created.has(parentId);
  const parent = isKnown
    ? await refreshObject(get, { kind: place.kind, id: parentId, parentId: undefined })
    : undefined;
  if (isKnown && parent === undefined && live_id === null)
    throw new GateViolation('exists', `${parentId}, the parent of ${step.address}, no longer exists`);
  if (live_id === null) return { parent };
  const inParent = parent?.children.find(({ live }) => live.id === live_id);
  const observed = isKnown ? observedNow(run, inParent) : await refreshOwn(run, get);
  if (observed !== undefined) return { observed, parent };
  if (isRemoval(step)) noteDeletion(history, step, live_id);
  throw new GateViolation('exists', `${step.address} (${live_id}) no longer exists`, { isMore: requestsDone > 0 });
}

/** The step's object as it is now; undefined when it no longer exists. */
export async function refreshOwn(run: StepRun, get: ReadClient['get']): Promise<ObservedObject | undefined> {
  const { step, live_id, parentId } = run;
  return observedNow(run, await refreshObject(get, { kind: step.kind, id: live_id ?? '', parentId }));
}

/** What a read shows of the step's object. A new object of this run exists even if a read lags behind. */
function observedNow(run: StepRun, read: ObservedObject | undefined): ObservedObject | undefined {
  const { live_id, history, input } = run;
  const createdAt = history.created.get(live_id ?? '')?.at ?? -Infinity;
  if (read === undefined && input.clock.now() - createdAt <= input.settleMs) return run.observed;
  run.observed = read;
  return read;
}
