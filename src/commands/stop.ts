// When a run ends early: by a signal or by its deadline. Knows how to wait until then, not what was under way.

import type { ClientPorts } from '../api/client.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { ExitCode } from './exit.ts';
import { EXIT, interruptCode } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { deadlineOf, GRACE_MS } from './options.ts';
import { portsOf } from './ports.ts';

/** Waits longer than this are told to people who watch. */
const TOLD_MS = 2_000;

/** What a client of this run stands on, and how its waits end: with the run, of which `host` is `withDeadline`'s. */
export function clientPorts(raw: RawOptions, host: Host): ClientPorts {
  const deadline = deadlineOf(raw);
  const { exchange, clock, random } = portsOf(host);
  return {
    ...(exchange && { exchange }),
    clock,
    random,
    signal: host.signal,
    ...(deadline !== undefined && { deadlineMs: clock.now() + deadline }),
    onRetry: ({ method, path, why, waitMs }) => {
      if (waitMs < TOLD_MS) return;
      host.stderr.write(`waiting ${Math.ceil(waitMs / 1000)} s after ${method} ${path} (${why})\n`);
    },
  };
}

/** The host, with signals that also come at the deadline of `--deadline`. */
export function withDeadline(raw: RawOptions, host: Host): Host {
  const deadline = deadlineOf(raw);
  if (deadline === undefined) return host;
  return {
    ...host,
    signal: abortedBy(host.signal, deadline),
    abandon: abortedBy(host.abandon, deadline + GRACE_MS),
  };
}

function abortedBy(signal: AbortSignal, afterMs: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  setTimeout(abort, afterMs).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

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
