// What an answer leaves out because it is false, 0, an empty text or an empty list: services in languages that omit such values
// (record 0088). Where the specification names another default, absent means that default: a module without `enabled` is on (§2).

import { isList } from '../core/json.ts';
import { isValueObject, memberOf, type Value } from '../core/value.ts';
import type { Field } from '../catalog/field.ts';

/** The live value, and the zeros that the written one has where the live one has nothing. */
export function withZeros(field: Field, live: Value | undefined, written: Value | undefined): Value | undefined {
  return filled(field, live, { written, zeroOf: (value) => (isZero(value) ? value : undefined) });
}

/** The live value with a zero wherever the written one has any value and the live one has nothing. */
export function asOmitted(field: Field, live: Value | undefined, written: Value | undefined): Value | undefined {
  return filled(field, live, { written, zeroOf: zeroLike });
}

interface Filling {
  readonly written: Value | undefined;
  readonly zeroOf: (written: Value) => Value | undefined;
}

function filled(field: Field, live: Value | undefined, { written, zeroOf }: Filling): Value | undefined {
  if (live === undefined || live === null) {
    const mayBeOmitted = typeof field.default !== 'object' && field.sensitive !== true;
    return mayBeOmitted && written !== undefined ? (zeroOf(written) ?? live) : live;
  }
  if (field.type !== 'object' || !isValueObject(live) || !isValueObject(written)) return live;
  const added = Object.entries(field.fields).flatMap(([name, sub]): [string, Value][] => {
    const before = memberOf(live, name);
    const value = filled(sub, before, { written: memberOf(written, name), zeroOf });
    return value === undefined || value === before ? [] : [[name, value]];
  });
  return added.length === 0 ? live : { ...live, ...Object.fromEntries(added) };
}

function isZero(value: Value): boolean {
  return value === false || value === 0 || value === '' || (isList(value) && value.length === 0);
}

function zeroLike(value: Value): Value | undefined {
  if (typeof value === 'boolean') return false;
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return '';
  return isList(value) ? [] : undefined;
}
