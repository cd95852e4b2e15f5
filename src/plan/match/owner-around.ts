// The other stack whose object an object is in: what is added to an edge is told where the edge is.

import { perObject } from '../../core/lazy.ts';
import { otherOwner } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Match } from './match.ts';

const byId = perObject((resources: readonly LiveResource[]) => new Map(resources.map((live) => [live.id, live])));

/** The stack and address of the object around it; undefined for what is in none, or in one that is ours or nobody's. */
export function ownerAround(
  { parentId }: Pick<LiveResource, 'parentId'>,
  { snapshot: { resources, whole }, ownership }: Pick<Match, 'snapshot' | 'ownership'>,
): ReturnType<typeof otherOwner> {
  if (parentId === undefined) return undefined;
  const parent = (whole?.byId ?? byId(resources)).get(parentId);
  return parent && otherOwner(ownership.of(parent));
}
