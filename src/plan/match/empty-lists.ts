// Lists that are empty although other objects refer to their kind: more likely a broken answer than the truth, unless the
// service says of every id by itself that it is not there. Pure.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName, topLevelKinds } from '../../catalog/lookup.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { PolicyViolation } from '../plan.ts';
import { idsIn } from '../../resource/references.ts';
import { nameOf, type PolicyInput } from '../policies/policy.ts';

/** A reference to an object of a kind of which nothing is listed. */
interface UnlistedReference {
  readonly kind: Kind;
  readonly id: string;
  /** Address or id of what refers to it. */
  readonly from: string;
}

/** References of which the list that should show them is empty; those that were found to lead nowhere are not among them. */
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

/** The list of a kind cannot be trusted while one of the ids may be there. */
export function emptyList({ snapshot }: PolicyInput): PolicyViolation[] {
  const found = groupBy(unlistedReferences(snapshot), ({ kind }) => kind.title);
  return [...found].map(([title, doubted]) => ({
    rule: 'empty-list',
    message: `the service lists no ${title}, although ${plural(doubted.length, 'object')} refer to one that is not known to be gone; the list cannot be trusted, so run the command again later`,
    addresses: [...new Set(doubted.map(({ from }) => from))].sort(),
    flag: null,
  }));
}
