// Names what went wrong with a request, in a plain sentence, and how sure it is that nothing was done. Pure.

import { ApiError } from './transport.ts';

export interface Attempt {
  readonly method: string;
  /** Path and query, without the origin. */
  readonly path: string;
  readonly origin: string;
  readonly timeoutMs: number;
  readonly isWrite: boolean;
}

/** Error codes after which the request cannot have reached the service. */
const NEVER_SENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is not known',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
};

const RETRY_FIX = 'check the base URL, the network and proxy settings, then run the command again';

/** A request that ended without a response. */
export function transportFailure(attempt: Attempt, error: unknown): ApiError {
  const code = errorCode(error);
  const words = NEVER_SENT[code];
  if (words !== undefined) {
    return new ApiError({
      code: 'api-unreachable',
      message: `${attempt.origin} could not be reached for ${attempt.method} ${attempt.path}: ${words} (${code})`,
      failure: 'rejected',
      fix: RETRY_FIX,
    });
  }
  if (isTimeout(error)) {
    return new ApiError({
      code: 'api-timeout',
      message: `${attempt.origin} gave no complete answer to ${attempt.method} ${attempt.path} within ${attempt.timeoutMs / 1000} s`,
      failure: attempt.isWrite ? 'unknown' : 'unusable',
      fix: RETRY_FIX,
    });
  }
  return new ApiError({
    code: 'api-connection-lost',
    message: `the connection to ${attempt.origin} broke during ${attempt.method} ${attempt.path}${code === '' ? '' : ` (${code})`}`,
    failure: attempt.isWrite ? 'unknown' : 'unusable',
    fix: RETRY_FIX,
  });
}

/** A response that cannot be used: not JSON, cut, too large, redirected, or of the wrong shape. */
export function unusable(
  attempt: Attempt,
  details: { readonly status?: number; readonly why: string; readonly fix?: string },
): ApiError {
  return new ApiError({
    code: 'api-not-understood',
    message: `${attempt.method} ${attempt.path} at ${attempt.origin}: ${details.why}`,
    failure: attempt.isWrite ? 'unknown' : 'unusable',
    status: details.status,
    fix:
      details.fix ?? 'check that the base URL is that of the API, and that no proxy or login page answers in its place',
  });
}

/** A response in the API's own form that says no. */
export function refusal(attempt: Attempt, status: number, said: string): ApiError {
  const auth = status === 401 || (status === 403 && !attempt.isWrite);
  const unsure = attempt.isWrite && (status >= 500 || status === 408);
  return new ApiError({
    code: auth ? 'api-key-refused' : 'api-refused',
    message: auth
      ? `the service does not accept the API key (${status} to ${attempt.method} ${attempt.path}: ${said})`
      : `the service answered ${status} to ${attempt.method} ${attempt.path}: ${said}`,
    failure: unsure ? 'unknown' : attempt.isWrite ? 'rejected' : 'unusable',
    status,
    fix: auth ? 'set EDGEFORM_API_KEY to the token of a valid API key of this service' : undefined,
  });
}

function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? errorCode(error.cause) : '';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
