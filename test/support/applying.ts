// What every apply in a test needs besides plan and client; time passes without waiting.

import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { LiveResource, Snapshot } from '../../src/resource/snapshot.ts';
import type { Clock } from '../../src/platform/clock.ts';

/** A clock whose sleeps are over at once. */
export function instantClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
      await Promise.resolve();
    },
  };
}

/** The live objects of a snapshot as an apply takes them. */
export function liveOf({ resources }: Snapshot): ReadonlyMap<string, LiveResource> {
  return new Map(resources.map((live) => [live.id, live]));
}

export const APPLY_DEFAULTS = {
  live: new Map<string, LiveResource>(),
  capabilities: new Set(CAPABILITIES),
  clock: instantClock(),
  settleMs: 2_000,
} as const;
