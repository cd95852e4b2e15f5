// What became of a write to which there was no answer that says so: it is found by reading, and never guessed (ADR-0016).
//
// A creation is looked for by its marker until the settle time is over, because lists of the service may lag: if it is not there
// all that time, it was rejected, and may be sent once more. A change is read back: the object has all that was sent (done), or is
// as the plan saw it (rejected), or is neither, because somebody else changed it meanwhile (unknown).
//
// Example: `PATCH /edges/tls/edgtls_1 {"description": "new"}` gets no answer. The object is read: its description is "new" and its
// marker is the one that was sent, so the write is done. If its description were still "old", it would be sent again; with a third
// text and the old marker, nobody could say whether "new" was there in between, and the step ends as unknown. With a third text and
// the new marker, the write was carried out, and it is sent once more: the service may have kept another value, or somebody has changed
// it since, and only an answer tells the two apart.

import type { Json, JsonObject } from '../core/json.ts';
import { shortDigest } from '../core/digest.ts';
import { pluralOf } from '../core/text/text.ts';
import { BugError } from '../core/diagnostic.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { canList, kindByName } from '../catalog/lookup.ts';
import { ApiError, isOutOfTime } from '../service/transport.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { diffResource } from '../resource/diff.ts';
import { changedFields, fingerprintFields } from '../plan/fingerprint.ts';
import type { Ready } from './fill-request.ts';
import { findCreated } from './find-created.ts';
import { refreshOwn } from './read-before-write.ts';
import type { StepRun } from './step-run.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/** What became of a write, in the words of the journal, as far as reads can tell. */
export type FoundOutcome =
  /** It was carried out. The body is the object of a creation, as it was found. */
  | { readonly outcome: 'done'; readonly body: Json }
  /** It has had no effect, and may be sent again. `hasArrived`: it was carried out, but other values are there by now. */
  | { readonly outcome: 'rejected'; readonly hasArrived?: true }
  /** Nobody can say. `isGone`: the object of a change no longer exists. */
  | { readonly outcome: 'unknown'; readonly why: string; readonly isGone?: true };

/** The parts of a write that say what to look for. */
export type SentWrite = Pick<Ready, 'method' | 'values' | 'field'>;

type SentValues = NonNullable<Ready['values']>;

/** Waits as long as the service asks. The result says why the write must not be sent again; undefined if it may. */
export type WaitBeforeRead = () => Promise<string | undefined>;

const REJECTED: FoundOutcome = { outcome: 'rejected' };
const unknown = (why: string): FoundOutcome => ({ outcome: 'unknown', why });

/** What became of a write, as it is read after `wait`. */
export async function findOutcome(run: StepRun, write: SentWrite, wait: WaitBeforeRead): Promise<FoundOutcome> {
  return write.method === 'POST' ? findNewObject(run, wait) : findChange(run, write, wait);
}

/** A change that must not be sent again may still be carried out, so that it is read until the settle time is over. */
async function findChange(run: StepRun, write: SentWrite, wait: WaitBeforeRead): Promise<FoundOutcome> {
  const whyNot = await wait();
  if (whyNot === undefined) return readChange(run, write);
  const last = await readUntilSettled(
    run,
    () => readChange(run, write),
    ({ outcome }) => outcome === 'done',
  );
  if (last.outcome === 'done') return last;
  const { step, live_id } = run;
  return unknown(`it is not known whether the change of ${step.address} (${live_id ?? ''}) was carried out: ${whyNot}`);
}

/**
 * The object of a creation; rejected if there was none for the whole settle time. If the run has no time left for a read, it is
 * the last one, and the outcome stays unknown. The settle time begins after the `wait` for which the service asks: what takes
 * effect meanwhile is seen. If the creation must not be sent again, absence leaves it unknown.
 */
async function findNewObject(run: StepRun, wait: WaitBeforeRead): Promise<FoundOutcome> {
  const { step, input } = run;
  const kind = kindByName(step.kind);
  const { address } = step;
  const open = `it is not known whether ${address} was created`;
  if (!canList(kind, input.capabilities))
    return unknown(
      `${open}, and ${pluralOf(kind.title)} cannot be listed; look for it at the service and apply with \`--resolve ${address}=ID\`, or \`--resolve ${address}=absent\``,
    );
  const whyNot = await wait();
  const last = await readUntilSettled(
    run,
    () => readCreation(run),
    ({ body, isLast }) => body !== undefined || isLast === true,
  );
  if (last.body !== undefined) return { outcome: 'done', body: last.body };
  // Absence counts only if observed for as long as a creation may be late.
  const mayRepeat = whyNot === undefined && input.signal?.aborted !== true;
  if (last.isAbsent === true && mayRepeat) return REJECTED;
  return unknown(`${open}${whyNot === undefined ? '' : ` (${whyNot})`}; the next run checks again`);
}

/** Reads until something ends it, or the settle time or the run is over; returns the last result. */
async function readUntilSettled<T>(
  { input: { clock, settleMs, signal } }: StepRun,
  read: () => Promise<T>,
  isEnd: (seen: T) => boolean,
): Promise<T> {
  const until = clock.now() + settleMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const isLast = clock.now() >= until || signal?.aborted === true;
    const seen = await read();
    if (isLast || isEnd(seen)) return seen;
    await clock.sleep(Math.min(wait, until - clock.now()), signal);
  }
}

/** One read of what a creation may have made; none of the three if the read failed. */
interface CreationRead {
  readonly body?: JsonObject;
  readonly isAbsent?: true;
  /** The run has no time left for another read. */
  readonly isLast?: true;
}

async function readCreation(run: StepRun): Promise<CreationRead> {
  try {
    const body = await findCreated(run);
    return body === undefined ? { isAbsent: true } : { body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return isOutOfTime(error) ? { isLast: true } : {};
  }
}

/** Whether an update, the removal of a top-level field, or that of the object itself was carried out, by one read. */
async function readChange(run: StepRun, write: SentWrite): Promise<FoundOutcome> {
  const { step, live_id, input } = run;
  if (live_id === null) throw new BugError(`${step.id} has no object yet`);
  try {
    const observed = await refreshOwn(run, input.client.get);
    return write.method === 'DELETE' ? removalIn(observed?.live, write) : updateIn(run, observed?.live, write);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unknown(`the outcome of the write to ${step.address} (${live_id}) is unknown: ${error.message}`);
  }
}

const DONE: FoundOutcome = { outcome: 'done', body: null };

function removalIn(live: LiveResource | undefined, { field }: SentWrite): FoundOutcome {
  const isGone = live === undefined || (field !== undefined && live.spec[field] === undefined);
  return isGone ? DONE : REJECTED;
}

function updateIn(run: StepRun, live: LiveResource | undefined, { values = {} }: SentWrite): FoundOutcome {
  const { address } = run.step;
  if (live === undefined) return { outcome: 'unknown', why: `${address} no longer exists`, isGone: true };
  if (isApplied(live, values)) return DONE;
  if (isUntouched(run, live)) return REJECTED;
  if (isNewMarker(run, live, values)) return { outcome: 'rejected', hasArrived: true };
  return unknown(
    `${address} (${live.id}) was changed by another client at the same time, so it is not known whether the update was carried out`,
  );
}

/** True when the object has all values that were sent, and the marker sent with them. */
function isApplied(live: LiveResource, sent: SentValues): boolean {
  const { [METADATA]: text, ...fields } = sent;
  if (text !== undefined && text !== live.metadata) return false;
  const kind = kindByName(live.kind);
  return diffResource(kind, { ...live.spec, ...fields }, live, []).every((diff) => diff.differences.length === 0);
}

/** True for the marker that was sent, if the object did not have it when the plan saw it and no earlier request of this run sent it. */
function isNewMarker({ step: { seen }, history: { written } }: StepRun, live: LiveResource, sent: SentValues): boolean {
  const text = sent[METADATA];
  if (typeof text !== 'string' || text !== live.metadata) return false;
  return seen !== undefined && !written.has(live.id) && seen[METADATA] !== shortDigest(text);
}

function isUntouched({ step, history: { written } }: StepRun, live: LiveResource): boolean {
  // Reads may lag behind this run's earlier writes, so only what was sent counts.
  if (written.has(live.id) || step.seen === undefined) return true;
  return changedFields(step.seen, fingerprintFields(kindByName(live.kind), live, { before: step.seen })).length === 0;
}
