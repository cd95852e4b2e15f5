// Looks at the object of a write: right before it, because there are no conditional requests, and after its answer was lost, to
// find out what became of it. Never guesses (ADR-0016), and sends nothing.

import type { Json, JsonObject } from '../core/json.ts';
import { pluralOf } from '../core/text/text.ts';
import { BugError } from '../core/diagnostic.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { canList, kindByName } from '../catalog/lookup.ts';
import { ApiError, isOutOfTime, type ReadClient } from '../service/transport.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { diffResource } from '../resource/diff.ts';
import { changedFields, fingerprintFields, isRemoval } from '../plan/fingerprint.ts';
import type { Ready } from './fill-request.ts';
import { findCreated } from './find-created.ts';
import { GateViolation } from './gate/gate.ts';
import type { GatedWrite } from './gate/gate-rules.ts';
import { noteDeletion } from './gate/run-history.ts';
import { refreshObject, type ObservedObject } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * Reads the parent of the step's object, unless this run created it and no other run can know it, or the object itself, if it has
 * one. Throws `GateViolation` of the rule `exists` if one of them no longer exists.
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
  const inParent = parent?.children.find(({ live }) => live.id === liveId);
  const observed = isKnown ? seenNow(run, inParent) : await refreshOwn(run, get);
  if (observed !== undefined) return { observed, parent };
  if (isRemoval(step)) noteDeletion(history, step, liveId);
  throw new GateViolation('exists', `${step.address} (${liveId}) no longer exists`, { isMore: requestsDone > 0 });
}

async function refreshOwn(run: StepRun, get: ReadClient['get']): Promise<ObservedObject | undefined> {
  const { step, liveId, parentId } = run;
  return seenNow(run, await refreshObject(get, { kind: step.kind, id: liveId ?? '', parentId }));
}

/** The step's object; undefined when it no longer exists. A new object of this run exists even if a read lags behind. */
function seenNow(run: StepRun, found: ObservedObject | undefined): ObservedObject | undefined {
  const { liveId, history, input } = run;
  const at = history.created.get(liveId ?? '')?.at ?? -Infinity;
  if (found === undefined && input.clock.now() - at <= input.settleMs) return run.observed;
  run.observed = found;
  return found;
}

/** What became of a write; `undone` may be sent again. A creation that was found has its object as the body. */
type Found =
  | { readonly is: 'done'; readonly body: Json }
  | { readonly is: 'undone' }
  | { readonly is: 'failed' | 'unknown'; readonly why: string };

const unknown = (why: string): Found => ({ is: 'unknown', why });
const UNDONE: Found = { is: 'undone' };

/** What became of a write, as read after `wait`; what that says is why the write must not be sent again. */
export async function look(
  run: StepRun,
  ready: Pick<Ready, 'method' | 'values' | 'field'>,
  wait: () => Promise<string | undefined>,
): Promise<Found> {
  if (ready.method === 'POST') return lookForNew(run, wait);
  const see = () => lookAtChanged(run, ready);
  const whyNot = await wait();
  if (whyNot === undefined) return see();
  // It may still be carried out.
  const seen = await lookUntilSettled(run, see, ({ is }) => is === 'done');
  if (seen.is === 'done') return seen;
  const { step, liveId } = run;
  return unknown(`it is not known whether the change of ${step.address} (${liveId ?? ''}) was carried out: ${whyNot}`);
}

/**
 * The object of a creation; `undone` if there was none for the whole settle time. If the run has no time left for a read, it is
 * the last one, and the outcome stays unknown. The settle time begins after the `wait` for which the service asks: what takes
 * effect meanwhile is seen. If the creation must not be sent again, absence leaves it unknown.
 */
async function lookForNew(run: StepRun, wait: () => Promise<string | undefined>): Promise<Found> {
  const { step, input } = run;
  const kind = kindByName(step.kind);
  const { address } = step;
  const open = `it is not known whether ${address} was created`;
  if (!canList(kind, input.capabilities))
    return unknown(
      `${open}, and ${pluralOf(kind.title)} cannot be listed; look for it at the service and run \`edgeform apply --resolve ${address}=ID\`, or \`--resolve ${address}=absent\``,
    );
  const isEnd = (seen: Seen) => typeof seen === 'object' || seen === 'out of time';
  const whyNot = await wait();
  const found = await lookUntilSettled(run, () => findCreation(run), isEnd);
  if (typeof found === 'object') return { is: 'done', body: found };
  // Absence counts only if observed for as long as a creation may be late.
  const mayRepeat = whyNot === undefined && input.signal?.aborted !== true;
  if (found === 'absent' && mayRepeat) return UNDONE;
  return unknown(`${open}${whyNot === undefined ? '' : ` (${whyNot})`}; the next run checks again`);
}

/** Reads until something ends it, or the settle time or the run is over; returns the last result. */
async function lookUntilSettled<T>(
  { input: { clock, settleMs, signal } }: StepRun,
  see: () => Promise<T>,
  isEnd: (seen: T) => boolean,
): Promise<T> {
  const until = clock.now() + settleMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const isLast = clock.now() >= until || signal?.aborted === true;
    const seen = await see();
    if (isLast || isEnd(seen)) return seen;
    await clock.sleep(Math.min(wait, until - clock.now()), signal);
  }
}

type Seen = JsonObject | 'absent' | 'unreadable' | 'out of time';

async function findCreation(run: StepRun): Promise<Seen> {
  try {
    return (await findCreated(run)) ?? 'absent';
  } catch (error) {
    if (error instanceof ApiError) return isOutOfTime(error) ? 'out of time' : 'unreadable';
    throw error;
  }
}

/** Whether an update, the removal of a top-level field, or that of the object itself was carried out. */
async function lookAtChanged(
  run: StepRun,
  { method, values = {}, field }: Pick<Ready, 'method' | 'values' | 'field'>,
): Promise<Found> {
  const { step, liveId, input } = run;
  if (liveId === null) throw new BugError(`${step.id} has no object yet`);
  let live: LiveResource | undefined;
  try {
    live = (await refreshOwn(run, input.client.get))?.live;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unknown(`the outcome of the write to ${step.address} (${liveId}) is unknown: ${error.message}`);
  }
  const done: Found = { is: 'done', body: null };
  if (method === 'DELETE') {
    const isGone = live === undefined || (field !== undefined && live.spec[field] === undefined);
    return isGone ? done : UNDONE;
  }
  if (live === undefined) return { is: 'failed', why: `${step.address} no longer exists` };
  if (isApplied(live, values)) return done;
  if (isUntouched(run, live)) return UNDONE;
  return unknown(
    `${step.address} (${live.id}) was changed by another client at the same time, so it is not known whether the update was carried out`,
  );
}

/** True when the object has all values that were sent, and the marker sent with them. */
function isApplied(live: LiveResource, sent: NonNullable<Ready['values']>): boolean {
  const { [METADATA]: text, ...fields } = sent;
  if (text !== undefined && text !== live.metadata) return false;
  const kind = kindByName(live.kind);
  return diffResource(kind, { ...live.spec, ...fields }, live, []).every((diff) => diff.differences.length === 0);
}

function isUntouched({ step, history: { written } }: StepRun, live: LiveResource): boolean {
  // Reads may lag behind this run's earlier writes, so only what was sent counts.
  if (written.has(live.id) || step.seen === undefined) return true;
  return changedFields(step.seen, fingerprintFields(kindByName(live.kind), live, { before: step.seen })).length === 0;
}
