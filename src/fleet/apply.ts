// Applies many stacks: plans all, gets approval once, then applies each as soon as what it waits for is done. Each is one apply
// with its own journal, gate and verification; a stack that fails stops only those that wait for it.

import { runQueue } from '../apply/queue.ts';
import { Failure } from '../core/failure.ts';
import { applyManifest } from '../reconcile/apply.ts';
import type { ExpectedObject } from '../reconcile/execution/run-effects.ts';
import { effectsOf } from '../reconcile/execution/run-effects.ts';
import { whyNotExecuted } from '../reconcile/run-report.ts';
import { failed, resultOf, type FleetRun, type StackResult } from './fleet.ts';
import { planResult, planStacks } from './plan.ts';
import type { PlannedStack, StackPlan } from './plan-stack.ts';
import { accessFor } from './service.ts';

export interface ApplyFleetRun extends FleetRun {
  /** Approves all plans at once, or rejects with a `Failure`; nothing has been written before. */
  readonly approve: (planned: readonly StackResult[]) => Promise<void>;
  /** True to start nothing new after the first stack that was not done. */
  readonly failFast?: boolean;
}

/** Makes the live state of every stack match its manifest, in an order that imports and moving values allow. */
export function applyFleet(fleet: ApplyFleetRun): Promise<readonly StackResult[]> {
  return carryOut(fleet, false);
}

/** Deletes everything that the stacks own, importers first. */
export function destroyFleet(fleet: ApplyFleetRun): Promise<readonly StackResult[]> {
  return carryOut(fleet, true);
}

interface Task {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** It deletes API keys, which others may still need, and none waits for it. */
  readonly last: boolean;
  readonly one: StackPlan;
}

async function carryOut(given: ApplyFleetRun, destroy: boolean): Promise<readonly StackResult[]> {
  const { fleet, stacks, before } = await planStacks(given, destroy);
  const willWrite = stacks.some(
    (one) => 'plan' in one && one.plan.steps.length > 0 && whyNotExecuted(one.plan) === undefined,
  );
  if (willWrite) await fleet.approve(stacks.map(planResult));
  const made = new Map<string, readonly ExpectedObject[]>();
  const waitedFor = new Set(stacks.flatMap(({ name }) => before(name)));
  let hasFailed = false;
  return runQueue<Task, StackResult>({
    tasks: stacks.map((one) => {
      const last = !waitedFor.has(one.name) && 'plan' in one && one.plan.steps.some((step) => step.last === true);
      return { id: one.name, depends_on: before(one.name), last, one };
    }),
    concurrency: Math.max(...fleet.stacks.map(({ run }) => run.options.concurrency), 1),
    isStopped: () => fleet.signal.aborted || (fleet.failFast === true && hasFailed),
    run: async ({ id, depends_on: names, one }) => {
      const expected = names.flatMap((name) => made.get(name) ?? []);
      const result = 'failure' in one ? one : await applyStack(one, { destroy, expected, isFirst: names.length === 0 });
      if (result.is === 'applied') made.set(id, effectsOf(result.report.plan, result.report.results).made);
      hasFailed ||= !isDone(result);
      return result;
    },
    isSuccess: isDone,
    block: ({ one }, { id: by }) => ('failure' in one ? one : resultOf(one.stack, { is: 'blocked', by })),
    skip: ({ one }) => ('failure' in one ? one : resultOf(one.stack, { is: 'not-attempted' })),
  });
}

function isDone(result: StackResult): boolean {
  return result.is === 'applied' && result.report.result === 'done';
}

interface Applying {
  readonly destroy: boolean;
  /** Objects that the stacks before it made: lists may not show them yet. */
  readonly expected: readonly ExpectedObject[];
  /** True for a stack that waited for none: what was read for its plan is still what it was made from. */
  readonly isFirst: boolean;
}

/** Applies the plan that was shown; like a saved one, it is compared with a new plan before anything is written. */
async function applyStack(one: PlannedStack, { destroy, expected, isFirst }: Applying): Promise<StackResult> {
  const { stack, service, plan } = one;
  // What was pending exists by now; the plan that was shown says what is to be filled in.
  const { pendingImports: _, ...elsewhere } = one.run.elsewhere ?? {};
  const run = { ...one.run, elsewhere };
  const access = accessFor(service, run.manifest, { expected, earlier: isFirst ? one.read : undefined });
  // A plan that cannot be carried out was not agreed to: it is made again, to say what is wrong.
  const isAgreed = whyNotExecuted(plan) === undefined;
  const approve = () => (isAgreed ? Promise.resolve() : Promise.reject(notShown()));
  try {
    const agreed = stack.saved === undefined ? isAgreed && { shown: plan } : { saved: stack.saved };
    const report = await applyManifest({ ...run, ...agreed, service: access, destroy, approve });
    return resultOf(stack, { is: 'applied', report });
  } catch (error) {
    return failed(stack, error);
  }
}

function notShown(): Failure {
  const message = 'the stack can now be applied, but with a plan that was never shown; nothing was changed';
  return Failure.of('stale', 'stale-plan', message, 'run fleet apply again');
}
