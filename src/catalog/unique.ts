// Where a value must be unique (§2): in the whole service, or among the children of one parent.

import { canonicalJson, isList } from '../core/json.ts';
import { revealed, type Value } from '../core/value.ts';
import type { Field } from './field.ts';
import type { Kind } from './kind.ts';
import { normalText } from './normal-form.ts';
import { fieldEntries, itemField, perTable } from './walk.ts';

interface UniqueItem {
  readonly name: string;
  /** Equal for values that must not occur twice. It may hold a secret and is never shown. */
  readonly key: string;
  /** The normal form of the text. */
  readonly text: string;
  readonly item: Value;
  /** Its index, when the field is a list. */
  readonly position: readonly string[];
}

function normalOf(field: Field, text: string): string {
  return field.type === 'string' ? normalText(field, text) : text;
}

const uniqueFields = perTable((fields) => fieldEntries(fields).filter(([, { unique }]) => unique !== undefined));

/**
 * The values of an object's unique fields, read by name through `valueOf`; items of lists count individually. `parent` is the
 * parent of the object and its siblings; undefined for top-level objects.
 */
export function uniqueItems(
  kind: Kind,
  parent: string | undefined,
  valueOf: (name: string) => Value | undefined,
): UniqueItem[] {
  return uniqueFields(kind.fields).flatMap(([name, whole]) => {
    const field = itemField(whole) ?? whole;
    const among = whole.unique === 'service' ? [name] : [kind.name, parent ?? '', name];
    const value = valueOf(name);
    const items: readonly Value[] = isList(value) ? value : [value ?? null];
    return items.flatMap((item, index): UniqueItem[] => {
      if (item === null) return [];
      const content = revealed(item);
      const text = typeof content === 'string' ? normalOf(field, content) : `\0${canonicalJson(content)}`;
      const key = `${among.join(' ')}\0${text}`;
      return [{ name, key, text, item, position: isList(value) ? [String(index)] : [] }];
    });
  });
}
