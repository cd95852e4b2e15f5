// Looks at the service to find out what is there: one object, or the one that a lost answer was about.

import type { JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import { ID, METADATA } from '../catalog/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByName } from '../catalog/lookup.ts';
import { readMarker } from '../live/owner.ts';
import { receive } from '../live/receive.ts';
import type { LiveResource } from '../live/snapshot.ts';
import { objectPath } from '../wire/path.ts';
import type { Run } from './run.ts';

/** One object as it is now, and the ids of what is inside it. */
export interface Seen {
  readonly live: LiveResource;
  readonly inside: readonly string[];
}

/** Where an object is. */
export interface Place {
  readonly id: string;
  readonly parentId: string | undefined;
}

/** The object of a step; undefined when the service says that it is gone. Throws `ApiError` when that cannot be said. */
export async function lookAt({ input }: Run, kind: Kind, { id, parentId }: Place): Promise<Seen | undefined> {
  const body = await input.client.get(objectPath(kind, encodeURIComponent(id), parentId));
  if (body === undefined) return undefined;
  const inside = childKinds(kind).flatMap((child) => idsOf(body, child));
  return { live: receive(kind, body, parentId), inside };
}

function idsOf(body: JsonObject, child: Kind): string[] {
  const listed = body[child.parent?.listedAs ?? ''] ?? [];
  const items = isList(listed) ? listed.filter(isObject) : [];
  return items.map((item) => String(item[ID]));
}

/** The object that the step's creation made: it has the step's marker and was not there before. */
export async function lookForCreated(run: Run): Promise<JsonObject | undefined> {
  const { step, input } = run;
  const kind = kindByName(step.kind);
  const items = await listAll(run, kind);
  return items.find((item) => {
    const id = item[ID];
    const { marker } = readMarker(typeof item[METADATA] === 'string' ? item[METADATA] : '');
    const isOurs = marker?.stack === input.plan.stack && marker.address === step.address;
    return isOurs && typeof id === 'string' && !input.existing.has(id) && !run.written.has(id);
  });
}

async function listAll({ input, parentId }: Run, kind: Kind): Promise<readonly JsonObject[]> {
  const { parent, operations } = kind;
  if (parent !== undefined) {
    const above = kindByName(parent.kind);
    const body = await input.client.get(objectPath(above, parentId ?? '', undefined));
    const listed = body?.[parent.listedAs] ?? [];
    return isList(listed) ? listed.filter(isObject) : [];
  }
  if (operations.list === undefined) return [];
  return (await input.client.list(operations.list.path, operations.list.key)).items;
}
