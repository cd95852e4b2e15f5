// A module is written whole, with its secret. Where the service does not show that secret, whoever changed another value of the
// module may have changed the secret with it (ADR-0072).

import { parsePath } from '../core/value.ts';
import { isLiveApplied } from '../plan/decide/cause.ts';
import type { Pair } from '../plan/match/match.ts';
import { saltOf } from '../resource/digests.ts';
import { compareFields } from '../resource/diff.ts';

/** Whether the value at the path is in a field that somebody else wrote, and that has a secret which no answer shows. */
export function mayHideChangedSecret({ kind, desired, live }: Pair, path: string): boolean {
  if (live === undefined) return false;
  const [name] = parsePath(path);
  const compared = compareFields(kind, desired.spec, live, desired.lifecycle.ignoreChanges);
  const diff = compared.find((field) => field.name === name);
  if (diff === undefined || diff.writeOnly.length === 0) return false;
  const { marker } = live;
  return marker === undefined || !isLiveApplied(diff, marker, saltOf(marker));
}
