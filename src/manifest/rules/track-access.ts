// A spec that records which values are read: a rule that read an unknown value has no result.

import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { UnknownValues } from '../unknown-values.ts';

/** A tracked spec of the block at a path, for one rule. */
export function trackAccess(spec: JsonObject, path: readonly string[], unread: UnknownValues) {
  let guessed = false;
  const wrap = (value: Json, at: readonly string[]): Json => {
    if (!isObject(value) && !isList(value)) return value;
    return new Proxy(value, {
      get: (target, name) => {
        if (typeof name !== 'string' || (isList(target) && !/^\d+$/.test(name)))
          return Reflect.get(target, name) as Json;
        const inner = [...at, name];
        const found = Object.hasOwn(target, name) ? (Reflect.get(target, name) as Json) : undefined;
        guessed ||= unread.has(inner) || (found === undefined && unread.mayHave(inner));
        return found === undefined ? found : wrap(found, inner);
      },
      ownKeys: (target) => {
        guessed ||= unread.mayHave([...at, '']);
        return Reflect.ownKeys(target);
      },
    });
  };
  return {
    spec: wrap(spec, path) as JsonObject,
    /** True once an unknown value was read. */
    hasGuessed: () => guessed,
  };
}
