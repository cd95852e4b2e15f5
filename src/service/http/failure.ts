// Describes an answer that is a failure in a sentence, and classifies it: whether the request certainly had no effect, and the
// type of failure. Pure.

import { requestType, type Known } from '../outcomes.ts';
import { ApiError, type ApiErrorDetails } from '../transport.ts';

export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path without the origin, and with only the names of the query. */
  readonly path: string;
  readonly origin: string;
  readonly timeoutMs: number;
  readonly isWrite: boolean;
}

/** Temporary failures of the service; any other status below 506 is final: 501 and 505 are permanent properties of it. */
const KNOWN: Readonly<Record<number, Known>> = {
  408: 'failed',
  421: 'unsent',
  425: 'unsent',
  429: 'throttled',
  500: 'failed',
  502: 'failed',
  503: 'failed',
  504: 'failed',
};

export function knownOf(status: number): Known {
  return KNOWN[status] ?? (status >= 506 ? 'failed' : 'refused');
}

const SHAPE_FIX = 'check that the base URL is that of the API, and that no proxy or login page answers in its place';
const KEY_FIX = 'set EDGEFORM_API_KEY to the token of a valid API key of this service';
const KEY_OR_SHAPE_FIX = `${KEY_FIX}; if it is, ${SHAPE_FIX}`;
const OTHER_FIX = 'correct what the answer names, or run the command again later if the service failed';

/** A request that failed. */
export function failedRequest({ method }: Attempt, details: Omit<ApiErrorDetails, 'type'>): ApiError {
  return new ApiError({ type: requestType(method), ...details });
}

interface UnusableResponse {
  readonly known?: Extract<Known, 'failed' | 'lost' | 'unusable'>;
  readonly status?: number;
  readonly why: string;
  readonly retryAfterMs?: number | undefined;
  /** The status says that the key is refused, in whatever form the rest is. */
  readonly isAboutKey?: boolean;
}

/** A response that cannot be used: not JSON, truncated, too large, redirected, or of the wrong shape. */
export function unusableError(attempt: Attempt, response: UnusableResponse): ApiError {
  const { known = 'unusable', status, why, retryAfterMs } = response;
  const message = `${attempt.method} ${attempt.path} at ${attempt.origin}: ${why}`;
  const fix = response.isAboutKey === true ? KEY_OR_SHAPE_FIX : SHAPE_FIX;
  return failedRequest(attempt, { code: 'api-not-understood', known, message, status, retryAfterMs, fix });
}

interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs?: number | undefined;
}

/** A refusal in the API's own form; one before anything was done may also come from a proxy, in any form. */
export function rejectedError(attempt: Attempt, { status, text, retryAfterMs }: ErrorResponse): ApiError {
  const { method, path, isWrite } = attempt;
  const auth = status === 401 || (status === 403 && !isWrite);
  return failedRequest(attempt, {
    code: auth ? 'api-key-refused' : 'api-refused',
    message: auth
      ? `the service does not accept the API key (${status} to ${method} ${path}: ${text})`
      : `the service answered ${status} to ${method} ${path}: ${text}`,
    known: knownOf(status),
    status,
    retryAfterMs,
    fix: auth ? KEY_FIX : OTHER_FIX,
  });
}
