// A world for `main()` in this process: collected streams, a person who answers, signals on demand.

import { instantClock } from './applying.ts';
import { directNetwork } from './direct-network.ts';
import type { Host, Sink } from '../../src/commands/shell/host.ts';
import { main } from '../../src/commands/shell/program.ts';
import { EXIT_CODES } from '../../src/core/run-outcome.ts';
import type { Ran } from './cli.ts';
import { HELD_BACK } from './cli.ts';
import { recorded } from './recorder.ts';

export interface Person {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Width of the terminal; 100 by default. */
  readonly columns?: number;
  /** What the person types; undefined when nobody can be asked. */
  readonly answer?: string;
  /** True where a test brings the filter something to hold back. */
  readonly mayHoldBack?: boolean;
  /** Called with each piece of standard output. */
  readonly onStdout?: (text: string, interrupt: () => void) => void;
  /** Aborted by a SIGINT. */
  readonly signal?: AbortController;
  /** The platform, where it is not the one of the tests. */
  readonly ports?: Host['ports'];
  readonly every?: Host['every'];
  /** What becomes of standard output. */
  readonly flushed?: Sink['flushed'];
  /** All of standard input. */
  readonly stdin?: string;
}

interface Seen extends Ran {
  readonly both: string;
  readonly asked: readonly string[];
}

/** Runs one command line; `asked` holds the questions, and `both` what was written to either stream. */
export function run(args: readonly string[], person: Person): Promise<Seen> {
  return recorded(args, call(args, person));
}

async function call(
  args: readonly string[],
  {
    cwd,
    env = {},
    columns = 100,
    answer,
    onStdout,
    mayHoldBack,
    ports,
    every,
    flushed,
    signal = new AbortController(),
    stdin = '',
  }: Person,
): Promise<Seen> {
  const asked: string[] = [];
  const written = { stdout: '', stderr: '', both: '' };
  const sink = (name: 'stdout' | 'stderr'): Sink => ({
    isTty: false,
    columns,
    write: (text) => {
      written[name] += text;
      written.both += text;
      if (name === 'stdout')
        onStdout?.(text, () => {
          signal.abort();
        });
    },
  });
  const host: Host = {
    stdout: { ...sink('stdout'), flushed },
    stderr: sink('stderr'),
    // Without a name, git would be started for it.
    env: { EDGEFORM_ACTOR: 'tester', ...env },
    cwd,
    readStdin: () => Promise.resolve(new TextEncoder().encode(stdin)),
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
    every,
    signal: signal.signal,
    hardCancel: new AbortController().signal,
    signalName: () => (signal.signal.aborted ? 'SIGINT' : undefined),
    untilSignal: new Promise(() => undefined),
    // What would be waited for is over at once.
    ports: { clock: instantClock(), exchange: directNetwork, ...ports },
  };
  const code = EXIT_CODES[await main(args, host, '1.2.3')];
  if (mayHoldBack !== true && HELD_BACK.test(written.stderr)) throw new Error(written.stderr);
  return { code, ...written, asked };
}
