// Reads one object, with what is inside it, as it is now.

import type { ReadClient } from '../service/transport.ts';
import { ApiError, isNotFound } from '../service/transport.ts';
import type { JsonObject } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByName } from '../catalog/lookup.ts';
import { receive } from '../resource/receive.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { ObjectLocation } from '../catalog/path.ts';
import { objectPath } from '../catalog/path.ts';
import { missingOperationHint } from './gate/missing-operation.ts';

/** One object as it was last read, with what is inside it. */
export interface ObservedObject {
  readonly live: LiveResource;
  readonly children: readonly LiveResource[];
  /** The parent that the object itself names; undefined when it names none. */
  readonly reportedParentId: string | undefined;
}

/**
 * The object; undefined when it is gone. Throws `ApiError` when that cannot be said. An object inside another is gone when
 * that one does not show it: what is still shown there has only no operation under its own path (ADR-0004).
 */
export async function refreshObject(
  client: Pick<ReadClient, 'get'>,
  kind: Kind,
  place: ObjectLocation,
): Promise<ObservedObject | undefined> {
  const found = await getOrStatus(client, kind, place);
  if (typeof found !== 'number') return observedFrom(kind, found, place.parentId);
  if (await isListedByParent(client, kind, place)) throw noOperation(kind, place, found);
  return undefined;
}

/** The object's body; the status when the service says that nothing is there. */
async function getOrStatus(
  client: Pick<ReadClient, 'get'>,
  kind: Kind,
  place: ObjectLocation,
): Promise<JsonObject | number> {
  try {
    return (await client.get(objectPath(kind, place.id, place.parentId))) ?? 404;
  } catch (error) {
    const isAnswer = error instanceof ApiError && isNotFound(error);
    // Only the object that it is in can say more.
    if (!isAnswer || error.status === undefined || kind.parent === undefined) throw error;
    return error.status;
  }
}

async function isListedByParent(
  client: Pick<ReadClient, 'get'>,
  { parent }: Kind,
  { id, parentId }: ObjectLocation,
): Promise<boolean> {
  if (parent === undefined || parentId === undefined) return false;
  const body = await client.get(objectPath(kindByName(parent.kind), parentId, undefined));
  return objectsIn(body, parent.listedAs).some((item) => item[ID] === id);
}

function noOperation(kind: Kind, { id, parentId }: ObjectLocation, status: number): ApiError {
  const path = objectPath(kind, id, parentId);
  const message = `the service answers ${status} to GET ${path}, but ${parentId ?? ''} still lists it`;
  const error = new ApiError({ code: 'capability-missing', message, failure: 'unusable', reach: 'answered', status });
  return error.with({ message: `${message}${missingOperationHint(kind, { method: 'GET', field: undefined }, error)}` });
}

/** The object of a body that the service answered. */
export function observedFrom(kind: Kind, body: JsonObject, parentId: string | undefined): ObservedObject {
  const live = receive(kind, body, parentId);
  const inside = childKinds(kind).flatMap((child) =>
    objectsIn(body, child.parent?.listedAs ?? '').map((item) => receive(child, item, live.id)),
  );
  const said = body[kind.parent?.idField ?? ''];
  return { live, children: inside, reportedParentId: typeof said === 'string' ? said : undefined };
}

/** The objects under a key of a body. */
export function objectsIn(body: JsonObject | undefined, key: string): readonly JsonObject[] {
  const listed = body?.[key] ?? [];
  return isList(listed) ? listed.filter(isObject) : [];
}
