// Looks for the object that a creation with a lost answer may have made.

import { ApiError } from '../service/transport.ts';
import type { JsonObject } from '../core/json.ts';
import { ID, METADATA } from '../catalog/fields/common.ts';
import { idForm, isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { readMarker } from '../resource/marker/marker-codec.ts';
import { childBodies } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';

/**
 * The object that the step's creation made: it has the marker that was sent, with this run's name, and did not exist before.
 */
export async function findCreated(run: StepRun): Promise<JsonObject | undefined> {
  const { step, input, history } = run;
  const kind = kindByName(step.kind);
  const items = await listAll(run, kind);
  return items.find((item) => {
    const id = item[ID];
    const { marker } = readMarker(typeof item[METADATA] === 'string' ? item[METADATA] : '');
    const isOurs = marker?.stack === input.plan.stack && marker.address === step.address;
    const isSent = isOurs && marker.created_by === history.runName;
    if (!isSent || typeof id !== 'string' || input.live.has(id) || history.written.has(id)) return false;
    if (isId(kind, id)) return true;
    // It exists, so it is not absent; but nothing can be sent to it.
    const message = `${step.address} is in the list as something that is not ${idForm(kind)}`;
    throw new ApiError({ code: 'api-not-understood', message, known: 'unusable', type: 'creation' });
  });
}

async function listAll({ parentId, sharedReads }: StepRun, kind: Kind): Promise<readonly JsonObject[]> {
  const { parent, operations } = kind;
  if (parent !== undefined) return childBodies(sharedReads.get, parent, parentId);
  return operations.list === undefined ? [] : sharedReads.list(operations.list);
}
