// What a run stands on, and when it is to end: with a signal, or at its deadline.

import { within } from '../../platform/clock.ts';
import type { ClientPorts } from '../../service/client.ts';
import type { Host } from '../shell/host.ts';
import type { RawOptions } from '../options/options.ts';
import { deadlineOf, GRACE_MS } from '../options/options.ts';
import { portsOf } from '../shell/ports.ts';

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
    signal: within(deadline, host.signal),
    abandon: within(deadline + GRACE_MS, host.abandon),
  };
}
