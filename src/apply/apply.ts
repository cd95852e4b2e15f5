// Applies a plan: exactly its requests, in an order that its graph allows. Decides nothing and prints nothing.

import type { StepResult, StepStatus } from './event.ts';
import { createGate } from './gate/gate.ts';
import type { GateScope } from './gate/gate-rules.ts';
import { createGateReads } from './gate/recent-reads.ts';
import { emptyHistory, type RunHistory } from './gate/run-history.ts';
import { noRecord } from './recorder.ts';
import { runQueue } from './queue.ts';
import { stepResult, type ApplyInput, type StepRun } from './step-run.ts';
import { shareReads } from './refresh-object.ts';
import { runStep } from './run-step.ts';
import { scopeOfStack } from '../resource/marker/ownership.ts';
import type { Step } from '../plan/plan.ts';

const HARD_CANCELLED = 'the run was stopped before the answer arrived; the request may have been carried out';

/** Runs every step that can run; every step of the plan has exactly one result, in plan order. */
export async function applyPlan(input: ApplyInput): Promise<readonly StepResult[]> {
  const { plan, onEvent, signal, hardCancel } = input;
  const history = input.history ?? emptyHistory();
  const gate = createGate(input.client, scopeOf(input, history));
  const shared = {
    input,
    record: input.record ?? noRecord,
    known: new Map(input.known),
    history,
    gate,
    sharedReads: shareReads(input.client),
    reads: input.reads ?? createGateReads(input.clock),
  };
  const running = new Set<() => void>();
  const endRunning = () => {
    for (const giveUp of running) giveUp();
  };
  hardCancel?.addEventListener('abort', endRunning);
  onEvent?.({ type: 'started', plan });
  const results = await runQueue<Step, StepResult>({
    tasks: plan.steps,
    concurrency: input.concurrency,
    isStopped: () => signal?.aborted === true || hardCancel?.aborted === true,
    run: async (step) => {
      onEvent?.({ type: 'step-started', step });
      const began = input.clock.now();
      const run: StepRun = { ...shared, step, live_id: step.live_id, ...UNDER_WAY };
      const result = await new Promise<StepResult>((resolve, reject) => {
        const giveUp = () => {
          // A step without a request in flight ends by itself: it sends and reads nothing more.
          if (run.isOut) resolve(stepResult(run, 'unknown', HARD_CANCELLED));
        };
        running.add(giveUp);
        void runStep(run)
          .then(resolve, reject)
          .finally(() => running.delete(giveUp));
      });
      onEvent?.({ type: 'step-ended', step, result, ms: input.clock.now() - began });
      return result;
    },
    isSuccess: (result) => result.status === 'done',
    block: (step, blocker) =>
      notRun(step, 'blocked', `waits for ${blocker.id} (${blocker.address}), which was not done`),
    skip: (step) => notRun(step, 'not_attempted', 'not started, because the run was stopped'),
  }).finally(() => {
    hardCancel?.removeEventListener('abort', endRunning);
  });
  onEvent?.({ type: 'finished', results, outputs: plan.outputs });
  return results;
}

const UNDER_WAY = {
  askedSince: -Infinity,
  parentId: undefined,
  observed: undefined,
  requestsDone: 0,
  isOut: false,
  sent: {},
} as const satisfies Partial<StepRun>;

/** What the gate knows of a run that carries out a plan. */
function scopeOf({ plan, live, others, ownershipScope }: ApplyInput, history: RunHistory): GateScope {
  const own = new Set([...live.keys(), ...plan.steps.flatMap((step) => step.live_id ?? [])]);
  const known = { has: (id: string) => own.has(id) || others?.has(id) === true };
  const claims = ownershipScope ?? scopeOfStack(plan.stack);
  return { ownershipScope: claims, live, known, history };
}

function notRun(step: Step, status: StepStatus, error: string): StepResult {
  const { id, address, action, live_id } = step;
  return { id, address, action, status, live_id, error, requests_done: 0 };
}
