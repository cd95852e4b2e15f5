// The last look before an object is changed. There are no conditional requests, so it is read right before.

import { kindByName } from '../catalog/lookup.ts';
import { noteDeletion } from './gate/run-history.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { refreshObject } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';
import { StepEnd } from './step-run.ts';

/** Reads the step's object, if it has one. Throws `StepEnd` when it is gone; a removal of what is gone is done. */
export async function readObject(run: StepRun): Promise<void> {
  const { step, liveId, parentId, input, history } = run;
  if (liveId === null || run.observed !== undefined) return;
  run.observed = await refreshObject(input.client, kindByName(step.kind), { id: liveId, parentId });
  if (run.observed !== undefined) return;
  if (isRemoval(step)) {
    noteDeletion(history, liveId);
    throw new StepEnd('done', `${liveId} was already deleted`);
  }
  throw new StepEnd('failed', `${step.address} (${liveId}) no longer exists; nothing was changed`);
}
