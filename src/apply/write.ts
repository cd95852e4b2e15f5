// One write until its outcome is known: journalled, sent through the gate, and looked for when its answer is lost (ADR-0016).

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { CREATED_AT, ID, METADATA } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { LIMITS } from '../service/policy.ts';
import { ApiError, isNotAttempted } from '../service/transport.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { readObject } from './read-object.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteCreation } from './gate/run-history.ts';
import { isReportedMissing, missingOperationHint } from './gate/missing-operation.ts';
import type { WriteOutcome } from './recorder.ts';
import { messageOf, StepEnd, type StepRun } from './step-run.ts';
import { resolveAfterRepeat, resolveCreation, resolveRemoval, resolveUpdate } from './resolve-outcome.ts';
import { runNameIn } from './duplicates/run-name.ts';
import type { fillRequest } from './fill-request.ts';

export type Ready = ReturnType<typeof fillRequest>;

/**
 * How a try failed: `unsent` by the reads or the rules before it, `held` for lack of time or a service that rests, `missing` by a
 * "not found" that must be confirmed.
 */
type Failed = 'unsent' | 'held' | 'refused' | 'missing' | 'lost' | 'unexpected';

/**
 * What follows it, for a first request and for the repeat of a creation or a change whose answer was lost. `end`: the outcome is
 * certain; `look`: the object is read, and it is sent again if nothing was carried out; `watch`: the repeat says nothing about
 * the first request, which may still be carried out.
 */
const AFTER: Readonly<
  Record<Failed, Readonly<Record<'first' | 'creation' | 'change', 'end' | 'look' | 'watch' | 'unknown'>>>
> = {
  unsent: { first: 'end', creation: 'end', change: 'watch' },
  held: { first: 'end', creation: 'watch', change: 'watch' },
  // The late first creation may hold a unique value that the second one needs.
  refused: { first: 'end', creation: 'look', change: 'watch' },
  missing: { first: 'look', creation: 'look', change: 'watch' },
  lost: { first: 'look', creation: 'look', change: 'look' },
  unexpected: { first: 'unknown', creation: 'unknown', change: 'unknown' },
};

/** The number of this try, and how many before it were lost or held back. */
type Tries = Readonly<Record<'sends' | 'lost' | 'held', number>>;

type SendResult = { readonly is: 'done'; readonly body: Json } | { readonly is: 'lost' | 'held'; readonly why: string };

/** Sends one request until it is known to be done, and returns the body of its answer. Throws why it is not. */
export async function write(run: StepRun, ready: Ready): Promise<Json> {
  const tries = { sends: 1, lost: 0, held: 0 };
  for (;;) {
    const sent = await attempt(run, ready, tries);
    if (sent.is === 'done') return sent.body;
    tries.sends += 1;
    tries[sent.is] += 1;
    if (tries.lost >= LIMITS.lost[kindOf(ready)])
      throw new StepEnd('unknown', `${sent.why} (sent ${tries.lost} times without effect)`);
  }
}

function kindOf({ method }: Ready): 'creation' | 'change' {
  return method === 'POST' ? 'creation' : 'change';
}

async function attempt(run: StepRun, ready: Ready, tries: Tries): Promise<SendResult> {
  const isCreation = ready.method === 'POST';
  if (tries.lost > 0 && isCreation) run.history.repeated.add(run.step.address);
  let number: number | undefined;
  const ended = async (status: WriteOutcome) => {
    if (number !== undefined) await run.record.outcome(number, status, run.liveId);
  };
  try {
    number = await record(run, ready);
    const body = await run.gate.send(writeOf(run, ready), (get) => readObject(run, get));
    if (isCreation && isObject(body)) created(run, body, false);
    await ended('done');
    return { is: 'done', body };
  } catch (error) {
    const failed = number === undefined ? 'unsent' : failureOf(error, ready);
    return conclude(run, ready, { error, failed, tries, ended });
  }
}

interface Unanswered {
  readonly error: unknown;
  readonly failed: Failed;
  readonly tries: Tries;
  readonly ended: (status: WriteOutcome) => Promise<void>;
}

function failureOf(error: unknown, ready: Ready): Failed {
  if (error instanceof StepEnd || error instanceof GateViolation || error instanceof ShapeError) return 'unsent';
  if (!(error instanceof ApiError)) return 'unexpected';
  // An error of the read before the write: a write itself is never just "unusable".
  if (error.failure === 'unusable') return isNotAttempted(error) ? 'held' : 'unsent';
  if (error.failure === 'unknown') return 'lost';
  if (isNotAttempted(error)) return 'held';
  return isReportedMissing(error, ready) ? 'missing' : 'refused';
}

async function conclude(run: StepRun, ready: Ready, given: Unanswered): Promise<SendResult> {
  const { error, failed, tries, ended } = given;
  // The read before the write showed that nothing is left to do.
  const isDone = error instanceof StepEnd && error.status === 'done';
  const next = isDone ? 'end' : AFTER[failed][tries.lost === 0 ? 'first' : kindOf(ready)];
  switch (next) {
    case 'end':
      await ended(isDone ? 'done' : 'rejected');
      throw failed === 'refused' ? explained(run, ready, error) : error;
    case 'unknown':
      return endUnknown(error);
    case 'look':
      return look(run, ready, given);
    case 'watch':
      return watch(run, ready, given);
    default:
      return next satisfies never;
  }
}

/** Waits, and then reads what took effect meanwhile. */
async function look(run: StepRun, ready: Ready, { error, failed, tries, ended }: Unanswered): Promise<SendResult> {
  await ended('unknown');
  const told = explained(run, ready, error);
  const isLost = failed === 'lost';
  const wait = async () => {
    const obstacle = isLost ? await run.input.client.backOff(ready, told, tries.sends) : undefined;
    return obstacle && `${told.message}; not sent again: ${obstacle}`;
  };
  const settled = await resolveOutcome(run, ready, wait).catch(endUnknown);
  if (settled !== 'again') {
    await ended('done');
    return { is: 'done', body: settled };
  }
  // A change whose answer was lost may still be carried out; a creation has already been waited for.
  await ended(isLost && ready.method !== 'POST' ? 'unknown' : 'rejected');
  if (!isLost) throw told;
  return { is: 'lost', why: told.message };
}

/** Tries a repeat again that was only held back; otherwise reads until the first request has settled. */
async function watch(run: StepRun, ready: Ready, { error, tries, ended }: Unanswered): Promise<SendResult> {
  const isNext = isLeftAlone(error) && tries.held < LIMITS.held;
  if (isNext && (await run.input.client.backOff(ready, error, tries.sends)) === undefined) {
    await ended('rejected');
    return { is: 'held', why: error.message };
  }
  try {
    const reason = error instanceof GateViolation ? error.reason : messageOf(error);
    const why = `there was no answer to it, and then ${reason}`;
    const body = await resolveOutcome(run, ready, () => Promise.resolve(why));
    await ended('done');
    return { is: 'done', body };
  } catch (undecided) {
    await ended('unknown');
    return endUnknown(undecided);
  }
}

/** True for a request that was not sent because the service is resting, perhaps after failures of other requests. */
function isLeftAlone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service-unhealthy' && error.reach === 'unsent';
}

/** Ends with an unknown outcome after an unexpected error of a write that may have been sent, or of its resolution. */
function endUnknown(error: unknown): never {
  throw error instanceof StepEnd ? error : new StepEnd('unknown', messageOf(error));
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
function explained({ step }: StepRun, ready: Ready, error: unknown): ApiError {
  if (!(error instanceof ApiError)) throw error;
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
