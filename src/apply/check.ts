// The last look before an object is changed: is it still what the plan was made for? There are no conditional requests.

import { BugError } from '../base/diagnostic.ts';
import { kindByName } from '../catalog/lookup.ts';
import { isRemoval, movedFields, seenOf } from '../plan/precondition.ts';
import { lookAt } from './look.ts';
import type { Run } from './run.ts';
import { StepEnd } from './run.ts';

/** Throws `StepEnd` when the object is gone or was changed; a removal of what is gone is done. */
export async function checkUnchanged(run: Run): Promise<void> {
  const { step, liveId, parentId, written } = run;
  if (liveId === null || step.live_id === null || written.has(liveId)) return;
  if (step.seen === undefined) throw new BugError(`${step.id} does not say what it saw`);
  const kind = kindByName(step.kind);
  const found = await lookAt(run, kind, { id: liveId, parentId });
  if (found === undefined) {
    if (isRemoval(step)) throw new StepEnd('done', `${liveId} was gone already`);
    throw new StepEnd('failed', `${step.address} (${liveId}) is gone; nothing was changed`);
  }
  const now = seenOf(kind, found.live, isRemoval(step) ? found.inside : []);
  const moved = movedFields(step.seen, now);
  if (moved.length === 0) return;
  throw new StepEnd(
    'failed',
    `${step.address} (${liveId}) was changed since the plan was made: ${moved.join(', ')}; nothing was changed`,
  );
}
