// The value of --kind.

import type { Kind } from '../../catalog/kind.ts';
import { managedKinds } from '../../catalog/lookup.ts';
import { usageError } from '../../core/failure.ts';
import { alternatives, didYouMean } from '../../core/text/closest.ts';
import { asName } from './usage.ts';

/** Kinds as the keys of a manifest name them. */
const KINDS = managedKinds.map(({ manifestKey }) => manifestKey);

/** What completion offers. */
export const KINDS_ONLY = { choices: KINDS };

/** A kind by its key in a manifest, or by its name. */
export function parseKind(text: string): Kind {
  const kind = managedKinds.find(({ manifestKey, name }) => text === manifestKey || text === name);
  if (kind !== undefined) return kind;
  const words = managedKinds.flatMap(({ manifestKey, name }) => [manifestKey, name]);
  throw usageError(`--kind "${asName(text)}" is not a kind`, didYouMean(text, words) ?? `use ${alternatives(KINDS)}`);
}
