// Connects the process with the commands. The only place that sets the exit code or listens for signals.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Host } from './commands/shell/host.ts';
import { printNoParent, printUnexpectedError } from './commands/shell/unexpected-error.ts';
import { main } from './commands/shell/program.ts';
import { STANDARD_INPUT } from './core/diagnostic.ts';
import { tryTo } from './core/try.ts';
import { EXIT_CODES, signalOutcome } from './core/run-outcome.ts';
import { GRACE_MS } from './reconcile/stop.ts';
import { outputOf } from './commands/shell/streams.ts';
import { readStream, whenPipeCloses } from './platform/read.ts';

/** Time left for the report after a hard cancel. */
const REPORT_MS = 1_000;

/**
 * V8 optimises a function after this much executed bytecode. A run is over before most of that pays off, so the budget is 45
 * times the default (ADR-0033). The heap grows to 2.5 times of what is in use, and not to four times of it, before garbage is
 * looked for everywhere: a large fleet needs a fifth less memory. V8 versions after Node 20's lack flags and would print a warning.
 */
if (process.versions.v8.startsWith('11.'))
  for (const flag of ['--interrupt-budget=3000000', '--heap-growing-percent=150']) setFlagsFromString(flag);

const stdout = outputOf(process.stdout);
const stderr = outputOf(process.stderr);
const controller = new AbortController();
const hardCancel = new AbortController();
let signalName: string | undefined;

/** The first signal starts nothing new, the second aborts requests in flight, the third exits at once. */
function onSignal(name: NodeJS.Signals): void {
  const leave = () => {
    stderr.show('');
    process.exit(EXIT_CODES[signalOutcome(signalName)]);
  };
  const giveUp = () => {
    if (hardCancel.signal.aborted) leave();
    hardCancel.abort();
    setTimeout(leave, REPORT_MS).unref();
  };
  if (signalName !== undefined) {
    giveUp();
    return;
  }
  signalName = name;
  controller.abort();
  setTimeout(giveUp, GRACE_MS).unref();
}

async function ask(question: string, on: 'stdout' | 'stderr'): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process[on].isTTY) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process[on] });
  try {
    // A terminal in raw mode reports Ctrl-C and Ctrl-D as events; without handling them, the prompt would never end.
    terminal.once('SIGINT', () => onSignal('SIGINT'));
    // After Ctrl-Z and fg it would read nothing more, and the program would end.
    terminal.on('SIGCONT', () => {
      terminal.resume();
    });
    const closed = once(terminal, 'close').then(() => Promise.reject(new Error('closed')));
    return await Promise.race([terminal.question(question, { signal: controller.signal }), closed]);
  } catch {
    return '\u0004';
  } finally {
    terminal.close();
  }
}

function version(): string {
  const found: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof found === 'object' && found !== null && 'version' in found ? String(found.version) : 'unknown';
}

const host: Host = {
  stdout,
  stderr,
  env: process.env,
  cwd: tryTo(() => process.cwd()) ?? '',
  readStdin: (limit) => readStream(process.stdin, STANDARD_INPUT, limit),
  ask,
  hasKeyboard: process.stdin.isTTY,
  signal: controller.signal,
  hardCancel: hardCancel.signal,
  signalName: () => signalName,
  untilSignal: once(controller.signal, 'abort').then(() => undefined),
  every: (ms, call) => {
    const timer = setInterval(call, ms).unref();
    return () => clearInterval(timer);
  },
};

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
// The shell writes next; the progress is redrawn after SIGCONT.
process.on('SIGTSTP', () => {
  stderr.show('');
  process.kill(process.pid, 'SIGSTOP');
});
// Node would print the error with all the data that it quotes.
process.on('uncaughtException', (error) => {
  printUnexpectedError(error, stderr);
  void stderr.flushed().then(() => process.exit(EXIT_CODES.error));
});
// Without the variable, no descriptor is looked at: a shell, cron and nohup leave anything or nothing there.
const parent = process.env['EDGEFORM_PARENT_FD'] ?? '';
if (parent !== '' && !whenPipeCloses(parent, () => onSignal('SIGTERM'))) printNoParent(stderr);
const args = process.argv.slice(2);
const outcome = await main(args, host, version());
const isWhole = (await stdout.flushed()) === 'ok';
const explained = async () => (await import('./commands/shell/perform.ts')).explainLostOutput(outcome, args, host);
process.exitCode = EXIT_CODES[isWhole ? outcome : await explained()];
await stderr.flushed();
// Aborted requests would keep the process alive; everything has been written.
if (signalName !== undefined) process.exit();
