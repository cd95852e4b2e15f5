// A module is written whole, with its secret. Where the service does not show that secret, whoever changed another value of the
// module may have changed the secret with it, and once that value is accepted, nothing shows any more who caused the rest (ADR-0072).

import { mayHideSecret } from '../plan/decide/cause.ts';
import type { Pair } from '../plan/match/match.ts';
import { compareFields } from '../resource/diff.ts';

/** Names of the fields of an object that have, or may have, a secret which no answer shows. */
export function fieldsWithHiddenSecret({ kind, desired, live }: Pair): ReadonlySet<string> {
  if (live === undefined) return new Set();
  const compared = compareFields(kind, desired.spec, live, desired.lifecycle.ignoreChanges);
  return new Set(compared.filter(mayHideSecret).map(({ name }) => name));
}
