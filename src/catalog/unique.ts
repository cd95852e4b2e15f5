// Where a value must be the only one of its kind (§2): in the whole service, or beside its siblings.

import { canonicalJson, isList } from '../core/json.ts';
import type { Value } from '../core/value.ts';
import { revealed } from '../core/value.ts';
import type { Field, StringField } from './field.ts';
import type { Kind } from './kind.ts';
import { fieldEntries, itemField, perTable } from './walk.ts';

/** One value of a unique field. */
interface UniqueItem {
  /** Name of the field. */
  readonly name: string;
  /** Equal for values that must not be in two places. It may hold a secret and is never shown. */
  readonly key: string;
  /** What of it must be the only one. */
  readonly text: string;
  readonly item: Value;
  /** Its position, when the field is a list. */
  readonly position: readonly string[];
}

const uniqueFields = perTable((fields) => fieldEntries(fields).filter(([, { unique }]) => unique !== undefined));

/**
 * The values of the unique fields of an object, of which `valueOf` gives the values by name; what a list holds counts one
 * by one. `parent` is what its siblings lie in, too; undefined for objects that lie in none.
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
      const text = typeof content === 'string' ? uniqueForm(field, content) : `\0${canonicalJson(content)}`;
      const key = `${among.join(' ')}\0${text}`;
      return [{ name, key, text, item, position: isList(value) ? [String(index)] : [] }];
    });
  });
}

/** The text without what makes no difference to the service: in lower case where case does not count, and without a final line break where that does not. */
export function plainForm({ caseless, finalBreak }: StringField, text: string): string {
  const whole = finalBreak === 'ignored' ? text.replace(/[\r\n]+$/, '') : text;
  return caseless === true ? whole.toLowerCase() : whole;
}

/** What of the text must be the only one; two that differ in the rest are still in each other's way. */
function uniqueForm(field: Field, text: string): string {
  if (field.type !== 'string') return text;
  const plain = plainForm(field, text);
  if (field.uniqueStart === undefined) return plain;
  return new RegExp(`^(?:${field.uniqueStart})`).exec(plain)?.[0] ?? plain;
}
