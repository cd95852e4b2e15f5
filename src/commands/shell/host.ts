// The world outside a command, as one record: streams, environment, folders and signals. Tests give their own.

import type { Clock } from '../../platform/clock.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { Files } from '../../platform/files.ts';
import type { ProcessIdentity } from '../../platform/machine.ts';
import type { StreamLimit } from '../../platform/read.ts';

export interface Sink {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  readonly columns: number;
}

/** The platform below a command. A simulation gives its own, so that every effect is its own. */
export interface Ports {
  /** One attempt of a request; the network when missing. */
  readonly exchange: Exchange | undefined;
  readonly clock: Clock;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** The bare files; commands have them behind the filter. */
  readonly files: Files;
  readonly identity: ProcessIdentity;
  /** ISO 8601 in UTC. */
  readonly wallTime: () => string;
  /** A new name for a run, which nobody can guess. */
  readonly runName: () => string;
  /** Aborted when a simulated process has ended without a word. */
  readonly gone: AbortSignal | undefined;
}

export interface Host {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** All of standard input; fails with `FileError`. */
  readonly readStdin: (limit: StreamLimit) => Promise<Uint8Array>;
  /** Asks a person; undefined when nobody can be asked. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** Aborted when what is in flight is not waited for any more: some seconds later, or at the second signal. */
  readonly abandon: AbortSignal;
  /** Name of the signal that came, if any. */
  readonly signalName: () => string | undefined;
  /** Resolves when a signal comes. */
  readonly untilSignal: Promise<void>;
  readonly now: () => number;
  /** Today's date in UTC, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** The platform below, where it is not the real one. */
  readonly ports?: Partial<Ports>;
}
