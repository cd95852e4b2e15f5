// Reads the current state of one object and its children.

import type { ReadClient } from '../service/transport.ts';
import { sharedCalls } from '../core/shared-calls.ts';
import { isList, isObject, type JsonObject } from '../core/json.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByName } from '../catalog/lookup.ts';
import { receive } from '../resource/receive.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { objectPath } from '../catalog/path.ts';

/** One object and its children as last read. */
export interface ObservedObject {
  readonly live: LiveResource;
  readonly children: readonly ObservedObject[];
  /** The parent that the object itself names, if any. */
  readonly reportedParentId: string | undefined;
}

/** What identifies the object to read. */
type Known = Pick<LiveResource, 'kind' | 'id' | 'parentId'>;

/**
 * The object as it is now, a child as its parent shows it; undefined when it no longer exists. Throws `ApiError` if that is
 * uncertain.
 */
export async function refreshObject(get: ReadClient['get'], known: Known): Promise<ObservedObject | undefined> {
  const kind = kindByName(known.kind);
  if (kind.parent === undefined) {
    const body = await get(objectPath(kind, known.id, undefined));
    return body && observedFrom(kind, body, undefined);
  }
  const own = (await childBodies(get, kind.parent, known.parentId)).find((item) => item[ID] === known.id);
  return own && observedFrom(kind, own, known.parentId);
}

/** The bodies of all children of a parent, as it shows them; none when it no longer exists. */
export async function childBodies(
  get: ReadClient['get'],
  { kind, listedAs }: NonNullable<Kind['parent']>,
  parentId: string | undefined,
): Promise<readonly JsonObject[]> {
  return objectsIn(await get(objectPath(kindByName(kind), parentId ?? '', undefined)), listedAs);
}

export function observedFrom(kind: Kind, body: JsonObject, parentId: string | undefined): ObservedObject {
  const live = receive(kind, body, parentId);
  const inside = childKinds(kind).flatMap((child) =>
    objectsIn(body, child.parent?.listedAs ?? '').map((item) => observedFrom(child, item, live.id)),
  );
  const said = body[kind.parent?.idField ?? ''];
  return { live, children: inside, reportedParentId: typeof said === 'string' ? said : undefined };
}

function objectsIn(body: JsonObject | undefined, key: string): readonly JsonObject[] {
  const listed = body?.[key] ?? [];
  return isList(listed) ? listed.filter(isObject) : [];
}

type ListOperation = NonNullable<Kind['operations']['list']>;

/** Reads that callers at the same time share. */
export interface SharedReads {
  readonly list: (operation: ListOperation) => Promise<readonly JsonObject[]>;
  readonly get: ReadClient['get'];
}

/** Reads after lost answers: steps that look at the same time share them. */
export function shareReads({ list, get }: ReadClient): SharedReads {
  return {
    list: sharedCalls(async ({ path, key }: ListOperation) => (await list(path, key)).items),
    get: sharedCalls(get),
  };
}
