// Measures how far lists lag behind, on this run's own creations. An object counts as the only one once everything of this run
// was listed, after the same time again, and when nothing of that age can be created any more.

import type { Creation, RunHistory } from '../gate/run-history.ts';

export type LagMeter = ReturnType<typeof createLagMeter>;

/** `settleMs` is the longest lag that the user expects; `isListable` says which kinds have lists. */
export function createLagMeter(history: RunHistory, settleMs: number, isListable: (kind: string) => boolean) {
  /** Ids seen in a list. */
  const shown = new Set<string>();
  /** Longest time until an object of this run was first listed after a read missed it. */
  let late = 0;
  /** Shortest time after which one was found by the first read. */
  let prompt = Infinity;
  /** When the read ended that completed the list. */
  let completeAt: number | undefined;
  let isProven = false;
  const missed = new Set<string>();
  const waited = () =>
    [...history.created.values()].filter(({ id, kind }) => isListable(kind) && !history.deleted.has(id));
  const lag = () => Math.min(settleMs, late > 0 ? late : prompt);
  /** The time from which a read proves something; undefined while an object of this run is not listed. */
  const provesFrom = () =>
    completeAt === undefined ? undefined : Math.max(completeAt, ...waited().map(endOfStamp)) + lag();
  /** Records a read of all lists; `listed` are the ids in a list, without objects that were only found by id. */
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
    // Anything created longer ago than the maximum lag is listed by now, and so is everything older.
    const isOld = created.every((one) => began >= endOfStamp(one) + settleMs);
    // A list that loses objects comes from a cache, and proves nothing.
    isProven = created.every(({ id }) => listed.has(id)) && (proves || isOld);
  };
  return {
    note,
    /** True once a read began late enough for its lists to be trusted. */
    isProven: () => isProven,
    /** Ids of this run that no list has shown yet. */
    unlisted: (): readonly string[] => waited().flatMap(({ id }) => (shown.has(id) ? [] : [id])),
    /** Milliseconds from `now` until a read could prove something; undefined while that is unknown. */
    waitMs: (now: number): number | undefined => {
      const from = provesFrom();
      return from === undefined ? undefined : Math.max(0, from - now);
    },
  };
}

const SECOND_MS = 1_000;

/**
 * Until when another object with the same creation time may be created. Nobody could see which of the two is later, so the run
 * must not end before.
 */
function endOfStamp({ at, stamp }: Creation): number {
  return stamp?.includes('.') === true ? at : at + SECOND_MS;
}
