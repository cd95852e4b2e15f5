// Looks for the object that a lost answer was about.

import type { JsonObject } from '../base/json.ts';
import { ID, METADATA } from '../catalog/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { readMarker } from '../live/owner.ts';
import { objectPath } from '../wire/path.ts';
import { objectsIn } from './look.ts';
import type { Run } from './run.ts';

/** The object that the step's creation made: it has the step's marker and was not there before. */
export async function lookForCreated(run: Run): Promise<JsonObject | undefined> {
  const { step, input, history } = run;
  const kind = kindByName(step.kind);
  const items = await listAll(run, kind);
  return items.find((item) => {
    const id = item[ID];
    const { marker } = readMarker(typeof item[METADATA] === 'string' ? item[METADATA] : '');
    const isOurs = marker?.stack === input.plan.stack && marker.address === step.address;
    return isOurs && typeof id === 'string' && !input.live.has(id) && !history.written.has(id);
  });
}

async function listAll({ input, parentId }: Run, kind: Kind): Promise<readonly JsonObject[]> {
  const { parent, operations } = kind;
  if (parent !== undefined) {
    const above = kindByName(parent.kind);
    const body = await input.client.get(objectPath(above, encodeURIComponent(parentId ?? ''), undefined));
    return objectsIn(body, parent.listedAs);
  }
  if (operations.list === undefined) return [];
  return (await input.client.list(operations.list.path, operations.list.key)).items;
}
