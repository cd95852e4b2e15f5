// Assigns an address to every exported object: that of its marker, or a name made from its most recognisable value.

import { knownSecrets } from '../core/secrets/known.ts';
import { isList } from '../core/json.ts';
import { trimOf } from '../core/text/trim.ts';
import type { Value } from '../core/value.ts';
import { formatAddress, isName, parseAddress } from '../catalog/address.ts';
import { DESCRIPTION } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource } from '../resource/snapshot.ts';

/** Longer texts, such as keys, are not used as names. */
const MAX_TEXT = 100;
const MAX_NAME = 40;

/**
 * Id → address, for objects from `select`; `reserved` are addresses already used by the stack's objects, `names` what objects are
 * called elsewhere, by id.
 */
export function nameAll(
  chosen: readonly LiveResource[],
  reserved: ReadonlySet<string>,
  names: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  const taken = new Set(reserved);
  const roots = chosen.filter((live) => live.parentId === undefined);
  const inside = chosen.filter((live) => live.parentId !== undefined);
  for (const level of [roots, inside]) {
    for (const live of level) {
      const address = ownAddress(live, addresses);
      if (address !== undefined) addresses.set(live.id, address);
      if (address !== undefined) taken.add(address);
    }
    const rest = level.filter((live) => !addresses.has(live.id));
    nameRest(new Map(rest.map((live) => [live.id, baseOf(live, addresses, names.get(live.id))])), addresses, taken);
  }
  return addresses;
}

/** An address for one child that has none; it is taken from then on. */
export function nameChild(live: LiveResource, parent: string, taken: Set<string>): string {
  const addresses = new Map<string, string>();
  nameRest(new Map([[live.id, formatAddress(kindByName(live.kind), nameOf(live), parent)]]), addresses, taken);
  return addresses.get(live.id) ?? '';
}

function nameRest(bases: ReadonlyMap<string, string>, addresses: Map<string, string>, taken: Set<string>): void {
  const natural = new Set(bases.values());
  const next = new Map<string, number>();
  for (const [id, base] of bases) {
    let address = base;
    // `-2`, `-3` …, unless that is the natural name of another object.
    for (let number = next.get(base) ?? 2; taken.has(address) || (address !== base && natural.has(address)); number++) {
      address = `${base}-${number}`;
      next.set(base, number + 1);
    }
    taken.add(address);
    addresses.set(id, address);
  }
}

/** The address in the marker, if the object can have it. */
function ownAddress(live: LiveResource, addresses: ReadonlyMap<string, string>): string | undefined {
  const address = live.marker?.address ?? '';
  const parsed = parseAddress(address);
  if (parsed === undefined || parsed.kind.name !== live.kind) return undefined;
  const parent = live.parentId === undefined ? undefined : addresses.get(live.parentId);
  return parsed.parent === parent ? address : undefined;
}

/** `given` is what the object is called elsewhere. */
function baseOf(live: LiveResource, addresses: ReadonlyMap<string, string>, given?: string): string {
  const parent = live.parentId === undefined ? undefined : addresses.get(live.parentId);
  const isUsable = given !== undefined && !knownSecrets.holds(given);
  return formatAddress(kindByName(live.kind), isUsable ? given : nameOf(live), parent);
}

/** From a unique value, else the description, else the id, else the kind; names that begin with a letter are preferred. */
function nameOf({ kind, id, spec }: LiveResource): string {
  const { fields } = kindByName(kind);
  const unique = Object.keys(fields).filter((name) => fields[name]?.unique !== undefined);
  const names = [...unique, DESCRIPTION].flatMap((name) => textsOf(spec[name]).map(slug)).filter((name) => name !== '');
  return names.find((name) => !name.startsWith('_')) ?? names[0] ?? idName(id) ?? kind;
}

/** Undefined for an id that repeats a secret. */
function idName(id: string): string | undefined {
  if (knownSecrets.holds(id)) return undefined;
  return isName(id) ? id : `_${slug(id)}`;
}

function textsOf(value: Value | undefined): string[] {
  if (isList(value)) return value.filter((item) => typeof item === 'string').sort();
  return typeof value === 'string' ? [value] : [];
}

/** Lower-case letters, digits and hyphens, or '' for a text that repeats a secret: in lower case none would be recognised. */
function slug(text: string): string {
  if (text.length > MAX_TEXT || knownSecrets.holds(text)) return '';
  if (/^\/+$/.test(text)) return 'root';
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = trimOf(plain.replace(/[^a-z0-9]+/g, '-'), '-');
  const short = words.length <= MAX_NAME ? words : words.slice(0, MAX_NAME).replace(/-[^-]*$/, '');
  return /^[0-9]/.test(short) ? `_${short}` : short;
}
