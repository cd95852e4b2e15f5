// One object as a manifest block: references and variables in place of ids and secrets, and its lifecycle.

import { isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { isValueObject, type Value, type ValueObject } from '../core/value.ts';
import { parseAddress } from '../catalog/address.ts';
import { placeOfKey } from '../catalog/order.ts';
import { fieldOf, itemField } from '../catalog/walk.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { UNREADABLE_SECRET } from '../resource/content.ts';
import type { ResourceBlock } from './resource-block.ts';
import { escapeText } from '../core/text/template.ts';
import type { ReferenceTo } from './references.ts';
import type { TreeEntry, Tree } from './yaml.ts';

export interface BlockContext {
  readonly referenceTo: ReferenceTo;
  readonly variables: ExportVariables;
  /** Blocks of its children, by manifest key. */
  readonly children: readonly TreeEntry[];
}

export function blockOf(draft: ResourceBlock, context: BlockContext): TreeEntry {
  const comments: string[] = [];
  const cursor: BlockCursor = { block: draft, context, comments, path: [], isUnique: false };
  const own = fieldEntries(draft.kind.fields, draft.content, cursor);
  const name = parseAddress(draft.address)?.name ?? draft.address;
  for (const [field, why] of draft.ignored) comments.push(`${field} ${why}; it is left alone.`);
  return { key: name, value: { entries: [...own, ...context.children, ...lifecycle(draft)] }, comments };
}

/** An object owned under this address needs no lifecycle; any other is pinned by id. */
function lifecycle({ live, address, ignored }: ResourceBlock): TreeEntry[] {
  const entries: TreeEntry[] = [];
  if (live.marker === undefined) entries.push({ key: 'adopt', value: live.id });
  else if (live.marker.address !== address) entries.push({ key: 'id', value: live.id });
  if (live.marker?.protect) entries.push({ key: 'prevent_destroy', value: true });
  if (ignored.size > 0) entries.push({ key: 'ignore_changes', value: [...ignored.keys()] });
  return entries.length === 0 ? [] : [{ key: 'lifecycle', value: { entries, onOneLine: true } }];
}

interface BlockCursor {
  readonly block: ResourceBlock;
  readonly context: BlockContext;
  readonly comments: string[];
  readonly path: readonly string[];
  /** Whether the value must be unique. */
  readonly isUnique: boolean;
}

function fieldEntries(fields: Fields, value: ValueObject, cursor: BlockCursor): TreeEntry[] {
  const place = placeOfKey(Object.keys(fields));
  const inOrder = Object.entries(value).sort(([a], [b]) => place(a) - place(b));
  return inOrder.map(([name, item]) => {
    const field = fieldOf(fields, name);
    const isUnique = field?.unique !== undefined;
    return { key: name, value: treeOf(field, item, { ...cursor, path: [...cursor.path, name], isUnique }) };
  });
}

function treeOf(field: Field | undefined, value: Value, cursor: BlockCursor): Tree {
  if (value instanceof Secret) return secretText(value, cursor);
  if (typeof value === 'string') return textOf(field, value, cursor);
  if (isList(value)) {
    const inner = itemField(field);
    return value.map((item, index) => treeOf(inner, item, { ...cursor, path: [...cursor.path, String(index)] }));
  }
  if (isValueObject(value))
    return { entries: fieldEntries(field?.type === 'object' ? field.fields : {}, value, cursor) };
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function textOf(field: Field | undefined, text: string, { block, context, isUnique }: BlockCursor): string {
  const reference = field && context.referenceTo(block.live, field, text, isUnique);
  return reference ?? escapeText(text);
}

function secretText(secret: Secret, { block, context, comments, path }: BlockCursor): string {
  if (secret === UNREADABLE_SECRET)
    comments.push(`${path.join('.')} could not be read; the value given for the variable is sent once.`);
  return context.variables.declare(block, path);
}

export interface ExportVariables {
  /** Declares a variable for the secret at a path and returns its expression. */
  readonly declare: (block: ResourceBlock, path: readonly string[]) => string;
  /** Declarations so far. */
  readonly entries: () => readonly TreeEntry[];
}

/** An empty set of variables: a manifest never contains secrets, so each becomes a variable with its own name. */
export function createVariables(): ExportVariables {
  const declared = new Map<string, TreeEntry>();
  return {
    declare: ({ address }, path) => {
      const name = freeName(`${address.split('.').at(-1) ?? ''}_${path.at(-1) ?? ''}`, declared);
      const description = `${path.join('.')} of ${address}`;
      const value = {
        entries: [
          { key: 'sensitive', value: true },
          { key: 'description', value: description },
        ],
      };
      declared.set(name, { key: name, value });
      return `\${var.${name}}`;
    },
    entries: () => [...declared.values()],
  };
}

/** A name that also works as an environment variable. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const name = wanted.replaceAll('-', '_');
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
