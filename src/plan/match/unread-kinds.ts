// Kinds whose objects could not be listed: what was not seen is not absent, and a plan that depends on it says so.

import { kindByName } from '../../catalog/lookup.ts';
import { pluralOf } from '../../core/text/text.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Pair } from './match.ts';
import type { PlanDiagnostic } from '../plan.ts';

interface UnreadInput {
  readonly snapshot: Snapshot;
  readonly pairs: readonly Pair[];
  readonly isDestroyed: boolean;
}

/** A warning for each kind that was not read and of which the plan creates something, or everything is to be deleted. */
export function unreadKinds({ snapshot, pairs, isDestroyed }: UnreadInput): PlanDiagnostic[] {
  return snapshot.unread.flatMap(({ kind: name }): PlanDiagnostic[] => {
    const [first] = pairs.filter(({ kind, live }) => kind.name === name && live === undefined);
    if (first === undefined && !isDestroyed) return [];
    const { title } = kindByName(name);
    const unseen = `${pluralOf(title)} cannot be listed, so those that neither the journal nor \`lifecycle.id\` names are not seen`;
    const what = isDestroyed ? 'they are not deleted' : `${first?.desired.address ?? ''} is created even if it exists`;
    const message = `${unseen}: ${what}; keep the journal between runs, or name their ids`;
    return [{ code: 'kind-not-read', severity: 'warning', message, address: first?.desired.address ?? null }];
  });
}
