// Asks the catalogue for values that the service makes, with the facts of one stored object.

import type { Json, JsonObject } from '../base/json.ts';
import { madeValue } from '../catalog/made.ts';
import type { Kind } from '../catalog/kind.ts';

export interface MadeFor {
  readonly stored: {
    readonly kind: Kind;
    readonly id: string;
    readonly parentId: string | undefined;
    readonly serial: number;
    readonly createdAt: string;
    readonly fields: JsonObject;
  };
  readonly base: string;
  readonly uri: string;
}

/** The value, or null when the service makes none. */
export function made(path: readonly string[], { stored, base, uri }: MadeFor): Json {
  const field = (name: string): string => {
    const value = stored.fields[name];
    const fallback = stored.kind.fields[name]?.default;
    if (typeof value === 'string') return value;
    return typeof fallback === 'object' && typeof fallback.value === 'string' ? fallback.value : '';
  };
  return madeValue(path, { ...stored, base, uri, field }) ?? null;
}
