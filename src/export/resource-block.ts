// One object as it will be written, before references: its fields, which were left out and why, or why the object cannot be
// written at all. Every decision keeps one promise: the manifest loads, and its plan is empty.

import type { Field } from '../catalog/field.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { type Kind, brokenRules } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import { hiddenPaths } from '../catalog/secrecy/secrecy.ts';
import { uniqueItems } from '../catalog/unique.ts';
import { append } from '../core/append.ts';
import { DIGEST_LENGTHS, secretsAt } from '../core/digest.ts';
import { type Path, isList } from '../core/json.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { isValueObject, type Value, type ValueObject, revealed } from '../core/value.ts';
import { isDigestOf, saltOf } from '../resource/digests.ts';
import { metadataOverflow } from '../resource/marker/marker-codec.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { accepts } from './accept.ts';
import { contentOf } from '../resource/content.ts';
import type { LeftOut } from './select.ts';

export interface ResourceBlock {
  readonly live: LiveResource;
  readonly kind: Kind;
  readonly address: string;
  readonly content: ValueObject;
  /** Fields that cannot be written, so that their live value is kept; with the reason. */
  readonly ignored: ReadonlyMap<string, string>;
}

/** Blocks of all objects, in order, and the objects that cannot be written. */
export function buildBlocks(
  objects: readonly LiveResource[],
  addresses: ReadonlyMap<string, string>,
  stack: string,
): { readonly drafts: readonly ResourceBlock[]; readonly leftOut: readonly LeftOut[] } {
  const drafts: ResourceBlock[] = [];
  const leftOut: LeftOut[] = [];
  const written = new Set<string>();
  const claimed = new Map<string, string>();
  for (const live of objects) {
    const { parentId } = live;
    const draft = buildBlock(live, addresses.get(live.id) ?? '', { claimed });
    const why =
      parentId !== undefined && !written.has(parentId)
        ? `its parent ${parentId} is not in this export`
        : (lackingRequired(draft) ?? (live.marker === undefined ? metadataTooLong(draft, stack) : undefined));
    if (why !== undefined) leftOut.push({ live, why });
    else {
      drafts.push(draft);
      written.add(live.id);
      for (const key of draft.claims) claimed.set(key, draft.address);
    }
  }
  return { drafts, leftOut };
}

/** The block of one object that no stack owns; undefined when it cannot be written. */
export function buildSingleBlock(live: LiveResource, address: string, stack: string): ResourceBlock | undefined {
  const draft = buildBlock(live, address, { claimed: new Map() });
  return (lackingRequired(draft) ?? metadataTooLong(draft, stack)) === undefined ? draft : undefined;
}

interface EarlierBlocks {
  /** Addresses by the values that they claim. */
  readonly claimed: ReadonlyMap<string, string>;
}

function buildBlock(live: LiveResource, address: string, { claimed }: EarlierBlocks) {
  const kind = kindByName(live.kind);
  const content = new Map(Object.entries(asApplied(kind, contentOf(kind, live), live)));
  const ignored = new Map<string, string>();
  const uniques = uniqueItems(kind, live.parentId, (name) => content.get(name) ?? live.spec[name]);
  const claims: string[] = [];
  const leave = (name: string, why: string) => {
    ignored.set(name, why);
    content.delete(name);
  };
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = content.get(name);
    if (value === undefined) continue;
    const keys = uniques.filter((one) => one.name === name).map(({ key }) => key);
    const holder = keys.map((key) => claimed.get(key)).find((other) => other !== undefined);
    if (!accepts(field, value)) leave(name, 'has a value that a manifest cannot express');
    else if (showsSecret(value)) leave(name, 'repeats a secret');
    else if (holder !== undefined) leave(name, `has a value that ${holder} also has`);
    else if (new Set(keys).size < keys.length) leave(name, 'has a value twice');
    else append(claims, keys);
  }
  for (let name = brokenField(kind, content); name !== undefined; name = brokenField(kind, content))
    leave(name, 'contradicts other fields');
  return { live, kind, address, content: Object.fromEntries(content), ignored, claims };
}

/** A mask in its place would be a different value. */
function showsSecret(value: Value): boolean {
  if (isValueObject(value))
    return Object.entries(value).some(([name, item]) => knownSecrets.holds(name) || showsSecret(item));
  return isList(value) ? value.some(showsSecret) : typeof value === 'string' && knownSecrets.holds(value);
}

function brokenField(kind: Kind, content: ReadonlyMap<string, Value>): string | undefined {
  const broken = brokenRules(kind, revealed(Object.fromEntries(content))).map(({ path }) => path.split('.')[0] ?? '');
  return broken.find((name) => content.has(name));
}

function lackingRequired({ kind, content, ignored }: ResourceBlock): string | undefined {
  const name = Object.keys(kind.fields).find(
    (key) => kind.fields[key]?.required && kind.fields[key].write !== 'never' && content[key] === undefined,
  );
  return name === undefined ? undefined : `${name} ${ignored.get(name) ?? 'was not shown'}`;
}

/** Adopting an object adds a marker to its metadata, so there must be room for it (§8). */
function metadataTooLong({ kind, address, content, live }: ResourceBlock, stack: string): string | undefined {
  const digests = Object.keys(content).filter((name) => name !== METADATA);
  const applied = Object.fromEntries(digests.map((name) => [name, 'x'.repeat(digestLength(kind, content, name))]));
  const overflow = metadataOverflow(kind, live.userMetadata, { v: 1, stack, address, applied });
  return overflow && `its metadata leaves no room for an ownership marker; ${overflow.fix}`;
}

/** The maximum length of a field's digest in a marker; a suffix says where secrets are that the catalogue does not know. */
function digestLength({ fields }: Kind, content: ValueObject, name: string): number {
  const [field, value] = [fields[name], content[name]];
  const places = field === undefined || value === undefined ? [] : hiddenPaths(value, field, name);
  return (places.length > 0 ? DIGEST_LENGTHS.hidden : DIGEST_LENGTHS.secret) + secretsAt(places).length;
}

/** With more values chosen by the service, only all of them or none are left out. */
const MAX_CHOICES = 6;

/** The content, without what the marker proves that the service chose; as it is where nothing proves it. */
function asApplied(kind: Kind, content: ValueObject, live: LiveResource): ValueObject {
  const { marker } = live;
  if (marker === undefined) return content;
  // A choice that only the creation could make is left out elsewhere; the manifest made it itself.
  const made = Object.keys(marker.applied).filter((name) => kind.fields[name]?.write === 'create' && name in live.spec);
  const given = { ...Object.fromEntries(made.map((name) => [name, live.spec[name] ?? null])), ...content };
  const entries = Object.entries(given).flatMap(([name, value]): [string, Value][] => {
    const field = kind.fields[name];
    if (field === undefined) return [[name, value]];
    const digest = marker.applied[name];
    const isApplied = (one: Value) => isDigestOf(digest, field, one, saltOf(marker));
    return [[name, firstOf(candidates(field, value), isApplied) ?? value]];
  });
  return Object.fromEntries(entries);
}

function firstOf(values: Iterable<Value>, test: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (test(value)) return value;
  return undefined;
}

/** The value, the value without all that the service may have chosen, and then, one by one, every combination. */
function* candidates(field: Field, value: Value): Generator<Value> {
  const choices = choicesIn(field, value, []);
  yield value;
  yield choices.reduce(without, value);
  const count = choices.length <= MAX_CHOICES ? 2 ** choices.length : 0;
  for (let bits = 1; bits < count - 1; bits++)
    yield choices.filter((_choice, at) => (bits >> at) % 2 === 1).reduce(without, value);
}

function choicesIn(field: Field, value: Value, above: Path): Path[] {
  if (field.type !== 'object' || !isValueObject(value)) return [];
  return Object.entries(field.fields).flatMap(([name, sub]) => {
    const item = value[name];
    if (item === undefined) return [];
    return sub.default === 'service' ? [[...above, name]] : choicesIn(sub, item, [...above, name]);
  });
}

function without(value: Value, [head = '', ...rest]: Path): Value {
  if (!isValueObject(value)) return value;
  const { [head]: inner, ...others } = value;
  return rest.length === 0 || inner === undefined ? others : { ...others, [head]: without(inner, rest) };
}
