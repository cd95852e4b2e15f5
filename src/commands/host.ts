// The world outside a command, as one record: streams, environment, folders and signals. Tests give their own.

export interface Sink {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  readonly columns: number;
}

export interface Host {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** All of standard input. */
  readonly readStdin: () => string;
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
}
