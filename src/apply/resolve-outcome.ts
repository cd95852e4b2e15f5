// Finds out what became of a write whose answer was lost; never guesses (ADR-0016).

import { isObject, type JsonObject } from '../core/json.ts';
import { pluralOf } from '../core/text/text.ts';
import { BugError } from '../core/diagnostic.ts';
import type { ValueObject } from '../core/value.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { canList, kindByName } from '../catalog/lookup.ts';
import { ApiError, isOutOfTime } from '../service/transport.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { diffResource } from '../resource/diff.ts';
import { changedFields, fingerprintFields } from '../plan/fingerprint.ts';
import { findCreated } from './find-created.ts';
import { refreshOwn } from './read-object.ts';
import { StepEnd, type StepRun } from './step-run.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * For a creation: the object's body if it exists, `absent` if it did not for the whole settle time. If the run has no time left
 * for a read, it is the last one, and the outcome stays unknown. The settle time begins after the `wait` for which the service
 * asks: what takes effect meanwhile is seen. If `wait` says why the creation must not be sent again, absence leaves it unknown.
 */
export async function resolveCreation(
  run: StepRun,
  wait: () => Promise<string | undefined>,
): Promise<JsonObject | 'absent'> {
  const kind = kindByName(run.step.kind);
  if (!canList(kind, run.input.capabilities)) throw unresolved(run, kind);
  const isEnd = (seen: Awaited<ReturnType<typeof findCreation>>) => isObject(seen) || seen === 'out of time';
  let found = await findCreation(run);
  let whyNot: string | undefined;
  if (!isEnd(found)) {
    whyNot = await wait();
    found = await lookUntilSettled(run, () => findCreation(run), isEnd);
  }
  // Absence counts only if observed for as long as a creation may be late.
  const mayRepeat = whyNot === undefined && run.input.signal?.aborted !== true;
  if (isObject(found) || (found === 'absent' && mayRepeat)) return found;
  const why = whyNot === undefined ? '' : ` (${whyNot})`;
  throw new StepEnd(
    'unknown',
    `it is not known whether ${run.step.address} was created${why}; the next run checks again`,
  );
}

/** Reads until something ends it, or the settle time or the run is over; returns the last result. */
async function lookUntilSettled<Seen>(
  { input: { clock, settleMs, signal } }: StepRun,
  look: () => Promise<Seen>,
  isEnd: (seen: Seen) => boolean,
): Promise<Seen> {
  const until = clock.now() + settleMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const isLast = clock.now() >= until || signal?.aborted === true;
    const seen = await look();
    if (isLast || isEnd(seen)) return seen;
    await clock.sleep(Math.min(wait, until - clock.now()), signal);
  }
}

/**
 * For a change whose answer was lost and that is not repeated, or whose repeat was refused: it may still be carried out.
 * Returns once `look` sees that it was; throws `StepEnd` with the reason after the settle time.
 */
export async function resolveAfterRepeat(
  run: StepRun,
  look: () => Promise<'done' | 'again'>,
  why: string,
): Promise<'done'> {
  const undecided = (error: unknown) => {
    if (error instanceof StepEnd) return 'again' as const;
    throw error;
  };
  const seen = await lookUntilSettled(
    run,
    () => look().catch(undecided),
    (one) => one !== 'again',
  );
  if (seen !== 'again') return seen;
  const { step, liveId } = run;
  throw new StepEnd(
    'unknown',
    `it is not known whether the change of ${step.address} (${liveId ?? ''}) was carried out: ${why}`,
  );
}

async function findCreation(run: StepRun): Promise<JsonObject | 'absent' | 'unreadable' | 'out of time'> {
  try {
    return (await findCreated(run)) ?? 'absent';
  } catch (error) {
    if (error instanceof ApiError) return isOutOfTime(error) ? 'out of time' : 'unreadable';
    throw error;
  }
}

/** Objects of the kind cannot be listed, so only a person can find out. */
function unresolved({ step }: StepRun, kind: Kind): StepEnd {
  return new StepEnd(
    'unknown',
    `it is not known whether ${step.address} was created, and ${pluralOf(kind.title)} cannot be listed; look for it at the service and run \`edgeform apply --resolve ${step.address}=ID\`, or \`--resolve ${step.address}=absent\``,
  );
}

/** Whether an update, or the removal of a field, was carried out; `again` when the object is unchanged. */
export async function resolveUpdate(run: StepRun, sent: ValueObject): Promise<'done' | 'again'> {
  const live = await refreshStepObject(run);
  if (live === undefined) throw new StepEnd('failed', `${run.step.address} no longer exists`);
  if (isApplied(live, sent)) return 'done';
  if (isUntouched(run, live)) return 'again';
  throw new StepEnd(
    'unknown',
    `${run.step.address} (${live.id}) was changed by somebody else at the same time, so it is not known whether the update was carried out`,
  );
}

/** Whether a removal was carried out: of a top-level field, or of the object itself. */
export async function resolveRemoval(run: StepRun, field: string | undefined): Promise<'done' | 'again'> {
  const live = await refreshStepObject(run);
  return live === undefined || (field !== undefined && live.spec[field] === undefined) ? 'done' : 'again';
}

async function refreshStepObject(run: StepRun): Promise<LiveResource | undefined> {
  const { step, liveId } = run;
  if (liveId === null) throw new BugError(`${step.id} has no object yet`);
  try {
    return (await refreshOwn(run, run.input.client.get))?.live;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new StepEnd(
      'unknown',
      `the outcome of the write to ${step.address} (${liveId}) is unknown: ${error.message}`,
    );
  }
}

/** True when the object has all values that were sent, and the marker sent with them. */
function isApplied(live: LiveResource, sent: ValueObject): boolean {
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
