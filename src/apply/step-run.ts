// State of a run and of one of its steps: shared input, what is known so far, and its result.

import type { Code } from '../core/codes.ts';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import type { ValueObject } from '../core/value.ts';
import type { Capability } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { WriteClient } from '../service/transport.ts';
import type { OwnershipScope } from '../resource/marker/ownership.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { digestLookup, saltOf } from '../resource/digests.ts';
import type { Lookup } from '../resource/placeholder.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { ApplyEvent, StepResult, StepStatus } from './event.ts';
import type { Gate } from './gate/gate.ts';
import type { GateReads } from './gate/recent-reads.ts';
import type { RunHistory } from './gate/run-history.ts';
import type { ObservedObject, SharedReads } from './refresh-object.ts';
import type { Clock } from '../platform/clock.ts';
import type { Recorder } from './recorder.ts';

export interface ApplyInput {
  readonly plan: Plan;
  readonly client: WriteClient;
  /** Secrets by origin: `ADDRESS#PATH` or `live:ID#PATH`. */
  readonly secrets: Lookup['secret'];
  /** Read-only values of live objects by address. */
  readonly known: ReadonlyMap<string, JsonObject>;
  /** The live objects that the plan was made from, by id: none of them is the answer to a creation. */
  readonly live: ReadonlyMap<string, LiveResource>;
  /** Ids of objects of other stacks that `live` leaves out. */
  readonly others?: Pick<ReadonlySet<string>, 'has'>;
  /** The imported objects that the plan was made with, by `imports.NAME`. */
  readonly imports?: ReadonlyMap<string, LiveResource>;
  /** Reads that writes share, also with other runs at the same service; its own when missing. */
  readonly reads?: GateReads;
  /** What the stack lays claim to; its name alone when missing. */
  readonly ownershipScope?: OwnershipScope;
  /** True for a plan that finishes what the run has begun: its requests are sent even after a stop. */
  readonly isCleanUp?: boolean;
  /** What the run has done before this plan, and does; a new one when it begins with this plan. */
  readonly history?: RunHistory;
  readonly capabilities: ReadonlySet<Capability>;
  readonly concurrency: number;
  readonly clock: Clock;
  /** How long to look for an object whose creation has an unknown outcome, in milliseconds. */
  readonly settleMs: number;
  readonly record?: Recorder;
  /** Aborted: no step starts; running ones finish. */
  readonly signal?: AbortSignal;
  /** Aborted: running steps are not waited for; they end as unknown. */
  readonly hardCancel?: AbortSignal;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Called with the body of every creation before the step counts as done; it contains returned-once values. */
  readonly onCreated?: (step: Step, body: JsonObject) => Promise<void>;
}

export interface StepRun {
  readonly step: Step;
  readonly input: ApplyInput;
  readonly record: Recorder;
  /** Values of objects by address, from answers so far; shared by all steps. */
  readonly known: Map<string, JsonObject>;
  readonly history: RunHistory;
  readonly gate: Gate;
  /** Reads after lost answers, which steps share. */
  readonly sharedReads: SharedReads;
  readonly reads: GateReads;
  /** Time of the clock since which the step's write is tried again: what was read before is not asked. */
  askedSince: number;
  live_id: string | null;
  /** Id of the parent of the step's object. */
  parentId: string | undefined;
  requestsDone: number;
  /** True while a request is in flight and its outcome is unknown. */
  isOut: boolean;
  /** The step's object as last read or answered. */
  observed: ObservedObject | undefined;
  /** Values that the step's requests have sent so far. */
  sent: ValueObject;
}

export function stepResult(
  { step, live_id, requestsDone }: StepRun,
  status: StepStatus,
  error: string | null,
  code?: Code,
): StepResult {
  const { id, address, action, requests } = step;
  const accepted = requests.slice(0, requestsDone).map(({ method, path }) => `${method} ${path}`);
  const before = accepted.length === 0 ? '' : `; accepted before that, and live now: ${accepted.join(', ')}`;
  const message = error === null ? null : `${error}${before}`;
  const result = { id, address, action, status, live_id, error: message, requests_done: requestsDone };
  return code === undefined ? result : { ...result, code };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'an unexpected error';
}

/** Resolves the placeholders of a step's requests. */
export function lookupFor({ step, input, known }: StepRun): Lookup {
  return {
    secret: input.secrets,
    attr: (address, attr) =>
      attr
        .split('.')
        .reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), known.get(address)),
    digest: digestLookup(kindByName(step.kind), saltOf({ stack: input.plan.stack, address: step.address })),
  };
}
