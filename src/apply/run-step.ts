// One step: sends its requests one after the other, records each before it is sent, and resolves lost answers.

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { CREATED_AT, ID, METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { LIMITS } from '../service/policy.ts';
import { ApiError, isNotAttempted } from '../service/transport.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { readObject } from './read-object.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteCreation, noteDeletion, noteWritten } from './gate/run-history.ts';
import { observedFrom, type ObservedObject } from './refresh-object.ts';
import { isReportedMissing, missingOperationHint } from './gate/missing-operation.ts';
import type { StepResult } from './event.ts';
import type { WriteOutcome } from './recorder.ts';
import { stepResult, StepEnd, type StepRun } from './step-run.ts';
import { resolveAfterRepeat, resolveCreation, resolveRemoval, resolveUpdate } from './resolve-outcome.ts';
import { runNameIn } from './duplicates/run-name.ts';
import { fillRequest } from './fill-request.ts';

/** Runs a step; the result says how far it came. */
export async function runStep(run: StepRun): Promise<StepResult> {
  try {
    for (const request of run.step.requests) {
      const ready = fillRequest(run, request);
      if (run.input.hardCancel?.aborted === true)
        return unsentResult(run, `the run was stopped before ${ready.method} ${ready.path} was sent`);
      await perform(run, ready);
    }
    return stepResult(run, 'done', null);
  } catch (error) {
    if (error instanceof GateViolation) return stepResult(run, 'failed', error.message);
    if (error instanceof StepEnd) return stepResult(run, error.status, error.status === 'done' ? null : error.message);
    if (!(error instanceof ApiError)) return stepResult(run, 'failed', messageOf(error));
    if (isNotAttempted(error)) return unsentResult(run, error.message);
    return stepResult(run, error.failure === 'unknown' ? 'unknown' : 'failed', error.message);
  }
}

/** A step with an accepted request has changed its object in part. */
function unsentResult(run: StepRun, why: string): StepResult {
  return stepResult(run, run.requestsDone === 0 ? 'not_attempted' : 'failed', why);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unexpected error';
}

type Ready = ReturnType<typeof fillRequest>;

/** Sends one request until it is known to be done, at most a few times. */
async function perform(run: StepRun, ready: Ready): Promise<void> {
  const tries = { sends: 1, lost: 0, heldBack: 0 };
  for (;;) {
    const answer = await attempt(run, ready, tries);
    if (answer.status === 'done') {
      // It was carried out, even if its answer causes an error.
      run.requestsDone += 1;
      run.isOut = false;
      await accept(run, ready, answer.body);
      return;
    }
    tries.sends += 1;
    tries[answer.status] += 1;
    if (tries.lost >= LIMITS.lost[ready.method === 'POST' ? 'creation' : 'change'])
      throw new StepEnd('unknown', `${answer.why} (sent ${tries.lost} times without effect)`);
  }
}

/** The number of this try, and how many answers before it were lost or repeats not sent. */
type Tries = Readonly<Record<'sends' | 'lost' | 'heldBack', number>>;

type SendResult =
  | { readonly status: 'done'; readonly body: Json }
  | { readonly status: 'lost' | 'heldBack'; readonly why: string };

async function attempt(run: StepRun, ready: Ready, tries: Tries): Promise<SendResult> {
  const isCreation = ready.method === 'POST';
  if (tries.lost > 0 && isCreation) run.history.repeated.add(run.step.address);
  let number: number;
  try {
    number = await record(run, ready);
  } catch (error) {
    if (tries.lost === 0 || isCreation) throw error;
    return resolveRepeat(run, ready, { error, tries, ended: () => Promise.resolve() });
  }
  const ended = (status: WriteOutcome) => run.record.outcome(number, status, run.liveId);
  try {
    const body = await run.gate.send(writeOf(run, ready), (get) => readObject(run, get));
    if (isCreation && isObject(body)) created(run, body, false);
    await ended('done');
    return { status: 'done', body };
  } catch (error) {
    return resolveAttempt(run, ready, { error, tries, ended });
  }
}

interface Unanswered {
  readonly error: unknown;
  readonly tries: Tries;
  readonly ended: (status: WriteOutcome) => Promise<void>;
}

/** Resolves a write without a good answer. */
async function resolveAttempt(run: StepRun, ready: Ready, { error, tries, ended }: Unanswered): Promise<SendResult> {
  const isRepeated = tries.lost > 0;
  if (isRepeated && isUndecided(error, ready)) return resolveRepeat(run, ready, { error, tries, ended });
  if (isUnsent(error)) {
    await ended(isDone(error) ? 'done' : 'rejected');
    throw error;
  }
  if (!(error instanceof ApiError)) return endUnknown(error);
  // The late first creation may hold a unique value that the second one needs.
  const isSecondCreation = isRepeated && ready.method === 'POST';
  const isUnknown = error.failure === 'unknown' || isSecondCreation || isReportedMissing(error, ready);
  await ended(isUnknown ? 'unknown' : 'rejected');
  if (!isUnknown) throw explained(run, ready, error);
  return resolveLost(run, ready, { error, tries, ended });
}

/** Waits, and then reads what took effect meanwhile. */
async function resolveLost(
  run: StepRun,
  ready: Ready,
  { error, tries, ended }: Unanswered & { readonly error: ApiError },
): Promise<SendResult> {
  const told = explained(run, ready, error);
  const wait = async () => {
    if (error.failure !== 'unknown') return undefined;
    const obstacle = await run.input.client.backOff(ready, error, tries.sends);
    return obstacle && `${told.message}; not sent again: ${obstacle}`;
  };
  const settled = await resolveOutcome(run, ready, wait).catch(endUnknown);
  await ended(statusAfter(settled, error, ready));
  if (settled !== 'again') return { status: 'done', body: settled };
  if (error.failure !== 'unknown') throw told;
  return { status: 'lost', why: told.message };
}

/** True for a request that was not sent because the service is resting, perhaps after failures of other requests. */
function isLeftAlone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service-unhealthy' && error.reach === 'unsent';
}

/** True for a failed repeat that says nothing about the first request; a refused creation has already been waited for. */
function isUndecided(error: unknown, { method }: Ready): boolean {
  if (method === 'POST') return error instanceof ApiError && isNotAttempted(error);
  const isRefused = error instanceof ApiError && error.failure !== 'unknown';
  return !isDone(error) && (isRefused || isUnsent(error));
}

/** Resolves a request whose repeat was refused or not sent; one that was only held back is tried again. */
async function resolveRepeat(run: StepRun, ready: Ready, { error, tries, ended }: Unanswered): Promise<SendResult> {
  const isNext = isLeftAlone(error) && tries.heldBack < LIMITS.held;
  if (isNext && (await run.input.client.backOff(ready, error, tries.sends)) === undefined) {
    await ended('rejected');
    return { status: 'heldBack', why: error.message };
  }
  try {
    const reason = error instanceof GateViolation ? error.reason : messageOf(error);
    const why = `there was no answer to it, and then ${reason}`;
    const body = await resolveOutcome(run, ready, () => Promise.resolve(why));
    await ended('done');
    return { status: 'done', body };
  } catch (undecided) {
    await ended('unknown');
    return endUnknown(undecided);
  }
}

/** True when the read before the write showed that nothing is left to do. */
function isDone(error: unknown): boolean {
  return error instanceof StepEnd && error.status === 'done';
}

/** True for an error of the read before the write: a write itself is never just "unusable". */
function isUnsent(error: unknown): boolean {
  if (error instanceof ApiError) return error.failure === 'unusable';
  return error instanceof StepEnd || error instanceof GateViolation || error instanceof ShapeError;
}

/** Ends with an unknown outcome after an unexpected error of a write that may have been sent, or of its resolution. */
function endUnknown(error: unknown): never {
  throw error instanceof StepEnd ? error : new StepEnd('unknown', messageOf(error));
}

/** A change whose answer was lost may still be carried out; a creation has already been waited for. */
function statusAfter(settled: Json, { failure }: ApiError, { method }: Ready): WriteOutcome {
  if (settled !== 'again') return 'done';
  return method === 'POST' || failure !== 'unknown' ? 'rejected' : 'unknown';
}

function record(run: StepRun, { method, path }: Ready): Promise<number> {
  const { step, liveId, parentId = null } = run;
  const replaces = method === 'POST' ? replacedBy(run) : undefined;
  const { address, kind, action } = step;
  const write = { address, kind, method, path, liveId, parentId };
  return run.record.intent({ ...write, ...(replaces !== undefined && { replaces }), releases: action === 'release' });
}

/** Id of the object that the step's new one replaces. */
function replacedBy({ step, input }: StepRun): string | undefined {
  if (step.phase !== 'create') return undefined;
  const old = input.plan.steps.find(({ address, phase }) => phase === 'delete' && address === step.address);
  return old?.live_id ?? undefined;
}

/** The error with advice for a missing operation. */
function explained({ step }: StepRun, ready: Ready, error: ApiError): ApiError {
  const more = missingOperationHint(kindByName(step.kind), ready, error);
  const isDeletion = ready.method === 'DELETE' && isReportedMissing(error, ready);
  const still = isDeletion ? `; ${ready.field ?? 'the object'} still exists` : '';
  return error.with({ message: `${error.message}${still}${more}` });
}

function writeOf(run: StepRun, { method, path, body }: Ready): GatedWrite {
  const { step, liveId, parentId, requestsDone } = run;
  const onSend = (isOut: boolean) => (run.isOut = isOut);
  const isBegun = requestsDone > 0 || run.input.isCleanUp === true;
  return {
    request: { method, path, ...(body && { body }), ...(isBegun && { finishes: true }), onSend },
    kind: kindByName(step.kind),
    address: step.address,
    id: liveId,
    parentId,
    step,
  };
}

/** Records the step's new object, from an answer or found by its marker. */
function created(run: StepRun, body: JsonObject, wasSeen: boolean): void {
  const { step, history, parentId, input } = run;
  const [id, stamp] = [String(body[ID]), body[CREATED_AT]];
  run.liveId = id;
  const at = input.clock.now();
  const isFound = wasSeen && runNameIn(run.sent[METADATA]) === undefined;
  noteCreation(history, step, { id, parentId, at, stamp: typeof stamp === 'string' ? stamp : undefined, isFound });
}

/** The outcome of the request; a body if it was carried out. After the `wait`, `again` if nothing is said against it. */
async function resolveOutcome(
  run: StepRun,
  { method, values, field }: Ready,
  wait: () => Promise<string | undefined>,
): Promise<Json> {
  if (method === 'POST') {
    const found = await resolveCreation(run, wait);
    if (found === 'absent') return 'again';
    created(run, found, true);
    return found;
  }
  const look = () => (method === 'PATCH' ? resolveUpdate(run, values ?? {}) : resolveRemoval(run, field));
  const whyNot = await wait();
  const state = await (whyNot === undefined ? look() : resolveAfterRepeat(run, look, whyNot));
  return state === 'again' ? state : null;
}

/** Remembers values of the answer for requests that refer to them. */
async function accept(run: StepRun, ready: Ready, body: Json): Promise<void> {
  const { step, input, known, liveId, parentId } = run;
  if (isObject(body) && liveId !== null) run.observed = observedInAnswer(kindByName(step.kind), body, parentId);
  noteWrite(run, ready);
  if (!isObject(body)) return;
  // Values missing in this answer keep those of earlier ones.
  known.set(step.address, { ...known.get(step.address), ...body });
  if (ready.method !== 'POST' || liveId === null) return;
  try {
    await input.onCreated?.(step, body);
  } catch (error) {
    throw new Error(`${step.address} was created as ${liveId}, but ${messageOf(error)}`, { cause: error });
  }
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

function noteWrite({ step, history, liveId, observed }: StepRun, { method, field, values = {} }: Ready): void {
  if (liveId === null) return;
  const live = observed && { ...observed.live, spec: { ...observed.live.spec } };
  if (field !== undefined) delete live?.spec[field];
  noteWritten(history, liveId, field === undefined ? Object.keys(values) : [field], live);
  if (step.action === 'release') history.released.add(liveId);
  if (method === 'DELETE' && field === undefined) noteDeletion(history, liveId);
}
