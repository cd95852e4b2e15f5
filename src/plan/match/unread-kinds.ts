// Kinds whose objects could not be listed, or whose list is empty although other objects refer to them: objects may exist
// unseen, and a plan that depends on them says so. Pure.

import { parseAddress } from '../../catalog/address.ts';
import type { Kind } from '../../catalog/kind.ts';
import { canList, kindByName, topLevelKinds } from '../../catalog/lookup.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { pluralOf } from '../../core/text/text.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Pair } from './match.ts';
import { idsIn } from '../../resource/references.ts';
import type { PlanOptions } from '../plan-options.ts';
import { flagFor, nameOf } from '../policies/policy.ts';

/**
 * A warning for each unread kind if the plan creates such objects or destroys everything. Creations in `unresolvedCreations`
 * are not planned.
 */
export function unreadKinds(
  { unread }: Snapshot,
  pairs: readonly Pair[],
  isDestroyed: boolean,
  unresolved: readonly Diagnostic[],
): Diagnostic[] {
  const waiting = new Set(unresolved.map(({ address }) => address));
  return unread.flatMap(({ kind: name }): Diagnostic[] => {
    const first = pairs.find(
      ({ desired, kind, live }) => kind.name === name && live === undefined && !waiting.has(desired.address),
    );
    if (first === undefined && !isDestroyed) return [];
    const { title } = kindByName(name);
    const unseen = `${pluralOf(title)} cannot be listed, so those that neither the journal nor \`lifecycle.id\` names are not seen`;
    const what = isDestroyed ? 'they are not deleted' : `${first?.desired.address ?? ''} is created even if it exists`;
    const fix = 'keep the journal between runs, or name their ids';
    const about = first === undefined ? {} : { address: first.desired.address };
    return [{ code: 'kind-not-read', severity: 'warning', message: `${unseen}: ${what}`, fix, ...about }];
  });
}

/** Creations with an unknown outcome whose objects cannot be listed: only a person can resolve them. */
export function unresolvedCreations(
  creating: Iterable<string>,
  options: Pick<PlanOptions, 'capabilities' | 'entry'>,
): Diagnostic[] {
  return [...creating].flatMap((address): Diagnostic[] => {
    const kind = parseAddress(address)?.kind;
    if (kind === undefined || canList(kind, options.capabilities)) return [];
    const message = `${address} may have been created by an earlier run, but this cannot be checked, because ${pluralOf(kind.title)} cannot be listed; until it is known, nothing is changed`;
    const [found, absent] = ['ID', 'absent'].map((end) => flagFor(`--resolve ${address}=${end}`, options));
    const fix = `look for it at the service, then apply with \`${found}\`, or \`${absent}\``;
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
