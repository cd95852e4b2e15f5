// One step under way on a service of typed answers, with a gate that lets everything pass.

import { shareReads } from '../../src/apply/refresh-object.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Json } from '../../src/core/json.ts';
import { createGateReads } from '../../src/apply/gate/recent-reads.ts';
import { emptyHistory } from '../../src/apply/gate/run-history.ts';
import type { GatedWrite } from '../../src/apply/gate/gate-rules.ts';
import { observedFrom } from '../../src/apply/refresh-object.ts';
import type { ApplyInput, StepRun } from '../../src/apply/step-run.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { Step } from '../../src/plan/plan.ts';
import { fingerprintFields } from '../../src/plan/fingerprint.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Marker } from '../../src/resource/snapshot.ts';
import type { ApiErrorDetails, ApiWrite, ReadClient, WriteClient } from '../../src/service/transport.ts';
import { mayHaveHappened, type Known } from '../../src/service/outcomes.ts';
import { ApiError } from '../../src/service/transport.ts';
import { instantClock } from '../support/applying.ts';
import { planOf, stepOf } from '../render/sample.ts';

/** What the service answers: a body, nothing, or an error. */
export type Answer = Json | undefined | ApiError;

export function apiError(known: Known, given: Partial<ApiErrorDetails> = {}): ApiError {
  return new ApiError({ code: 'api-refused', message: 'no', known, type: 'change', ...given });
}

export const LOST = apiError('lost', { message: 'no answer' });

export interface Service extends WriteClient {
  readonly written: ApiWrite[];
}

function answer<T>(given: Answer): Promise<T> {
  return given instanceof ApiError ? Promise.reject(given) : Promise.resolve(given as T);
}

/** `get` and `write` answer one after the other, the last answer again and again; `list` what is given now. */
export function service(given: {
  get?: readonly Answer[];
  list?: readonly JsonObject[] | ApiError;
  write?: readonly Answer[];
  mayRepeat?: boolean;
}): Service {
  const next = (answers: readonly Answer[] = [undefined]) => {
    const left = [...answers];
    return () => (left.length > 1 ? left.shift() : left[0]);
  };
  const [get, write] = [next(given.get), next(given.write ?? [null])];
  const written: ApiWrite[] = [];
  const { list = [] } = given;
  const reader: ReadClient = {
    get: () => answer(get()),
    list: () =>
      list instanceof ApiError ? Promise.reject(list) : Promise.resolve({ items: list, requests: 1, shifted: false }),
  };
  return {
    written,
    ...reader,
    write: async (request) => {
      await request.check?.({ list: reader.list, get: reader.get });
      written.push(request);
      request.onSend?.(true);
      const found = write();
      if (!(found instanceof ApiError && mayHaveHappened(found))) request.onSend?.(false);
      return answer(found);
    },
    backOff: () => Promise.resolve(given.mayRepeat === false ? 'the run was stopped' : undefined),
  };
}

export const markerText = (address: string, more: Partial<Marker> = {}): string =>
  writeMarker('', { v: 1, stack: 'shop', address, applied: {}, ...more });

/** The body of a reserved address that is ours. */
export function addrBody(id: string, more: JsonObject = {}): JsonObject {
  return { id, region: 'us', description: 'old', metadata: markerText('reserved_addrs.a'), ...more };
}

/** A step about a reserved address; one that changes an object has seen it as `before`. */
export function addrStep(action: Step['action'], requests: Step['requests'] = [], before?: JsonObject): Step {
  const kind = kindByName('reserved_addr');
  const seen = before && fingerprintFields(kind, observedFrom(kind, before, undefined).live, {});
  return stepOf({
    id: 's1',
    action,
    address: 'reserved_addrs.a',
    kind: kind.name,
    live_id: action === 'create' ? null : 'ra_1',
    requests,
    ...(seen && { seen }),
  });
}

export interface Logged extends StepRun {
  /** Outcomes as they were recorded, and writes as they came to the gate. */
  readonly outcomes: string[];
  readonly admitted: GatedWrite[];
}

export function runOf(step: Step, client: WriteClient, given: Partial<ApplyInput> = {}): Logged {
  const outcomes: string[] = [];
  const admitted: GatedWrite[] = [];
  const input: ApplyInput = {
    plan: planOf({ steps: [step] }),
    client,
    secrets: () => undefined,
    known: new Map(),
    live: new Map(),
    capabilities: new Set(CAPABILITIES),
    concurrency: 1,
    clock: instantClock(),
    settleMs: 1_000,
    ...given,
  };
  return {
    step,
    input,
    known: new Map(input.known),
    sharedReads: shareReads(client),
    reads: createGateReads(input.clock),
    history: input.history ?? emptyHistory(),
    live_id: step.live_id,
    askedSince: -Infinity,
    parentId: undefined,
    requestsDone: 0,
    isOut: false,
    observed: undefined,
    sent: {},
    outcomes,
    admitted,
    record: {
      intent: ({ method }) => Promise.resolve(outcomes.push(`intent ${method}`)),
      outcome: (_number, { status }) => Promise.resolve(void outcomes.push(status)),
      stored: () => Promise.resolve(),
    },
    gate: {
      send: (write, observe) =>
        client.write({
          ...write.request,
          check: async (reader) => void admitted.push({ ...write, ...(await observe?.(reader)) }),
        }),
    },
  };
}
