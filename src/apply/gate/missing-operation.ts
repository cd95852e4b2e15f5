// A service need not have every operation that the specification does not show. That an object or operation "is not there"
// is no success: what a request is about is read before anything is believed (ADR-0004).

import { isNotFound, type ApiError } from '../../service/transport.ts';
import { capabilityFor, capabilityHint } from '../../catalog/operations.ts';
import type { Kind, Operation } from '../../catalog/kind.ts';

/** A request, as far as it tells which operation it needs. */
interface SentRequest {
  readonly method: Operation['method'];
  /** The field that a DELETE removes; undefined for the object itself. */
  readonly field: string | undefined;
}

/** True when the service said, in its own form, what only a read can confirm: that there is nothing to delete, or no such operation. */
export function isReportedMissing({ status, failure }: ApiError, { method }: SentRequest): boolean {
  return failure === 'rejected' && (status === 501 || (status === 404 && method === 'DELETE'));
}

/** What a user can do when the service has no such operation; empty when that is not the trouble. */
export function missingOperationHint(kind: Kind, asked: SentRequest, error: ApiError): string {
  const capability = capabilityFor(kind, asked.method, asked.field !== undefined);
  if (capability === undefined || !isNotFound(error)) return '';
  return `; if this service has no such operation, ${capabilityHint(capability)}`;
}
