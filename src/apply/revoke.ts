// Deletes objects that no manifest declares, one by one by id. A lost answer is resolved by a read, never guessed.

import { ApiError, isNotAttempted, type WriteClient } from '../service/transport.ts';
import type { Kind } from '../catalog/kind.ts';
import { scopeOfStack } from '../resource/marker/ownership.ts';
import { objectPath } from '../catalog/path.ts';
import { whenAborted } from './abort.ts';
import { createGate, type Gate } from './gate/gate.ts';
import type { GateScope } from './gate/gate-rules.ts';
import { emptyHistory } from './gate/run-history.ts';
import { isReportedMissing } from './gate/missing-operation.ts';

export interface RevokeResult {
  readonly id: string;
  /** `gone`: it no longer existed; `unknown`: the answer was lost and could not be resolved. */
  readonly status: 'done' | 'gone' | 'failed' | 'unknown' | 'not_attempted';
  readonly error: string | null;
}

interface RevokeInput {
  readonly client: WriteClient;
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** Aborted: nothing new starts. */
  readonly signal: AbortSignal;
  /** Aborted: requests in flight are not waited for. */
  readonly hardCancel: AbortSignal;
  readonly onResult: (result: RevokeResult) => void;
}

/** Deletes each object; every id has exactly one result, in the order given. */
export async function revokeAll(input: RevokeInput): Promise<readonly RevokeResult[]> {
  const results: RevokeResult[] = [];
  const abandoned = whenAborted(input.hardCancel);
  const gate = createGate(input.client, NO_STACK);
  for (const id of input.ids) {
    const result = input.signal.aborted
      ? ({ id, status: 'not_attempted', error: 'not started, because the run was stopped' } as const)
      : await revokeUntil(abandoned, input, gate, id);
    input.onResult(result);
    results.push(result);
  }
  return results;
}

function unknown(id: string, error: string): RevokeResult {
  return { id, status: 'unknown', error };
}

/** Sessions belong to no stack, and only sessions are written in this scope. */
const NO_STACK: GateScope = {
  ownershipScope: scopeOfStack(''),
  live: new Map(),
  known: new Set(),
  pinned: new Set(),
  history: emptyHistory(),
};

/** After a hard cancel, only requests in flight have an unknown outcome. */
function revokeUntil(abandoned: Promise<void>, input: RevokeInput, gate: Gate, id: string): Promise<RevokeResult> {
  const state = { isOut: false };
  const ended = revoke(input, gate, id, (isOut) => (state.isOut = isOut));
  const lost = () => (state.isOut ? unknown(id, 'the run was stopped before the answer arrived') : ended);
  return Promise.race([ended, abandoned.then(lost)]);
}

async function revoke(
  { client, kind }: RevokeInput,
  gate: Gate,
  id: string,
  onSend: (isOut: boolean) => void,
): Promise<RevokeResult> {
  const path = objectPath(kind, id, undefined);
  try {
    const request = { method: 'DELETE', path, onSend } as const;
    await gate.send({ purpose: 'session', request, kind, address: id, id, parentId: undefined });
    return { id, status: 'done', error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNotAttempted(error)) return { id, status: 'not_attempted', error: error.message };
    const isSaid = isReportedMissing(error, { method: 'DELETE', field: undefined });
    if (isSaid || error.failure === 'unknown') return confirmRevoked({ client, kind }, id, error);
    return { id, status: 'failed', error: error.message };
  }
}

/** Resolves a deletion whose answer was lost. */
async function confirmRevoked(
  { client, kind }: Pick<RevokeInput, 'client' | 'kind'>,
  id: string,
  lost: ApiError,
): Promise<RevokeResult> {
  try {
    const found = await client.get(objectPath(kind, id, undefined));
    return found === undefined
      ? { id, status: lost.failure === 'unknown' ? 'done' : 'gone', error: null }
      : { id, status: 'failed', error: `${lost.message}; it still exists` };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unknown(id, `${lost.message}; its state could not be read: ${error.message}`);
  }
}
