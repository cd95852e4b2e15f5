// Records a run that wrote in the history of its stack: what it was, and how it ended.

import type { StepResult, StepStatus } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { EXIT_CODES } from '../../core/run-outcome.ts';
import type { EndedRun, RunRecord } from '../../core/run-record.ts';
import { appendRecord, historyOf } from '../../journal/history.ts';
import { FileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import type { RunReport } from '../run-report.ts';
import type { Execution } from './execution.ts';

/** Steps that one record names. */
const MAX_STEPS = 1_000;
/** A plan file may contain anything as the name of an address. */
const MAX_NAME = 200;

/** The run, as it ends now. */
export function endedRun({ runJournal, platform }: Pick<Execution, 'runJournal' | 'platform'>, plan: string): EndedRun {
  return { ...runJournal.identity, ended: platform.wallTime(), plan };
}

/** Adds the line of the run, if it wrote; returns why that was not possible. */
export async function recordRun(run: Execution, ended: RunReport): Promise<readonly Diagnostic[]> {
  const { runJournal, options, platform } = run;
  if (!runJournal.hasWritten()) return [];
  try {
    await appendRecord(historyOf(options.journal), recordOf(run, ended), platform.recordFiles);
    return [];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return [fileDiagnostic(error)];
  }
}

function recordOf({ destroy = false, connection }: Execution, { run, plan, results, outcome }: RunReport): RunRecord {
  const { id, ...more } = run;
  const begun = results.filter(isBegun);
  return {
    v: 1,
    run: id,
    command: destroy ? 'destroy' : 'apply',
    stack: plan.stack,
    service: connection.baseUrl.href,
    ...more,
    totals: countByStatus(results),
    exit_code: EXIT_CODES[outcome],
    steps: begun.slice(0, MAX_STEPS).map(({ address, action, status }) => {
      return { address: truncateMiddle(address, MAX_NAME), action, status };
    }),
    steps_left_out: Math.max(0, begun.length - MAX_STEPS),
  };
}

const NOT_BEGUN: readonly StepStatus[] = ['blocked', 'not_attempted'];

function isBegun({ status, requests_done: done }: StepResult): boolean {
  return done > 0 || !NOT_BEGUN.includes(status);
}

function countByStatus(results: readonly StepResult[]): Record<StepStatus, number> {
  const totals: Record<StepStatus, number> = { done: 0, failed: 0, blocked: 0, not_attempted: 0, unknown: 0 };
  for (const { status } of results) totals[status] += 1;
  return totals;
}
