// One write until its outcome is known: recorded in the journal, sent through the gate, and looked for when its answer is lost
// (ADR-0016).
//
// A write is tried until its outcome is certain. Each try is an entry of the journal: its intent is recorded before the request is
// sent, its outcome when it is known. What follows a try that failed is read from AFTER, by what is known of the request and by
// whether an answer of an earlier try was lost: then a failure says nothing about the earlier request, which may still be carried
// out.
//
// Example: `POST /reserved_addrs` gets no answer (`lost`). AFTER says `look`: the lists are read until the settle time is over, and
// the address is not there, so the first try is recorded as rejected and the creation is sent again. The service answers 409,
// because the first request was only slow (`refused`, after a lost creation). AFTER says `look` again, the address is there with
// the marker that was sent, and the step is done with its id. Ending with the 409 would have left an address that no report names.

import type { Code } from '../core/codes.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { CREATED_AT, ID } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { LIMITS } from '../service/limits.ts';
import { mayHaveHappened, type Known } from '../service/outcomes.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { ApiError, isNotAttempted } from '../service/transport.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { findOutcome, type FoundOutcome, type WaitBeforeRead } from './find-outcome.ts';
import { observe } from './observe.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteCreation, noteWritten } from './gate/run-history.ts';
import { isReportedMissing, missingOperationHint } from './gate/missing-operation.ts';
import { changedFieldsOf, recordDone, recordOutcome } from './record-outcome.ts';
import { messageOf, type StepRun } from './step-run.ts';
import { fieldsIn, type Ready } from './fill-request.ts';

/** What is known of a try of a write that failed: what the client knows of its request, and two things that only apply tells apart. */
type KnownOfTry =
  | Known
  /** It was not sent, for lack of time or because the service rests. */
  | 'held'
  /** The service has nothing there, or no such operation; a read must confirm it. */
  | 'missing';

/** What follows a try that failed. */
type After =
  /** Its outcome is certain. */
  | 'end'
  /** The object is read, and the write is sent again if it was not carried out. */
  | 'look'
  /** It says nothing about an earlier request whose answer was lost: the object is read until that one has settled. */
  | 'watch';

/** A first request, or the repeat of one whose answer was lost. */
type TryOf =
  /** No answer was lost before it. */
  | 'first'
  /** Of a creation: the late first one may hold a unique value that this one needs. */
  | 'creation'
  /** Of an update or a deletion. */
  | 'change';

const AFTER: Readonly<Record<KnownOfTry, Readonly<Record<TryOf, After>>>> = {
  unsent: { first: 'end', creation: 'look', change: 'watch' },
  unreachable: { first: 'end', creation: 'look', change: 'watch' },
  throttled: { first: 'end', creation: 'look', change: 'watch' },
  refused: { first: 'end', creation: 'look', change: 'watch' },
  failed: { first: 'look', creation: 'look', change: 'look' },
  lost: { first: 'look', creation: 'look', change: 'look' },
  unusable: { first: 'look', creation: 'look', change: 'look' },
  held: { first: 'end', creation: 'watch', change: 'watch' },
  missing: { first: 'look', creation: 'look', change: 'watch' },
};

/** How a write ended, in the words of its step. */
type WriteEnd =
  /** It was carried out. `isGone`: there was nothing left to remove. */
  | { readonly status: 'done'; readonly body: Json; readonly isGone?: true }
  | { readonly status: 'failed' | 'unknown' | 'not_attempted'; readonly why: string; readonly code?: Code | undefined };

/** The write is sent again. */
interface Again {
  readonly status: 'again';
  /** What became of this try. */
  readonly known: 'lost' | 'held';
  readonly why: string;
}

/** The number of this try, and how many before it were lost or held. */
type Tries = Readonly<Record<'sends' | 'lost' | 'held', number>>;

/** One try of a write. */
interface Try {
  readonly ready: Ready;
  readonly tries: Tries;
  /** Its number in the journal; undefined while its intent is not recorded. */
  readonly intent: number | undefined;
}

/** A try that failed. */
interface FailedTry extends Try {
  readonly error: unknown;
}

/** Sends one request until its outcome is known, or cannot be found out. */
export async function write(run: StepRun, ready: Ready): Promise<WriteEnd> {
  const tries = { sends: 1, lost: 0, held: 0 };
  for (;;) {
    const end = await tryOnce(run, ready, tries);
    if (end.status !== 'again') return end;
    tries.sends += 1;
    tries[end.known] += 1;
    run.askedSince = run.input.clock.now();
    if (tries.lost >= LIMITS.lost[writeType(ready)])
      return { status: 'unknown', why: `${end.why} (sent ${tries.lost} times without effect)` };
  }
}

function writeType({ method }: Ready): 'creation' | 'change' {
  return method === 'POST' ? 'creation' : 'change';
}

async function tryOnce(run: StepRun, ready: Ready, tries: Tries): Promise<WriteEnd | Again> {
  const isCreation = ready.method === 'POST';
  if (tries.lost > 0 && isCreation) run.history.repeated.add(run.step.address);
  let intent: number | undefined;
  try {
    intent = await recordIntent(run, ready);
    const body = await run.gate.send(writeOf(run, ready), (reader) => observe(run, ready, reader));
    if (isCreation && isObject(body)) noteCreated(run, body);
    await recordDone(run, { ready, intent, body });
    return { status: 'done', body };
  } catch (error) {
    return conclude(run, { ready, tries, intent, error });
  }
}

/** What is known of a try; undefined after an error that nobody expected. */
function knownOf({ error, intent, ready }: FailedTry): KnownOfTry | undefined {
  if (intent === undefined || error instanceof GateViolation || error instanceof ShapeError) return 'unsent';
  if (!(error instanceof ApiError)) return undefined;
  if (isNotAttempted(error)) return 'held';
  // The read before the write failed.
  if (error.type === 'read') return 'unsent';
  return isReportedMissing(error, ready) ? 'missing' : error.known;
}

async function conclude(run: StepRun, failed: FailedTry): Promise<WriteEnd | Again> {
  const { ready, tries, intent, error } = failed;
  if (error instanceof GateViolation && error.rule === 'exists' && isRemoval(run.step)) {
    await recordOutcome(run, intent, 'done');
    return { status: 'done', body: null, isGone: true };
  }
  const known = knownOf(failed);
  if (known === undefined) return { status: 'unknown', why: messageOf(error) };
  const next = AFTER[known][tries.lost === 0 ? 'first' : writeType(ready)];
  switch (next) {
    case 'end':
      await recordOutcome(run, intent, 'rejected');
      return endOf(run, failed, known);
    case 'look':
      return lookForOutcome(run, failed);
    case 'watch':
      return watch(run, failed);
    default:
      return next satisfies never;
  }
}

/** The end of a write that was certainly not carried out. */
function endOf(run: StepRun, failed: FailedTry, known: KnownOfTry): WriteEnd {
  const why = explain(run, failed);
  return known === 'held' ? { status: 'not_attempted', why } : { status: 'failed', why, code: codeOf(failed.error) };
}

/** The code of a failure that its report names: a rule of the plan asked again, or a key that is not accepted. */
function codeOf(error: unknown): Code | undefined {
  if (error instanceof GateViolation) return error.code;
  return error instanceof ApiError && error.code === 'api-key-refused' ? error.code : undefined;
}

/** Waits, and then reads what took effect meanwhile. */
async function lookForOutcome(run: StepRun, failed: FailedTry): Promise<WriteEnd | Again> {
  const { ready, tries, intent, error } = failed;
  await recordOutcome(run, intent, 'unknown');
  const why = explain(run, failed);
  const isLost = error instanceof ApiError && mayHaveHappened(error);
  const wait = async () => {
    const obstacle = isLost ? await run.input.client.backOff(ready, error, tries.sends) : undefined;
    return obstacle && `${why}; not sent again: ${obstacle}`;
  };
  const found = await outcomeOf(run, ready, wait);
  if (found.outcome === 'done') await recordDone(run, { ready, intent, body: found.body });
  if (found.outcome !== 'rejected') return endFound(found);
  if (found.hasArrived === true) noteArrived(run, ready);
  // A change whose answer was lost may still be carried out; a creation has already been waited for.
  await recordOutcome(run, intent, isLost && ready.method !== 'POST' ? 'unknown' : 'rejected');
  return isLost ? { status: 'again', known: 'lost', why } : { status: 'failed', why };
}

/** What the object has in the fields of a write that arrived, and whose answer was lost, may be anything by now. */
function noteArrived({ live_id, history }: StepRun, ready: Ready): void {
  if (live_id !== null) noteWritten(history, live_id, fieldsIn(ready), undefined);
}

/** Tries a repeat again that was only held back; otherwise reads until the first request has settled. */
async function watch(run: StepRun, { ready, tries, intent, error }: FailedTry): Promise<WriteEnd | Again> {
  const isNext = isLeftAlone(error) && tries.held < LIMITS.held;
  if (isNext && (await run.input.client.backOff(ready, error, tries.sends)) === undefined) {
    await recordOutcome(run, intent, 'rejected');
    return { status: 'again', known: 'held', why: error.message };
  }
  const reason = error instanceof GateViolation ? error.reason : messageOf(error);
  const found = await outcomeOf(run, ready, () => Promise.resolve(`there was no answer to it, and then ${reason}`));
  if (found.outcome === 'done') await recordDone(run, { ready, intent, body: found.body });
  else await recordOutcome(run, intent, 'unknown');
  return found.outcome === 'rejected' ? { status: 'unknown', why: reason } : endFound(found);
}

/** True for a request that was not sent because the service is resting, perhaps after failures of other requests. */
function isLeftAlone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'service-unhealthy' && error.known === 'unsent';
}

/** What became of the request; unknown if that cannot be read. */
async function outcomeOf(run: StepRun, ready: Ready, wait: WaitBeforeRead): Promise<FoundOutcome> {
  try {
    const found = await findOutcome(run, ready, wait);
    if (found.outcome === 'done' && isObject(found.body)) noteCreated(run, found.body);
    return found;
  } catch (error) {
    return { outcome: 'unknown', why: messageOf(error) };
  }
}

function endFound(found: Exclude<FoundOutcome, { readonly outcome: 'rejected' }>): WriteEnd {
  if (found.outcome === 'done') return { status: 'done', body: found.body };
  return { status: found.isGone === true ? 'failed' : 'unknown', why: found.why };
}

function recordIntent(run: StepRun, ready: Ready): Promise<number> {
  const { method, path } = ready;
  const { step, live_id, parentId = null } = run;
  const replaces = method === 'POST' ? replacedBy(run) : undefined;
  const { address, kind, action, foreign_child: foreign } = step;
  const write = { address, kind, method, path, live_id, parentId, fields: changedFieldsOf(ready) };
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
function explain({ step }: StepRun, { ready, error }: FailedTry): string {
  if (!(error instanceof ApiError) || error.type === 'read') return messageOf(error);
  const more = missingOperationHint(kindByName(step.kind), ready, error);
  const isDeletion = ready.method === 'DELETE' && isReportedMissing(error, ready);
  const still = isDeletion ? `; ${ready.field ?? 'the object'} still exists` : '';
  return `${error.message}${still}${more}`;
}

function writeOf(run: StepRun, { method, path, body }: Ready): GatedWrite {
  const { step, live_id, parentId, requestsDone } = run;
  const onSend = (isOut: boolean) => (run.isOut = isOut);
  const isBegun = requestsDone > 0 || run.input.isCleanUp === true;
  return {
    request: { method, path, ...(body && { body }), ...(isBegun && { finishes: true }), onSend },
    kind: kindByName(step.kind),
    address: step.address,
    id: live_id,
    parentId,
    step,
  };
}

/** Records the step's new object, from an answer or found by its marker. */
function noteCreated(run: StepRun, body: JsonObject): void {
  const { step, history, parentId, input } = run;
  const [id, stamp] = [String(body[ID]), body[CREATED_AT]];
  run.live_id = id;
  const at = input.clock.now();
  noteCreation(history, step, { id, parentId, at, stamp: typeof stamp === 'string' ? stamp : undefined });
}
