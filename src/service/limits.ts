// How often and how long: the numbers of retries, waits and pace, for the client and for apply (ADR-0016).

/** Maximum numbers; throttling is not a failure, and is waited out until the deadline. */
export const LIMITS = {
  /** Of requests in flight, where the user names no other number. */
  requests: 32,
  /** Of tries of one request that certainly had no effect. */
  tries: { read: 6, creation: 5, change: 5 },
  /** Of one write whose answers are lost, each after a look. */
  lost: { creation: 2, change: 5 },
  /** Of a repeat that is not sent because the service is resting. */
  held: 5,
  /** Of the reads right before a write, when one of them had to be repeated. */
  checks: 4,
  /** Of a list that changes while it is read, and of a plan from such lists. */
  lists: 3,
  plans: 4,
} as const;

/** Waits in milliseconds, and times that are compared with them. */
export const WAITS = {
  /** Before a retry: up to `first`, doubled each time up to `last`; as long as the service asks, up to `longest`. */
  retry: { first: 500, last: 20_000, longest: 15 * 60_000 },
  /** Of all requests after a 429 that does not say how long; the bound above `least` doubles each time up to `most`. */
  pause: { least: 1_000, most: 60_000 },
  /** Between a look and its write, once it was throttled right after one; doubled each time. */
  rest: { first: 250, last: 15 * 60_000 },
  /** With less time left until the end of the run, throttling ends a request. */
  ending: 2_000,
  /** A timer may fire this much too early. */
  early: 20,
} as const;

/**
 * Requests in flight at first. Each answer allows one more until the service first struggles, and from then on as many answers in
 * a row as `clean`.
 */
export const PACE = { reads: 4, writes: 2, clean: 10 } as const;
