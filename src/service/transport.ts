// The interface between our code and the service: the operations of a client, as types. A reader cannot write.

import type { Code } from '../core/codes.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { wasNotProcessed, type FailedRequest, type Known, type RequestType } from './outcomes.ts';

export interface ApiWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Path under the base URL, with ids filled in. */
  readonly path: string;
  readonly body?: JsonObject;
  /** True for a write that finishes a started change: it is sent even while a run is ending. */
  readonly finishes?: boolean;
  /**
   * Reads what decides about the write with a client that needs no turn of its own: called right before each time the write is
   * sent, after every wait. If it throws, nothing is sent, and the write throws the same error.
   */
  readonly check?: (reader: ReadClient) => Promise<void>;
  /** Called with true when a request of the write is sent, and with false once its outcome is known. */
  readonly onSend?: (isOut: boolean) => void;
}

/** All items of a list over all pages. */
export interface ListResult {
  readonly items: readonly JsonObject[];
  readonly requests: number;
  /** An object was on two pages: the list changed during the read, so that something may have been missed. */
  readonly shifted: boolean;
}

export type OnPage = (objects: number) => void;

/** Read-only client. Every method throws `ApiError` for anything but a well-formed answer of the expected shape. */
export interface ReadClient {
  readonly list: (path: string, key: string, onPage?: OnPage) => Promise<ListResult>;
  /** The object whose id ends the path, or undefined when the service says in its own form that it does not exist. */
  readonly get: (path: string) => Promise<JsonObject | undefined>;
}

/** Read and write client; only `apply/` and the commands in front of it hold one. */
export interface WriteClient extends ReadClient {
  /** Sends one write; returns the response body (null for 204). */
  readonly write: (request: ApiWrite) => Promise<Json>;
  /** Waits before a write that may have been done is sent again; returns why it must not be, if the run ends first. */
  readonly backOff: (
    of: Pick<ApiWrite, 'method' | 'path'>,
    lost: ApiError,
    sends: number,
  ) => Promise<string | undefined>;
}

export type ApiErrorDetails = Pick<ApiError, 'code' | 'message' | 'known' | 'type'> &
  Partial<Pick<ApiError, 'status' | 'retryAfterMs' | 'fix'>>;

/** One failed request, in words for people; never holds a credential. */
export class ApiError extends Error implements FailedRequest {
  override readonly name = 'ApiError';
  readonly code: Code;
  readonly known: Known;
  readonly type: RequestType;
  readonly status: number | undefined;
  /** The pause that the service asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly fix: string | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.code = details.code;
    this.known = details.known;
    this.type = details.type;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs;
    this.fix = details.fix;
  }

  /** The same failure with other details. */
  with(details: Partial<ApiErrorDetails>): ApiError {
    const { code, message, known, type, status, retryAfterMs, fix } = this;
    return new ApiError({ code, message, known, type, status, retryAfterMs, fix, ...details });
  }
}

const OUT_OF_TIME: readonly string[] = ['deadline-reached', 'service-throttled'];

/** True for a request that was aborted because the run has no time left: another read would be refused, too. */
export function isOutOfTime({ code }: Pick<ApiErrorDetails, 'code'>): boolean {
  return OUT_OF_TIME.includes(code);
}

const NOT_ATTEMPTED: readonly string[] = [...OUT_OF_TIME, 'interrupted', 'service-unhealthy'];

/** True for a request that was not sent, or only throttled, because the run is about to end or the service is unhealthy. */
export function isNotAttempted(error: ApiError): boolean {
  return wasNotProcessed(error) && NOT_ATTEMPTED.includes(error.code);
}

/** True when the service says that it has nothing at the path, or no such operation. */
export function isNotFound({ status }: ApiError): boolean {
  return status === 404 || status === 405 || status === 501;
}
