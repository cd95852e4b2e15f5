// Which resources of a state are objects of a kind. Types were renamed between releases of a provider, and ids were not, so an id
// decides; a type only explains why a resource is none (ADR-0057).

import { ID } from '../catalog/fields/common.ts';
import { isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, kindByIdPrefix, kindByName, managedKinds } from '../catalog/lookup.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import type { StateResource } from './state.ts';

export interface Recognised {
  readonly from: StateResource;
  /** Undefined for a resource of no kind. */
  readonly kind: Kind | undefined;
  readonly parentId: string | undefined;
}

/** Each resource with its kind, and behind it the children that it lists. */
export function recognise(from: StateResource): Recognised[] {
  const kind = kindOf(from);
  if (kind === undefined) return [{ from, kind, parentId: undefined }];
  const lists = childKinds(kind).map((child) => ({ child, name: child.parent?.listedAs ?? '' }));
  const children = lists.flatMap(({ child, name }) => childrenIn(from, child, name));
  const held = new Set(lists.filter(({ name }) => isList(memberOf(from.values, name))).map(({ name }) => name));
  const values = Object.entries(from.values).filter(([name]) => !held.has(name));
  return [
    { from: { ...from, values: Object.fromEntries(values) }, kind, parentId: parentIn(kind, from.values) },
    ...children,
  ];
}

/** The kind that the id belongs to; else that of which a resource has the name, so that what is wrong with its id can be said. */
function kindOf({ type, values }: StateResource): Kind | undefined {
  const id = values[ID];
  const found = typeof id === 'string' ? (kindByIdPrefix(id) ?? kindOfChild(id, values)) : undefined;
  if (found !== undefined && typeof id === 'string' && isId(found, id))
    return managedKinds.find((kind) => kind === found);
  const name = type.replace(/^[^_]*_/, '');
  return managedKinds.find((kind) => kind.name === name);
}

/** An id with a prefix that the specification does not show is a child's if it names its parent. */
function kindOfChild(id: string, values: JsonObject): Kind | undefined {
  return managedKinds.find((kind) => {
    const parentId = parentIn(kind, values);
    return (
      kind.parent !== undefined &&
      parentId !== undefined &&
      isId(kindByName(kind.parent.kind), parentId) &&
      isId(kind, id)
    );
  });
}

function parentIn({ parent }: Kind, values: JsonObject): string | undefined {
  const id = parent === undefined ? undefined : memberOf(values, parent.idField);
  return typeof id === 'string' ? id : undefined;
}

function childrenIn(from: StateResource, child: Kind, name: string): Recognised[] {
  const [list, marks] = [memberOf(from.values, name), from.marks];
  const parentId = from.values[ID];
  if (list === undefined || !isList(list)) return [];
  const marked = marks !== undefined && isObject(marks) ? memberOf(marks, name) : marks;
  return list.map((values, index) => {
    const resource = {
      address: `${from.address}.${name}[${index}]`,
      type: from.type,
      words: [],
      values: isObject(values) ? values : {},
      marks: marked !== undefined && isList(marked) ? marked[index] : marked,
      why: from.why,
    };
    return { from: resource, kind: child, parentId: typeof parentId === 'string' ? parentId : undefined };
  });
}

function memberOf(values: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
