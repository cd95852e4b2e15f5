// How far lists lag behind, measured on what this run created itself. That something is there only once is believed when
// everything of this run was listed, after as long again, and when nothing can be created any more that is as old.

import type { Creation, RunHistory } from '../gate/run-history.ts';

export type LagMeter = ReturnType<typeof createLagMeter>;

/** `settleMs` is the longest lag that the user expects; `isListable` tells kinds that lists show. */
export function createLagMeter(history: RunHistory, settleMs: number, isListable: (kind: string) => boolean) {
  /** Ids that a list has shown. */
  const shown = new Set<string>();
  /** Longest time after which an object of this run was first listed, having been missed before. */
  let late = 0;
  /** Shortest time after which one was there at the first look. */
  let prompt = Infinity;
  /** When the read ended that completed the list. */
  let completeAt: number | undefined;
  let isProven = false;
  const missed = new Set<string>();
  const waited = () =>
    [...history.created.values()].filter(({ id, kind }) => isListable(kind) && !history.deleted.has(id));
  const lag = () => Math.min(settleMs, late > 0 ? late : prompt);
  /** The time from which on a read proves something; undefined while something of this run was not listed. */
  const provesFrom = () =>
    completeAt === undefined ? undefined : Math.max(completeAt, ...waited().map(endOfStamp)) + lag();
  /** Notes a read of all lists; `listed` are the ids that a list showed, without what was only found by its id. */
  const note = (began: number, ended: number, listed: ReadonlySet<string>) => {
    const created = waited();
    const proves = began >= (provesFrom() ?? Infinity);
    for (const { id, at } of created) {
      if (!listed.has(id)) missed.add(id);
      else if (!shown.has(id)) {
        shown.add(id);
        if (missed.has(id)) late = Math.max(late, ended - at);
        else prompt = Math.min(prompt, ended - at);
      }
    }
    const isComplete = created.every(({ id }) => shown.has(id));
    if (isComplete) completeAt ??= ended;
    // What was created longer ago than any lag is listed by now, and so is everything older.
    const isOld = created.every((one) => began >= endOfStamp(one) + settleMs);
    // A list that forgets what it showed is one of a cache, and no proof of anything.
    isProven = created.every(({ id }) => listed.has(id)) && (proves || isOld);
  };
  return {
    note,
    /** True once a read began late enough for its lists to be believed. */
    isProven: () => isProven,
    /** Ids of this run that no list has shown yet. */
    unlisted: (): readonly string[] => waited().flatMap(({ id }) => (shown.has(id) ? [] : [id])),
    /** Milliseconds from `now` until a read could prove something; undefined while that is not known. */
    waitMs: (now: number): number | undefined => {
      const from = provesFrom();
      return from === undefined ? undefined : Math.max(0, from - now);
    },
  };
}

const SECOND_MS = 1_000;

/**
 * Until when another object with the same time of creation may come to be. Which of the two is the later one could not be
 * seen, so its run must not be over by then.
 */
function endOfStamp({ at, stamp }: Creation): number {
  return stamp?.includes('.') === true ? at : at + SECOND_MS;
}
