// The exact requests of one step (§4): full creates, minimal PATCHes with whole modules, module deletions first. And what an
// update cannot do: remove a value without an operation for it, or send a field whole without an unreadable secret (ADR-0018).

import type { Json, JsonObject } from '../../core/json.ts';
import { groupEntries } from '../../core/group.ts';
import { isValueObject, parsePath, revealed, valueAt, type Value, type ValueObject } from '../../core/value.ts';
import { ENABLED, ID, METADATA } from '../../catalog/fields/common.ts';
import type { Field } from '../../catalog/field.ts';
import { brokenRules, type Capability, type Kind } from '../../catalog/kind.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { createPath, modulePath, objectPath } from '../../catalog/path.ts';
import { mapFieldLeaves } from '../../catalog/walk.ts';
import { valueToSend, type FieldDiff } from '../../resource/diff.ts';
import { idsInField } from '../../resource/references.ts';
import { encodeField, attributePlaceholder } from '../../resource/placeholder.ts';
import { secretPlaces } from '../../resource/secret-places.ts';
import type { Blocked, PlannedRequest } from '../plan.ts';

interface CreateInput {
  readonly kind: Kind;
  readonly address: string;
  /** Id of the new object's parent, or a placeholder for it. */
  readonly parentId: string | undefined;
  readonly spec: ValueObject;
  /** Metadata text of the creation, and the final one if it differs. */
  readonly metadata: string;
  readonly finalMetadata: string;
}

/** POST of a new object, and a PATCH for fields that only updates accept or that are only valid afterwards. */
export function createRequests(input: CreateInput): PlannedRequest[] {
  const { kind, address, parentId, spec, metadata, finalMetadata } = input;
  const body: Record<string, Json> = {};
  const later: Record<string, Json> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = spec[name];
    if (name === METADATA || value === undefined || value === null || field.write === 'never') continue;
    (field.write === 'update' ? later : body)[name] = encodeField(field, value);
  }
  body[METADATA] = metadata;
  if (finalMetadata !== metadata) later[METADATA] = finalMetadata;
  const post: PlannedRequest = { method: 'POST', path: createPath(kind, parentId), body };
  if (Object.keys(later).length === 0) return [post];
  return [post, { method: 'PATCH', path: objectPath(kind, attributePlaceholder(address, ID), parentId), body: later }];
}

interface UpdateInput {
  readonly kind: Kind;
  readonly address: string;
  readonly live: LiveResource;
  /** The resulting spec, including ignored paths. */
  readonly effective: ValueObject;
  readonly diffs: readonly FieldDiff[];
  /** New metadata text, or undefined if it stays. */
  readonly metadata: string | undefined;
  readonly capabilities: ReadonlySet<Capability>;
  /** Ids of the objects that the plan deletes, which disabled modules must no longer refer to. */
  readonly deletedIds: ReadonlySet<string>;
  /** What `updateObstacles` finds of this update. */
  readonly obstacles: Obstacles;
}

/** The requests of an update, and what they cannot do. */
export interface UpdateRequests {
  readonly requests: readonly PlannedRequest[];
  readonly blocked: readonly Blocked[];
  /** By name, the modules that are disabled because they cannot be removed, as sent. */
  readonly switchedOff: Readonly<Record<string, Value>>;
}

/** DELETEs of removed modules, then a PATCH with the changed fields if there are any; two where modules are switched off first. */
export function updateRequests(input: UpdateInput): UpdateRequests {
  const { kind, address, live, obstacles } = input;
  const deletes: PlannedRequest[] = [];
  const blocked: Blocked[] = [];
  const switchedOff: Record<string, Value> = {};
  const body: Record<string, Json> = {};
  for (const diff of input.diffs) {
    const { name, field } = diff;
    const send = valueToSend(diff);
    const removal = send === undefined ? howToRemove(field, input.capabilities) : 'send';
    const why = obstacles.get(name) ?? [];
    if (why.length > 0) blocked.push(...why.map((one) => ({ address, ...one })));
    else if (removal === 'send') body[name] = encodeField(field, send ?? null);
    else if (removal === 'delete')
      deletes.push({ method: 'DELETE', path: modulePath(kind, live, field.remove ?? name) });
    else if (removal === 'clear') body[name] = clearedValue(field);
    else {
      switchedOff[name] = switchedOffModule(diff, input);
      body[name] = encodeField(field, switchedOff[name]);
    }
  }
  if (input.metadata !== undefined) body[METADATA] = input.metadata;
  const parts = Object.keys(body).length === 0 ? [] : inTurn(body, Object.keys(switchedOff), kind);
  const patches = parts.map((part) => patchRequest(kind, { ...live, spec: input.effective }, part));
  return { requests: [...deletes, ...patches], blocked, switchedOff };
}

/** Disabling a module comes before sending others, which it may exclude (ADR-0005). */
function inTurn(body: JsonObject, switchedOff: readonly string[], kind: Kind): JsonObject[] {
  const isOff = (name: string) => switchedOff.includes(name);
  const entries = Object.entries(body);
  const sendsModule = entries.some(([name]) => !isOff(name) && kind.fields[name]?.module === true);
  if (switchedOff.length === 0 || !sendsModule) return [body];
  return [entries.filter(([name]) => isOff(name)), entries.filter(([name]) => !isOff(name))].map((part) =>
    Object.fromEntries(part),
  );
}

function clearedValue(field: Field): Json {
  return typeof field.default === 'object' ? field.default.value : null;
}

/** The live module without references to deleted objects (ADR-0021). */
function switchedOffModule({ name, field }: FieldDiff, { live, deletedIds }: UpdateInput): ValueObject {
  const kept = mapFieldLeaves(live.spec[name] ?? {}, { field, path: [], place: [] }, (leaf, at) =>
    at.field !== undefined && idsInField(at.field, leaf).some((id) => deletedIds.has(id)) ? undefined : leaf,
  );
  return { ...(isValueObject(kept) ? kept : {}), [ENABLED]: false };
}

/** Fields that every update must contain, such as the children of a failover backend (§4). */
function alwaysSent(kind: Kind, spec: ValueObject): JsonObject {
  const fields = Object.entries(kind.fields).filter(([, field]) => field.alwaysSend);
  return Object.fromEntries(
    fields.map(([name, field]) => {
      const value = spec[name];
      return [name, value === undefined || value === null ? clearedValue(field) : encodeField(field, value)];
    }),
  );
}

/** PATCH of an object, with the fields that every update must contain. */
export function patchRequest(
  kind: Kind,
  { id, parentId, spec }: Pick<LiveResource, 'id' | 'parentId' | 'spec'>,
  body: JsonObject,
): PlannedRequest {
  return { method: 'PATCH', path: objectPath(kind, id, parentId), body: { ...alwaysSent(kind, spec), ...body } };
}

function howToRemove(field: Field, on: ReadonlySet<Capability>): 'delete' | 'clear' | 'switch-off' | 'none' {
  if (field.remove !== undefined && on.has('module-delete')) return 'delete';
  if (field.module) return 'switch-off';
  return typeof field.default === 'object' ? 'clear' : 'none';
}

/** Why an update cannot change a value. */
type Obstacle = Omit<Blocked, 'address' | 'changes'> & { readonly fix: string };

interface ObstacleInput extends Pick<UpdateInput, 'kind' | 'live' | 'effective' | 'diffs' | 'capabilities'> {
  /** The spec that the manifest asks for, and the paths of it that are left alone. */
  readonly wanted: ValueObject;
  readonly ignored: readonly string[];
}

export type Obstacles = ReadonlyMap<string, readonly Obstacle[]>;

/** By field, everything that prevents an update from changing it: its own obstacles, and what cannot stand beside a value that stays. */
export function updateObstacles(input: ObstacleInput): Obstacles {
  const own = groupEntries(input.diffs.flatMap((diff) => ownObstacles(diff, input).map((one) => [diff.name, one])));
  return new Map([...own, ...(own.size === 0 ? besideIgnored(input) : excludedBy(own, input))]);
}

/** What would break a rule of the kind beside the fields that stay: it is blocked with them, since the service would refuse it. */
function excludedBy(own: Obstacles, input: ObstacleInput): Map<string, Obstacle[]> {
  const staying = [...own.keys()];
  const { why, names } = excludedBeside(staying, input);
  const message = `${why}, because ${staying.join(' and ')} cannot be removed`;
  const fix = [...new Set([...own.values()].flat().map((one) => one.fix))].join('; ');
  const facts = { code: 'cannot-remove', severity: 'error', message, fix } as const;
  return new Map(names.map((name) => [name, [{ ...facts, path: name }]]));
}

/** What would break a rule of the kind beside a live value that the manifest leaves alone. */
function besideIgnored(input: ObstacleInput): Map<string, Obstacle[]> {
  const { kind, effective, wanted, ignored } = input;
  const broken = (spec: ValueObject) => brokenRules(kind, revealed(spec)).length;
  if (ignored.length === 0 || broken(effective) <= broken(wanted)) return new Map();
  const { why, names } = excludedBeside([], input);
  const asWanted = (name: string) => Object.fromEntries([...Object.entries(effective), ...entryOf(wanted, name)]);
  const alone = ignored.filter((path) => broken(asWanted(path.split('.')[0] ?? '')) < broken(effective));
  const kept = alone.join(' and ');
  const message = `${why}, because ${kept} is left alone`;
  const facts = { code: 'ignored-conflict', severity: 'error', message } as const;
  const fixFor = (name: string) => `take ${kept} out of lifecycle.ignore_changes, or leave ${name} out`;
  return new Map(names.map((name) => [name, [{ ...facts, path: name, fix: fixFor(name) }]]));
}

/** Which of the fields that are sent would break a rule beside those that stay as they are, and the rules. */
function excludedBeside(staying: readonly string[], { kind, live, effective, diffs }: ObstacleInput) {
  const broken = (names: readonly string[]) => {
    const kept = Object.fromEntries(names.flatMap((name) => entryOf(live.spec, name)));
    const others = Object.entries(effective).filter(([name]) => !names.includes(name));
    return brokenRules(kind, revealed({ ...Object.fromEntries(others), ...kept }));
  };
  const found = broken(staying);
  const sent = diffs.filter(({ name }) => !staying.includes(name));
  const excluded = sent.filter(({ name }) => broken([...staying, name]).length < found.length);
  return { why: found.map(({ message }) => message).join('; '), names: excluded.map(({ name }) => name) };
}

function entryOf(spec: ValueObject, name: string): [string, Value][] {
  const value = spec[name];
  return value === undefined ? [] : [[name, value]];
}

/** What prevents an update from changing the field itself. No live secret is ever sent (ADR-0009). */
function ownObstacles(
  diff: FieldDiff,
  { live, capabilities }: Pick<ObstacleInput, 'live' | 'capabilities'>,
): Obstacle[] {
  const { name, field } = diff;
  const send = valueToSend(diff);
  if (send !== undefined) return lackingSecrets(diff, send);
  const removal = howToRemove(field, capabilities);
  if (removal === 'none') return [notRemovable(name)];
  if (removal !== 'switch-off') return [];
  return secretPlaces(field, live.spec[name], name).map((path) => secretOfModule(name, path));
}

function notRemovable(name: string): Obstacle {
  const message = `the service has no operation that removes ${name}`;
  const fix = 'name it in the manifest, or list it in lifecycle.ignore_changes';
  return { code: 'cannot-remove', severity: 'error', path: name, message, fix };
}

/** A module is sent to switch it off, and that with its secret. */
function secretOfModule(name: string, path: string): Obstacle {
  const message = `${name} can only be switched off by sending it whole, with its secret, which the manifest no longer has`;
  const fix = `keep ${name} in the manifest with \`enabled: false\` and its secret, or remove it by hand`;
  return { code: 'secret-needed', severity: 'error', path, message, fix };
}

/** Ignored secrets that sending the field would remove, because the manifest has no value for them (ADR-0009). */
function lackingSecrets({ name, ignoredSecrets }: FieldDiff, send: Value): Obstacle[] {
  const message = `${name} is sent whole, always with the secrets of the manifest, which has none here`;
  const fix = `give it there, or list ${name} under ignore_changes`;
  const isLacking = (path: string) => (valueAt(send, parsePath(path).slice(1)) ?? null) === null;
  const lacking = ignoredSecrets.filter(({ path }) => isLacking(path));
  return lacking.map(({ path }) => ({ code: 'secret-needed', severity: 'error', path, message, fix }));
}
