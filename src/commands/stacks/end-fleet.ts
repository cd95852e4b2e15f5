// The end of a fleet command: the outcome of each stack and of all, and the document or log about them.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { StackResult } from '../../fleet/fleet.ts';
import { hasPlanErrors, isPending } from '../../plan/count-steps.ts';
import { explainEarlyStop } from '../../reconcile/stop.ts';
import { renderFleetAs, type FleetOutcome, type FleetStackOutcome } from '../../render/fleet.ts';
import type { Call } from '../shell/command.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

/** What became of each stack, each with the exit code that the single command would end with. */
export function outcomesOf(results: readonly StackResult[], invocation: Invocation): FleetStackOutcome[] {
  const byName = new Map(results.map((one) => [one.name, one]));
  const outcomeOf = (one: StackResult): RunOutcome => {
    if (one.is === 'blocked') {
      const blocker = byName.get(one.by);
      return blocker === undefined ? 'error' : notRun(outcomeOf(blocker));
    }
    return one.is === 'not-attempted' ? unstarted : ownOutcome(one, invocation);
  };
  const ended = results.flatMap((one) => (isRun(one) ? ownOutcome(one, invocation) : []));
  const unstarted = invocation.signal.aborted
    ? explainEarlyStop(invocation, 'error').outcome
    : notRun(allOf(ended.filter((outcome) => outcome !== 'done')));
  return results.map((one): FleetStackOutcome => {
    const outcome = outcomeOf(one);
    if (one.is !== 'failed') return { ...one, outcome };
    const { failure, ...identity } = one;
    return { ...identity, outcome, diagnostics: failure.diagnostics };
  });
}

type Run = Exclude<StackResult, { is: 'blocked' | 'not-attempted' }>;

function isRun(one: StackResult): one is Run {
  return one.is !== 'blocked' && one.is !== 'not-attempted';
}

function ownOutcome(one: Run, { settings }: Invocation): RunOutcome {
  switch (one.is) {
    case 'planned':
      if (hasPlanErrors(one.plan)) return 'error';
      return settings.detailedExitcode && isPending(one.plan) ? 'pending' : 'done';
    case 'drift':
      return one.drift.drift.drifted ? 'pending' : 'done';
    case 'applied':
      return one.report.lost.length === 0 ? one.report.outcome : worstOf(one.report.outcome, 'output');
    case 'failed':
      return one.failure.outcome;
    default:
      return one satisfies never;
  }
}

const BEFORE_WRITES: readonly RunOutcome[] = ['invalid', 'refused', 'stale'];

/** A stack that was not run adds nothing to what stopped it, if that says that nothing was written; otherwise it is an error. */
function notRun(stoppedBy: RunOutcome): RunOutcome {
  return BEFORE_WRITES.includes(stoppedBy) ? stoppedBy : 'error';
}

function allOf(outcomes: readonly RunOutcome[]): RunOutcome {
  return outcomes.reduce(worstOf, 'done');
}

type Ended = Pick<FleetOutcome, 'command' | 'stacks'>;

/** Tells the listeners, prints the document or log, and returns the outcome of all; `before` is output that was lost. */
export async function endFleet(
  { command, stacks }: Ended,
  { invocation, listeners }: Call,
  before: readonly Diagnostic[] = [],
): Promise<RunOutcome> {
  const { settings, stdout, note } = invocation;
  const fleet = { command, stacks, outcome: allOf(stacks.map(({ outcome }) => outcome)) };
  note({ type: 'fleet', fleet });
  const lost = [...before, ...(await listeners.end(fleet.outcome))];
  sayProblems(lost, invocation);
  const outcome = lost.length === 0 ? fleet.outcome : worstOf(fleet.outcome, 'output');
  const text = renderFleetAs(settings.format, { ...fleet, outcome }, renderOptionsOf(invocation, stdout));
  stdout.write(`${text}\n`);
  return outcome;
}
