// After the last step: everything is read and planned again, so that "done" is seen and not assumed.

import type { StepResult } from '../apply/event.ts';
import type { Clock } from '../api/clock.ts';
import type { Recorder } from '../apply/ports.ts';
import type { Twin } from '../apply/withdraw.ts';
import { withdrawTwins } from '../apply/withdraw.ts';
import type { WriteClient } from '../api/transport.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Plan } from '../plan/plan.ts';
import { isPending } from './plan.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;

export interface Planned {
  readonly snapshot: Snapshot;
  readonly plan: Plan;
}

export interface ConvergeInput {
  readonly planNow: () => Promise<Planned>;
  readonly client: WriteClient;
  readonly record: Recorder;
  readonly clock: Clock;
  /** Milliseconds for which lists may lag behind. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  readonly results: readonly StepResult[];
}

export interface Converged {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan of what is left, once the service shows what this run has done. */
export async function planAfter(input: ConvergeInput): Promise<Converged> {
  const { planNow, clock, settleMs, signal, results } = input;
  const done = new Set(results.map((result) => result.address));
  const until = clock.now() + settleMs;
  const twins: Twin[] = [];
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    const { snapshot, plan } = await planNow();
    twins.push(...(await withdrawTwins({ ...input, stack: plan.stack, snapshot })));
    const mayLag = plan.steps.every((step) => done.has(step.address)) && plan.blocked.length === 0;
    const isSettled = !isPending(plan) && !hasTwins(plan, done);
    if (isSettled || !mayLag || clock.now() >= until || signal.aborted) return { plan, diagnostics: twins.map(told) };
    await clock.sleep(wait, signal);
  }
}

/** True while an address of this run exists twice: the other run may be about to withdraw its object. */
function hasTwins(plan: Plan, done: ReadonlySet<string>): boolean {
  return plan.diagnostics.some((one) => one.code === 'duplicate-marker' && done.has(one.address ?? ''));
}

function told({ address, ours, other, isWithdrawn }: Twin): Diagnostic {
  const end = isWithdrawn ? `${ours} was deleted again` : `${ours} could not be deleted`;
  return {
    code: 'created-twice',
    severity: 'error',
    address,
    message: `another run created ${address} at the same time, as ${other}; ${end}`,
    fix: 'let only one run at a time apply a stack, then run apply again',
  };
}
