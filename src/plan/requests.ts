// The exact requests of one step (§4): full creates, minimal PATCHes with whole modules, module deletes first.

import type { Json, JsonObject } from '../base/json.ts';
import type { Value, ValueObject } from '../base/value.ts';
import { isValueObject } from '../base/value.ts';
import { ENABLED, ID, METADATA } from '../catalog/common.ts';
import type { Field } from '../catalog/field.ts';
import type { Capability, Kind } from '../catalog/kind.ts';
import type { LiveResource } from '../live/snapshot.ts';
import { createPath, modulePath, objectPath } from '../wire/path.ts';
import type { FieldDiff } from './diff.ts';
import { withoutIds } from './letting-go.ts';
import { encode, reference } from './placeholder.ts';
import type { Blocked, PlannedRequest } from './plan.ts';

export interface Target {
  readonly kind: Kind;
  readonly address: string;
  readonly parent: string | undefined;
}

export interface CreateInput {
  readonly target: Target;
  readonly spec: ValueObject;
  /** Metadata text of the creation, and the one that follows when the object is complete, if it is another. */
  readonly metadata: string;
  readonly settled: string;
  readonly parentId: string | undefined;
}

/** POST of a new object, and a PATCH for what only updates accept and for what is true only afterwards. */
export function createRequests({ target, spec, metadata, settled, parentId }: CreateInput): PlannedRequest[] {
  const { kind, address } = target;
  const body: Record<string, Json> = {};
  const later: Record<string, Json> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = spec[name];
    if (name === METADATA || value === undefined || value === null || field.write === 'never') continue;
    (field.write === 'update' ? later : body)[name] = encode(value, `${address}#${name}`);
  }
  body[METADATA] = metadata;
  if (settled !== metadata) later[METADATA] = settled;
  const parent = parentId ?? (target.parent === undefined ? undefined : reference(target.parent, ID));
  const post: PlannedRequest = { method: 'POST', path: createPath(kind, parent), body };
  if (Object.keys(later).length === 0) return [post];
  return [post, { method: 'PATCH', path: objectPath(kind, reference(address, ID), parent), body: later }];
}

export interface UpdateInput {
  readonly target: Target;
  readonly live: LiveResource;
  /** The spec as it will be, ignored paths included. */
  readonly effective: ValueObject;
  readonly diffs: readonly FieldDiff[];
  /** New metadata text, or undefined when it stays. */
  readonly metadata: string | undefined;
  readonly capabilities: ReadonlySet<Capability>;
  /** Ids of the objects that the plan deletes: what is switched off must not name them any more. */
  readonly gone: ReadonlySet<string>;
}

export interface UpdateRequests {
  readonly requests: readonly PlannedRequest[];
  readonly blocked: readonly Blocked[];
  /** Modules that are switched off because they cannot be removed, as they are sent. */
  readonly switchedOff: ValueObject;
}

/** DELETEs of removed modules, then at most one PATCH with the changed fields. */
export function updateRequests(input: UpdateInput): UpdateRequests {
  const { live, target } = input;
  const path = objectPath(target.kind, live.id, live.parentId);
  const deletes: PlannedRequest[] = [];
  const blocked: Blocked[] = [];
  const switchedOff: Record<string, Value> = {};
  const body: Record<string, Json> = {};
  for (const diff of input.diffs) {
    const { name, field } = diff;
    const removal = diff.send === undefined ? howToRemove(field, input.capabilities) : 'send';
    if (removal === 'send') body[name] = encodeDesired(diff, input);
    else if (removal === 'delete')
      deletes.push({ method: 'DELETE', path: modulePath(target.kind, live, field.remove ?? name) });
    else if (removal === 'clear') body[name] = clearedValue(field);
    else if (removal === 'switch-off') {
      switchedOff[name] = switchedOffModule(diff, input);
      body[name] = encode(switchedOff[name], `live:${live.id}#${name}`);
    } else
      blocked.push({
        address: target.address,
        path: name,
        reason: `the service has no operation that removes ${name}; name it in the manifest, or list it in lifecycle.ignore_changes`,
      });
  }
  if (input.metadata !== undefined) body[METADATA] = input.metadata;
  if (Object.keys(body).length === 0) return { requests: deletes, blocked, switchedOff };
  const patches = inTurn(body, Object.keys(switchedOff), target.kind).map((part): PlannedRequest => ({
    method: 'PATCH',
    path,
    body: { ...alwaysSent(target, input.effective), ...part },
  }));
  return { requests: [...deletes, ...patches], blocked, switchedOff };
}

/** What goes off goes first when other modules are sent, because it may exclude them (ADR-0005). */
function inTurn(body: JsonObject, switchedOff: readonly string[], kind: Kind): JsonObject[] {
  const isOff = (name: string) => switchedOff.includes(name);
  const entries = Object.entries(body);
  const sendsModule = entries.some(([name]) => !isOff(name) && kind.fields[name]?.module === true);
  if (switchedOff.length === 0 || !sendsModule) return [body];
  return [entries.filter(([name]) => isOff(name)), entries.filter(([name]) => !isOff(name))].map((part) =>
    Object.fromEntries(part),
  );
}

/** True for a value that has to go and that the service has no way to remove. */
export function isStuck({ send, field }: FieldDiff, on: ReadonlySet<Capability>): boolean {
  return send === undefined && howToRemove(field, on) === 'none';
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

/** As it is live, without what goes (ADR-0021). */
function switchedOffModule({ name, field }: FieldDiff, { live, gone }: UpdateInput): ValueObject {
  const kept = withoutIds(field, live.spec[name] ?? {}, gone);
  return { ...(isValueObject(kept) ? kept : {}), [ENABLED]: false };
}

/** Fields that every update must carry, such as the children of a failover backend (§4). */
function alwaysSent({ kind, address }: Target, spec: ValueObject): JsonObject {
  const fields = Object.entries(kind.fields).filter(([, field]) => field.alwaysSend);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const value = spec[name];
      return [name, value === undefined || value === null ? clearedValue(field) : encode(value, `${address}#${name}`)];
    }),
  );
}

/** PATCH that takes values away from a live object, so that another can have them. */
export function detachRequest(target: Target, live: LiveResource, body: JsonObject): PlannedRequest {
  const path = objectPath(target.kind, live.id, live.parentId);
  return { method: 'PATCH', path, body: { ...alwaysSent(target, live.spec), ...body } };
}

/** DELETE of one object. */
export function deleteRequest(kind: Kind, live: LiveResource): PlannedRequest {
  return { method: 'DELETE', path: objectPath(kind, live.id, live.parentId) };
}
