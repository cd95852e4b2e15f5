// Progress of a run: as a live table, and as one line for a log.

import { columns, pad } from '../../core/text/columns.ts';
import { duration, plural } from '../../core/text/text.ts';
import { paint, type RenderOptions, type TextStyle } from '../render-options.ts';
import { squeeze } from './lines.ts';

/** Something that takes time; `since` is a time of the run's clock. */
interface Begun {
  readonly since: number;
}

export interface RunningStep extends Begun {
  readonly name: string;
  readonly tone: TextStyle;
}

interface Steps extends Begun {
  readonly total: number;
  readonly done: number;
  /** Steps that failed or whose outcome is unknown. */
  readonly failed: number;
  /** In the order of their start. */
  readonly running: ReadonlyMap<string, RunningStep>;
}

interface Reading extends Begun {
  readonly kinds: number;
  readonly kindsRead: number;
  readonly pages: number;
  readonly objects: number;
}

/** What is under way; members are absent while there is nothing to show. */
export interface Progress {
  readonly steps?: Steps | undefined;
  /** The steps are done, and their result is being checked. */
  readonly check?: Begun | undefined;
  readonly reading?: Reading | undefined;
  /** Nothing new is started. */
  readonly isStopping?: boolean;
}

/** The available space, and the time. */
interface Frame {
  readonly now: number;
  readonly width: number;
  readonly rows: number;
}

/** Steps that must end before the remaining time can be estimated. */
const MEASURED_STEPS = 3;
const MEASURED_MS = 2_000;

/** The table in at most this many rows: the status line and the running steps. */
export function progressLines(progress: Progress, frame: Frame, style: RenderOptions): string[] {
  const { steps } = progress;
  if (steps === undefined) {
    const said = waitFor(progress, frame.now);
    return said === undefined ? [] : [paint(style, 'strong', said)];
  }
  const said = statesOf(progress, steps, frame.now).find(
    (one, index, all) => index === all.length - 1 || columns(one) <= frame.width,
  );
  return [paint(style, 'strong', said ?? ''), ...runningLines([...steps.running.values()], frame, style)];
}

/** The status line, in shorter and shorter versions. */
function statesOf({ isStopping }: Progress, steps: Steps, now: number): string[] {
  const { total, done, failed, running, since } = steps;
  const left = total - done - failed - running.size;
  const took = now - since;
  const counts = [
    `${done} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${running.size} running`,
    `${left} left`,
  ];
  const end = isStopping ? ', stopping' : toGo(steps, took);
  const time = clockText(took);
  return [
    `${counts.join(', ')} · ${time}${end}`,
    `${counts.join(', ')} · ${time}`,
    `${done + failed}/${total}${failed > 0 ? `, ${failed} failed` : ''} · ${time}`,
    `${done + failed}/${total}`,
  ];
}

/** Remaining time, estimated from the speed so far. */
function toGo({ total, done, failed }: Steps, took: number): string {
  const ended = done + failed;
  if (ended < MEASURED_STEPS || took < MEASURED_MS || ended === total) return '';
  return `, about ${clockText((took / ended) * (total - ended))} to go`;
}

/** Whole seconds, because the table needs no finer ones. */
function clockText(ms: number): string {
  return ms < 10_000 ? `${Math.floor(ms / 1000)} s` : duration(ms);
}

function runningLines(running: readonly RunningStep[], { now, width, rows }: Frame, style: RenderOptions): string[] {
  const room = Math.max(0, rows - 1);
  const shown = running.slice(0, running.length > room ? Math.max(0, room - 1) : room);
  const times = shown.map(({ since }) => clockText(now - since));
  const most = Math.max(0, width - 4 - Math.max(0, ...times.map(columns)));
  const names = shown.map(({ name }) => squeeze(name, most));
  const widest = Math.max(0, ...names.map(columns));
  const more = running.length - shown.length;
  return [
    ...shown.map(({ tone }, index) => {
      const name = pad(names[index] ?? '', widest);
      return `  ${paint(style, tone, name)}  ${paint(style, 'quiet', times[index] ?? '')}`;
    }),
    ...(more > 0 && room > 0 ? [paint(style, 'quiet', `  … and ${more} more`)] : []),
  ];
}

/** What the run waits for while no step runs. */
function waitFor({ reading, check }: Progress, now: number): string | undefined {
  const since = check?.since ?? reading?.since;
  if (since === undefined) return undefined;
  const what = check === undefined ? 'Reading the service' : 'Checking what was done';
  return `${what}${reading === undefined ? '' : `: ${countsOf(reading)}`} · ${clockText(now - since)}`;
}

function countsOf({ kinds, kindsRead, pages, objects }: Reading): string {
  return `${kindsRead} of ${plural(kinds, 'kind')}, ${plural(pages, 'page')}, ${plural(objects, 'object')}`;
}

/** Number of running steps named in a log line. */
const NAMED_STEPS = 3;

/** A log line that shows that the run is alive; undefined while it waits for nothing. */
export function heartbeatLine(progress: Progress, now: number): string | undefined {
  const { steps } = progress;
  const said = waitFor(progress, now);
  if (steps === undefined)
    return said === undefined ? undefined : `Still ${said.charAt(0).toLowerCase()}${said.slice(1)}`;
  const running = [...steps.running.values()];
  const named = running.slice(0, NAMED_STEPS).map(({ name, since }) => `${name} for ${clockText(now - since)}`);
  const more = running.length > named.length ? [`${running.length - named.length} more`] : [];
  const [state = ''] = statesOf(progress, steps, now);
  return `Still running: ${[...named, ...more].join(', ')}; ${state}`;
}
