// The last look before an object is changed. There are no conditional requests, so it is read right before, each time.

import type { ReadClient } from '../service/transport.ts';
import { noteDeletion } from './gate/run-history.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { refreshObject, type ObservedObject } from './refresh-object.ts';
import { StepEnd, type StepRun } from './step-run.ts';

/** Reads the step's object, if it has one. Throws `StepEnd` when it is gone; a removal of what is gone is done. */
export async function readObject(run: StepRun, get: ReadClient['get']): Promise<{ observed?: ObservedObject }> {
  const { step, liveId, parentId, history } = run;
  if (liveId === null) return {};
  const observed = await refreshObject(get, { kind: step.kind, id: liveId, parentId });
  run.observed = observed;
  if (observed !== undefined) return { observed };
  if (isRemoval(step)) {
    noteDeletion(history, liveId);
    throw new StepEnd('done', `${liveId} was already deleted`);
  }
  throw new StepEnd('failed', `${step.address} (${liveId}) no longer exists; nothing was changed`);
}
