// Reads the current state of one object and its children.

import { ApiError, isNotFound, type ReadClient } from '../service/transport.ts';
import { isList, isObject, type JsonObject } from '../core/json.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByName } from '../catalog/lookup.ts';
import { receive } from '../resource/receive.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { objectPath } from '../catalog/path.ts';
import { missingOperationHint } from './gate/missing-operation.ts';

/** One object and its children as last read. */
export interface ObservedObject {
  readonly live: LiveResource;
  readonly children: readonly LiveResource[];
  /** The parent that the object itself names, if any. */
  readonly reportedParentId: string | undefined;
}

/** What identifies the object to read. */
type Known = Pick<LiveResource, 'kind' | 'id' | 'parentId'>;

/**
 * The object; undefined when it no longer exists. Throws `ApiError` if that is uncertain. A child no longer exists when its
 * parent does not list it; one that is still listed only lacks an operation under its own path (ADR-0004).
 */
export async function refreshObject(get: ReadClient['get'], known: Known): Promise<ObservedObject | undefined> {
  const kind = kindByName(known.kind);
  const path = objectPath(kind, known.id, known.parentId);
  const found = await getOrStatus(get, kind, path);
  if (typeof found !== 'number') return observedFrom(kind, found, known.parentId);
  if (await isListedByParent(get, kind, known)) throw noOperation(kind, path, known, found);
  return undefined;
}

/** The object's body, or the status when the service says that it does not exist. */
async function getOrStatus(get: ReadClient['get'], kind: Kind, path: string): Promise<JsonObject | number> {
  try {
    return (await get(path)) ?? 404;
  } catch (error) {
    const isAnswer = error instanceof ApiError && isNotFound(error);
    // Only the parent can tell more.
    if (!isAnswer || error.status === undefined || kind.parent === undefined) throw error;
    return error.status;
  }
}

async function isListedByParent(get: ReadClient['get'], { parent }: Kind, { id, parentId }: Known): Promise<boolean> {
  if (parent === undefined || parentId === undefined) return false;
  const body = await get(objectPath(kindByName(parent.kind), parentId, undefined));
  return objectsIn(body, parent.listedAs).some((item) => item[ID] === id);
}

function noOperation(kind: Kind, path: string, { parentId }: Known, status: number): ApiError {
  const message = `the service answers ${status} to GET ${path}, but ${parentId ?? ''} still lists it`;
  const error = new ApiError({ code: 'capability-missing', message, failure: 'unusable', reach: 'answered', status });
  return error.with({ message: `${message}${missingOperationHint(kind, { method: 'GET', field: undefined }, error)}` });
}

export function observedFrom(kind: Kind, body: JsonObject, parentId: string | undefined): ObservedObject {
  const live = receive(kind, body, parentId);
  const inside = childKinds(kind).flatMap((child) =>
    objectsIn(body, child.parent?.listedAs ?? '').map((item) => receive(child, item, live.id)),
  );
  const said = body[kind.parent?.idField ?? ''];
  return { live, children: inside, reportedParentId: typeof said === 'string' ? said : undefined };
}

export function objectsIn(body: JsonObject | undefined, key: string): readonly JsonObject[] {
  const listed = body?.[key] ?? [];
  return isList(listed) ? listed.filter(isObject) : [];
}
