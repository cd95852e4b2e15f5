// How a write ended, for the journal: with the outcome goes what the service shows in place of values that were sent (record 0088).

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { ShownValues } from '../core/shown-values.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { saltOf } from '../resource/digests.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { noteUntaken } from './gate/run-history.ts';
import { untakenIn } from '../resource/untaken.ts';
import { fieldsIn, type Ready } from './fill-request.ts';
import type { WriteOutcome } from './recorder.ts';
import { observedFrom, type ObservedObject } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';

/** Records how a try of a write ended; its intent is undefined while it is not recorded. */
export async function recordOutcome(run: StepRun, intent: number | undefined, status: WriteOutcome): Promise<void> {
  if (intent !== undefined) await run.record.outcome(intent, { status, live_id: run.live_id });
}

interface DoneWrite {
  readonly ready: Ready;
  readonly intent: number | undefined;
  /** The answer, or the object of a creation as it was found; null after a change that was looked for. */
  readonly body: Json;
}

/** The fields of an existing object that a write changes; not the metadata, which has the marker. */
export function changedFieldsOf(ready: Ready): string[] {
  return ready.method === 'POST' ? [] : fieldsIn(ready).filter((name) => name !== METADATA);
}

/** Records that a write was carried out, and which values its answer, or the read in place of it, shows otherwise. */
export async function recordDone(run: StepRun, { ready, intent, body }: DoneWrite): Promise<void> {
  const { step, live_id, parentId, history } = run;
  if (isObject(body) && live_id !== null) run.observed = observedInAnswer(kindByName(step.kind), body, parentId);
  const untaken = untakenNow(run, ready);
  if (live_id !== null)
    noteUntaken(history, { id: live_id, address: step.address }, { sent: changedFieldsOf(ready), untaken });
  if (intent !== undefined) await run.record.outcome(intent, { status: 'done', live_id, untaken });
}

function untakenNow({ step, input, observed }: StepRun, { values }: Ready): ShownValues {
  if (values === undefined || observed === undefined) return new Map();
  const { live } = observed;
  const salt = saltOf({ stack: input.plan.stack, address: step.address });
  return untakenIn(kindByName(step.kind), values, { live, salt });
}

/** The object in the answer, or undefined if its shape is invalid. */
function observedInAnswer(kind: Kind, body: JsonObject, parentId: string | undefined): ObservedObject | undefined {
  try {
    return observedFrom(kind, body, parentId);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return undefined;
  }
}
