// Interprets platform errors of a request: that it cannot have been sent, and why, or that it timed out or broke. Pure.

import type { ApiError } from '../transport.ts';
import { ConnectError } from './exchange.ts';
import { failedRequest, type Attempt } from './failure.ts';

/** System calls before anything can be sent. With any other one, the same code may come after the request was sent. */
const BEFORE_SENDING: readonly unknown[] = ['connect', 'getaddrinfo'];

/** The usual reasons; for others, the code says more. */
const REASONS = new Map<unknown, string>([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the host name is not known'],
]);

/** Permanent until repaired: certificates are checked before anything is sent. */
const NOT_TRUSTED =
  /^(?:CERT_|ERR_TLS_CERT_|UNABLE_TO_(?:GET|VERIFY)_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_(?:CA|PURPOSE)$|HOSTNAME_MISMATCH$)/;

/** The same, but invalid TLS may also be received later, so only if no connection was made. */
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

const RETRY_FIX = 'check the base URL, the network and proxy settings, then run the command again';

/** A request that ended without a response. */
export function transportFailure(attempt: Attempt, error: unknown): ApiError {
  const code = errorCode(error);
  const { origin, method, path } = attempt;
  const lasting = lastingMessage(error);
  const unsent = lasting === undefined ? notSentMessage(error) : undefined;
  const words = unsent ?? lasting;
  if (words !== undefined) {
    const where = error instanceof ConnectError ? error.where : '';
    const message = `${origin} could not be reached for ${method} ${path}: ${where}${words}${code === '' ? '' : ` (${code})`}`;
    // A name that is not known is a mistake; `EAI_AGAIN` says that it may be known later.
    const known = unsent === undefined || code === 'ENOTFOUND' ? 'unreachable' : 'unsent';
    return failedRequest(attempt, { code: 'api-unreachable', known, message, fix: RETRY_FIX });
  }
  if (isTimeout(error)) {
    const message = `${origin} gave no complete answer to ${method} ${path} within ${attempt.timeoutMs / 1000} s`;
    return failedRequest(attempt, { code: 'api-timeout', known: 'lost', message, fix: RETRY_FIX });
  }
  const message = `the connection to ${origin} broke during ${method} ${path}${code === '' ? '' : ` (${code})`}`;
  return failedRequest(attempt, { code: 'api-connection-lost', known: 'lost', message, fix: RETRY_FIX });
}

/** Why no request can be sent until the user fixes it, or undefined. */
function lastingMessage(error: unknown): string | undefined {
  const code = errorCode(error);
  if (NOT_TRUSTED.test(code))
    return 'its certificate is not accepted; NODE_EXTRA_CA_CERTS=FILE trusts your own authority';
  return error instanceof ConnectError && NO_TLS.test(code) ? 'it does not speak TLS' : undefined;
}

/** Codes are platform constants; any other text is not repeated. */
function errorCode(error: unknown): string {
  if (!isObject(error)) return '';
  if (typeof error.code === 'string') return /^\w{1,60}$/.test(error.code) ? error.code : '';
  return errorCode(error.cause);
}

/** Why the request cannot have been sent, or undefined when it may have been. */
function notSentMessage(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  const { code, syscall, errors, cause } = error;
  if (Array.isArray(errors) && errors.length > 0) {
    // Several addresses were tried; none of them may have been reached.
    const each = errors.map(notSentMessage);
    return each.includes(undefined) ? undefined : each[0];
  }
  const isBefore = BEFORE_SENDING.includes(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT';
  if (isBefore) return REASONS.get(code) ?? 'no connection was made';
  return notSentMessage(cause) ?? (error instanceof ConnectError ? error.message : undefined);
}

/** The parts of an error that are read. */
interface Thrown {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}

function isObject(error: unknown): error is Thrown {
  return typeof error === 'object' && error !== null;
}

function isTimeout(error: unknown): boolean {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return true;
  return /^(?:ETIMEDOUT|UND_ERR_(?:HEADERS|BODY)_TIMEOUT)$/.test(errorCode(error));
}
