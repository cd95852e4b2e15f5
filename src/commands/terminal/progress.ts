// Progress of a run on standard error: on a terminal, a table redrawn below permanent output; elsewhere, a line for each step
// that ended, and a heartbeat after a silence.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import { renderEvent, rowName } from '../../render/events.ts';
import { isLog } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { indented } from '../../render/text/lines.ts';
import {
  heartbeatLine,
  progressLines,
  stackLine,
  type Progress,
  type RunningStack,
  type RunningStep,
} from '../../render/text/progress.ts';
import type { Settings } from '../options/settings.ts';
import type { Host } from '../shell/host.ts';
import type { CommandEvent } from '../shell/listener.ts';
import type { ApplyEvent } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import type { Clock } from '../../platform/clock.ts';
import { stepName } from '../../render/view/report.ts';

/** Minimum time between two frames of the table. */
const FRAME_MS = 100;
/** Shorter waits are not shown. */
const SHOWN_AFTER_MS = 500;
const PULSE_MS = 1_000;
const HEARTBEAT_MS = 30_000;
/** A log mentions reads that take longer. */
const LONG_READING_MS = 5_000;

interface ProgressInput extends Pick<Host, 'stderr' | 'env' | 'every' | 'signal'> {
  readonly settings: Pick<Settings, 'format' | 'events'>;
  readonly platform: Pick<Platform, 'clock'>;
  readonly style: RenderOptions;
}

/** True where lines can be redrawn and output is not kept as a log. */
function isLive({ stderr, env, settings }: ProgressInput): boolean {
  const isForPeople = settings.format === 'text' || !isLog(settings.format);
  return isForPeople && settings.events !== '-' && stderr.isTty && stderr.show !== undefined && env['TERM'] !== 'dumb';
}

export function createProgress(input: ProgressInput) {
  const { every, platform, style } = input;
  const { clock } = platform;
  const began = clock.now();
  const state = createRunState(clock);
  let fleet: ReturnType<typeof createFleetState> | undefined;
  const isTable = isLive(input);
  const now = () => ({ ...state.now(), ...fleet?.now() });
  const { say, show, flush, pulse } = createVoice(input, now, isTable);
  /** Its permanent lines; a stack of several has one when its steps are over. */
  const takeEvent = (event: CommandEvent, name: string | undefined): readonly string[] => {
    if (fleet !== undefined && name !== undefined && event.type === 'step') return fleet.note(event.event, name);
    state.note(event);
    const lines = linesOf(event, style);
    return name === undefined ? lines : lines.map((line) => `${name}: ${line}`);
  };
  let paused = 0;
  let stop: (() => void) | undefined;
  return {
    /** Takes an event of the run, and prints its permanent line. */
    note: (event: CommandEvent, stack?: string) => {
      stop ??= isTable ? every?.(FRAME_MS, show) : every?.(PULSE_MS, pulse);
      if (event.type === 'loaded' && event.names !== undefined) fleet = createFleetState(clock, event.names);
      const name = stack === undefined ? undefined : fleet?.nameOf(stack);
      for (const line of takeEvent(event, name)) say(line);
      if (state.now().steps === undefined) flush();
    },
    /** Waits for a person, which does not count as time of the run. */
    pause: async <T>(work: () => Promise<T>): Promise<T> => {
      const from = clock.now();
      try {
        return await work();
      } finally {
        paused += clock.now() - from;
      }
    },
    /** Milliseconds since the command started. */
    took: () => clock.now() - began - paused,
    /** Prints the rest and erases the table. */
    end: (): readonly Diagnostic[] => {
      stop?.();
      flush();
      input.stderr.show?.([]);
      return [];
    },
  };
}

/** Prints lines and draws the table. */
function createVoice(
  { stderr, platform: { clock }, style, signal }: ProgressInput,
  state: ReturnType<typeof createRunState>['now'],
  isTable: boolean,
) {
  const waiting: string[] = [];
  let saidAt = clock.now();
  const flush = () => {
    if (waiting.length > 0) stderr.write(waiting.splice(0).join(''));
  };
  const say = (line: string) => {
    const margin = /^ */.exec(line)?.[0] ?? '';
    const lines = isTable ? indented(line.trimStart(), stderr.columns || 80, margin, `${margin}  `) : [line];
    waiting.push(`${lines.join('\n')}\n`);
    saidAt = clock.now();
    // With a table, they are printed with the next frame: there may be thousands of steps per second.
    if (!isTable) flush();
  };
  /** The current state, and since when. */
  const look = () => {
    const now = clock.now();
    const stand = { ...state(), isStopping: signal.aborted };
    const { since } = stand.stacks ?? stand.steps ?? stand.check ?? stand.reading ?? { since: now };
    return { now, stand, since };
  };
  return {
    flush,
    say,
    show: () => {
      flush();
      const { now, stand, since } = look();
      const frame = { now, width: stderr.columns || 60, rows: Math.max(1, (stderr.rows ?? 12) - 2) };
      stderr.show?.(now - since < SHOWN_AFTER_MS ? [] : progressLines(stand, frame, style));
    },
    pulse: () => {
      const { now, stand, since } = look();
      const isLongReading = stand.reading?.since === since && now - since >= LONG_READING_MS && saidAt <= since;
      if (now - Math.max(saidAt, since) < HEARTBEAT_MS && !isLongReading) return;
      const line = heartbeatLine(stand, now);
      if (line !== undefined) say(line);
    },
  };
}

function linesOf(event: CommandEvent, style: RenderOptions): string[] {
  switch (event.type) {
    case 'step': {
      const line = renderEvent(event.event, style);
      return line === undefined ? [] : [line];
    }
    case 'warning':
      return [`warning: ${escapeControls(event.message)}`];
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
function createRunState({ now }: Clock) {
  const running = new Map<string, RunningStep>();
  let state: Progress = {};
  const noteStep = (event: ApplyEvent) => {
    if (event.type === 'started') {
      running.clear();
      state = { steps: { total: event.plan.steps.length, done: 0, failed: 0, running, since: now() } };
    } else if (event.type === 'step-started') {
      const step = stepName(event.step, event.step.phase);
      const name = truncateMiddle(escapeControls(`${step.action.symbol} ${rowName(step)}`), LONGEST_NAME);
      running.set(event.step.id, { name, tone: step.action.tone, since: now() });
    } else if (event.type === 'step-ended') {
      running.delete(event.step.id);
      const { status } = event.result;
      const key = status === 'done' ? status : 'failed';
      // A step that was stopped before it sent anything is still to do.
      if (state.steps && status !== 'not_attempted')
        state = { ...state, steps: { ...state.steps, [key]: state.steps[key] + 1 } };
    } else state = { check: { since: now() } };
  };
  return {
    now: () => state,
    note: (event: CommandEvent) => {
      if (event.type === 'step') noteStep(event.event);
      if (event.type === 'reading') state = { ...state, reading: { ...event, since: state.reading?.since ?? now() } };
      if (event.type === 'read') state = { ...state, reading: undefined };
    },
  };
}

/** Takes steps by the name of their stack in the fleet. */
function createFleetState({ now }: Clock, names: ReadonlyMap<string, string>) {
  const started = new Map<string, RunningStack>();
  const began = now();
  return {
    now: (): Pick<Progress, 'stacks'> =>
      started.size === 0 ? {} : { stacks: { total: names.size, started, since: began } },
    nameOf: (stack: string) => names.get(stack) ?? stack,
    /** Returns a line for a stack whose steps are over. */
    note: (event: ApplyEvent, name: string): readonly string[] => {
      const before = started.get(name);
      if (event.type === 'started')
        started.set(name, { total: event.plan.steps.length, done: 0, failed: 0, isOver: false, since: now() });
      if (before === undefined) return [];
      if (event.type === 'step-ended') started.set(name, counted(before, event.result.status));
      if (event.type !== 'finished') return [];
      started.set(name, { ...before, isOver: true });
      return [stackLine(name, before, now())];
    },
  };
}

/** A step that was stopped before it sent anything is still to do. */
function counted(stack: RunningStack, status: string): RunningStack {
  if (status === 'done') return { ...stack, done: stack.done + 1 };
  return status === 'not_attempted' ? stack : { ...stack, failed: stack.failed + 1 };
}
