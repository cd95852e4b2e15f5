// Replaces literal ids and computed values by references to their object, unless that would form a cycle: a manifest has no
// cycles, but the service may.

import { shortestPath } from '../core/graph.ts';
import { valueAt } from '../core/value.ts';
import { attributesOf } from '../catalog/attributes.ts';
import { CREATED_AT, ID } from '../catalog/fields/common.ts';
import type { Field } from '../catalog/field.ts';
import { kindByName } from '../catalog/lookup.ts';
import { normalText } from '../catalog/normal-form.ts';
import { attributePlaceholder } from '../resource/placeholder.ts';
import type { LiveResource } from '../resource/snapshot.ts';

interface ReferenceTarget {
  readonly live: LiveResource;
  readonly attr: string;
  readonly text: string;
}

/** The reference to write in place of a text of an object; undefined if the text refers to nothing that is exported. */
export type ReferenceTo = (from: LiveResource, field: Field, text: string, isUnique: boolean) => string | undefined;

export function findReferences(objects: readonly LiveResource[], addresses: ReadonlyMap<string, string>): ReferenceTo {
  const byId = new Map(objects.map((live) => [live.id, live]));
  const byValue = computedValues(objects);
  const references = new Map<string, string[]>(
    objects.map((live) => [live.id, live.parentId === undefined ? [] : [live.parentId]]),
  );
  const isNeededBy = (id: string, by: string) => shortestPath(id, by, (at) => references.get(at) ?? []) !== undefined;
  return (from, field, text, isUnique) => {
    const target = findTarget({ byId, byValue }, field, text, isUnique);
    const address = target && addresses.get(target.live.id);
    if (target === undefined || address === undefined || isNeededBy(target.live.id, from.id)) return undefined;
    references.get(from.id)?.push(target.live.id);
    return attributePlaceholder(address, target.attr);
  };
}

interface Index {
  readonly byId: ReadonlyMap<string, LiveResource>;
  readonly byValue: ReadonlyMap<string, ReferenceTarget | undefined>;
}

/** An id where ids are accepted; a computed value where it must be unique, so that it was intended. */
function findTarget(
  { byId, byValue }: Index,
  field: Field,
  text: string,
  isUnique: boolean,
): ReferenceTarget | undefined {
  if (field.type !== 'string') return undefined;
  if (field.ref === undefined) {
    const normal = normalText(field, text);
    const target = isUnique ? byValue.get(normal.toLowerCase()) : undefined;
    return target !== undefined && normalText(field, target.text) === normal ? target : undefined;
  }
  const live = byId.get(text);
  return live !== undefined && field.ref.kinds.includes(live.kind) ? { live, attr: ID, text } : undefined;
}

/** Computed text in lower case → its object; undefined when several objects have it. */
function computedValues(objects: readonly LiveResource[]): Map<string, ReferenceTarget | undefined> {
  const found = new Map<string, ReferenceTarget | undefined>();
  for (const live of objects) {
    for (const attr of attributesOf(kindByName(live.kind).fields)) {
      const text = valueAt(live.computed, attr.split('.'));
      if (attr === CREATED_AT || typeof text !== 'string') continue;
      const key = text.toLowerCase();
      found.set(key, found.has(key) ? undefined : { live, attr, text });
    }
  }
  return found;
}
