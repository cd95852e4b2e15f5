// Kinds whose objects could not be listed, or whose list is empty although other objects refer to them: objects may exist
// unseen, and a plan that depends on them says so. Pure.

import { parseAddress } from '../../catalog/address.ts';
import type { Capability, Kind } from '../../catalog/kind.ts';
import { canList, kindByName, topLevelKinds } from '../../catalog/lookup.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { pluralOf, plural } from '../../core/text/text.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Pair } from './match.ts';
import type { PlanDiagnostic, PolicyViolation } from '../plan.ts';
import { groupBy } from '../../core/group.ts';
import { idsIn } from '../../resource/references.ts';
import { nameOf, type PolicyInput } from '../policies/policy.ts';

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

/** A reference to an object of a kind whose list is empty. */
interface UnlistedReference {
  readonly kind: Kind;
  readonly id: string;
  /** Address or id of the referring object. */
  readonly from: string;
}

/** References to kinds whose list is empty, without those confirmed to be dangling. */
export function unlistedReferences({ resources, absent = [], whole }: Snapshot): UnlistedReference[] {
  const present = whole?.kinds ?? new Set(resources.map((live) => live.kind));
  const gone = new Set(absent);
  return resources.flatMap((live) =>
    idsIn(kindByName(live.kind).fields, live.spec).flatMap((id): UnlistedReference[] => {
      const kind = topLevelKinds.find((candidate) => id.startsWith(candidate.idPrefix));
      const isDoubted = kind !== undefined && !present.has(kind.name) && !gone.has(id);
      return isDoubted ? [{ kind, id, from: nameOf(live) }] : [];
    }),
  );
}

/**
 * An empty list of a kind that other objects refer to is probably a broken answer, unless the service confirms for every single id
 * that it does not exist.
 */
export function emptyList({ snapshot }: PolicyInput): PolicyViolation[] {
  const found = groupBy(unlistedReferences(snapshot), ({ kind }) => kind.title);
  return [...found].map(([title, doubted]) => ({
    rule: 'empty-list',
    message: `the service lists no ${title}, although ${plural(doubted.length, 'object')} refer to one that is not known to be gone; the list cannot be trusted, so run the command again later`,
    addresses: [...new Set(doubted.map(({ from }) => from))].sort(),
    flag: null,
  }));
}
