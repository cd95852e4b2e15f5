// The part of an export that --kind and --name choose. Names are those that the objects have in the whole export, so that a part of
// it has the same addresses.

import { parseAddress } from '../catalog/address.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text/closest.ts';
import { isLike } from '../core/text/glob.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { LeftOut, Restriction } from './select.ts';

interface Restricted {
  readonly chosen: readonly LiveResource[];
  readonly leftOut: readonly LeftOut[];
  /** A problem for each pattern that no name is like. */
  readonly unmatched: readonly Diagnostic[];
}

/** With an object go its children; a child brings its parent, in which it is written. */
export function restrict(
  selected: Pick<Restricted, 'chosen' | 'leftOut'>,
  addresses: ReadonlyMap<string, string>,
  { kinds, names }: Restriction = { kinds: [], names: [] },
): Restricted {
  if (kinds.length === 0 && names.length === 0) return { ...selected, unmatched: [] };
  const ofKind = ({ kind }: LiveResource) => kinds.length === 0 || kinds.includes(kind);
  const nameIn = ({ id }: LiveResource) => parseAddress(addresses.get(id) ?? '')?.name ?? '';
  const candidates = selected.chosen.filter(ofKind);
  const hits = candidates.filter((live) => names.length === 0 || names.some((name) => isLike(nameIn(live), name)));
  const hitIds = new Set(hits.map(({ id }) => id));
  const parentIds = new Set(hits.map(({ parentId }) => parentId));
  const chosen = selected.chosen.filter(
    ({ id, parentId }) => hitIds.has(id) || parentIds.has(id) || (parentId !== undefined && hitIds.has(parentId)),
  );
  const known = candidates.map(nameIn);
  const unmatched = names.filter((name) => !known.some((one) => isLike(one, name)));
  return {
    chosen,
    // Objects that are not written have no names.
    leftOut: names.length > 0 ? [] : selected.leftOut.filter(({ live }) => ofKind(live)),
    unmatched: unmatched.map((name) => noneLike(name, known)),
  };
}

function noneLike(pattern: string, known: readonly string[]): Diagnostic {
  return {
    code: 'nothing-to-export',
    severity: 'error',
    message: `--name ${JSON.stringify(pattern)} matches no object of this export`,
    fix:
      didYouMean(pattern, known) ??
      'export without --name to see the names; the stack of the manifest is chosen with --stack',
  };
}
