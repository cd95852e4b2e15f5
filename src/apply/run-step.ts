// One step: sends its requests one after the other, records each before it is sent, and resolves lost answers.

import { isObject, type Json } from '../core/json.ts';
import { noteDeletion, noteWritten } from './gate/run-history.ts';
import type { StepResult } from './event.ts';
import { messageOf, stepResult, type StepRun } from './step-run.ts';
import { fieldsIn, fillRequest, type Ready } from './fill-request.ts';
import { write } from './write.ts';

/** Runs a step; the result says how far it came. */
export async function runStep(run: StepRun): Promise<StepResult> {
  try {
    for (const request of run.step.requests) {
      const ready = fillRequest(run, request);
      if (run.input.hardCancel?.aborted === true)
        return unsentResult(run, `the run was stopped before ${ready.method} ${ready.path} was sent`);
      const end = await write(run, ready);
      if (end.status === 'not_attempted') return unsentResult(run, end.why);
      if (end.status !== 'done') return stepResult(run, end.status, end.why, end.code);
      if (end.isGone === true) break;
      // It was carried out, even if its answer causes an error.
      run.requestsDone += 1;
      run.isOut = false;
      await accept(run, ready, end.body);
    }
    return stepResult(run, 'done', null);
  } catch (error) {
    return stepResult(run, 'failed', messageOf(error));
  }
}

/** A step with an accepted request has changed its object in part. */
function unsentResult(run: StepRun, why: string): StepResult {
  return stepResult(run, run.requestsDone === 0 ? 'not_attempted' : 'failed', why);
}

/** Remembers values of the answer for requests that refer to them. */
async function accept(run: StepRun, ready: Ready, body: Json): Promise<void> {
  const { step, input, known, live_id } = run;
  noteWrite(run, ready);
  if (!isObject(body)) return;
  // Values missing in this answer keep those of earlier ones.
  known.set(step.address, { ...known.get(step.address), ...body });
  if (ready.method !== 'POST' || live_id === null) return;
  try {
    await input.onCreated?.(step, body);
  } catch (error) {
    throw new Error(`${step.address} was created as ${live_id}, but ${messageOf(error)}`, { cause: error });
  }
}

function noteWrite({ step, history, live_id, observed }: StepRun, ready: Ready): void {
  const { method, field } = ready;
  if (live_id === null) return;
  const live = observed && { ...observed.live, spec: { ...observed.live.spec } };
  if (field !== undefined) delete live?.spec[field];
  noteWritten(history, live_id, fieldsIn(ready), live);
  if (step.action === 'release') history.released.add(live_id);
  if (method === 'DELETE' && field === undefined) noteDeletion(history, step, live_id);
}
