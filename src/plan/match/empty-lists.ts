// Empty lists of kinds that other objects refer to: probably a broken answer, unless the service confirms for every single id
// that it does not exist. Pure.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName, topLevelKinds } from '../../catalog/lookup.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { PolicyViolation } from '../plan.ts';
import { idsIn } from '../../resource/references.ts';
import { nameOf, type PolicyInput } from '../policies/policy.ts';

/** A reference to an object of a kind whose list is empty. */
interface UnlistedReference {
  readonly kind: Kind;
  readonly id: string;
  /** Address or id of the referring object. */
  readonly from: string;
}

/** References to kinds whose list is empty, without those confirmed to be dangling. */
export function unlistedReferences({ resources, absent = [] }: Snapshot): UnlistedReference[] {
  const present = new Set(resources.map((live) => live.kind));
  const gone = new Set(absent);
  return resources.flatMap((live) =>
    idsIn(kindByName(live.kind).fields, live.spec).flatMap((id): UnlistedReference[] => {
      const kind = topLevelKinds.find((candidate) => id.startsWith(candidate.idPrefix));
      const isDoubted = kind !== undefined && !present.has(kind.name) && !gone.has(id);
      return isDoubted ? [{ kind, id, from: nameOf(live) }] : [];
    }),
  );
}

/** An empty list cannot be trusted while one of the referenced ids may exist. */
export function emptyList({ snapshot }: PolicyInput): PolicyViolation[] {
  const found = groupBy(unlistedReferences(snapshot), ({ kind }) => kind.title);
  return [...found].map(([title, doubted]) => ({
    rule: 'empty-list',
    message: `the service lists no ${title}, although ${plural(doubted.length, 'object')} refer to one that is not known to be gone; the list cannot be trusted, so run the command again later`,
    addresses: [...new Set(doubted.map(({ from }) => from))].sort(),
    flag: null,
  }));
}
