// An object that a step deletes, with the values that go: what a person checks before a deletion. Sends and decides nothing.

import type { JsonObject } from '../../core/json.ts';
import { partition } from '../../core/group.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { secretsIn, type Value } from '../../core/value.ts';
import { identity } from '../../catalog/fields/common.ts';
import type { Field } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { hide } from '../../catalog/secrecy/secrecy.ts';
import { fieldEntries } from '../../catalog/walk.ts';
import { contentOf } from '../../resource/content.ts';
import { display } from '../../resource/placeholder.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { DeletedObject } from '../step-facts.ts';
import { nameOf } from '../policies/policy.ts';

export function describeDeleted(live: LiveResource, address = nameOf(live)): DeletedObject {
  return { address, kind: live.kind, live_id: live.id, values: visibleValues(kindByName(live.kind), live) };
}

/** What a creation of the object would show, and what the service assigned to it; no defaults, and no secrets. */
function visibleValues(kind: Kind, live: LiveResource): JsonObject {
  const content = contentOf(kind, live);
  const given = fieldEntries(kind.fields).flatMap(([name, field]): [string, Value][] => {
    const value = content[name] ?? (name === kind.parent?.idField ? undefined : assignedValue(name, field, live));
    return value === undefined ? [] : [[name, value]];
  });
  const isSecret = secretTextIn(live);
  const shown = given.map(([name, value]): [string, Value] => {
    const at = { field: kind.fields[name], owner: `live:${live.id}`, path: [name] };
    return [name, hide(value, at, (_place, text) => isSecret(text))];
  });
  return Object.fromEntries(knownFirst(kind, shown).map(([name, value]) => [name, display(value)]));
}

/** A service may repeat a known secret anywhere, and one of the object in what it assigns, such as regional domains. */
function secretTextIn({ spec }: LiveResource): (text: string) => boolean {
  const own = secretsIn(spec).flatMap((secret) => secret.reveal().toLowerCase() || []);
  return (text) => knownSecrets.holds(text) || own.some((secret) => text.toLowerCase().includes(secret));
}

/** A value that only the service, or only the creation, could choose; every object has those that are left out. */
function assignedValue(name: string, field: Field, { spec, computed }: LiveResource): Value | undefined {
  if (field.write === 'create') return spec[name];
  return field.write === 'never' && !Object.hasOwn(identity, name) ? computed[name] : undefined;
}

/** What people know an object by comes first: required, unique and served values. The rest keeps the catalogue's order. */
export function knownFirst<T>(kind: Kind, entries: readonly (readonly [string, T])[]): (readonly [string, T])[] {
  return partition(entries, ([name]) => isKnownBy(kind, name)).flat();
}

export function isKnownBy({ fields }: Kind, name: string): boolean {
  const { required, unique, serves } = fields[name] ?? {};
  return required === true || unique !== undefined || serves === true;
}
