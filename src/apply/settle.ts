// What became of a write whose answer was lost: looked up, never guessed (ADR-0016).

import type { JsonObject } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { BugError } from '../core/diagnostic.ts';
import type { ValueObject } from '../core/value.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { canList, kindByName } from '../catalog/lookup.ts';
import { ApiError, isOutOfTime } from '../service/transport.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { diffResource, hashedIn } from '../resource/diff.ts';
import { movedFields, seenOf } from '../plan/precondition.ts';
import { lookForCreated } from './created.ts';
import { lookAt } from './look.ts';
import type { Run } from './run.ts';
import { StepEnd } from './run.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

/**
 * A creation: the object's body when it is there, `absent` when it was not for the whole settle time. A look for which the
 * run has no time left is the last one, and then nothing is known.
 */
export async function settleCreation(run: Run): Promise<JsonObject | 'absent'> {
  const kind = kindByName(run.step.kind);
  if (!canList(kind, run.input.capabilities)) throw unresolved(run, kind);
  const { clock, settleMs, signal } = run.input;
  const until = clock.now() + settleMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const isLast = clock.now() >= until || signal?.aborted === true;
    const found = await look(run);
    if (isObject(found)) return found;
    if (isLast || found === 'out of time') {
      // Absence counts only when it was seen, and for as long as an answer may be late.
      if (found === 'absent' && signal?.aborted !== true) return found;
      throw new StepEnd('unknown', `it is not known whether ${run.step.address} was created; the next run looks again`);
    }
    await clock.sleep(Math.min(wait, until - clock.now()), signal);
  }
}

async function look(run: Run): Promise<JsonObject | 'absent' | 'unreadable' | 'out of time'> {
  try {
    return (await lookForCreated(run)) ?? 'absent';
  } catch (error) {
    if (error instanceof ApiError) return isOutOfTime(error) ? 'out of time' : 'unreadable';
    throw error;
  }
}

/** The service cannot be asked for objects of the kind, so only a person can say what became of it. */
function unresolved({ step }: Run, kind: Kind): StepEnd {
  return new StepEnd(
    'unknown',
    `it is not known whether ${step.address} was created, and ${kind.title}s cannot be listed; look it up and run \`edgeform apply --resolve ${step.address}=ID\`, or \`--resolve ${step.address}=absent\``,
  );
}

/** Whether an update, or the removal of a field, is done; `again` when the object is as it was before. */
export async function settleUpdate(run: Run, sent: ValueObject): Promise<'done' | 'again'> {
  const live = await current(run);
  if (live === undefined) throw new StepEnd('failed', `${run.step.address} is gone`);
  if (isApplied(live, sent)) return 'done';
  if (isUntouched(run, live)) return 'again';
  throw new StepEnd('failed', `${run.step.address} (${live.id}) was changed by somebody else at the same time`);
}

/** Whether a deletion is done. */
export async function settleDeletion(run: Run): Promise<'done' | 'again'> {
  return (await current(run)) === undefined ? 'done' : 'again';
}

/** Whether the removal of a top-level field is done. */
export async function settleRemoval(run: Run, field: string): Promise<'done' | 'again'> {
  const live = await current(run);
  return live === undefined || live.spec[field] === undefined ? 'done' : 'again';
}

async function current(run: Run): Promise<LiveResource | undefined> {
  const { step, liveId, parentId } = run;
  const kind = kindByName(step.kind);
  if (liveId === null) throw new BugError(`${step.id} has no object yet`);
  try {
    run.sight = await lookAt(run.input.client, kind, { id: liveId, parentId });
    return run.sight?.live;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new StepEnd('unknown', `it is not known what became of ${step.address} (${liveId}): ${error.message}`);
  }
}

/** True when the object has everything that was sent, and the marker that went with it. */
function isApplied(live: LiveResource, sent: ValueObject): boolean {
  const { [METADATA]: text, ...fields } = sent;
  if (text !== undefined && text !== live.metadata) return false;
  const kind = kindByName(live.kind);
  const seen = { spec: live.spec, masked: [...live.masked, ...hashedIn(kind, live.spec, fields)] };
  return diffResource(kind, { ...live.spec, ...fields }, seen, []).every((diff) => diff.differences.length === 0);
}

function isUntouched({ step, history: { written } }: Run, live: LiveResource): boolean {
  // What this run wrote before may be behind or ahead of what is seen, so only what was sent counts.
  if (written.has(live.id) || step.seen === undefined) return true;
  return movedFields(step.seen, seenOf(kindByName(live.kind), live, { before: step.seen })).length === 0;
}
