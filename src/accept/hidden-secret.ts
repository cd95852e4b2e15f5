// A module is written whole, with its secret. Where the service does not show that secret, whoever changed another value of the
// module may have changed the secret with it, and once that value is accepted, nothing shows any more who caused the rest (ADR-0072).

import { parsePath } from '../core/value.ts';
import { mayHideSecret } from '../plan/decide/cause.ts';
import type { Pair } from '../plan/match/match.ts';
import { compareFields } from '../resource/diff.ts';

/** Whether the value at the path is in a field with a secret that no answer shows. */
export function isBesideHiddenSecret({ kind, desired, live }: Pair, path: string): boolean {
  if (live === undefined) return false;
  const [name] = parsePath(path);
  const compared = compareFields(kind, desired.spec, live, desired.lifecycle.ignoreChanges);
  const diff = compared.find((field) => field.name === name);
  return diff !== undefined && mayHideSecret(diff);
}
