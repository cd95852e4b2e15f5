// What follows a request that failed, and how often: the one table of retries, for the client and for apply (ADR-0016).

/**
 * What is known of a failed request: `unsent` certainly was not processed, `throttled` was turned away by 429, `refused` was
 * rejected for good, `failed` got a 5xx or 408, `lost` got no whole answer, `unusable` an answer that says nothing.
 */
export type Known = 'unsent' | 'throttled' | 'refused' | 'failed' | 'lost' | 'unusable';

type Sent = 'read' | 'creation' | 'change';

/** `again`: it is sent again; `look`: it may have been carried out, and apply looks before it is; `stop`: it has failed. */
export const NEXT: Readonly<Record<Known, Readonly<Record<Sent, 'again' | 'look' | 'stop'>>>> = {
  unsent: { read: 'again', creation: 'again', change: 'again' },
  throttled: { read: 'again', creation: 'again', change: 'again' },
  refused: { read: 'stop', creation: 'stop', change: 'stop' },
  failed: { read: 'again', creation: 'look', change: 'look' },
  lost: { read: 'again', creation: 'look', change: 'look' },
  unusable: { read: 'stop', creation: 'look', change: 'look' },
};

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

export function sentAs(method: string): Sent {
  return method === 'GET' ? 'read' : method === 'POST' ? 'creation' : 'change';
}
