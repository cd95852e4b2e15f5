// Performs a plan: exactly its requests, in an order its graph allows. Decides nothing and prints nothing.

import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { BugError } from '../base/diagnostic.ts';
import type { Secret } from '../base/secret.ts';
import { ID } from '../catalog/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { WriteClient } from '../api/transport.ts';
import { ApiError } from '../api/transport.ts';
import { fieldDigest, saltOf } from '../plan/digests.ts';
import type { Lookup } from '../plan/placeholder.ts';
import { fillBody, fillPath } from '../plan/placeholder.ts';
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
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the body of every creation before the step counts as done; values shown once are in it. */
  readonly onCreated?: (step: Step, body: JsonObject) => Promise<void>;
}

/** Runs every step that can run; every step of the plan has exactly one result, in plan order. */
export async function applyPlan(input: ApplyInput): Promise<readonly StepResult[]> {
  const { plan, onEvent } = input;
  const known = new Map(input.known);
  onEvent?.({ type: 'started', plan });
  const results = await runQueue<Step, StepResult>({
    tasks: plan.steps,
    concurrency: input.concurrency,
    isStopped: () => input.signal?.aborted === true,
    run: async (step) => {
      onEvent?.({ type: 'step-started', step });
      const result = await runStep(step, input, known);
      onEvent?.({ type: 'step-ended', step, result });
      return result;
    },
    isSuccess: (result) => result.status === 'done',
    block: (step, blocker) =>
      ending(step, { status: 'blocked', error: `waits for ${blocker.id} (${blocker.address}), which was not done` }),
    skip: (step) => ending(step, { status: 'not_attempted', error: 'stopped before it began' }),
  });
  onEvent?.({ type: 'finished', results, outputs: plan.outputs });
  return results;
}

interface Ending {
  readonly status: StepStatus;
  readonly error: string | null;
  readonly liveId?: string | null;
  readonly requestsDone?: number;
}

function ending(step: Step, { status, error, liveId, requestsDone }: Ending): StepResult {
  const { id, address, action, live_id } = step;
  return { id, address, action, status, live_id: liveId ?? live_id, error, requests_done: requestsDone ?? 0 };
}

async function runStep(step: Step, input: ApplyInput, known: Map<string, JsonObject>): Promise<StepResult> {
  let requestsDone = 0;
  let liveId = step.live_id;
  try {
    for (const request of step.requests) {
      const body = await send(step, request, { input, known });
      if (request.method === 'POST') liveId = await created(step, body, { input, known });
      else if (isObject(body)) checkSameObject(step, body, liveId);
      requestsDone += 1;
    }
    return ending(step, { status: 'done', error: null, liveId, requestsDone });
  } catch (error) {
    if (!(error instanceof ApiError))
      return ending(step, { status: 'failed', error: messageOf(error), liveId, requestsDone });
    const status = error.failure === 'unknown' ? 'unknown' : 'failed';
    return ending(step, { status, error: error.message, liveId, requestsDone });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unexpected error';
}

interface World {
  readonly input: ApplyInput;
  readonly known: Map<string, JsonObject>;
}

async function send(step: Step, request: PlannedRequest, { input, known }: World): Promise<Json> {
  const lookup = lookupFor(step, input, known);
  const path = fillPath(request.path, lookup);
  const body = request.body === undefined ? {} : { body: fillBody(request.body, lookup) };
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

async function created(step: Step, body: Json, { input, known }: World): Promise<string> {
  const id = isObject(body) ? body[ID] : undefined;
  const kind = kindByName(step.kind);
  if (!isObject(body) || typeof id !== 'string' || !id.startsWith(kind.idPrefix)) {
    throw new ApiError({
      code: 'api-not-understood',
      message: `the answer to the creation of ${step.address} has no id of a ${kind.title}`,
      failure: 'unknown',
    });
  }
  known.set(step.address, body);
  await input.onCreated?.(step, body);
  return id;
}

/** A cache or proxy may answer with another object; then it is not known what was changed. */
function checkSameObject(step: Step, body: JsonObject, liveId: string | null): void {
  if (liveId === null) throw new BugError(`${step.id} updates nothing`);
  if (body[ID] === liveId) return;
  throw new ApiError({
    code: 'api-not-understood',
    message: `the answer to the update of ${step.address} is about another object`,
    failure: 'unknown',
  });
}
