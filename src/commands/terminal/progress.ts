// Progress of a run on standard error: a line for each step that ended, and one that says what is under way. On a terminal, that
// line is redrawn below all other output, of several stacks below a table of them; a log has it only after a silence.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import { renderEvent, rowName } from '../../render/events.ts';
import { isLog } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { progressLine, stackLine, stacksProgress, type Progress, type StepCounts } from '../../render/text/progress.ts';
import type { Settings } from '../options/settings.ts';
import type { Host } from '../shell/host.ts';
import type { CommandEvent, Subject } from '../shell/listener.ts';
import type { ApplyEvent } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
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

export function createProgress(input: ProgressInput) {
  const { every, stderr, signal, style } = input;
  const { clock } = input.platform;
  const began = clock.now();
  const state = createRunState(clock);
  const isDrawn = isLive(input);
  let saidAt = began;
  let paused = 0;
  let isPaused = false;
  let stop: (() => void) | undefined;
  const say = (line: string) => {
    stderr.write(`${line}\n`);
    saidAt = clock.now();
  };
  const tick = () => {
    const now = clock.now();
    const { one, stacks } = state.now();
    const shown = stacks === undefined ? progressLine(one, now) : stacksProgress(stacks, now);
    const { text = '', since = now, rows = [] } = shown ?? {};
    const line = text === '' || !signal.aborted ? text : `${text}, stopping`;
    if (isPaused) return;
    if (isDrawn) stderr.show?.(now - since < SHOWN_AFTER_MS ? '' : [...rows, line].join('\n'));
    else if (line !== '' && now - Math.max(saidAt, since) >= SILENCE_MS) say(line);
  };
  return {
    /** Takes an event of the run, and prints its permanent line. */
    note: (event: CommandEvent, { name }: Partial<Subject> = {}) => {
      stop ??= every?.(isDrawn ? FRAME_MS : PULSE_MS, tick);
      const aboutStack = state.note(event, name);
      const own = linesOf(event, style).map((line) => (name === undefined ? line : `${name}: ${line}`));
      for (const line of aboutStack ?? own) say(line);
    },
    /** Waits for a person, which does not count as time of the run. Nothing is drawn while they type. */
    pause: async <T>(work: () => Promise<T>): Promise<T> => {
      const from = clock.now();
      isPaused = true;
      stderr.show?.('');
      try {
        return await work();
      } finally {
        isPaused = false;
        paused += clock.now() - from;
      }
    },
    /** Milliseconds since the command started. */
    took: () => clock.now() - began - paused,
    /** Erases the line. */
    end: (): readonly Diagnostic[] => {
      stop?.();
      stderr.show?.('');
      return [];
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
      return [`warning: ${escapeControls(event.message)}${event.code === undefined ? '' : `  [${event.code}]`}`];
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
  let one: Progress = { running: new Map() };
  const running = new Map<string, Progress>();
  let stacks: Parameters<typeof stacksProgress>[0] | undefined;
  /** A stack of several: returns its line when its steps are over. */
  const noteStack = (event: ApplyEvent, name: string): readonly string[] => {
    const { steps } = running.get(name) ?? {};
    if (event.type !== 'finished') running.set(name, after(event, running.get(name), now()));
    else if (running.delete(name)) stacks = stacks && { ...stacks, over: stacks.over + 1 };
    return event.type === 'finished' && steps ? [stackLine(name, steps, now())] : [];
  };
  return {
    now: () => ({ one, stacks }),
    /** Returns the permanent lines about a stack of a fleet, by its name, or undefined if the event stands for itself. */
    note: (event: CommandEvent, name: string | undefined): readonly string[] | undefined => {
      if (event.type === 'approved') stacks = { since: now(), total: event.stacks, over: 0, running };
      if (event.type === 'reading') one = { ...one, reading: { ...event, since: one.reading?.since ?? now() } };
      if (event.type === 'read') one = { ...one, reading: undefined };
      if (event.type !== 'step') return undefined;
      if (name !== undefined) return noteStack(event.event, name);
      one = after(event.event, one, now());
      return undefined;
    },
  };
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
