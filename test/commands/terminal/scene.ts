// A run that is told to `createProgress` event by event, on a clock that only goes when it is told to.

import { vi } from 'vitest';
import type { StepStatus } from '../../../src/apply/event.ts';
import { openOutputFilter } from '../../../src/commands/shell/output-filter.ts';
import type { Host } from '../../../src/commands/shell/host.ts';
import { invoke } from '../../../src/commands/shell/invocation.ts';
import type { Invocation } from '../../../src/commands/shell/invocation.ts';
import { outputOf } from '../../../src/commands/shell/streams.ts';
import type { Flags } from '../../../src/commands/options/settings.ts';
import type { Step } from '../../../src/plan/plan.ts';
import { resultOf, THIS_RUN } from '../../reconcile/sample.ts';
import { planOf, stepOf } from '../../render/sample.ts';
import type { TestTerminal } from '../../support/terminal.ts';
import { createTerminal } from '../../support/terminal.ts';

export interface Scene {
  readonly terminal: TestTerminal;
  readonly run: Invocation;
  /** What a log got, where standard error is none of the terminal. */
  readonly log: () => string;
  readonly stdout: () => string;
  /** Lets time pass; whatever is called again and again is called when it is due. */
  readonly pass: (ms: number) => void;
  readonly plan: (steps: readonly Step[]) => void;
  readonly begin: (step: Step) => void;
  readonly end: (step: Step, status?: StepStatus, error?: string) => void;
  readonly finish: () => void;
  readonly interrupt: () => void;
  readonly close: () => void;
}

export interface SceneOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly flags?: Flags;
  readonly env?: Readonly<Record<string, string>>;
  /** False where standard error is a file. */
  readonly isTty?: boolean;
  /** True where standard output is the same terminal. */
  readonly isShared?: boolean;
  readonly ask?: Host['ask'];
}

interface Timer {
  readonly ms: number;
  readonly call: () => void;
  due: number;
}

export function createScene(options: SceneOptions = {}): Scene {
  const { columns = 80, rows = 24, flags = {}, env = {}, ask = () => Promise.resolve('yes') } = options;
  const { isTty = true, isShared = false } = options;
  const terminal = createTerminal(columns, rows);
  const written = { log: '', stdout: '' };
  const timers = new Set<Timer>();
  const signal = new AbortController();
  let time = 1_000_000;
  const file = (name: 'log' | 'stdout') => ({
    isTty: false,
    columns: 0,
    write: (text: string) => void (written[name] += text),
  });
  const { host, close } = openOutputFilter({
    stdout: isShared ? outputOf(terminal.stream) : file('stdout'),
    stderr: isTty ? outputOf(terminal.stream) : file('log'),
    env,
    cwd: '/',
    readStdin: () => Promise.resolve(new Uint8Array()),
    ask,
    signal: signal.signal,
    hardCancel: new AbortController().signal,
    signalName: () => undefined,
    untilSignal: new Promise(() => undefined),
    every: (ms, call) => {
      const timer = { ms, call, due: time + ms };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    ports: { clock: { now: () => time, sleep: vi.fn(() => Promise.resolve()) } },
  });
  const run = invoke(flags, host);
  const { note } = run.progress;
  return {
    terminal,
    run,
    log: () => written.log,
    stdout: () => written.stdout,
    pass: (ms) => {
      const end = time + ms;
      for (;;) {
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > end) break;
        time = next.due;
        next.due += next.ms;
        next.call();
      }
      time = end;
    },
    plan: (steps) => {
      note({ type: 'step', event: { type: 'started', plan: planOf({ steps }) }, run: THIS_RUN });
    },
    begin: (step) => {
      beganAt.set(step.id, time);
      note({ type: 'step', event: { type: 'step-started', step }, run: THIS_RUN });
    },
    end: (step, status = 'done', error) => {
      const { id, address, action } = step;
      const live_id = status === 'done' ? `edgtls_${id}` : null;
      const result = resultOf(id, { address, action, status, live_id, error: error ?? null });
      const ms = time - (beganAt.get(id) ?? time);
      note({ type: 'step', event: { type: 'step-ended', step, result, ms }, run: THIS_RUN });
    },
    finish: () => {
      note({ type: 'step', event: { type: 'finished', results: [], outputs: {} }, run: THIS_RUN });
    },
    interrupt: () => {
      signal.abort();
    },
    close: () => {
      run.progress.end();
      close();
    },
  };
}

const beganAt = new Map<string, number>();

export function creation(id: string, address: string): Step {
  return stepOf({ id, address, action: 'create', kind: 'tls_edge' });
}
