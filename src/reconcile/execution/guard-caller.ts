// Isolates the callbacks of an embedding program: an exception never ends a run between an intent and its outcome.

import { whenAborted } from '../../apply/abort.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ApplyRun } from './execution.ts';

/**
 * The run with an `emit`, a `trace` and a `flush` that never throw or reject. An exception before the approval ends the run at
 * that point, before any write; later ones are reported as lost output, and the run continues. At the end, pending callbacks
 * are waited for until a hard cancel.
 */
export function guardCaller(run: ApplyRun): ApplyRun {
  const thrown: unknown[] = [];
  const keep = (error: unknown) => void thrown.push(error);
  let told = Promise.resolve();
  const guarded =
    <T>(tell: (given: T) => unknown) =>
    (given: T): void => {
      try {
        const before = told;
        told = Promise.resolve(tell(given))
          .catch(keep)
          .then(() => before);
      } catch (error) {
        keep(error);
      }
    };
  const { trace } = run.connection;
  const endIfThrown = () => {
    if (thrown.length > 0) throw thrown[0];
  };
  return {
    ...run,
    ...(trace && { connection: { ...run.connection, trace: guarded(trace) } }),
    emit: guarded(run.emit),
    approve: async (plan) => {
      endIfThrown();
      await run.approve(plan);
      endIfThrown();
    },
    flush: async () => {
      const lost = await Promise.resolve()
        .then(() => run.flush?.())
        .catch(keep);
      const over = new AbortController();
      await Promise.race([told, whenAborted(run.hardCancel, over.signal)]);
      over.abort();
      return [...(lost ?? []), ...thrown.slice(0, 1).map(lostOutput)];
    },
  };
}

function lostOutput(error: unknown): Diagnostic {
  const why = error instanceof Error ? error.message : String(error);
  const message = `the output of the run could not be shown: ${why}`;
  const fix = 'correct `emit`, `flush` or `trace` in the program that embeds edgeform';
  return { code: 'output-failed', severity: 'error', message, fix };
}
