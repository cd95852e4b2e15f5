// Reads an object right before each change, because there are no conditional requests.

import type { ReadClient } from '../service/transport.ts';
import { kindByName } from '../catalog/lookup.ts';
import { noteDeletion } from './gate/run-history.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { refreshObject, type ObservedObject } from './refresh-object.ts';
import { StepEnd, type StepRun } from './step-run.ts';

/**
 * Reads the parent of the step's object, unless this run created it and nobody else can know it, and the step's object, if it
 * has one. Throws `GateViolation` if one of them no longer exists; the removal of such an object ends as done.
 */
export async function readObject(
  run: StepRun,
  get: ReadClient['get'],
): Promise<Pick<GatedWrite, 'observed' | 'parent'>> {
  const { step, liveId, parentId, history, requestsDone } = run;
  const { parent: place } = kindByName(step.kind);
  const isKnown = place !== undefined && parentId !== undefined && !history.created.has(parentId);
  const parent = isKnown
    ? await refreshObject(get, { kind: place.kind, id: parentId, parentId: undefined })
    : undefined;
  if (isKnown && parent === undefined && liveId === null)
    throw new GateViolation('exists', `${parentId}, the parent of ${step.address}, no longer exists`);
  if (liveId === null) return { parent };
  const observed = await refreshOwn(run, get);
  if (observed !== undefined) return { observed, parent };
  if (isRemoval(step)) {
    noteDeletion(history, liveId);
    throw new StepEnd('done', `${liveId} was already deleted`);
  }
  throw new GateViolation('exists', `${step.address} (${liveId}) no longer exists`, requestsDone > 0);
}

/** The step's object; undefined when it no longer exists. A new object of this run exists even if a read lags behind. */
export async function refreshOwn(run: StepRun, get: ReadClient['get']): Promise<ObservedObject | undefined> {
  const { step, liveId, parentId, history, input } = run;
  const found = await refreshObject(get, { kind: step.kind, id: liveId ?? '', parentId });
  const at = history.created.get(liveId ?? '')?.at ?? -Infinity;
  if (found === undefined && input.clock.now() - at <= input.settleMs) return run.observed;
  run.observed = found;
  return found;
}
