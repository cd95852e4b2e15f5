// The file of `--metrics-file`: a run's outcome for Prometheus, even if it failed. Written before the document, which reports a
// failure to write it, and again when the outcome is worse in the end.

import { resolve } from 'node:path';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import { readShard } from '../../fleet/select.ts';
import { onFileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import { resultOf } from '../../render/view/stack-outcome.ts';
import { metricsText, type StackMetrics } from '../../render/metrics/metrics.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { Listener, Subject } from '../shell/listener.ts';

/** The collector runs as another user. */
const FOR_ALL = 0o644;

/** Without the option, it listens and writes nothing. */
export function metricsListener({ settings, platform, cwd, env, called }: Invocation): Listener {
  const { metricsFile } = settings;
  const began = platform.clock.now();
  /** What is known of each stack, by its name in the fleet, or by its own. */
  const known = new Map<string, StackMetrics>();
  let written: RunOutcome | undefined;
  const write = (path: string, outcome: RunOutcome) => {
    const took = (platform.clock.now() - began) / 1000;
    const at = Date.parse(platform.wallTime()) / 1000;
    const part = settings.shard === undefined ? undefined : readShard(settings.shard, env).value;
    const shard = part && `${part.index}/${part.of}`;
    const text = metricsText({ command: called?.command ?? '', outcome, took, at, shard }, [...known.values()]);
    platform.textFiles.writeAtomic(path, text, FOR_ALL);
  };
  return {
    note: (event, subject) => {
      const stacks = event.type === 'fleet' ? event.fleet.stacks : [];
      for (const one of stacks) {
        const content = one.is === 'drift' ? one.drift : one.is === 'applied' ? one.report : undefined;
        // One whose manifest cannot be read is known by its name in the fleet.
        const { stack = one.name, service, wave } = one;
        known.set(one.name, { labels: labelsOf({ stack, service, wave }), content, result: resultOf(one) });
      }
      if (subject === undefined) return;
      const { stack, name } = subject;
      const key = name ?? stack;
      const labels = name === undefined ? { stack } : labelsOf(subject);
      const content = event.type === 'compared' || event.type === 'reported' ? event.view : known.get(key)?.content;
      known.set(key, { labels, content });
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

/** In a fleet, two services may have stacks of one name. */
function labelsOf({ stack, service = '', wave }: Subject): StackMetrics['labels'] {
  return { stack, service, ...(wave !== undefined && { wave: String(wave) }) };
}
