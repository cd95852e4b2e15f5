// Names what went wrong with one attempt, in a plain sentence: how sure it is that nothing was done, and what class of
// failure it is. Pure.

import { ConnectError } from './exchange.ts';
import type { ApiErrorDetails } from '../transport.ts';
import { ApiError } from '../transport.ts';

export interface Attempt {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path without the origin, with the names of the query only. */
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
  'unsent' | 'nameless' | 'throttled' | 'early' | 'timeout' | 'busy' | 'broken' | 'lost' | 'garbled' | 'final';

export interface Failure {
  readonly why: FailureType;
  readonly error: ApiError;
}

interface Unsent {
  readonly words: string;
  /** The system call that failed. The same code from any other one may come after the request was sent. */
  readonly of?: 'connect' | 'getaddrinfo';
}

/** Failures after which the request cannot have reached the service, by error code. */
const NEVER_SENT: Readonly<Record<string, Unsent>> = {
  ECONNREFUSED: { of: 'connect', words: 'the connection was refused' },
  EHOSTUNREACH: { of: 'connect', words: 'the host cannot be reached' },
  ENETUNREACH: { of: 'connect', words: 'the network cannot be reached' },
  EHOSTDOWN: { of: 'connect', words: 'the host is down' },
  ENETDOWN: { of: 'connect', words: 'the network is down' },
  EADDRNOTAVAIL: { of: 'connect', words: 'this machine has no address to connect from' },
  ETIMEDOUT: { of: 'connect', words: 'no connection was made in time' },
  ENOTFOUND: { of: 'getaddrinfo', words: 'the host name is not known' },
  EAI_AGAIN: { of: 'getaddrinfo', words: 'the host name could not be looked up' },
  EAI_FAIL: { of: 'getaddrinfo', words: 'the host name could not be looked up' },
  EAI_NODATA: { of: 'getaddrinfo', words: 'the host name has no address' },
  UND_ERR_CONNECT_TIMEOUT: { words: 'no connection was made in time' },
  UND_ERR_PRX_TLS: { words: 'the proxy does not speak TLS' },
  PROXY_REFUSED: { words: 'the proxy did not connect to it' },
};

/** Likewise, and as long as nobody repairs it: certificates are checked before anything is sent. */
const NOT_TRUSTED: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_REJECTED: 'its certificate is rejected',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  CERT_SIGNATURE_FAILURE: 'its certificate has a wrong signature',
  CERT_CHAIN_TOO_LONG: 'its certificate chain is too long',
  INVALID_CA: 'its certificate has an issuer that may not issue any',
  INVALID_PURPOSE: 'its certificate is not for servers',
  HOSTNAME_MISMATCH: 'its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT: 'the issuer of its certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known',
};
/** Likewise, but bytes that are no TLS may also come later, so only when no connection was made. */
const NO_TLS: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
};

const RETRY_FIX = 'check the base URL, the network and proxy settings, then run the command again';
const SHAPE_FIX = 'check that the base URL is that of the API, and that no proxy or login page answers in its place';
const KEY_FIX = 'set EDGEFORM_API_KEY to the token of a valid API key of this service';

/** A request that ended without a response. */
export function transportFailure(attempt: Attempt, error: unknown): Failure {
  const code = errorCode(error);
  const { origin, method, path } = attempt;
  const lasting = messageFor(NOT_TRUSTED, code) ?? (isUnconnected(error) ? messageFor(NO_TLS, code) : undefined);
  const unsent = lasting === undefined ? notSentMessage(error) : undefined;
  const words = unsent ?? lasting;
  if (words !== undefined) {
    const message = `${origin} could not be reached for ${method} ${path}: ${words}${code === '' ? '' : ` (${code})`}`;
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

/** A response that cannot be used: not JSON, cut, too large, redirected, or of the wrong shape. */
export function unusableError(attempt: Attempt, { status, why, retryAfterMs }: UnusableResponse): ApiError {
  const message = `${attempt.method} ${attempt.path} at ${attempt.origin}: ${why}`;
  return lost(attempt, { code: 'api-not-understood', message, status, retryAfterMs, fix: SHAPE_FIX });
}

interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs?: number | undefined;
}

/** A response in the API's own form that says no. */
export function rejectedError(attempt: Attempt, { status, text, retryAfterMs }: ErrorResponse): ApiError {
  const { method, path, isWrite } = attempt;
  const auth = status === 401 || (status === 403 && !isWrite);
  // 501 says what the service is, not how it feels.
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

/** A response that turns the request away before anything was done with it, whoever on the way said so. */
export function throttledError(attempt: Attempt, { status, text, retryAfterMs }: ErrorResponse): ApiError {
  const failure = attempt.isWrite ? 'rejected' : 'unusable';
  return rejectedError(attempt, { status, text, retryAfterMs }).with({ failure, reach: 'throttled' });
}

/** A request that was not sent, by our own decision. */
export function notSentError(attempt: Attempt, details: Pick<ApiErrorDetails, 'code' | 'message' | 'fix'>): ApiError {
  return new ApiError({ failure: attempt.isWrite ? 'rejected' : 'unusable', reach: 'unsent', ...details });
}

function messageFor(table: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}

/** Codes are words of the platform; anything else is not repeated. */
function errorCode(error: unknown): string {
  if (!isObject(error)) return '';
  if (typeof error.code === 'string') return /^\w{1,60}$/.test(error.code) ? error.code : '';
  return errorCode(error.cause);
}

/** Why the request cannot have been sent, or undefined when it may have been. */
function notSentMessage(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { errors, cause } = error;
  if (Array.isArray(errors) && errors.length > 0) {
    // Several addresses were tried, and none of them may have been reached.
    const each = errors.map(notSentMessage);
    return each.includes(undefined) ? undefined : each[0];
  }
  return tableMessage(error) ?? notSentMessage(cause) ?? (isUnconnected(error) ? 'no connection was made' : undefined);
}

function tableMessage({ code, syscall }: Thrown): string | undefined {
  const row = typeof code === 'string' && Object.hasOwn(NEVER_SENT, code) ? NEVER_SENT[code] : undefined;
  return row !== undefined && (row.of === undefined || row.of === syscall) ? row.words : undefined;
}

/** What is looked at of an error. */
interface Thrown {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}

function isObject(error: unknown): error is Thrown {
  return typeof error === 'object' && error !== null;
}

function isUnconnected(error: unknown): boolean {
  return error instanceof ConnectError;
}

function isTimeout(error: unknown): boolean {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return true;
  return /^(?:ETIMEDOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/.test(errorCode(error));
}
