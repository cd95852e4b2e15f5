// Reads one object, with what is inside it, as it is now.

import type { ReadClient } from '../api/transport.ts';
import type { JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds } from '../catalog/lookup.ts';
import { receive } from '../live/receive.ts';
import type { LiveResource } from '../live/snapshot.ts';
import { objectPath } from '../wire/path.ts';

/** One object as it was last read, with what is inside it. */
export interface Sight {
  readonly live: LiveResource;
  readonly inside: readonly LiveResource[];
  /** The parent that the object itself names; undefined when it names none. */
  readonly saidParentId: string | undefined;
}

/** Where an object is. */
export interface Place {
  readonly id: string;
  readonly parentId: string | undefined;
}

/** The object; undefined when the service says that it is gone. Throws `ApiError` when that cannot be said. */
export async function lookAt(client: ReadClient, kind: Kind, place: Place): Promise<Sight | undefined> {
  const body = await client.get(objectPath(kind, place.id, place.parentId));
  return body === undefined ? undefined : sightOf(kind, body, place.parentId);
}

/** The object of a body that the service answered. */
export function sightOf(kind: Kind, body: JsonObject, parentId: string | undefined): Sight {
  const live = receive(kind, body, parentId);
  const inside = childKinds(kind).flatMap((child) =>
    objectsIn(body, child.parent?.listedAs ?? '').map((item) => receive(child, item, live.id)),
  );
  const said = body[kind.parent?.idField ?? ''];
  return { live, inside, saidParentId: typeof said === 'string' ? said : undefined };
}

/** The objects under a key of a body. */
export function objectsIn(body: JsonObject | undefined, key: string): readonly JsonObject[] {
  const listed = body?.[key] ?? [];
  return isList(listed) ? listed.filter(isObject) : [];
}
