// What every apply in a test needs besides plan and client; time passes without waiting.

import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { Clock } from '../../src/api/clock.ts';

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

export const APPLY_DEFAULTS = {
  existing: new Set<string>(),
  capabilities: new Set(CAPABILITIES),
  clock: instantClock(),
  settleMs: 2_000,
} as const;
