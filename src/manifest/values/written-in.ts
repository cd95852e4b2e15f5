// Whether a value is written in the manifest, or comes from outside.

import type { Part } from './expression.ts';
import type { Variables } from './variables.ts';

/** Where all of a value is written in the manifest; undefined if a part of it comes from outside. */
export type WrittenIn =
  | 'field'
  /** In the defaults of these variables, which are not said to be sensitive. */
  | { readonly defaultsOf: readonly string[] }
  | undefined;

export function whereWritten(parts: readonly Part[], { openDefaults }: Pick<Variables, 'openDefaults'>): WrittenIn {
  const others = parts.filter(({ type }) => type !== 'text');
  if (others.length === 0) return 'field';
  const names = others.flatMap((part) => (part.type === 'variable' ? [part.name] : []));
  const isWritten = names.length === others.length && names.every((name) => openDefaults.has(name));
  return isWritten ? { defaultsOf: [...new Set(names)] } : undefined;
}
