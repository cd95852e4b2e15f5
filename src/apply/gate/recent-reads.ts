// Reads that the writes of one moment share: what the gate asks a rule of again is no older than a few seconds when a write is
// sent (ADR-0047).

import type { LiveResource } from '../../resource/snapshot.ts';
import type { Clock } from '../../platform/clock.ts';

/**
 * How long ago a read may have ended that a rule is asked of right before a write. Short enough that nobody plans and applies in
 * between, and long enough that deletions which follow each other share their lists where two requests a second are allowed.
 */
export const RECENT_MS = 5_000;

/** A read, which several writes wait for or use. */
interface SharedRead<T> {
  readonly value: Promise<T>;
  /** Undefined while it is under way. */
  endedAt: number | undefined;
}

/** When a recent read is not used. */
interface Unless<T> {
  /** It had this value. */
  readonly value?: T;
  /** It ended before this time: the write has failed since, and waited. */
  readonly endedBefore?: number;
}

/** Reads by their keys. */
interface RecentReads<T> {
  /** The value of a recent read, or of a new one. */
  readonly get: (key: string, read: () => Promise<T>, unless?: Unless<T>) => Promise<T>;
}

/** A single object as it was read; undefined when it no longer exists. */
interface ReadObject {
  readonly live: LiveResource | undefined;
}

/** The reads of a run, or of all runs that share a service. */
export interface GateReads {
  /** Objects of a top-level kind with their children, by its name. */
  readonly lists: RecentReads<readonly LiveResource[]>;
  /** Single objects by id. */
  readonly objects: RecentReads<ReadObject>;
}

export function createGateReads(clock: Pick<Clock, 'now'>): GateReads {
  return { lists: recentReads(clock), objects: recentReads(clock) };
}

function recentReads<T extends object>(clock: Pick<Clock, 'now'>): RecentReads<T> {
  const known = new Map<string, SharedRead<T>>();
  const isRecent = ({ endedAt = Infinity }: SharedRead<T>) => clock.now() - endedAt <= RECENT_MS;
  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    const own: SharedRead<T> = {
      value: read().finally(() => {
        own.endedAt = clock.now();
      }),
      endedAt: undefined,
    };
    known.set(key, own);
    return own.value;
  };
  const get: RecentReads<T>['get'] = async (key, read, unless = {}) => {
    const last = known.get(key);
    const { endedAt = Infinity } = last ?? {};
    const isTooOld = endedAt < (unless.endedBefore ?? -Infinity);
    if (last === undefined || !isRecent(last) || isTooOld) return begin(key, read);
    // What failed for another write may be a matter of that write alone.
    const value = await last.value.catch(() => undefined);
    if (value !== undefined && value !== unless.value) return value;
    return known.get(key) === last ? begin(key, read) : get(key, read, unless);
  };
  return { get };
}
