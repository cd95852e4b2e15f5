// Whether a value is written in the manifest, or comes from outside.

import type { Part } from './expression.ts';
import type { Variables } from './variables.ts';

/** Where all of a value is written in the manifest; undefined if a part of it comes from outside. */
export type WrittenIn =
  /** In its field, perhaps with defaults of variables as parts. */
  | 'field'
  /** It is the default of this variable, which is not said to be sensitive. */
  | { readonly defaultOf: string }
  | undefined;

export function whereWritten(parts: readonly Part[], { openDefaults }: Pick<Variables, 'openDefaults'>): WrittenIn {
  const [only, ...others] = parts;
  if (only?.type === 'variable' && others.length === 0)
    return openDefaults.has(only.name) ? { defaultOf: only.name } : undefined;
  const isWritten = (part: Part) => part.type === 'text' || (part.type === 'variable' && openDefaults.has(part.name));
  return parts.every(isWritten) ? 'field' : undefined;
}
