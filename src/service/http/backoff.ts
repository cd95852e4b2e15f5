// How long to wait before the next try. Pure: chance is given.

const BASE_MS = 500;
const CAP_MS = 20_000;
const MAX_PAUSE_S = 60;

/** Full jitter: anything up to a bound that doubles with every retry, counted from 1. */
export function backoffMs(retry: number, random: () => number): number {
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** (retry - 1));
}

/** Pause of everything when a service turns requests away and does not say for how long; doubles with `level`, from 1. */
export function pauseMs(level: number, random: () => number): number {
  const most = Math.min(MAX_PAUSE_S, 2 ** level);
  return 1000 * (1 + random() * (most - 1));
}

/** What the service asked for, and up to a tenth more, so that many clients do not come back together. */
export function askedMs(retryAfterMs: number, random: () => number): number {
  return retryAfterMs * (1 + random() / 10);
}
