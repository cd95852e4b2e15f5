// What is known of a request that failed, and what may follow: the one language for it, in the client and in apply (ADR-0016).
//
// Example: a POST gets no answer before its time is over. That is `lost` for a `creation`, and NEXT says `look`: the client does
// not send it again, because the object may exist. Apply looks for the object by its marker, and only if there is none does it
// send the creation again. Had the connection been refused, the request would be `unsent`, and NEXT would say `again`.

/** What is known of a request without a usable answer. */
export type Known =
  /** It never left, or the service said that it did not process it (421, 425). */
  | 'unsent'
  /** It cannot leave before the user corrects a name, a certificate or TLS. */
  | 'unreachable'
  /** The service answered 429 and did nothing. */
  | 'throttled'
  /** The service rejected it for good. */
  | 'refused'
  /** The service answered 5xx or 408: it may have been carried out. */
  | 'failed'
  /** There was no whole answer: it may have been carried out. */
  | 'lost'
  /** There was an answer that says nothing: it may have been carried out. */
  | 'unusable';

/** What a request is, as far as a repeat of it matters. */
export type RequestType =
  /** Changes nothing, so that it can always be repeated. */
  | 'read'
  /** A repeat could make a second object. */
  | 'creation'
  /** A repeat does the same again to an object that is known. */
  | 'change';

/** What may follow a failed request. */
type Next =
  /** It is sent again. */
  | 'again'
  /** It may have been carried out: apply looks before it is sent again. */
  | 'look'
  /** It has failed. */
  | 'stop';

export const NEXT: Readonly<Record<Known, Readonly<Record<RequestType, Next>>>> = {
  unsent: { read: 'again', creation: 'again', change: 'again' },
  unreachable: { read: 'stop', creation: 'stop', change: 'stop' },
  throttled: { read: 'again', creation: 'again', change: 'again' },
  refused: { read: 'stop', creation: 'stop', change: 'stop' },
  failed: { read: 'again', creation: 'look', change: 'look' },
  lost: { read: 'again', creation: 'look', change: 'look' },
  unusable: { read: 'stop', creation: 'look', change: 'look' },
};

export function requestType(method: string): RequestType {
  if (method === 'GET') return 'read';
  return method === 'POST' ? 'creation' : 'change';
}

/** A failed request, as far as its outcome matters. */
export interface FailedRequest {
  readonly known: Known;
  readonly type: RequestType;
}

/** True for a write that may have been carried out, although there is no usable answer to it. */
export function mayHaveHappened({ known, type }: FailedRequest): boolean {
  return NEXT[known][type] === 'look';
}

/** True for a request that the service certainly did not process. */
export function wasNotProcessed({ known }: FailedRequest): boolean {
  return known === 'unsent' || known === 'unreachable' || known === 'throttled';
}
