// A draft as the block of a manifest: references and variables in place of ids and secrets, and its lifecycle.

import { isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { isValueObject } from '../core/value.ts';
import { parseAddress } from '../catalog/address.ts';
import { fieldOf, itemField } from '../catalog/walk.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { UNREAD } from './content.ts';
import type { Draft } from './draft.ts';
import { escapeText } from '../resource/placeholder.ts';
import type { Links } from './links.ts';
import type { Entry, Tree } from './tree.ts';
import { map, scalar } from './tree.ts';
import type { Variables } from './variables.ts';

export interface BlockContext {
  readonly links: Links;
  readonly variables: Variables;
  /** Blocks of what is inside the object, by manifest key. */
  readonly children: readonly Entry[];
}

/** The entry `NAME: { … }` of one object. */
export function blockOf(draft: Draft, context: BlockContext): Entry {
  const comments: string[] = [];
  const spot: Spot = { draft, context, comments, path: [], isUnique: false };
  const own = fieldEntries(draft.kind.fields, draft.content, spot);
  const name = parseAddress(draft.address)?.name ?? draft.address;
  for (const [field, why] of draft.ignored) comments.push(`${field} ${why}; it is left alone.`);
  return { key: name, value: map([...own, ...context.children, ...lifecycle(draft)]), comments };
}

/** Ownership by address needs no line; everything else is pinned by id. */
function lifecycle({ live, address, ignored }: Draft): Entry[] {
  const entries: Entry[] = [];
  if (live.marker === undefined) entries.push({ key: 'adopt', value: scalar(live.id) });
  else if (live.marker.address !== address) entries.push({ key: 'id', value: scalar(live.id) });
  if (live.marker?.protect) entries.push({ key: 'prevent_destroy', value: scalar(true) });
  if (ignored.size > 0) {
    const items = [...ignored.keys()].map((name) => scalar(name));
    entries.push({ key: 'ignore_changes', value: { type: 'list', items } });
  }
  return entries.length === 0 ? [] : [{ key: 'lifecycle', value: { type: 'map', entries, onOneLine: true } }];
}

interface Spot {
  readonly draft: Draft;
  readonly context: BlockContext;
  readonly comments: string[];
  readonly path: readonly string[];
  /** Whether only one object may hold the value. */
  readonly isUnique: boolean;
}

function fieldEntries(fields: Fields, value: ValueObject, spot: Spot): Entry[] {
  return Object.entries(value).map(([name, item]) => {
    const field = fieldOf(fields, name);
    const isUnique = field?.unique !== undefined;
    return { key: name, value: treeOf(field, item, { ...spot, path: [...spot.path, name], isUnique }) };
  });
}

function treeOf(field: Field | undefined, value: Value, spot: Spot): Tree {
  if (value instanceof Secret) return scalar(secretText(value, spot));
  if (typeof value === 'string') return scalar(textOf(field, value, spot));
  if (isList(value)) {
    const inner = itemField(field);
    const items = value.map((item, index) => treeOf(inner, item, { ...spot, path: [...spot.path, String(index)] }));
    return { type: 'list', items };
  }
  if (isValueObject(value)) return map(fieldEntries(field?.type === 'object' ? field.fields : {}, value, spot));
  return scalar(typeof value === 'number' || typeof value === 'boolean' ? value : null);
}

function textOf(field: Field | undefined, text: string, { draft, context, isUnique }: Spot): string {
  const reference = field && context.links.reference(draft.live, field, text, isUnique);
  return reference ?? escapeText(text);
}

function secretText(secret: Secret, { draft, context, comments, path }: Spot): string {
  if (secret === UNREAD)
    comments.push(`${path.join('.')} could not be read; the value given for the variable is sent once.`);
  return context.variables.declare(draft, path);
}
