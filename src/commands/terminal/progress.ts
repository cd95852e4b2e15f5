// Progress of a run on standard error: on a terminal, a table redrawn below permanent output; elsewhere, a line for each step
// that ended, and a heartbeat after a silence.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import { renderEvent, rowName } from '../../render/events.ts';
import { isLog } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { indented } from '../../render/text/lines.ts';
import { heartbeatLine, progressLines, type Progress, type RunningStep } from '../../render/text/progress.ts';
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
  /** Of several stacks, their names in the fleet. */
  let names: ReadonlyMap<string, string> | undefined;
  const isTable = isLive(input);
  const { say, show, flush, pulse } = createVoice(input, state.now, isTable);
  let paused = 0;
  let stop: (() => void) | undefined;
  return {
    /** Takes an event of the run, and prints its permanent line. */
    note: (event: CommandEvent, stack?: string) => {
      stop ??= isTable ? every?.(FRAME_MS, show) : every?.(PULSE_MS, pulse);
      if (event.type === 'loaded') names = event.names;
      const name = stack === undefined ? undefined : names?.get(stack);
      state.note(event, name);
      for (const line of linesOf(event, style)) say(name === undefined ? line : `${name}: ${line.trimStart()}`);
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
    const { since } = stand.steps ?? stand.check ?? stand.reading ?? { since: now };
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
  const noteStep = (event: ApplyEvent, stack: string | undefined) => {
    const lead = stack === undefined ? '' : `${stack}: `;
    if (event.type === 'started') {
      const { length } = event.plan.steps;
      if (stack === undefined) running.clear();
      // Steps of several stacks are counted together.
      const known = stack === undefined ? undefined : state.steps;
      const steps = known ?? { total: 0, done: 0, failed: 0, running, since: now() };
      state = { steps: { ...steps, total: steps.total + length } };
    } else if (event.type === 'step-started') {
      const step = stepName(event.step, event.step.phase);
      const name = truncateMiddle(escapeControls(`${lead}${step.action.symbol} ${rowName(step)}`), LONGEST_NAME);
      running.set(`${lead}${event.step.id}`, { name, tone: step.action.tone, since: now() });
    } else if (event.type === 'step-ended') {
      running.delete(`${lead}${event.step.id}`);
      const { status } = event.result;
      const key = status === 'done' ? status : 'failed';
      // A step that was stopped before it sent anything is still to do.
      if (state.steps && status !== 'not_attempted')
        state = { ...state, steps: { ...state.steps, [key]: state.steps[key] + 1 } };
    } else if (stack === undefined) state = { check: { since: now() } };
  };
  return {
    now: () => state,
    note: (event: CommandEvent, stack?: string) => {
      if (event.type === 'step') noteStep(event.event, stack);
      if (event.type === 'reading') state = { ...state, reading: { ...event, since: state.reading?.since ?? now() } };
      if (event.type === 'read') state = { ...state, reading: undefined };
    },
  };
}
