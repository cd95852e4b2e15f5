// How another stack may take an object into use, from the catalogue: every field that may name its id, or serve a value that the
// service assigned to it.

import type { Field } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { kindsUsing } from '../../src/catalog/users.ts';
import { allFields, fieldEntries, itemField } from '../../src/catalog/walk.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { ID } from '../../src/catalog/fields/common.ts';

/** One way to use an object of a kind. */
export interface Use {
  /** The kind and the field that use it. */
  readonly name: string;
  readonly kind: Kind;
  /** The spec of a user of the object, which the service shows like this. */
  readonly specFor: (shown: JsonObject) => JsonObject;
}

/** What an object cannot be without, by the name of its kind. */
const BARE: Readonly<Record<string, JsonObject>> = {
  tls_edge: { hostports: [] },
  https_edge: { hostports: [] },
  https_edge_route: { match_type: 'exact_path', match: '/late' },
  event_subscription: { sources: [{ type: 'ip_policy_created.v0' }] },
};

/** A bare object of a kind, with more fields. */
export function bareSpec({ name }: Kind, more: JsonObject = {}): JsonObject {
  return { ...BARE[name], ...more };
}

/** Every way to use an object of the kind. */
export function usesOfKind(kind: Kind): readonly Use[] {
  return managedKinds.flatMap((user) => [...namings(user, kind), ...servings(user, kind)]);
}

function namings(user: Kind, kind: Kind): Use[] {
  return allFields(user.fields).flatMap(({ path, field }) => {
    const item = itemField(field) ?? field;
    if (item.type !== 'string' || item.ref?.kinds.includes(kind.name) !== true) return [];
    const specFor = ({ [ID]: id = '' }: JsonObject) => bareSpec(user, placed(path.split('.'), inList(field, id)));
    return [{ name: `${user.name} ${path}`, kind: user, specFor }];
  });
}

function servings(user: Kind, kind: Kind): Use[] {
  if (!kindsUsing(kind).includes(user)) return [];
  const served = fieldEntries(kind.fields).flatMap(([name, { serves }]) => (serves === true ? [name] : []));
  const serving = fieldEntries(user.fields).filter(([, { unique }]) => unique === 'service');
  return served.flatMap((from) =>
    serving.map(([name, field]): Use => {
      const specFor = (shown: JsonObject) => bareSpec(user, { [name]: inList(field, shown[from] ?? '') });
      return { name: `${user.name} ${name}`, kind: user, specFor };
    }),
  );
}

function inList(field: Field, value: Json): Json {
  return field.type === 'list' ? [value] : value;
}

function placed([name = '', ...rest]: readonly string[], value: Json): JsonObject {
  return { [name]: rest.length === 0 ? value : placed(rest, value) };
}
