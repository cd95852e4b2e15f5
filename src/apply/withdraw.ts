// Two runs may create the same address at the same time, because the API has no locks. The later object is withdrawn.

import { compareText } from '../base/json.ts';
import { CREATED_AT } from '../catalog/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { ApiError } from '../api/transport.ts';
import type { WriteClient } from '../api/transport.ts';
import type { LiveResource, Snapshot } from '../live/snapshot.ts';
import { objectPath } from '../wire/path.ts';
import type { StepResult } from './event.ts';
import type { Recorder } from './ports.ts';

/** An object that this run created, and the one of the same address that was there before it. */
export interface Twin {
  readonly address: string;
  readonly ours: string;
  readonly other: string;
  /** False when it could not be deleted. */
  readonly isWithdrawn: boolean;
}

export interface WithdrawInput {
  readonly client: WriteClient;
  readonly stack: string;
  /** What is live after the run. */
  readonly snapshot: Snapshot;
  readonly results: readonly StepResult[];
  readonly record: Recorder;
}

/** Deletes objects of this run whose address another run has filled before; both runs come to the same choice. */
export async function withdrawTwins(input: WithdrawInput): Promise<readonly Twin[]> {
  const created = new Set(input.results.flatMap(({ status, live_id }) => (status === 'done' ? [live_id] : [])));
  const twins = [...byAddress(input)].flatMap(([address, objects]) => {
    const [first, ...others] = [...objects].sort(byAge);
    return others.flatMap((ours) =>
      first !== undefined && created.has(ours.id) ? [{ address, ours, other: first.id }] : [],
    );
  });
  const done: Twin[] = [];
  for (const { address, ours, other } of twins) {
    done.push({ address, ours: ours.id, other, isWithdrawn: await withdraw(input, address, ours) });
  }
  return done;
}

function byAddress({ stack, snapshot }: WithdrawInput): Map<string, LiveResource[]> {
  const found = new Map<string, LiveResource[]>();
  for (const live of snapshot.resources) {
    if (live.marker?.stack !== stack) continue;
    // The old object of a replacement has the address of the new one, too.
    const key = live.marker.address;
    found.set(key, [...(found.get(key) ?? []), live]);
  }
  for (const [key, objects] of found) {
    const replaced = new Set(objects.map((live) => live.marker?.replaces));
    found.set(
      key,
      objects.filter((live) => !replaced.has(live.id)),
    );
  }
  return found;
}

function byAge(a: LiveResource, b: LiveResource): number {
  return compareText(String(a.computed[CREATED_AT]), String(b.computed[CREATED_AT])) || compareText(a.id, b.id);
}

async function withdraw({ client, record }: WithdrawInput, address: string, live: LiveResource): Promise<boolean> {
  const path = objectPath(kindByName(live.kind), live.id, live.parentId);
  const number = record.intent({
    step: 'withdraw',
    address,
    kind: live.kind,
    method: 'DELETE',
    path,
    liveId: live.id,
    parentId: live.parentId ?? null,
    body: null,
  });
  try {
    await client.write({ method: 'DELETE', path });
    record.outcome(number, 'done', live.id);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    record.outcome(number, error.failure === 'unknown' ? 'unknown' : 'rejected', live.id);
    return false;
  }
}
