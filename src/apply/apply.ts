// Performs a plan: exactly its requests, in an order its graph allows. Decides nothing and prints nothing.

import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { BugError } from '../base/diagnostic.ts';
import type { Secret } from '../base/secret.ts';
import type { ValueObject } from '../base/value.ts';
import { ID } from '../catalog/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { WriteClient } from '../api/transport.ts';
import { ApiError } from '../api/transport.ts';
import { fieldDigest, saltOf } from '../plan/digests.ts';
import type { Lookup } from '../plan/placeholder.ts';
import { fillPath, fillValues, revealBody } from '../plan/placeholder.ts';
import type { Plan, PlannedRequest, Step } from '../plan/plan.ts';
import type { ApplyEvent, StepResult, StepStatus } from './event.ts';
import { runQueue } from './queue.ts';

export interface ApplyInput {
  readonly plan: Plan;
  readonly client: WriteClient;
  /** Secrets by where they are found: `ADDRESS#PATH` or `live:ID#PATH`. */
  readonly secrets: (from: string) => Secret | undefined;
  /** Read-only values of live objects by address. */
  readonly known: ReadonlyMap<string, JsonObject>;
  readonly concurrency: number;
  /** Aborted: nothing new starts; what is in flight ends. */
  readonly signal?: AbortSignal;
  /** Aborted: what is in flight is not waited for any more; its steps end as unknown. */
  readonly abandon?: AbortSignal;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the body of every creation before the step counts as done; values shown once are in it. */
  readonly onCreated?: (step: Step, body: JsonObject) => Promise<void>;
}

/** Runs every step that can run; every step of the plan has exactly one result, in plan order. */
export async function applyPlan(input: ApplyInput): Promise<readonly StepResult[]> {
  const { plan, onEvent, signal, abandon } = input;
  const known = new Map(input.known);
  const abandoned = whenAborted(abandon);
  onEvent?.({ type: 'started', plan });
  const results = await runQueue<Step, StepResult>({
    tasks: plan.steps,
    concurrency: input.concurrency,
    isStopped: () => signal?.aborted === true || abandon?.aborted === true,
    run: async (step) => {
      onEvent?.({ type: 'step-started', step });
      const run: Run = { step, input, known, liveId: step.live_id, requestsDone: 0, sent: {} };
      const result = await Promise.race([runStep(run), abandoned.then(() => ending(run, 'unknown', NOT_AWAITED))]);
      onEvent?.({ type: 'step-ended', step, result });
      return result;
    },
    isSuccess: (result) => result.status === 'done',
    block: (step, blocker) =>
      notRun(step, 'blocked', `waits for ${blocker.id} (${blocker.address}), which was not done`),
    skip: (step) => notRun(step, 'not_attempted', 'stopped before it began'),
  });
  onEvent?.({ type: 'finished', results, outputs: plan.outputs });
  return results;
}

const NOT_AWAITED = 'the run was ended before the answer came; the request may have been carried out';

function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => {
      resolve();
    });
  });
}

/** One step under way, with how far it came. */
interface Run {
  readonly step: Step;
  readonly input: ApplyInput;
  readonly known: Map<string, JsonObject>;
  liveId: string | null;
  requestsDone: number;
  /** Values that the step's requests sent so far. */
  sent: ValueObject;
}

function ending({ step, liveId, requestsDone }: Run, status: StepStatus, error: string | null): StepResult {
  const { id, address, action } = step;
  return { id, address, action, status, live_id: liveId, error, requests_done: requestsDone };
}

function notRun(step: Step, status: StepStatus, error: string): StepResult {
  const { id, address, action, live_id } = step;
  return { id, address, action, status, live_id, error, requests_done: 0 };
}

async function runStep(run: Run): Promise<StepResult> {
  try {
    for (const request of run.step.requests) {
      if (run.input.abandon?.aborted === true) return ending(run, 'unknown', NOT_AWAITED);
      const body = await send(run, request);
      if (request.method === 'POST') await created(run, body);
      else if (request.method === 'PATCH') updated(run, body);
      else run.requestsDone += 1;
    }
    return ending(run, 'done', null);
  } catch (error) {
    if (!(error instanceof ApiError)) return ending(run, 'failed', messageOf(error));
    return ending(run, error.failure === 'unknown' ? 'unknown' : 'failed', error.message);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unexpected error';
}

async function send(run: Run, request: PlannedRequest): Promise<Json> {
  const { step, input, known } = run;
  const lookup = lookupFor(step, input, known);
  const path = fillPath(request.path, lookup);
  const values = request.body === undefined ? undefined : fillValues(request.body, lookup, run.sent);
  run.sent = { ...run.sent, ...values };
  const body = values === undefined ? {} : { body: revealBody(values) };
  try {
    return await input.client.write({ method: request.method, path, ...body });
  } catch (error) {
    // The object, or the module, is gone already: that is what the request was for (§4).
    const isGone =
      request.method === 'DELETE' && error instanceof ApiError && error.status === 404 && error.failure === 'rejected';
    if (isGone) return null;
    throw error;
  }
}

function lookupFor(step: Step, input: ApplyInput, known: ReadonlyMap<string, JsonObject>): Lookup {
  const { fields } = kindByName(step.kind);
  const salt = saltOf(input.plan.stack, step.address);
  return {
    secret: input.secrets,
    attr: (address, attr) =>
      attr
        .split('.')
        .reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), known.get(address)),
    digest: (name, value) => {
      const field = fields[name];
      return (field && fieldDigest(field, value, salt)) ?? '';
    },
  };
}

async function created(run: Run, body: Json): Promise<void> {
  const { step, input, known } = run;
  const id = isObject(body) ? body[ID] : undefined;
  const kind = kindByName(step.kind);
  if (!isObject(body) || typeof id !== 'string' || !id.startsWith(kind.idPrefix)) {
    throw unclear(`the answer to the creation of ${step.address} has no id of a ${kind.title}`);
  }
  run.liveId = id;
  run.requestsDone += 1;
  known.set(step.address, body);
  try {
    await input.onCreated?.(step, body);
  } catch (error) {
    throw new Error(`${step.address} was created as ${id}, but ${messageOf(error)}`, { cause: error });
  }
}

/** A cache or proxy may answer with another object; then it is not known what was changed. */
function updated(run: Run, body: Json): void {
  const { step, known, liveId } = run;
  if (liveId === null) throw new BugError(`${step.id} updates nothing`);
  if (!isObject(body) || body[ID] !== liveId)
    throw unclear(`the answer to the update of ${step.address} is not about ${liveId}`);
  // What the answer does not repeat is still what the creation said.
  known.set(step.address, { ...known.get(step.address), ...body });
  run.requestsDone += 1;
}

function unclear(message: string): ApiError {
  return new ApiError({ code: 'api-not-understood', message, failure: 'unknown' });
}
