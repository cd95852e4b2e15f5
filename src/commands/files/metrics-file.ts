// The file of `--metrics-file`: a run's outcome for Prometheus, even if it failed. Written before the document, which reports a
// failure to write it, and again when the outcome is worse in the end.

import { resolve } from 'node:path';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { onFileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import type { FleetStackOutcome } from '../../render/fleet.ts';
import { driftMetrics, drawMetrics, runMetrics, stepMetrics, type Metric } from '../../render/metrics/metrics.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { CommandEvent, Listener } from '../shell/listener.ts';

/** The collector runs as another user. */
const FOR_ALL = 0o644;

/** Without the option, it listens and writes nothing. */
export function metricsListener({ settings, platform, cwd, called }: Invocation): Listener {
  const { metricsFile } = settings;
  const began = platform.clock.now();
  /** What is known of each stack. */
  const known = new Map<string, readonly Metric[]>();
  let written: RunOutcome | undefined;
  const write = (path: string, outcome: RunOutcome) => {
    const took = (platform.clock.now() - began) / 1000;
    const at = Date.parse(platform.wallTime()) / 1000;
    const metrics = runMetrics({ command: called?.command ?? '', outcome, took, at });
    // With several stacks, the outcome is that of all.
    const only = known.size === 1 ? [...known.keys()].join('') : '';
    platform.textFiles.writeAtomic(path, drawMetrics([[only, metrics], ...known]), FOR_ALL);
  };
  return {
    note: (event, stack) => {
      const stacks = event.type === 'fleet' ? event.fleet.stacks : [];
      for (const one of stacks) if (one.stack !== undefined) known.set(one.stack, metricsOf(one));
      if (stack !== undefined) known.set(stack, metricsIn(event) ?? known.get(stack) ?? []);
    },
    end: (outcome) => {
      // With wrong usage, the file may be one that must not be changed.
      if (metricsFile === undefined || outcome === 'usage' || outcome === written) return [];
      written = outcome;
      return onFileError(
        () => {
          write(resolve(cwd, metricsFile), outcome);
          return [];
        },
        (error) => {
          written = worstOf(outcome, 'output');
          return [fileDiagnostic(error)];
        },
      );
    },
  };
}

function metricsIn(event: CommandEvent): readonly Metric[] | undefined {
  if (event.type === 'compared') return driftMetrics(event.view);
  return event.type === 'reported' ? stepMetrics(event.view.plan, event.view.results) : undefined;
}

function metricsOf(one: FleetStackOutcome): readonly Metric[] {
  if (one.is === 'drift') return driftMetrics(one.drift);
  return one.is === 'applied' ? stepMetrics(one.report.plan, one.report.results) : [];
}
