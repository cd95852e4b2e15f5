// Describes the failure of one attempt in a sentence, and classifies it: whether it certainly had no effect, and the type of
// failure. Pure.

import { ApiError, type ApiErrorDetails } from '../transport.ts';
import { ConnectError } from './exchange.ts';
import { errorCode, isTimeout, lastingMessage, notSentMessage } from './thrown.ts';

export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path without the origin, and with only the names of the query. */
  readonly path: string;
  readonly origin: string;
  readonly timeoutMs: number;
  readonly isWrite: boolean;
}

/**
 * `unsent` never left, `nameless` has a host that nobody knows, `throttled` is 429, `early` is 425 or 421, `busy` is 503, `broken` any other failure of the service,
 * `lost` a broken connection, `garbled` a cut body; `final` is everything that another try cannot change.
 */
export type FailureType =
  | 'unsent'
  | 'nameless'
  | 'throttled'
  | 'early'
  | 'timeout'
  | 'busy'
  | 'broken'
  | 'lost'
  | 'garbled'
  | 'final';

export interface Failure {
  readonly why: FailureType;
  readonly error: ApiError;
}

const RETRY_FIX = 'check the base URL, the network and proxy settings, then run the command again';
const SHAPE_FIX = 'check that the base URL is that of the API, and that no proxy or login page answers in its place';
const KEY_FIX = 'set EDGEFORM_API_KEY to the token of a valid API key of this service';

/** A request that ended without a response. */
export function transportFailure(attempt: Attempt, error: unknown): Failure {
  const code = errorCode(error);
  const { origin, method, path } = attempt;
  const lasting = lastingMessage(error);
  const unsent = lasting === undefined ? notSentMessage(error) : undefined;
  const words = unsent ?? lasting;
  if (words !== undefined) {
    const where = error instanceof ConnectError ? error.where : '';
    const message = `${origin} could not be reached for ${method} ${path}: ${where}${words}${code === '' ? '' : ` (${code})`}`;
    const details = { code: 'api-unreachable', message, failure: 'rejected', reach: 'unsent', fix: RETRY_FIX } as const;
    const why = unsent === undefined ? 'final' : code === 'ENOTFOUND' ? 'nameless' : 'unsent';
    return { why, error: new ApiError(details) };
  }
  if (isTimeout(error)) {
    const message = `${origin} gave no complete answer to ${method} ${path} within ${attempt.timeoutMs / 1000} s`;
    return { why: 'timeout', error: lost(attempt, { code: 'api-timeout', message, fix: RETRY_FIX }) };
  }
  const message = `the connection to ${origin} broke during ${method} ${path}${code === '' ? '' : ` (${code})`}`;
  return { why: 'lost', error: lost(attempt, { code: 'api-connection-lost', message, fix: RETRY_FIX }) };
}

function lost({ isWrite }: Attempt, details: Omit<ApiErrorDetails, 'failure'>): ApiError {
  return new ApiError({ failure: isWrite ? 'unknown' : 'unusable', reach: 'lost', ...details });
}

interface UnusableResponse {
  readonly status?: number;
  readonly why: string;
  readonly retryAfterMs?: number | undefined;
}

/** A response that cannot be used: not JSON, truncated, too large, redirected, or of the wrong shape. */
export function unusableError(attempt: Attempt, { status, why, retryAfterMs }: UnusableResponse): ApiError {
  const message = `${attempt.method} ${attempt.path} at ${attempt.origin}: ${why}`;
  return lost(attempt, { code: 'api-not-understood', message, status, retryAfterMs, fix: SHAPE_FIX });
}

interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs?: number | undefined;
}

/** A refusal in the API's own form. */
export function rejectedError(attempt: Attempt, { status, text, retryAfterMs }: ErrorResponse): ApiError {
  const { method, path, isWrite } = attempt;
  const auth = status === 401 || (status === 403 && !isWrite);
  // 501 is a permanent property of the service.
  const unsure = isWrite && ((status >= 500 && status !== 501) || status === 408);
  return new ApiError({
    code: auth ? 'api-key-refused' : 'api-refused',
    message: auth
      ? `the service does not accept the API key (${status} to ${method} ${path}: ${text})`
      : `the service answered ${status} to ${method} ${path}: ${text}`,
    failure: unsure ? 'unknown' : isWrite ? 'rejected' : 'unusable',
    reach: 'answered',
    status,
    retryAfterMs,
    fix: auth ? KEY_FIX : undefined,
  });
}

/** A response that rejects the request before anything was done, whether from the service or a proxy. */
export function throttledError(attempt: Attempt, { status, text, retryAfterMs }: ErrorResponse): ApiError {
  const failure = attempt.isWrite ? 'rejected' : 'unusable';
  return rejectedError(attempt, { status, text, retryAfterMs }).with({ failure, reach: 'throttled' });
}
