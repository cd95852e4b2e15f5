// The exact requests of one step (§4): full creates, minimal PATCHes with whole modules, module deletes first.

import type { Json, JsonObject } from '../base/json.ts';
import type { ValueObject } from '../base/value.ts';
import { isValueObject } from '../base/value.ts';
import { ENABLED, ID, METADATA } from '../catalog/common.ts';
import type { Field } from '../catalog/field.ts';
import type { Capability, Kind } from '../catalog/kind.ts';
import type { LiveResource } from '../live/snapshot.ts';
import { createPath, objectPath } from '../wire/path.ts';
import type { FieldDiff } from './diff.ts';
import { encode, reference } from './placeholder.ts';
import type { Blocked, PlannedRequest } from './plan.ts';

export interface Target {
  readonly kind: Kind;
  readonly address: string;
  readonly parent: string | undefined;
}

/** POST of a new object, and a PATCH for fields that only updates accept. */
export function createRequests(
  target: Target,
  spec: ValueObject,
  metadata: string,
  parentId: string | undefined,
): PlannedRequest[] {
  const { kind, address } = target;
  const body: Record<string, Json> = {};
  const later: Record<string, Json> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = spec[name];
    if (name === METADATA || value === undefined || value === null || field.write === 'never') continue;
    (field.write === 'update' ? later : body)[name] = encode(value, `${address}#${name}`);
  }
  body[METADATA] = metadata;
  const parent = parentId ?? (target.parent === undefined ? undefined : reference(target.parent, ID));
  const post: PlannedRequest = { method: 'POST', path: createPath(kind, parent), body };
  if (Object.keys(later).length === 0) return [post];
  return [post, { method: 'PATCH', path: objectPath(kind, reference(address, ID), parent), body: later }];
}

export interface UpdateInput {
  readonly target: Target;
  readonly live: LiveResource;
  readonly desired: ValueObject;
  readonly diffs: readonly FieldDiff[];
  /** New metadata text, or undefined when it stays. */
  readonly metadata: string | undefined;
  readonly capabilities: ReadonlySet<Capability>;
}

export interface UpdateRequests {
  readonly requests: readonly PlannedRequest[];
  readonly blocked: readonly Blocked[];
  /** Field names whose module is switched off because it cannot be removed. */
  readonly switchedOff: readonly string[];
}

/** DELETEs of removed modules, then at most one PATCH with the changed fields. */
export function updateRequests(input: UpdateInput): UpdateRequests {
  const { live, target } = input;
  const path = objectPath(target.kind, live.id, live.parentId);
  const deletes: PlannedRequest[] = [];
  const blocked: Blocked[] = [];
  const switchedOff: string[] = [];
  const body: Record<string, Json> = {};
  for (const diff of input.diffs) {
    const { name, field } = diff;
    const removal = diff.send === undefined ? howToRemove(field, input.capabilities) : 'send';
    if (removal === 'send') body[name] = encodeDesired(diff, input);
    else if (removal === 'delete') deletes.push({ method: 'DELETE', path: `${path}/${field.remove ?? name}` });
    else if (removal === 'clear') body[name] = clearedValue(field);
    else if (removal === 'switch-off') {
      switchedOff.push(name);
      body[name] = switchedOffModule(diff, live);
    } else
      blocked.push({
        address: target.address,
        path: name,
        reason: `the service has no operation that removes ${name}`,
      });
  }
  if (input.metadata !== undefined) body[METADATA] = input.metadata;
  if (Object.keys(body).length === 0) return { requests: deletes, blocked, switchedOff };
  const patch: PlannedRequest = { method: 'PATCH', path, body: { ...alwaysSent(input), ...body } };
  return { requests: [...deletes, patch], blocked, switchedOff };
}

function howToRemove(field: Field, on: ReadonlySet<Capability>): 'delete' | 'clear' | 'switch-off' | 'none' {
  if (field.remove !== undefined && on.has('module-delete')) return 'delete';
  if (field.module) return 'switch-off';
  return typeof field.default === 'object' ? 'clear' : 'none';
}

function clearedValue(field: Field): Json {
  return typeof field.default === 'object' ? field.default.value : null;
}

/** Secrets that were carried over from the live object are looked up there, others in the manifest. */
function encodeDesired({ name, send, given, live }: FieldDiff, { target, live: resource }: UpdateInput): Json {
  if (send === given || !isValueObject(send)) return encode(send ?? null, `${target.address}#${name}`);
  return Object.fromEntries(
    Object.entries(send).map(([key, value]) => {
      const own = isValueObject(given) && given[key] === value;
      const from =
        own || !isValueObject(live) ? `${target.address}#${name}.${key}` : `live:${resource.id}#${name}.${key}`;
      return [key, encode(value, from)];
    }),
  );
}

function switchedOffModule(diff: FieldDiff, live: LiveResource): Json {
  const module = encode(live.spec[diff.name] ?? {}, `live:${live.id}#${diff.name}`);
  return { ...(module as JsonObject), [ENABLED]: false };
}

/** Fields that every update must carry, such as the children of a failover backend (§4). */
function alwaysSent({ target, desired }: UpdateInput): JsonObject {
  const fields = Object.entries(target.kind.fields).filter(([, field]) => field.alwaysSend);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const value = desired[name];
      return [
        name,
        value === undefined || value === null ? clearedValue(field) : encode(value, `${target.address}#${name}`),
      ];
    }),
  );
}

/** DELETE of one object. */
export function deleteRequest(kind: Kind, live: LiveResource): PlannedRequest {
  return { method: 'DELETE', path: objectPath(kind, live.id, live.parentId) };
}
