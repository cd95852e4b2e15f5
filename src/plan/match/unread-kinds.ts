// Kinds whose objects could not be listed: they may exist unseen, and a plan that depends on them says so.

import { parseAddress } from '../../catalog/address.ts';
import type { Capability } from '../../catalog/kind.ts';
import { canList, kindByName } from '../../catalog/lookup.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { pluralOf } from '../../core/text/text.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Pair } from './match.ts';
import type { PlanDiagnostic } from '../plan.ts';

/**
 * A warning for each unread kind if the plan creates such objects or destroys everything. Creations in `unresolvedCreations`
 * are not planned.
 */
export function unreadKinds(
  { unread }: Snapshot,
  pairs: readonly Pair[],
  isDestroyed: boolean,
  unresolved: readonly Diagnostic[],
): PlanDiagnostic[] {
  const waiting = new Set(unresolved.map(({ address }) => address));
  return unread.flatMap(({ kind: name }): PlanDiagnostic[] => {
    const first = pairs.find(
      ({ desired, kind, live }) => kind.name === name && live === undefined && !waiting.has(desired.address),
    );
    if (first === undefined && !isDestroyed) return [];
    const { title } = kindByName(name);
    const unseen = `${pluralOf(title)} cannot be listed, so those that neither the journal nor \`lifecycle.id\` names are not seen`;
    const what = isDestroyed ? 'they are not deleted' : `${first?.desired.address ?? ''} is created even if it exists`;
    const message = `${unseen}: ${what}; keep the journal between runs, or name their ids`;
    return [{ code: 'kind-not-read', severity: 'warning', message, address: first?.desired.address ?? null }];
  });
}

/** Creations with an unknown outcome whose objects cannot be listed: only a person can resolve them. */
export function unresolvedCreations(creating: Iterable<string>, capabilities: ReadonlySet<Capability>): Diagnostic[] {
  return [...creating].flatMap((address): Diagnostic[] => {
    const kind = parseAddress(address)?.kind;
    if (kind === undefined || canList(kind, capabilities)) return [];
    const message = `an earlier run may have created ${address}, but this cannot be checked, because ${pluralOf(kind.title)} cannot be listed; until it is known, nothing is changed`;
    const fix = `look for it at the service, then run \`edgeform apply --resolve ${address}=ID\`, or \`--resolve ${address}=absent\``;
    return [{ code: 'unknown-outcome', severity: 'error', address, message, fix }];
  });
}
