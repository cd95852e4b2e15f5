// Asks for objects by their ids where a list that shows none of them cannot be believed by itself.

import type { ReadClient } from './transport.ts';
import type { Kind } from '../catalog/kind.ts';
import { objectPath } from '../catalog/path.ts';
import type { Snapshot } from '../resource/snapshot.ts';

/** An object that should be there. */
interface ObjectKey {
  readonly kind: Kind;
  readonly id: string;
}

/** The snapshot with the ids of which the service says that they are not there; a kind of which one is there is not looked into further. */
export async function confirmAbsent(
  client: ReadClient,
  snapshot: Snapshot,
  expected: readonly ObjectKey[],
): Promise<Snapshot> {
  const byKind = new Map<Kind, Set<string>>();
  for (const { kind, id } of expected) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  const found = await Promise.all([...byKind].map(([kind, ids]) => absentOf(client, kind, [...ids])));
  const requests = found.reduce((total, one) => total + one.requests, 0);
  return { ...snapshot, requests: snapshot.requests + requests, absent: found.flatMap(({ absent }) => absent) };
}

async function absentOf(client: ReadClient, kind: Kind, [first = '', ...others]: readonly string[]) {
  const isGone = async (id: string) => (await client.get(objectPath(kind, id, undefined))) === undefined;
  if (!(await isGone(first))) return { absent: [], requests: 1 };
  const gone = await Promise.all(others.map(isGone));
  return { absent: [first, ...others.filter((_, index) => gone[index])], requests: others.length + 1 };
}
