// One step: its requests one after the other, each recorded before it is sent; lost answers are settled.

import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import type { ValueObject } from '../base/value.ts';
import { ID } from '../catalog/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { ApiError } from '../api/transport.ts';
import { fillPath, fillValues, revealBody } from '../plan/placeholder.ts';
import type { PlannedRequest } from '../plan/plan.ts';
import { parsePath } from '../wire/path.ts';
import { checkUnchanged } from './check.ts';
import { lookForCreated } from './look.ts';
import type { StepResult } from './event.ts';
import type { WriteOutcome } from './ports.ts';
import type { Run } from './run.ts';
import { ending, lookupFor, StepEnd, unclear } from './run.ts';
import { settleCreation, settleDeletion, settleRemoval, settleUpdate } from './settle.ts';

export const NOT_AWAITED = 'the run was ended before the answer came; the request may have been carried out';

/** How often one request is sent at most when its answer is lost: creations twice, others three times. */
const MOST_SENDS = { POST: 2, PATCH: 3, DELETE: 3 } as const;

/** Carries out a step; its result says how far it came. */
export async function runStep(run: Run): Promise<StepResult> {
  try {
    for (const [index, request] of run.step.requests.entries()) {
      const ready = fill(run, request);
      if (index === 0) await checkUnchanged(run);
      if (run.input.abandon?.aborted === true) return ending(run, 'unknown', NOT_AWAITED);
      await perform(run, ready);
      run.requestsDone += 1;
    }
    return ending(run, 'done', null);
  } catch (error) {
    if (error instanceof StepEnd) return ending(run, error.status, error.status === 'done' ? null : error.message);
    if (!(error instanceof ApiError)) return ending(run, 'failed', messageOf(error));
    if (wasStopped(error) && run.requestsDone === 0) return ending(run, 'not_attempted', error.message);
    return ending(run, error.failure === 'unknown' ? 'unknown' : 'failed', error.message);
  }
}

/** True for a request that was not sent because the run is about to end, or the service is not well. */
function wasStopped({ reach, code }: ApiError): boolean {
  return reach === 'unsent' && STOPPED.includes(code);
}

const STOPPED: readonly string[] = ['interrupted', 'deadline-reached', 'service-unhealthy'];

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unexpected error';
}

/** A request with its placeholders filled. */
interface Ready {
  readonly method: PlannedRequest['method'];
  readonly path: string;
  readonly values: ValueObject | undefined;
  readonly body: JsonObject | undefined;
  /** The body as the plan has it. */
  readonly planned: Json;
  /** The field that a DELETE removes; undefined for the object itself. */
  readonly field: string | undefined;
}

function fill(run: Run, request: PlannedRequest): Ready {
  const { step } = run;
  const kind = kindByName(step.kind);
  const lookup = lookupFor(run);
  const path = fillPath(request.path, lookup);
  const values = request.body === undefined ? undefined : fillValues(request.body, lookup, run.sent);
  run.sent = { ...run.sent, ...values };
  const target = parsePath(kind, path);
  run.parentId = target?.parentId ?? run.parentId;
  const field = Object.keys(kind.fields).find((name) => kind.fields[name]?.remove === target?.field);
  return {
    method: request.method,
    path,
    values,
    body: values === undefined ? undefined : revealBody(values),
    planned: request.body ?? null,
    field: target?.field === undefined ? undefined : (field ?? target.field),
  };
}

/** Sends one request until it is known to be done, at most a few times. */
async function perform(run: Run, ready: Ready): Promise<void> {
  for (let sends = 1; ; sends++) {
    const answer = await attempt(run, ready, sends > 1);
    if (answer.status === 'done') {
      await accept(run, ready, answer.body);
      return;
    }
    if (sends >= MOST_SENDS[ready.method])
      throw new StepEnd('unknown', `${answer.why} (sent ${sends} times, and never seen to be carried out)`);
  }
}

type Answer = { readonly status: 'done'; readonly body: Json } | { readonly status: 'again'; readonly why: string };

async function attempt(run: Run, ready: Ready, isRepeated: boolean): Promise<Answer> {
  const number = record(run, ready);
  const ended = (status: WriteOutcome) => {
    run.record.outcome(number, status, run.liveId);
  };
  try {
    const body = checked(run, ready, await send(run, ready));
    ended('done');
    return { status: 'done', body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.failure !== 'unknown') {
      // A value that is taken may have been taken by the first try, which came late.
      const late = isRepeated && ready.method === 'POST' ? await lookForCreated(run) : undefined;
      if (late !== undefined) run.liveId = String(late[ID]);
      ended(late === undefined ? 'rejected' : 'done');
      if (late !== undefined) return { status: 'done', body: late };
      throw error;
    }
    ended('unknown');
    const settled = await settle(run, ready);
    if (settled === 'again') {
      ended('rejected');
      return { status: 'again', why: error.message };
    }
    if (isObject(settled)) run.liveId = String(settled[ID]);
    ended('done');
    return { status: 'done', body: settled };
  }
}

function record({ step, record: { intent }, liveId, parentId }: Run, { method, path, planned }: Ready): number {
  const { id, address, kind } = step;
  return intent({
    step: id,
    address,
    kind,
    method,
    path,
    liveId,
    parentId: parentId ?? null,
    body: planned,
  });
}

async function send({ input }: Run, { method, path, body }: Ready): Promise<Json> {
  try {
    return await input.client.write({ method, path, ...(body && { body }) });
  } catch (error) {
    // The object, or the module, is gone already: that is what the request was for (§4).
    const isGone =
      method === 'DELETE' && error instanceof ApiError && error.status === 404 && error.failure === 'rejected';
    if (isGone) return null;
    throw error;
  }
}

/** The answer, when it is about what was sent; a cache or proxy may answer with something else. */
function checked(run: Run, { method }: Ready, body: Json): Json {
  const { step, liveId } = run;
  if (method === 'DELETE') {
    if (body !== null) throw unclear(`the answer to the deletion of ${step.address} is none that the API gives`);
    return body;
  }
  const id = isObject(body) ? body[ID] : undefined;
  if (method === 'PATCH') {
    if (id !== liveId) throw unclear(`the answer to the update of ${step.address} is not about ${liveId ?? ''}`);
    return body;
  }
  const kind = kindByName(step.kind);
  if (typeof id !== 'string' || !id.startsWith(kind.idPrefix))
    throw unclear(`the answer to the creation of ${step.address} has no id of a ${kind.title}`);
  run.liveId = id;
  return body;
}

/** What became of the request; a body when it was found to be done. */
async function settle(run: Run, { method, values, field }: Ready): Promise<Json> {
  if (method === 'POST') {
    const found = await settleCreation(run);
    return found === 'absent' ? 'again' : found;
  }
  const state =
    method === 'PATCH'
      ? await settleUpdate(run, values ?? {})
      : field === undefined
        ? await settleDeletion(run)
        : await settleRemoval(run, field);
  return state === 'again' ? state : null;
}

/** Remembers what the answer tells, for requests that refer to it. */
async function accept(run: Run, { method }: Ready, body: Json): Promise<void> {
  const { step, input, known, written, liveId } = run;
  if (liveId !== null) written.add(liveId);
  if (!isObject(body)) return;
  // What an answer does not repeat is still what earlier ones said.
  known.set(step.address, { ...known.get(step.address), ...body });
  if (method !== 'POST' || liveId === null) return;
  try {
    await input.onCreated?.(step, body);
  } catch (error) {
    throw new Error(`${step.address} was created as ${liveId}, but ${messageOf(error)}`, { cause: error });
  }
}
