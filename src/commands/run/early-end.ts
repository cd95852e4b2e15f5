// When a run ends early: by a signal or by its deadline. Knows how to say it, not what was under way.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ExitCode } from '../shell/exit.ts';
import { EXIT, interruptCode } from '../shell/exit.ts';
import { CommandFailure } from '../shell/failure.ts';
import type { Host } from '../shell/host.ts';

/** Why the run ended early, with its exit code: 130 or 143 for a signal, `late` for the deadline. */
export function earlyEnd(host: Host, late: ExitCode): { readonly exitCode: ExitCode; readonly why: Diagnostic } {
  const name = host.signalName();
  if (name === undefined) {
    const message = 'the run reached its deadline';
    const fix = 'give it more time with --deadline, or run it again';
    return { exitCode: late, why: { code: 'deadline-reached', severity: 'error', message, fix } };
  }
  const why: Diagnostic = { code: 'interrupted', severity: 'error', message: `the run was ended by ${name}` };
  return { exitCode: interruptCode(name), why };
}

/** The work's result, or a failure as soon as the run is to end. For work that changes nothing. */
export async function unlessStopped<T>(work: Promise<T>, host: Host): Promise<T> {
  const { signal } = host;
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      const { exitCode, why } = earlyEnd(host, EXIT.error);
      reject(new CommandFailure(exitCode, [why]));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
