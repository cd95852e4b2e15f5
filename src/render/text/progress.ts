// Progress of a run as one line, for a terminal and for a log.

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
  /** Several stacks, once the first of them has started. */
  readonly stacks?: Begun & { readonly total: number; readonly started: number; readonly over: number };
  /** The steps are done, and their result is being checked. */
  readonly check?: Begun | undefined;
  readonly reading?:
    | (Begun & { readonly kinds: number; readonly kindsRead: number; readonly pages: number; readonly objects: number })
    | undefined;
}

/** The most important of what is under way, and since when; undefined while the run waits for nothing. */
export function progressLine(progress: Progress, now: number): (Begun & { readonly text: string }) | undefined {
  const { steps, stacks, check, reading } = progress;
  const found = stacks ?? steps ?? check ?? reading;
  if (found === undefined) return undefined;
  const { since } = found;
  const time = clockText(now - since);
  if (stacks !== undefined) {
    const { total, started, over } = stacks;
    return { since, text: `${plural(total, 'stack')}: ${over} written, ${started - over} running · ${time}` };
  }
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
