// The end of a fleet command: the outcome of each stack and of all, and the document or log about them.

import { hasErrors, type Diagnostic } from '../../core/diagnostic.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { FleetRun, StackResult } from '../../fleet/fleet.ts';
import type { LoadedEntry } from '../../fleet/load-entry.ts';
import { isPending } from '../../plan/count-steps.ts';
import { isWritten, outcomeOfShown } from '../../reconcile/run-report.ts';
import { explainEarlyStop } from '../../reconcile/stop.ts';
import { renderFleetAs, type FleetOutcome } from '../../render/fleet.ts';
import type { FleetStackOutcome } from '../../render/view/stack-outcome.ts';
import { reportViewOf } from '../shell/carry-out.ts';
import { serviceOf } from '../options/connection.ts';
import type { Call } from '../shell/command.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

/** What became of each stack, each with the exit code that the single command would end with. */
export function outcomesOf(
  results: readonly StackResult[],
  invocation: Invocation,
  fleet?: Pick<FleetRun, 'stacks'>,
): FleetStackOutcome[] {
  const ended = results.map((one) => (isRun(one) ? endOf(one, invocation, fleet?.stacks) : undefined));
  const outcomes = new Map(ended.flatMap((one) => (one === undefined ? [] : [[one.name, one.outcome]])));
  const unstarted = invocation.signal.aborted
    ? explainEarlyStop(invocation, 'error').outcome
    : allOf(outcomes.values());
  // A stack that was not run adds nothing to what stopped it.
  const stoppedBy = new Map(results.flatMap((one) => (one.is === 'blocked' ? [[one.name, one.by]] : [])));
  const outcomeOf = (name: string): RunOutcome => {
    const by = stoppedBy.get(name);
    return by === undefined ? (outcomes.get(name) ?? unstarted) : outcomeOf(by);
  };
  return results.flatMap((one, at) => ended[at] ?? (isRun(one) ? [] : { ...one, outcome: outcomeOf(one.name) }));
}

/** Each stack as it was loaded, without a run. */
export function checkedIn(loaded: readonly LoadedEntry[], invocation: Invocation): FleetStackOutcome[] {
  return loaded.map(({ entry, outline, diagnostics, sources }) => {
    const outcome = hasErrors(diagnostics) ? 'invalid' : 'done';
    const service = serviceOf(invocation, entry)?.href;
    const stack = outline?.stack;
    const { name, wave } = entry;
    return { name, stack, service, wave, outcome, is: 'checked', diagnostics, sources };
  });
}

type Run = Exclude<StackResult, { is: 'blocked' | 'not-attempted' }>;

function isRun(one: StackResult): one is Run {
  return one.is !== 'blocked' && one.is !== 'not-attempted';
}

function endOf(one: Run, { settings }: Invocation, stacks: FleetRun['stacks'] = []): FleetStackOutcome {
  switch (one.is) {
    case 'planned': {
      const ready = settings.detailedExitcode && isPending(one.plan) ? 'pending' : 'done';
      return { ...one, outcome: outcomeOfShown(one.plan, ready) };
    }
    case 'drift': {
      const resources = () => stacks.find(({ name }) => name === one.name)?.run.manifest.resources ?? [];
      const drift = { ...one.drift, diagnostics: [], resources };
      return { ...one, drift, outcome: drift.drift.drifted ? 'pending' : 'done' };
    }
    case 'applied': {
      const { lost, outcome } = one.report;
      const report = reportViewOf(one.report, settings.format);
      return { ...one, report, outcome: lost.length === 0 ? outcome : worstOf(outcome, 'output') };
    }
    case 'failed': {
      const { failure, ...identity } = one;
      return { ...identity, outcome: failure.outcome, diagnostics: failure.diagnostics, sources: failure.sources };
    }
    default:
      return one satisfies never;
  }
}

function allOf(outcomes: Iterable<RunOutcome>): RunOutcome {
  return [...outcomes].reduce(worstOf, 'done');
}

/**
 * What says of one stack that it wrote nothing says nothing of the others: a run that wrote is done in part. That a plan is stale
 * says what to do, and stays.
 */
const NOTHING_WRITTEN: ReadonlySet<RunOutcome> = new Set(['error', 'invalid', 'refused']);

/** The outcome of the fleet: the most important one, but never one that means "nothing was written" after a write. */
function outcomeOfAll(stacks: readonly FleetStackOutcome[]): RunOutcome {
  const worst = allOf(stacks.map(({ outcome }) => outcome));
  return NOTHING_WRITTEN.has(worst) && stacks.some(hasWritten) ? 'partial' : worst;
}

function hasWritten(one: FleetStackOutcome): boolean {
  return one.is === 'applied' && one.report.results.some(isWritten);
}

type Ended = Pick<FleetOutcome, 'command' | 'stacks' | 'base' | 'outside' | 'diagnostics'>;

/** Tells the listeners, prints the document or log, and returns the outcome of all; `before` is output that was lost. */
export function endFleet(
  { stacks, ...about }: Ended,
  { invocation, listeners }: Call,
  before: readonly Diagnostic[] = [],
): RunOutcome {
  const { settings, stdout, note } = invocation;
  const fleet = { ...about, stacks, outcome: outcomeOfAll(stacks) };
  note({ type: 'fleet', fleet });
  const lost = [...before, ...listeners.end(fleet.outcome)];
  sayProblems(lost, invocation);
  const outcome = lost.length === 0 ? fleet.outcome : worstOf(fleet.outcome, 'output');
  const text = renderFleetAs(settings.format, { ...fleet, outcome }, renderOptionsOf(invocation, stdout));
  stdout.write(`${text}\n`);
  return outcome;
}
