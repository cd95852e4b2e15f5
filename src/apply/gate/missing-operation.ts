// A service may lack operations that the specification does not show. A "not found" answer is no success: the object is read
// before the answer is trusted (ADR-0004).

import { isNotFound, type ApiError } from '../../service/transport.ts';
import { capabilityFor, capabilityHint } from '../../catalog/operations.ts';
import type { Kind, Operation } from '../../catalog/kind.ts';

/** The parts of a request that say which operation it needs. */
interface SentRequest {
  readonly method: Operation['method'];
  /** The field that a DELETE removes; undefined for the object itself. */
  readonly field: string | undefined;
}

/** True when the service reported, in its own form, that there is nothing to delete, or no such operation; a read must confirm it. */
export function isReportedMissing({ status, known, type }: ApiError, { method }: SentRequest): boolean {
  return known === 'refused' && type !== 'read' && (status === 501 || (status === 404 && method === 'DELETE'));
}

/** What a user can do if the service lacks the operation; empty if it does not. */
export function missingOperationHint(kind: Kind, asked: SentRequest, error: ApiError): string {
  const capability = capabilityFor(kind, asked.method, asked.field !== undefined);
  if (capability === undefined || !isNotFound(error)) return '';
  return `; if this service has no such operation, ${capabilityHint(capability)}`;
}
