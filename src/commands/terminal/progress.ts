// Progress of a run on standard error: a line for each step that ended, and one that says what is under way. On a terminal, that
// line is redrawn below all other output, of several stacks below a table of them; a log has it only after a silence.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import { renderEvent, rowName } from '../../render/events.ts';
import { isLog } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import {
  progressLine,
  stackLine,
  stacksProgress,
  type Progress,
  type Shown,
  type StacksProgress,
  type StepCounts,
} from '../../render/text/progress.ts';
import type { Settings } from '../options/settings.ts';
import type { Host } from '../shell/host.ts';
import type { CommandEvent, Subject } from '../shell/listener.ts';
import type { ApplyEvent } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import { plural } from '../../core/text/text.ts';
import type { Clock } from '../../platform/clock.ts';
import { stepName } from '../../render/view/report.ts';

/** Minimum time between two drawings of the line. */
const FRAME_MS = 100;
/** Shorter waits are not shown. */
const SHOWN_AFTER_MS = 500;
const PULSE_MS = 1_000;
const SILENCE_MS = 30_000;

interface ProgressInput extends Pick<Host, 'stderr' | 'env' | 'every' | 'signal'> {
  readonly settings: Pick<Settings, 'format' | 'events'>;
  readonly platform: Pick<Platform, 'clock'>;
  readonly style: RenderOptions;
}

/** True where a line can be redrawn and output is not kept as a log. */
function isLive({ stderr, env, settings }: ProgressInput): boolean {
  const isForPeople = settings.format === 'text' || !isLog(settings.format);
  return isForPeople && settings.events !== '-' && stderr.isTty && stderr.show !== undefined && env['TERM'] !== 'dumb';
}

/** What a command tells its user while it runs. */
export interface ProgressDisplay {
  /** Takes an event of the run, and prints its permanent line. */
  readonly note: (event: CommandEvent, about?: Partial<Subject>) => void;
  /** Waits for a person, which does not count as time of the run. Nothing is drawn while they type. */
  readonly pause: <T>(work: () => Promise<T>) => Promise<T>;
  /** Milliseconds since the command started. */
  readonly took: () => number;
  /** Erases the line. */
  readonly end: () => readonly Diagnostic[];
}

export function createProgress(input: ProgressInput): ProgressDisplay {
  const { every, stderr, style } = input;
  const { clock } = input.platform;
  const began = clock.now();
  const state = new RunState(clock);
  const line = new StatusLine(input);
  let paused = 0;
  let stop: (() => void) | undefined;
  return {
    note: (event, { name } = {}) => {
      stop ??= every?.(line.intervalMs, () => line.draw(state.shown()));
      const aboutStack = state.note(event, name);
      const own = linesOf(event, style).map((text) => (name === undefined ? text : `${name}: ${text}`));
      for (const text of aboutStack ?? own) line.say(text);
    },
    pause: async (work) => {
      const from = clock.now();
      line.pause();
      try {
        return await work();
      } finally {
        line.resume();
        paused += clock.now() - from;
      }
    },
    took: () => clock.now() - began - paused,
    end: () => {
      stop?.();
      stderr.show?.('');
      return [];
    },
  };
}

/** The line that says what is under way, and the permanent lines above it. */
class StatusLine {
  readonly intervalMs: number;
  readonly #stderr: Host['stderr'];
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #isDrawn: boolean;
  #saidAt: number;
  #isPaused = false;

  constructor(input: ProgressInput) {
    this.#stderr = input.stderr;
    this.#signal = input.signal;
    this.#clock = input.platform.clock;
    this.#isDrawn = isLive(input);
    this.#saidAt = this.#clock.now();
    this.intervalMs = this.#isDrawn ? FRAME_MS : PULSE_MS;
  }

  say(text: string): void {
    this.#stderr.write(`${text}\n`);
    this.#saidAt = this.#clock.now();
  }

  /** Redraws it on a terminal; in a log, says it after a silence. */
  draw(shown: Shown | undefined): void {
    if (this.#isPaused) return;
    const now = this.#clock.now();
    const { text = '', since = now, rows = [] } = shown ?? {};
    const line = text === '' || !this.#signal.aborted ? text : `${text}, stopping`;
    const isBrief = now - since < SHOWN_AFTER_MS;
    if (this.#isDrawn) this.#stderr.show?.(isBrief ? '' : [...rows, line].join('\n'));
    else if (line !== '' && now - Math.max(this.#saidAt, since) >= SILENCE_MS) this.say(line);
  }

  pause(): void {
    this.#isPaused = true;
    this.#stderr.show?.('');
  }

  resume(): void {
    this.#isPaused = false;
  }
}

function linesOf(event: CommandEvent, style: RenderOptions): string[] {
  switch (event.type) {
    case 'step': {
      const line = renderEvent(event.event, style);
      return line === undefined ? [] : [line];
    }
    case 'warning':
      return [`warning: ${escapeControls(event.message)}${event.code === undefined ? '' : `  [${event.code}]`}`];
    case 'wave-started':
      return [`Wave ${event.wave}: ${plural(event.stacks.length, 'stack')}`];
    case 'waiting':
      return [escapeControls(event.message)];
    case 'journal-lacks':
      return [
        'error: the journal could not be written; missing lines:',
        ...event.entries.map((entry) => `  ${escapeControlsInJson(JSON.stringify(entry))}`),
      ];
    default:
      return [];
  }
}

/** Longer than any address in a manifest. */
const LONGEST_NAME = 200;

/** What is under way in a run, derived from its events. Each event has a constant cost, however many steps there are. */
class RunState {
  readonly #clock: Clock;
  /** By stack of a fleet. */
  readonly #running = new Map<string, Progress>();
  #progress: Progress = { running: new Map() };
  #stacks: StacksProgress | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  shown(): Shown | undefined {
    const now = this.#clock.now();
    return this.#stacks === undefined ? progressLine(this.#progress, now) : stacksProgress(this.#stacks, now);
  }

  /** Returns the permanent lines about a stack of a fleet, by its name, or undefined if the event stands for itself. */
  note(event: CommandEvent, name: string | undefined): readonly string[] | undefined {
    const now = this.#clock.now();
    switch (event.type) {
      case 'approved':
        this.#stacks = { since: now, total: event.stacks, over: 0, running: this.#running };
        return undefined;
      case 'reading':
        this.#progress = { ...this.#progress, reading: { ...event, since: this.#progress.reading?.since ?? now } };
        return undefined;
      case 'read':
        this.#progress = { ...this.#progress, reading: undefined };
        return undefined;
      case 'step':
        if (name !== undefined) return this.#noteStack(event.event, name);
        this.#progress = after(event.event, this.#progress, now);
        return undefined;
      default:
        return undefined;
    }
  }

  /** A stack of several: returns its line when its steps are over. */
  #noteStack(event: ApplyEvent, name: string): readonly string[] {
    const now = this.#clock.now();
    const before = this.#running.get(name);
    if (event.type !== 'finished') {
      this.#running.set(name, after(event, before, now));
      return [];
    }
    const wasRunning = this.#running.delete(name);
    if (wasRunning && this.#stacks !== undefined) this.#stacks = { ...this.#stacks, over: this.#stacks.over + 1 };
    return before?.steps === undefined ? [] : [stackLine(name, before.steps, now)];
  }
}

/** At most as many steps run as requests may be in flight. */
function after(event: ApplyEvent, before: Progress | undefined, now: number): Progress {
  const running = new Map(before?.running);
  switch (event.type) {
    case 'started':
      return { running, steps: begun(event.plan.steps.length, now) };
    case 'step-started': {
      const name = escapeControls(rowName(stepName(event.step, event.step.phase)));
      running.set(event.step.id, { name: truncateMiddle(name, LONGEST_NAME), since: now });
      return { ...before, running };
    }
    case 'step-ended':
      running.delete(event.step.id);
      return { ...before, running, steps: before?.steps && counted(before.steps, event.result.status) };
    case 'finished':
      return { running: new Map(), check: { since: now } };
    default:
      return event satisfies never;
  }
}

function begun(total: number, since: number): StepCounts {
  return { total, done: 0, failed: 0, since };
}

/** A step that was stopped before it sent anything is still to do. */
function counted(steps: StepCounts, status: string): StepCounts {
  if (status === 'done') return { ...steps, done: steps.done + 1 };
  return status === 'not_attempted' ? steps : { ...steps, failed: steps.failed + 1 };
}
