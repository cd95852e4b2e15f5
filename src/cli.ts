#!/usr/bin/env node
// The executable: joins the process to the commands. The only place that sets the exit code or listens for signals.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Host } from './commands/host.ts';
import { EXIT } from './commands/exit.ts';
import { main } from './commands/program.ts';
import { outputOf } from './commands/streams.ts';

/** How long requests in flight may take to end after a signal. */
const GRACE_MS = 6_000;

const stdout = outputOf(process.stdout);
const stderr = outputOf(process.stderr);
const controller = new AbortController();
let signalName: string | undefined;

function onSignal(name: NodeJS.Signals): void {
  const code = name === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  if (signalName !== undefined) process.exit(code);
  signalName = name;
  controller.abort();
  setTimeout(() => process.exit(code), GRACE_MS).unref();
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question, { signal: controller.signal });
  } catch {
    return '';
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
  cwd: process.cwd(),
  readStdin: () => readFileSync(0, 'utf8'),
  ask,
  signal: controller.signal,
  signalName: () => signalName,
  untilSignal: new Promise((resolve) => {
    controller.signal.addEventListener('abort', () => {
      resolve();
    });
  }),
  now: () => performance.now(),
};

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
const exitCode = await main(process.argv.slice(2), host, version());
const written = await stdout.flushed();
await stderr.flushed();
process.exitCode =
  written === 'failed' || (written === 'closed' && exitCode === EXIT.done && process.argv.includes('json'))
    ? EXIT.output
    : exitCode;
