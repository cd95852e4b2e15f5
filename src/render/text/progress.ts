// Progress of a run as one line, for a terminal and for a log; of several stacks, a terminal has a line for each that is written, too.

import { columns, pad } from '../../core/text/columns.ts';
import { duration, plural } from '../../core/text/text.ts';

/** Something that takes time; `since` is a time of the run's clock. */
interface Begun {
  readonly since: number;
}

/** The steps of one stack; `failed` includes those whose outcome is unknown. */
export interface StepCounts extends Begun {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

/** What is under way; members are absent while there is nothing to show. */
export interface Progress {
  readonly steps?: StepCounts | undefined;
  /** Names of the running steps, in the order of their start. */
  readonly running: ReadonlyMap<string, Begun & { readonly name: string }>;
  /** The steps are done, and their result is being checked. */
  readonly check?: Begun | undefined;
  readonly reading?:
    | (Begun & { readonly kinds: number; readonly kindsRead: number; readonly pages: number; readonly objects: number })
    | undefined;
}

/** Several stacks, once they are approved. */
export interface StacksProgress extends Begun {
  readonly total: number;
  readonly over: number;
  /** Those that are being written, by their names. */
  readonly running: ReadonlyMap<string, Progress>;
}

/** What is under way, and since when; `rows` are lines above it. */
export type Shown = Begun & { readonly text: string; readonly rows?: readonly string[] };

/** A line for each stack that is being written, and one for all. */
export function stacksProgress({ since, total, over, running }: StacksProgress, now: number): Shown {
  const width = Math.max(0, ...[...running.keys()].map(columns));
  const rows = [...running].map(([name, one]) => `  ${pad(name, width)}  ${progressLine(one, now)?.text ?? ''}`);
  const what = over < total ? `${running.size} running, ${total - over - running.size} left` : 'checking what was done';
  return { since, text: `${plural(total, 'stack')}: ${over} written, ${what} · ${clockText(now - since)}`, rows };
}

/** The most important of what is under way; undefined while the run waits for nothing. */
export function progressLine(progress: Progress, now: number): Shown | undefined {
  const { steps, check, reading } = progress;
  const found = steps ?? check ?? reading;
  if (found === undefined) return undefined;
  const { since } = found;
  const time = clockText(now - since);
  if (steps !== undefined)
    return { since, text: `${stepsText(steps, progress.running.size)} · ${time}${oldest(progress, now)}` };
  const what = check === undefined ? 'Reading the service' : 'Checking what was done';
  return { since, text: `${what}${reading === undefined ? '' : `: ${readText(reading)}`} · ${time}` };
}

function stepsText({ total, done, failed }: StepCounts, running: number): string {
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return `${done} done${failures}, ${running} running, ${total - done - failed - running} left`;
}

/** The step that has run for the longest time. */
function oldest({ running }: Progress, now: number): string {
  const [first] = running.values();
  return first === undefined ? '' : `; ${first.name} for ${clockText(now - first.since)}`;
}

function readText({ kinds, kindsRead, pages, objects }: NonNullable<Progress['reading']>): string {
  return `${kindsRead} of ${plural(kinds, 'kind')}, ${plural(pages, 'page')}, ${plural(objects, 'object')}`;
}

/** The line of a log about a stack whose steps are over. */
export function stackLine(name: string, { total, done, failed, since }: StepCounts, now: number): string {
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return `  ${name}: ${done} of ${plural(total, 'step')} done${failures} after ${clockText(now - since)}`;
}

/** Whole seconds, because nothing finer is needed. */
function clockText(ms: number): string {
  return ms < 10_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}
