// The world outside a command, as one record: streams, environment, folders and signals. Tests give their own.

import type { StreamLimit } from '../../platform/read.ts';
import type { Ports } from '../../reconcile/platform.ts';
import type { Stop } from '../../reconcile/stop.ts';

export interface Sink {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  readonly columns: number;
  /** Lines of a terminal; undefined when nobody knows. */
  readonly rows?: number | undefined;
  /** Keeps these lines below everything that is written, in place of the last ones; missing where nothing can be drawn again. */
  readonly show?: ((lines: readonly string[]) => void) | undefined;
  /** Resolves when everything was handed over, and tells what became of it; missing where nothing can be lost. */
  readonly flushed?: (() => Promise<'ok' | 'closed' | 'failed'>) | undefined;
}

export interface Host extends Stop {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory; empty when there is none any more. */
  readonly cwd: string;
  /** All of standard input; fails with `FileError`. */
  readonly readStdin: (limit: StreamLimit) => Promise<Uint8Array>;
  /** Asks a person, beside what it is about; undefined when nobody can be asked. */
  readonly ask: (question: string, on: 'stdout' | 'stderr') => Promise<string | undefined>;
  /** True when standard input is a terminal. */
  readonly hasKeyboard?: boolean;
  /** Resolves when a signal comes. */
  readonly untilSignal: Promise<void>;
  /** Calls again and again until the function that it gives is called; where it is missing, time is not shown. */
  readonly every?: ((ms: number, call: () => void) => () => void) | undefined;
  /** Today's date in UTC, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** The platform below, where it is not the real one. */
  readonly ports?: Partial<Ports>;
}
