// The process environment of a command as one record: streams, variables, folders and signals. Tests supply their own.

import type { StreamLimit } from '../../platform/read.ts';
import type { Ports } from '../../reconcile/platform.ts';
import type { Stop } from '../../reconcile/stop.ts';

export interface Sink {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  readonly columns: number;
  /** Shows lines, or none, until anything else is written; undefined where nothing can be redrawn. */
  readonly show?: ((text: string) => void) | undefined;
  /** Resolves when all output was written, with the result; undefined where nothing can be lost. */
  readonly flushed?: (() => Promise<'ok' | 'closed' | 'failed'>) | undefined;
}

export interface Host extends Stop {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory; empty if it no longer exists. */
  readonly cwd: string;
  /** Reads standard input to its end; fails with `FileError`. */
  readonly readStdin: (limit: StreamLimit) => Promise<Uint8Array>;
  /**
   * Prompts a person, on the stream that shows what it is about; undefined without a terminal, and the character that ends an input,
   * U+0004, when the question ended without an answer, by Ctrl-D or a signal.
   */
  readonly ask: (question: string, on: 'stdout' | 'stderr') => Promise<string | undefined>;
  /** True when standard input is a terminal. */
  readonly hasKeyboard?: boolean;
  readonly untilSignal: Promise<void>;
  /** Calls a function repeatedly until the returned function is called; if undefined, elapsed time is not shown. */
  readonly every?: ((ms: number, call: () => void) => () => void) | undefined;
  /** Replacements for parts of the platform, for tests. */
  readonly ports?: Partial<Ports>;
}
