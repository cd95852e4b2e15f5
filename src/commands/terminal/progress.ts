// Progress of a run on standard error: a line for each step that ended, and one that says what is under way. On a terminal, that
// line is redrawn below all other output; a log has it only after a silence.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControls, escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { Platform } from '../../reconcile/platform.ts';
import { renderEvent, rowName } from '../../render/events.ts';
import { isLog } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { progressLine, stackLine, type Progress, type StepCounts } from '../../render/text/progress.ts';
import type { Settings } from '../options/settings.ts';
import type { Host } from '../shell/host.ts';
import type { CommandEvent } from '../shell/listener.ts';
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
    const { text = '', since = now } = progressLine(state.now(), now) ?? {};
    const line = text === '' || !signal.aborted ? text : `${text}, stopping`;
    if (isPaused) return;
    if (isDrawn) stderr.show?.(now - since < SHOWN_AFTER_MS ? '' : line);
    else if (line !== '' && now - Math.max(saidAt, since) >= SILENCE_MS) say(line);
  };
  return {
    /** Takes an event of the run, and prints its permanent line. */
    note: (event: CommandEvent, stack?: string) => {
      stop ??= every?.(isDrawn ? FRAME_MS : PULSE_MS, tick);
      const aboutStack = state.note(event, stack);
      const name = state.nameOf(stack);
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
  const running = new Map<string, { readonly name: string; readonly since: number }>();
  let state: Progress = { running };
  let names: ReadonlyMap<string, string> | undefined;
  const stacks = new Map<string, StepCounts>();
  const noteStep = (event: ApplyEvent) => {
    if (event.type === 'started') {
      running.clear();
      state = { running, steps: begun(event.plan.steps.length, now()) };
    } else if (event.type === 'step-started') {
      const name = escapeControls(rowName(stepName(event.step, event.step.phase)));
      running.set(event.step.id, { name: truncateMiddle(name, LONGEST_NAME), since: now() });
    } else if (event.type === 'step-ended') {
      running.delete(event.step.id);
      state = { ...state, steps: state.steps && counted(state.steps, event.result.status) };
    } else state = { running, check: { since: now() } };
  };
  /** Of several stacks, only the number is shown, and a line for each whose steps are over. */
  const noteStack = (event: ApplyEvent, stack: string, total: number): readonly string[] => {
    const steps = stacks.get(stack);
    if (event.type === 'started') stacks.set(stack, begun(event.plan.steps.length, now()));
    if (event.type === 'step-ended' && steps) stacks.set(stack, counted(steps, event.result.status));
    const over = (state.stacks?.over ?? 0) + Number(event.type === 'finished');
    state = { ...state, stacks: { since: now(), ...state.stacks, total, started: stacks.size, over } };
    return event.type === 'finished' && steps ? [stackLine(names?.get(stack) ?? stack, steps, now())] : [];
  };
  return {
    now: () => state,
    nameOf: (stack: string | undefined) => names?.get(stack ?? ''),
    /** Returns the permanent lines about a stack of several, or undefined if the event stands for itself. */
    note: (event: CommandEvent, stack: string | undefined): readonly string[] | undefined => {
      if (event.type === 'loaded' && event.names !== undefined) names = event.names;
      if (event.type === 'reading') state = { ...state, reading: { ...event, since: state.reading?.since ?? now() } };
      if (event.type === 'read') state = { ...state, reading: undefined };
      if (event.type !== 'step') return undefined;
      if (names !== undefined && stack !== undefined) return noteStack(event.event, stack, names.size);
      noteStep(event.event);
      return undefined;
    },
  };
}

function begun(total: number, since: number): StepCounts {
  return { total, done: 0, failed: 0, since };
}

/** A step that was stopped before it sent anything is still to do. */
function counted(steps: StepCounts, status: string): StepCounts {
  if (status === 'done') return { ...steps, done: steps.done + 1 };
  return status === 'not_attempted' ? steps : { ...steps, failed: steps.failed + 1 };
}
