// What a run is asked for, what it stands on and what it tells while it goes on. A run ends with a value or a `Failure`.

import type { ApplyEvent } from '../apply/event.ts';
import { CAPABILITIES } from '../catalog/kind.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import type { PlanOptions } from '../plan/plan-options.ts';
import type { ClientPorts } from '../service/http/client-state.ts';
import type { ReadProgress } from '../service/read.ts';
import type { ClientSettings } from '../service/settings.ts';
import type { Platform } from './platform.ts';
import type { Stop } from './stop.ts';

/** What the user says about a write of an earlier run of which nobody knows what became. */
export interface Resolution {
  readonly address: string;
  readonly as: { readonly id: string } | 'absent';
}

/** What a run may do, and how. */
export interface RunOptions extends Pick<PlanOptions, 'targets' | 'allowDeletes' | 'allowReplace' | 'capabilities'> {
  /** Steps at a time. */
  readonly concurrency: number;
  /** For how long a creation whose answer was lost is looked for. */
  readonly settleMs: number;
  /** This long after it was begun the run begins nothing new; undefined for no limit. */
  readonly deadlineMs: number | undefined;
  /** Path of the journal; the working directory is the base of a relative one. */
  readonly journal: string;
  /** Folder for values that the service shows once; without one no object that has such a value is created. */
  readonly tokenDir: string | undefined;
  readonly resolutions: readonly Resolution[];
}

/** What holds where nothing else is asked for; the journal's path follows from the stack. */
export const DEFAULT_OPTIONS: Omit<RunOptions, 'journal'> = {
  targets: [],
  allowDeletes: undefined,
  allowReplace: [],
  capabilities: new Set(CAPABILITIES),
  concurrency: 8,
  settleMs: 20_000,
  deadlineMs: undefined,
  tokenDir: undefined,
  resolutions: [],
};

/** What happens during a run. Values are exact, and a plain one may repeat a secret: texts of the library show them. */
export type RunEvent =
  | { readonly type: 'warning'; readonly message: string }
  /** Why nothing happens for a while. */
  | { readonly type: 'waiting'; readonly message: string }
  /** How far the reading of the live state came, and that it came to its end. */
  | ({ readonly type: 'reading' } & ReadProgress)
  | { readonly type: 'read'; readonly objects: number; readonly requests: number }
  /** The plan that will be carried out, or that stops the run. */
  | { readonly type: 'planned'; readonly plan: Plan }
  | { readonly type: 'step'; readonly event: ApplyEvent }
  /** Entries that could not be written to the journal, and that whoever repairs it needs. */
  | { readonly type: 'journal-lacks'; readonly entries: readonly JournalEntry[] };

/** One run: what it is about, and the world around it. */
export interface RunInput extends Stop {
  readonly manifest: Manifest;
  readonly connection: ClientSettings;
  readonly options: RunOptions;
  readonly platform: Platform;
  readonly emit: (event: RunEvent) => void;
}

/** A run that is not about a manifest. */
export type Bare = Omit<RunInput, 'manifest' | 'options'> & { readonly options: Pick<RunOptions, 'capabilities'> };

/** Waits longer than this are told. */
const ANNOUNCED_WAIT_MS = 2_000;
/** Of waits longer than this the end is told. */
const LONG_WAIT_MS = 60_000;

/** What a client of this run stands on, and how its waits end: with the run. */
export function clientPorts({
  platform,
  signal,
  emit,
  deadlineAt,
}: Pick<Bare, 'platform' | 'signal' | 'emit' | 'deadlineAt'>): ClientPorts {
  const { exchange, clock, random } = platform;
  return {
    ...(exchange && { exchange }),
    clock,
    random,
    signal,
    ...(deadlineAt !== undefined && { deadlineMs: deadlineAt }),
    onRetry: ({ method, path, why, waitMs }) => {
      if (waitMs < ANNOUNCED_WAIT_MS) return;
      const message = `waiting ${Math.ceil(waitMs / 1000)} s after ${method} ${path} (${why})`;
      const hint = deadlineAt === undefined ? '; --deadline limits how long a run waits' : '';
      const until = waitMs > LONG_WAIT_MS ? `, until ${timeIn(waitMs, platform.wallTime())}${hint}` : '';
      emit({ type: 'waiting', message: `${message}${until}` });
    },
  };
}

/** In whole seconds, rounded up. */
function timeIn(ms: number, now: string): string {
  const time = new Date(Math.ceil((Date.parse(now) + ms) / 1000) * 1000);
  return time.toISOString().replace('.000Z', 'Z');
}
