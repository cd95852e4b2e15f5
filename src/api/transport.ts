// The seam between our code and the service: what a client can do, as types. A reader has no way to write.

import type { Json, JsonObject } from '../base/json.ts';

export interface ApiWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Path under the base URL, with ids filled in. */
  readonly path: string;
  readonly body?: JsonObject;
}

/** Read-only client. Every method throws `ApiError` for anything but a well-formed answer of the expected shape. */
export interface ReadClient {
  /** All items of a list over all pages; counts pages in `requests`. */
  readonly list: (
    path: string,
    key: string,
  ) => Promise<{ readonly items: readonly JsonObject[]; readonly requests: number }>;
  /** One object, or undefined when the service says in its own form that there is none. */
  readonly get: (path: string) => Promise<JsonObject | undefined>;
}

/** Read and write client; only `apply/` and the commands in front of it hold one. */
export interface WriteClient extends ReadClient {
  /** Sends one write; gives the response body (null for 204). */
  readonly write: (request: ApiWrite) => Promise<Json>;
}

/** Failure classes: `rejected` is provably not done, `unknown` may have been done, `unusable` is a wrong or unreadable answer to a read. */
export type FailureClass = 'rejected' | 'unknown' | 'unusable';

/** One failed request, in words for people; never holds a credential. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly failure: FailureClass;
  readonly status: number | undefined;
  readonly fix: string | undefined;

  constructor(details: {
    readonly code: string;
    readonly message: string;
    readonly failure: FailureClass;
    readonly status?: number | undefined;
    readonly fix?: string | undefined;
  }) {
    super(details.message);
    this.code = details.code;
    this.failure = details.failure;
    this.status = details.status;
    this.fix = details.fix;
  }
}
