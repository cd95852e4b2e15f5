// Deletes an object that this run created although another run had filled the address. This write is in no plan, so both
// objects are read right before it, and the gate has separate rules for it.

import { ApiError, type ReadClient } from '../../service/transport.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { objectPath } from '../../catalog/path.ts';
import { GateViolation, type Gate } from '../gate/gate.ts';
import { noteDeletion, type RunHistory } from '../gate/run-history.ts';
import { refreshObject } from '../refresh-object.ts';
import { isReportedMissing } from '../gate/missing-operation.ts';
import type { Recorder } from '../recorder.ts';

interface RollBackInput {
  readonly client: ReadClient;
  readonly gate: Gate;
  readonly history: RunHistory;
  readonly record: Recorder;
}

/** An object to delete, and what is known about it. */
interface DuplicateObject {
  readonly ours: LiveResource;
  /** The object with the same address that stays. */
  readonly keep: LiveResource;
  /** Addresses or ids of objects that still refer to it. */
  readonly referrers: readonly string[];
}

/** Undefined when the object no longer exists; otherwise why it still does, as a sentence without its end. */
export async function rollBack(
  input: RollBackInput,
  address: string,
  duplicate: DuplicateObject,
): Promise<string | undefined> {
  try {
    await remove(input, address, duplicate);
    noteDeletion(input.history, duplicate.ours.id);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError || error instanceof GateViolation) return error.message;
    throw error;
  }
}

async function remove(
  { client, gate, record }: RollBackInput,
  address: string,
  { ours, keep, referrers }: DuplicateObject,
): Promise<void> {
  const { id, parentId } = ours;
  const kind = kindByName(ours.kind);
  const request = { method: 'DELETE', path: objectPath(kind, id, parentId) } as const;
  const place = { address, kind: kind.name, liveId: id, parentId: parentId ?? null };
  const number = await record.intent({ ...place, ...request });
  const found = { isGone: false };
  try {
    const write = { purpose: 'roll-back', address, kind, id, parentId, referrers } as const;
    await gate.send({ ...write, request: { ...request, finishes: true } }, async (get) => {
      const observed = await refreshObject(get, ours);
      found.isGone = observed === undefined;
      return { observed, survivor: found.isGone ? undefined : await refreshObject(get, keep) };
    });
  } catch (error) {
    const isSaid = error instanceof ApiError && isReportedMissing(error, { ...request, field: undefined });
    if (!found.isGone && (!isSaid || (await refreshObject(client.get, ours)) !== undefined)) {
      const isUnknown = error instanceof ApiError && error.failure === 'unknown';
      await record.outcome(number, isUnknown ? 'unknown' : 'rejected', id);
      throw error;
    }
  }
  await record.outcome(number, 'done', id);
}
