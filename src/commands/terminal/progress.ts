// What a run tells people while it goes on, on standard error: on a terminal a table that is drawn in place, below what is
// written for good; anywhere else a line for each step that ended, and a sign of life when nothing was said for a while.

import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import type { RunEvent } from '../../reconcile/run.ts';
import { isLog, renderEvent } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { indented } from '../../render/text/lines.ts';
import { heartbeatLine, progressLines } from '../../render/text/progress.ts';
import type { Settings } from '../options/settings.ts';
import type { Host } from '../shell/host.ts';
import { createRunState } from './run-state.ts';

/** How often the table is drawn at most. */
const FRAME_MS = 100;
/** Waits that are shorter are not shown. */
const SHOWN_AFTER_MS = 500;
const PULSE_MS = 1_000;
const HEARTBEAT_MS = 30_000;
/** A reading that takes longer is told in a log. */
const LONG_READING_MS = 5_000;

interface ProgressInput extends Pick<Host, 'stderr' | 'env' | 'every' | 'signal'> {
  readonly settings: Pick<Settings, 'format' | 'events'>;
  readonly platform: Pick<Platform, 'clock'>;
  readonly style: RenderOptions;
}

/** True where lines can be drawn again and nobody keeps a log of them. */
function isLive({ stderr, env, settings }: ProgressInput): boolean {
  const isForPeople = settings.format === 'text' || !isLog(settings.format);
  return isForPeople && settings.events !== '-' && stderr.isTty && stderr.show !== undefined && env['TERM'] !== 'dumb';
}

export function createProgress(input: ProgressInput) {
  const { every, platform, style } = input;
  const { clock } = platform;
  const began = clock.now();
  const state = createRunState(clock);
  const isTable = isLive(input);
  const { say, show, flush, pulse } = createVoice(input, state.now, isTable);
  let paused = 0;
  let stop: (() => void) | undefined;
  return {
    /** Takes note of what a run tells, and says what is to be kept of it. */
    tell: (event: RunEvent) => {
      stop ??= isTable ? every?.(FRAME_MS, show) : every?.(PULSE_MS, pulse);
      state.note(event);
      for (const line of linesOf(event, style)) say(line);
      if (state.now().steps === undefined) flush();
    },
    /** The work of a person, which does not count as time of the run. */
    pause: async <T>(work: () => Promise<T>): Promise<T> => {
      const from = clock.now();
      try {
        return await work();
      } finally {
        paused += clock.now() - from;
      }
    },
    /** Milliseconds since the command began. */
    took: () => clock.now() - began - paused,
    /** Says what is left and takes the table away. */
    end: () => {
      stop?.();
      flush();
      input.stderr.show?.([]);
    },
  };
}

/** How all that is said, and how the table is drawn. */
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
    // Beside a table they come with the next frame: there may be thousands of steps in a second.
    if (!isTable) flush();
  };
  /** How the run stands, and since when it does what it does. */
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

function linesOf(event: RunEvent, style: RenderOptions): string[] {
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
