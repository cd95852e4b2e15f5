// How long to wait before a retry, by our own count or as the service asks. Pure: randomness is an argument.

const BASE_MS = 500;
const CAP_MS = 20_000;
const MAX_PAUSE_S = 60;

/** Full jitter: anything up to a bound that doubles with every retry, counted from 1; longer if the service asks for it. */
export function backoffMs(retry: number, random: () => number, retryAfterMs?: number): number {
  const asked = retryAfterMs === undefined ? 0 : askedMs(retryAfterMs, random);
  return Math.max(asked, random() * Math.min(CAP_MS, BASE_MS * 2 ** (retry - 1)));
}

/** Pause of all requests when a service throttles without saying for how long; doubles with `level`, from 1. */
export function pauseMs(level: number, random: () => number): number {
  const most = Math.min(MAX_PAUSE_S, 2 ** level);
  return 1000 * (1 + random() * (most - 1));
}

/** The wait that the service asked for, and up to a tenth more, so that many clients do not return at the same time. */
export function askedMs(retryAfterMs: number, random: () => number): number {
  return retryAfterMs * (1 + random() / 10);
}

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait in a Retry-After header in milliseconds: whole seconds, or an HTTP date relative to the service's own clock.
 * Undefined if missing or invalid.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Our clock may be wrong by years, so a date is only compared with that of the answer.
  const wait = httpDate(text) - httpDate(headers['date'] ?? '');
  return wait > 0 ? wait : undefined;
}

function httpDate(text: string): number {
  return DATE.test(text) ? Date.parse(text) : NaN;
}
