// The end of a fleet command: the outcome of each stack and of all, and the document or log about them.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { acceptFindings, type IgnoreRule } from '../../drift/accept.ts';
import type { FleetRun, StackResult } from '../../fleet/fleet.ts';
import { hasPlanErrors, isPending } from '../../plan/count-steps.ts';
import { explainEarlyStop } from '../../reconcile/stop.ts';
import { renderFleetAs, type FleetOutcome, type FleetStackOutcome } from '../../render/fleet.ts';
import type { DriftView } from '../../render/view/documents.ts';
import { reportViewOf } from '../shell/carry-out.ts';
import type { Call } from '../shell/command.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

type Drifts = ReadonlyMap<string, DriftView>;

/** What became of each stack, each with the exit code that the single command would end with; drift by the stacks' names. */
export function outcomesOf(
  results: readonly StackResult[],
  invocation: Invocation,
  drifts: Drifts = new Map(),
): FleetStackOutcome[] {
  const ended = new Map(results.flatMap((one) => (isRun(one) ? [[one.name, endOf(one, invocation, drifts)]] : [])));
  const others = new Map(results.flatMap((one) => (one.is === 'blocked' ? [[one.name, one.by]] : [])));
  const blockedBy = (name: string): RunOutcome => {
    const by = others.get(name);
    return by === undefined ? (ended.get(name)?.outcome ?? 'error') : blockedBy(by);
  };
  const unstarted = invocation.signal.aborted
    ? explainEarlyStop(invocation, 'error').outcome
    : notRun(allOf([...ended.values()].map(({ outcome }) => outcome)));
  return results.map((one): FleetStackOutcome => {
    if (one.is === 'blocked') return { ...one, outcome: notRun(blockedBy(one.by)) };
    return one.is === 'not-attempted' ? { ...one, outcome: unstarted } : endOf(one, invocation, drifts);
  });
}

type Run = Exclude<StackResult, { is: 'blocked' | 'not-attempted' }>;

function isRun(one: StackResult): one is Run {
  return one.is !== 'blocked' && one.is !== 'not-attempted';
}

function endOf(one: Run, { settings }: Invocation, drifts: Drifts): FleetStackOutcome {
  switch (one.is) {
    case 'planned': {
      const ready = settings.detailedExitcode && isPending(one.plan) ? 'pending' : 'done';
      return { ...one, outcome: hasPlanErrors(one.plan) ? 'error' : ready };
    }
    case 'drift': {
      const drift = drifts.get(one.name) ?? acceptFindings(one.drift, []);
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

const BEFORE_WRITES: readonly RunOutcome[] = ['invalid', 'refused', 'stale'];

/** A stack that was not run adds nothing to what stopped it, if that says that nothing was written; otherwise it is an error. */
function notRun(stoppedBy: RunOutcome): RunOutcome {
  return BEFORE_WRITES.includes(stoppedBy) ? stoppedBy : 'error';
}

function allOf(outcomes: readonly RunOutcome[]): RunOutcome {
  return outcomes.reduce(worstOf, 'done');
}

const UNUSED = 'ignore-unused';

/** Drift by the stacks' names, without the accepted findings. Only an entry that no stack uses is unused. */
export function acceptIn(results: readonly StackResult[], ignores: readonly IgnoreRule[], { stacks }: FleetRun) {
  const resources = new Map(stacks.map(({ name, run }) => [name, run.manifest.resources]));
  const unused: (readonly Diagnostic[])[] = [];
  const drifts = new Map<string, DriftView>();
  for (const one of results) {
    if (one.is !== 'drift') continue;
    const accepted = acceptFindings(one.drift, ignores);
    unused.push(accepted.diagnostics.filter(({ code }) => code === UNUSED));
    const diagnostics = accepted.diagnostics.filter(({ code }) => code !== UNUSED);
    drifts.set(one.name, { ...accepted, diagnostics, resources: () => resources.get(one.name) ?? [] });
  }
  const [first = [], ...others] = unused;
  const isUnused = ({ message }: Diagnostic) => others.every((list) => list.some((one) => one.message === message));
  return { drifts, unused: first.filter(isUnused) };
}

type Ended = Pick<FleetOutcome, 'command' | 'stacks'>;

/** Tells the listeners, prints the document or log, and returns the outcome of all; `before` is output that was lost. */
export function endFleet(
  { command, stacks }: Ended,
  { invocation, listeners }: Call,
  before: readonly Diagnostic[] = [],
): RunOutcome {
  const { settings, stdout, note } = invocation;
  const fleet = { command, stacks, outcome: allOf(stacks.map(({ outcome }) => outcome)) };
  note({ type: 'fleet', fleet });
  const lost = [...before, ...listeners.end(fleet.outcome)];
  sayProblems(lost, invocation);
  const outcome = lost.length === 0 ? fleet.outcome : worstOf(fleet.outcome, 'output');
  const text = renderFleetAs(settings.format, { ...fleet, outcome }, renderOptionsOf(invocation, stdout));
  stdout.write(`${text}\n`);
  return outcome;
}
