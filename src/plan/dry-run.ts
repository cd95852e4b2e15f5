// Tries a plan on a copy of the live state: the exact requests, in order, by the rules of the service.
// Sends nothing; values that the service would choose are made up.

import { BugError } from '../core/diagnostic.ts';
import { shortDigest } from '../core/digest.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import { LONGEST_SEGMENT } from '../core/text/segment.ts';
import { isValueObject, valueAt, type Value, type ValueObject } from '../core/value.ts';
import { ID, METADATA } from '../catalog/fields/common.ts';
import { fieldOf } from '../catalog/walk.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { readMarker } from '../resource/marker/marker-codec.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Import, Manifest } from '../manifest/manifest.ts';
import { createPath, objectPath, parsePath } from '../catalog/path.ts';
import { digestLookup, saltOf } from '../resource/digests.ts';
import type { Match } from './match/match.ts';
import { fillPath, fillValues, type Lookup } from '../resource/placeholder.ts';
import type { PlannedRequest, Step } from './plan.ts';
import { secretLookup, liveByAddress } from './lookup.ts';
import { uniqueKeys } from '../resource/uniques.ts';
import { attributesByAddress } from '../resource/references.ts';

interface DryRunState {
  readonly manifest: Manifest;
  readonly objects: Map<string, LiveResource>;
  /** Ids of the present and former children of an object. */
  readonly inside: Map<string, Set<string>>;
  /** Id of the object that steps created or changed, by address. */
  readonly idByAddress: Map<string, string>;
  readonly secret: Lookup['secret'];
  /** Attributes that something refers to, by address, which the service would set. */
  readonly wanted: ReadonlyMap<string, readonly string[]>;
  /** Ids of the objects that hold a unique value; the service may have allowed several. */
  readonly holders: Map<string, Set<string>>;
  readonly problems: string[];
}

/** The live state after all steps of a plan, starting from the matched objects, and the manifest that fits it. */
export function dryRun(
  given: DryRunInput,
  steps: readonly Step[],
): Pick<DryRunInput, 'manifest' | 'snapshot'> & { readonly problems: readonly string[] } {
  const input = withStandIns(given);
  const world = initialState(input);
  for (const step of steps) {
    let sent: ValueObject = {};
    for (const request of step.requests) {
      const lookup = lookupFor(step, kindByName(step.kind), world);
      const body = fillValues(request.body ?? {}, lookup, sent);
      sent = { ...sent, ...body };
      perform(step, { method: request.method, path: fillPath(request.path, lookup), body }, world);
    }
  }
  return {
    manifest: input.manifest,
    snapshot: { ...input.snapshot, resources: [...world.objects.values()] },
    /** Rules of the service that the steps would break, in words. */
    problems: world.problems,
  };
}

interface DryRunInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  /** The whole manifest, matched with the snapshot. */
  readonly matched: Match;
  /** Unique values that nothing holds any more when the steps begin. */
  readonly released?: Iterable<string>;
  /** Imports that another stack is about to create. */
  readonly pending?: ReadonlySet<string> | undefined;
}

/** Pending imports have objects with made-up values here, which the manifest imports by their ids. */
function withStandIns(input: DryRunInput): DryRunInput {
  const { manifest, snapshot, matched, pending } = input;
  if (pending === undefined || pending.size === 0) return input;
  const wanted = attributesByAddress(manifest);
  const known = new Map(matched.imports.known);
  const imports = manifest.imports.map((imported): Import => {
    const { address, kind } = imported;
    if (!pending.has(address)) return imported;
    const live = madeUpObject(kindByName(kind), address);
    known.set(address, { ...live, computed: withWanted(live.computed, wanted.get(address) ?? [], address) });
    return { ...imported, from: { id: live.id } };
  });
  const objects = [...known].flatMap(([address, live]) => (pending.has(address) ? [live] : []));
  return {
    ...input,
    manifest: { ...manifest, imports },
    snapshot: { ...snapshot, resources: [...snapshot.resources, ...objects] },
    matched: { ...matched, imports: { known, problems: [] } },
  };
}

function initialState({ manifest, snapshot, matched, released = [] }: DryRunInput): DryRunState {
  const holders = new Map<string, Set<string>>();
  const inside: DryRunState['inside'] = new Map();
  for (const live of snapshot.resources) {
    claimValues(live, kindByName(live.kind), holders);
    noteParent(live, inside);
  }
  for (const key of released) holders.delete(key);
  return {
    manifest,
    inside,
    objects: new Map(snapshot.resources.map((live) => [live.id, live])),
    idByAddress: new Map([...liveByAddress(snapshot, matched)].map(([address, { id }]) => [address, id])),
    secret: secretLookup(manifest, snapshot),
    wanted: attributesByAddress(manifest),
    holders,
    problems: [],
  };
}

interface Filled {
  readonly method: PlannedRequest['method'];
  readonly path: string;
  readonly body: ValueObject;
}

function perform(step: Step, filled: Filled, world: DryRunState): void {
  const { method, path, body } = filled;
  const kind = kindByName(step.kind);
  if (method === 'POST') {
    create(step, kind, filled, world);
    return;
  }
  const id = step.live_id ?? world.idByAddress.get(step.address);
  const live = id === undefined ? undefined : world.objects.get(id);
  if (live === undefined) {
    world.problems.push(`${step.id} changes ${step.address}, which does not exist`);
    return;
  }
  const own = objectPath(kind, live.id, live.parentId);
  if (method === 'PATCH' && path === own) update(step, live, body, world);
  else if (method === 'DELETE' && path === own) remove(live, world);
  else if (method === 'DELETE' && parsePath(kind, path)?.field !== undefined && path.startsWith(`${own}/`))
    removeField(step, live, parsePath(kind, path)?.field ?? '', world);
  else world.problems.push(`${step.id} asks for ${method} ${path}, which is not ${own}`);
}

function lookupFor(step: Step, kind: Kind, world: DryRunState): Lookup {
  return {
    attr: (address, attr) => {
      const live = world.objects.get(world.idByAddress.get(address) ?? '');
      const value = attr === ID ? live?.id : valueAt(live?.computed ?? {}, attr.split('.'));
      if (value !== undefined) return value;
      world.problems.push(`${step.id} needs ${address}.${attr}, which no step before it makes known`);
      return madeUp('unknown', `${address}.${attr}`);
    },
    secret: world.secret,
    digest: digestLookup(kind, saltOf({ stack: world.manifest.stack, address: step.address })),
  };
}

/** A text that is valid in a path, as long as an address may be, and unique even when case is ignored. */
function madeUp(word: string, name: string): string {
  const isApart = name.length <= LONGEST_SEGMENT / 2 && name === name.toLowerCase();
  return `${word}-${isApart ? name : shortDigest(name)}`;
}

function create(step: Step, kind: Kind, { path, body }: Filled, world: DryRunState): void {
  const parentId = kind.parent === undefined ? undefined : parentIn(kind, path, world);
  if (kind.parent !== undefined && parentId === undefined) {
    world.problems.push(`${step.id} creates ${step.address} inside an object that is not there`);
    return;
  }
  const own = madeUpObject(kind, step.address, parentId);
  world.idByAddress.set(step.address, own.id);
  store(step, own, body, world);
}

function madeUpObject(kind: Kind, address: string, parentId?: string): LiveResource {
  const id = `${kind.idPrefix}${madeUp('simulated', address)}`;
  return {
    kind: kind.name,
    id,
    parentId,
    spec: {},
    computed: { [ID]: id },
    writeOnly: [],
    metadata: '',
    userMetadata: '',
    marker: undefined,
  };
}

function parentIn(kind: Kind, path: string, { objects }: DryRunState): string | undefined {
  const ids = path.split('/').filter((segment) => objects.has(segment));
  const id = ids.find((one) => objects.get(one)?.kind === kind.parent?.kind);
  return id !== undefined && path === createPath(kind, id) ? id : undefined;
}

function update(step: Step, live: LiveResource, body: ValueObject, world: DryRunState): void {
  if (Object.keys(body).length === 0) world.problems.push(`${step.id} sends an empty PATCH`);
  world.idByAddress.set(step.address, live.id);
  store(step, live, body, world);
}

/** The object with the given fields replaced, as a later read would return it. */
function store(step: Step, before: LiveResource, body: ValueObject, world: DryRunState): void {
  const kind = kindByName(before.kind);
  const { [METADATA]: text, ...fields } = body;
  const metadata = typeof text === 'string' ? text : before.metadata;
  const { user, ...marking } = readMarker(metadata);
  const { [METADATA]: _, ...old } = before.spec;
  const spec = { ...old, ...asRead(kind.fields, fields), ...(user !== '' && { [METADATA]: user }) };
  const computed = withWanted(before.computed, world.wanted.get(step.address) ?? [], step.address);
  const { marker: _marker, markerProblem: _problem, ...bare } = before;
  const next: LiveResource = { ...bare, spec, computed, metadata, userMetadata: user, ...marking };
  for (const key of uniqueKeys(kind, spec, next.parentId)) {
    const holders = world.holders.get(key) ?? new Set();
    // A value that the object already has is not checked, even if others have it, too.
    const [other] = holders.has(next.id) ? [] : holders;
    if (other !== undefined) world.problems.push(`${step.id} gives ${step.address} a value that ${other} still holds`);
  }
  releaseValues(before, kind, world);
  claimValues(next, kind, world.holders);
  world.objects.set(next.id, next);
  noteParent(next, world.inside);
}

function noteParent({ id, parentId }: LiveResource, inside: DryRunState['inside']): void {
  if (parentId !== undefined) inside.set(parentId, (inside.get(parentId) ?? new Set()).add(id));
}

function claimValues(live: LiveResource, kind: Kind, holders: Map<string, Set<string>>): void {
  for (const key of uniqueKeys(kind, live.spec, live.parentId))
    holders.set(key, (holders.get(key) ?? new Set()).add(live.id));
}

function releaseValues(live: LiveResource, kind: Kind, { holders }: DryRunState): void {
  for (const key of uniqueKeys(kind, live.spec, live.parentId)) holders.get(key)?.delete(live.id);
}

/** The sent values as a read returns them: without write-only secrets and nulls. */
function asRead(fields: Fields, sent: ValueObject): ValueObject {
  const read: Record<string, Value> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = fieldOf(fields, name);
    const seen = field === undefined ? value : valueAsRead(field, value);
    if (seen !== undefined) read[name] = seen;
  }
  return read;
}

function valueAsRead(field: Field, value: Value): Value | undefined {
  if (value === null || (field.sensitive && field.read !== undefined)) return undefined;
  return field.type === 'object' && isValueObject(value) ? asRead(field.fields, value) : value;
}

/** Gives made-up texts to unknown read-only values that something refers to. */
function withWanted(computed: JsonObject, attrs: readonly string[], address: string): JsonObject {
  return attrs.reduce<JsonObject>((known, attr) => {
    const path = attr.split('.');
    return attr === ID || valueAt(known, path) !== undefined
      ? known
      : put(known, path, madeUp('simulated', `${address}.${attr}`));
  }, computed);
}

function put(object: JsonObject, [head = '', ...rest]: readonly string[], text: string): JsonObject {
  const inner = object[head];
  return { ...object, [head]: rest.length === 0 ? text : put(isObject(inner) ? inner : {}, rest, text) };
}

/** Children are deleted with their parent (ADR-0007). */
function remove(live: LiveResource, world: DryRunState): void {
  const inside = [...(world.inside.get(live.id) ?? [])].flatMap((id) => world.objects.get(id) ?? []);
  for (const one of [...inside, live]) {
    world.objects.delete(one.id);
    releaseValues(one, kindByName(one.kind), world);
  }
}

function removeField(step: Step, live: LiveResource, segment: string, world: DryRunState): void {
  const kind = kindByName(live.kind);
  const name = Object.keys(kind.fields).find((key) => kind.fields[key]?.remove === segment);
  if (name === undefined) throw new BugError(`${step.id} removes ${segment}, which ${kind.name} does not have`);
  const { [name]: _, ...spec } = live.spec;
  world.objects.set(live.id, { ...live, spec });
}
