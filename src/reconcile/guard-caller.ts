// The functions of whoever embeds the engine: what they throw is told, and ends no run between an intent and its outcome.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { ApplyRun } from './execution.ts';

/**
 * The run with an `emit` and a `flush` that never throw. What they threw before the plan was approved ends the run there,
 * before anything is written; from then on the run goes on to its end, and the report tells it as output that was lost.
 */
export function guardCaller(run: ApplyRun): ApplyRun {
  const thrown: unknown[] = [];
  return {
    ...run,
    emit: (event) => {
      try {
        run.emit(event);
      } catch (error) {
        thrown.push(error);
      }
    },
    approve: async (plan) => {
      if (thrown.length > 0) throw thrown[0];
      await run.approve(plan);
    },
    flush: async () => {
      const lost = await Promise.resolve()
        .then(() => run.flush?.())
        .catch((error: unknown) => void thrown.push(error));
      return [...(lost ?? []), ...thrown.slice(0, 1).map(lostOutput)];
    },
  };
}

function lostOutput(error: unknown): Diagnostic {
  const why = error instanceof Error ? error.message : String(error);
  const message = `what the run told could not be shown: ${why}`;
  return {
    code: 'output-failed',
    severity: 'error',
    message,
    fix: 'mend `emit` or `flush` of the program that runs this',
  };
}
