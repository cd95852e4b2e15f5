// The file of `--metrics-file`: a run's outcome for Prometheus, even if it failed. Written before the document, which reports a
// failure to write it, and again when standard output is lost.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { withLostOutput, worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { FileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { runMetrics, drawMetrics, type Metric } from '../../render/metrics/metrics.ts';
import { SAME_FILE } from './check-outputs.ts';
import type { Invocation } from '../shell/invocation.ts';
import { sayProblems, withLostFile } from '../shell/problems.ts';

export interface MetricsFile {
  /** Records what is known so far. */
  readonly tell: (stack: string, metrics?: readonly Metric[]) => void;
  /** Writes the file when only the document is left; a failure becomes part of the outcome. */
  readonly end: <Ended extends Parameters<typeof withLostOutput>[0]>(ended: Ended) => Ended;
}

/** The collector runs as another user. */
const FOR_ALL = 0o644;

/** Runs a command that may have a metrics file. */
export async function withMetricsFile(
  command: string,
  run: Invocation,
  work: (metrics: MetricsFile) => Promise<RunOutcome> | RunOutcome,
): Promise<RunOutcome> {
  const { settings, platform, cwd } = run;
  const { metricsFile } = settings;
  if (metricsFile === undefined) return work({ tell: () => undefined, end: (ended) => ended });
  const began = platform.clock.now();
  let known: { readonly stack: string; readonly metrics: readonly Metric[] } = { stack: '', metrics: [] };
  let told: RunOutcome | undefined;
  const write = (outcome: RunOutcome): Diagnostic[] => {
    told = outcome;
    const took = (platform.clock.now() - began) / 1000;
    const ended = runMetrics({ command, outcome, took, at: Date.parse(platform.wallTime()) / 1000 });
    try {
      const text = drawMetrics([...ended, ...known.metrics], { stack: known.stack });
      platform.textFiles.writeAtomic(resolve(cwd, metricsFile), text, FOR_ALL);
      return [];
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      told = worstOf(outcome, 'output');
      return [fileDiagnostic(error)];
    }
  };
  try {
    const outcome = await work({
      tell: (stack, metrics = []) => {
        known = { stack, metrics };
      },
      end: (ended) => withLostOutput(ended, write(ended.outcome)),
    });
    if (outcome === told) return outcome;
    const lost = write(outcome);
    sayProblems(lost, run);
    return lost.length === 0 ? outcome : worstOf(outcome, 'output');
  } catch (error) {
    const failure = error instanceof Failure ? error : new Failure('error', []);
    const { outcome, diagnostics } = failure;
    // With invalid usage, the file may be one that must not be changed.
    if (outcome === 'usage' || diagnostics.some(({ code }) => code === SAME_FILE)) throw error;
    const lost = write(outcome);
    throw error === failure ? withLostFile(failure, lost, run) : error;
  }
}
