// What the program that embeds the engine throws in a callback. Before the approval it ends the run, because a plan must have been
// shown; afterwards the run goes on, and its report says that output was lost.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { ApplyRun } from './execution/execution.ts';

/** The run with an `emit`, a `trace` and a `flush` that never throw or reject. */
export function catchCallerErrors(run: ApplyRun): ApplyRun {
  const thrown: unknown[] = [];
  const keep = (error: unknown) => void thrown.push(error);
  const caught =
    <T>(tell: (given: T) => unknown) =>
    (given: T): void => {
      try {
        void Promise.resolve(tell(given)).catch(keep);
      } catch (error) {
        keep(error);
      }
    };
  const endIfThrown = () => {
    if (thrown.length > 0) throw thrown[0];
  };
  const { trace } = run.connection;
  return {
    ...run,
    ...(trace && { connection: { ...run.connection, trace: caught(trace) } }),
    emit: caught(run.emit),
    approve: async (plan) => {
      endIfThrown();
      await run.approve(plan);
      endIfThrown();
    },
    flush: async () => {
      const lost = await Promise.resolve()
        .then(() => run.flush?.())
        .catch(keep);
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
