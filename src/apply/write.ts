// One write until its outcome is known: journalled, sent through the gate, and looked for when its answer is lost (ADR-0016).

import type { Code } from '../core/codes.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { CREATED_AT, ID } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { LIMITS } from '../service/limits.ts';
import { mayHaveHappened } from '../service/outcomes.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { ApiError, isNotAttempted } from '../service/transport.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { look } from './look.ts';
import { observe } from './observe.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteCreation } from './gate/run-history.ts';
import { isReportedMissing, missingOperationHint } from './gate/missing-operation.ts';
import type { Recorder } from './recorder.ts';
import { messageOf, type StepRun } from './step-run.ts';
import type { Ready } from './fill-request.ts';

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

type WriteOutcome = Parameters<Recorder['outcome']>[1];

/** The number of this try, and how many before it were lost or held back. */
type Tries = Readonly<Record<'sends' | 'lost' | 'held', number>>;

/** How a write ended. `gone`: there was nothing left to remove. */
type Ended =
  | { readonly is: 'done'; readonly body: Json }
  | { readonly is: 'gone' }
  | { readonly is: 'failed' | 'unknown' | 'not_attempted'; readonly why: string; readonly code?: Code | undefined };

/** It is sent again. */
interface Again {
  readonly is: 'lost' | 'held';
  readonly why: string;
}

/** Sends one request until its outcome is known, or cannot be found out. */
export async function write(run: StepRun, ready: Ready): Promise<Ended> {
  const tries = { sends: 1, lost: 0, held: 0 };
  for (;;) {
    const sent = await attempt(run, ready, tries);
    if (!isAgain(sent)) return sent;
    tries.sends += 1;
    run.askedSince = run.input.clock.now();
    tries[sent.is] += 1;
    if (tries.lost >= LIMITS.lost[kindOf(ready)])
      return { is: 'unknown', why: `${sent.why} (sent ${tries.lost} times without effect)` };
  }
}

function isAgain(sent: Ended | Again): sent is Again {
  return sent.is === 'lost' || sent.is === 'held';
}

function kindOf({ method }: Ready): 'creation' | 'change' {
  return method === 'POST' ? 'creation' : 'change';
}

async function attempt(run: StepRun, ready: Ready, tries: Tries): Promise<Ended | Again> {
  const isCreation = ready.method === 'POST';
  if (tries.lost > 0 && isCreation) run.history.repeated.add(run.step.address);
  let number: number | undefined;
  const ended = async (status: WriteOutcome) => {
    if (number !== undefined) await run.record.outcome(number, status, run.liveId);
  };
  try {
    number = await record(run, ready);
    const body = await run.gate.send(writeOf(run, ready), (reader) => observe(run, ready, reader));
    if (isCreation && isObject(body)) created(run, body);
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
  if (error instanceof GateViolation || error instanceof ShapeError) return 'unsent';
  if (!(error instanceof ApiError)) return 'unexpected';
  // An error of the read before the write: a write itself is never just "unusable".
  if (error.type === 'read') return isNotAttempted(error) ? 'held' : 'unsent';
  if (mayHaveHappened(error)) return 'lost';
  if (isNotAttempted(error)) return 'held';
  return isReportedMissing(error, ready) ? 'missing' : 'refused';
}

async function conclude(run: StepRun, ready: Ready, given: Unanswered): Promise<Ended | Again> {
  const { error, failed, tries, ended } = given;
  if (error instanceof GateViolation && error.rule === 'exists' && isRemoval(run.step)) {
    await ended('done');
    return { is: 'gone' };
  }
  const next = AFTER[failed][tries.lost === 0 ? 'first' : kindOf(ready)];
  switch (next) {
    case 'end':
      await ended('rejected');
      if (failed === 'held') return { is: 'not_attempted', why: messageOf(error) };
      return {
        is: 'failed',
        why: failed === 'refused' ? explained(run, ready, error) : messageOf(error),
        code: codeOf(error),
      };
    case 'unknown':
      return { is: 'unknown', why: messageOf(error) };
    case 'look':
      return lookForOutcome(run, ready, given);
    case 'watch':
      return watch(run, ready, given);
    default:
      return next satisfies never;
  }
}

/** The code of a failure that its report names: a rule of the plan asked again, or a key that is not accepted. */
function codeOf(error: unknown): Code | undefined {
  if (error instanceof GateViolation) return error.code;
  return error instanceof ApiError && error.code === 'api-key-refused' ? error.code : undefined;
}

/** Waits, and then reads what took effect meanwhile. */
async function lookForOutcome(
  run: StepRun,
  ready: Ready,
  { error, failed, tries, ended }: Unanswered,
): Promise<Ended | Again> {
  await ended('unknown');
  const told = explained(run, ready, error);
  const isLost = failed === 'lost';
  const wait = async () => {
    const isWaited = isLost && error instanceof ApiError;
    const obstacle = isWaited ? await run.input.client.backOff(ready, error, tries.sends) : undefined;
    return obstacle && `${told}; not sent again: ${obstacle}`;
  };
  const found = await outcomeOf(run, ready, wait);
  if (found.is === 'done') await ended('done');
  if (found.is !== 'undone') return found;
  // A change whose answer was lost may still be carried out; a creation has already been waited for.
  await ended(isLost && ready.method !== 'POST' ? 'unknown' : 'rejected');
  return { is: isLost ? 'lost' : 'failed', why: told };
}

/** Tries a repeat again that was only held back; otherwise reads until the first request has settled. */
async function watch(run: StepRun, ready: Ready, { error, tries, ended }: Unanswered): Promise<Ended | Again> {
  const isNext = isLeftAlone(error) && tries.held < LIMITS.held;
  if (isNext && (await run.input.client.backOff(ready, error, tries.sends)) === undefined) {
    await ended('rejected');
    return { is: 'held', why: error.message };
  }
  const reason = error instanceof GateViolation ? error.reason : messageOf(error);
  const found = await outcomeOf(run, ready, () => Promise.resolve(`there was no answer to it, and then ${reason}`));
  await ended(found.is === 'done' ? 'done' : 'unknown');
  return found.is === 'undone' ? { is: 'unknown', why: reason } : found;
}

/** True for a request that was not sent because the service is resting, perhaps after failures of other requests. */
function isLeftAlone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service-unhealthy' && error.known === 'unsent';
}

/** What became of the request; unknown if the look itself fails. */
async function outcomeOf(run: StepRun, ready: Ready, wait: () => Promise<string | undefined>): ReturnType<typeof look> {
  try {
    const found = await look(run, ready, wait);
    if (found.is === 'done' && isObject(found.body)) created(run, found.body);
    return found;
  } catch (error) {
    return { is: 'unknown', why: messageOf(error) };
  }
}

function record(run: StepRun, { method, path }: Ready): Promise<number> {
  const { step, liveId, parentId = null } = run;
  const replaces = method === 'POST' ? replacedBy(run) : undefined;
  const { address, kind, action, foreign_child: foreign } = step;
  const write = { address, kind, method, path, liveId, parentId };
  return run.record.intent({
    ...write,
    ...(replaces !== undefined && { replaces }),
    ...(foreign === true && { foreign }),
    releases: action === 'release',
  });
}

/** Id of the object that the step's new one replaces. */
function replacedBy({ step, input }: StepRun): string | undefined {
  if (step.phase !== 'create') return undefined;
  const old = input.plan.steps.find(({ address, phase }) => phase === 'delete' && address === step.address);
  return old?.live_id ?? undefined;
}

/** The error's message, with advice for a missing operation. */
function explained({ step }: StepRun, ready: Ready, error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error);
  const more = missingOperationHint(kindByName(step.kind), ready, error);
  const isDeletion = ready.method === 'DELETE' && isReportedMissing(error, ready);
  const still = isDeletion ? `; ${ready.field ?? 'the object'} still exists` : '';
  return `${error.message}${still}${more}`;
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
function created(run: StepRun, body: JsonObject): void {
  const { step, history, parentId, input } = run;
  const [id, stamp] = [String(body[ID]), body[CREATED_AT]];
  run.liveId = id;
  const at = input.clock.now();
  noteCreation(history, step, { id, parentId, at, stamp: typeof stamp === 'string' ? stamp : undefined });
}
