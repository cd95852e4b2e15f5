// Creations beside an equal object that another stack has at the same address. A journal that knows the whole stack says whether that
// object was here before; without one, nobody can, and a person should know. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { groupBy } from '../../core/group.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import { otherOwner } from '../../resource/marker/ownership.ts';
import { resolveSpec } from '../../resource/resolve.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { knownIn, type Match } from '../match/match.ts';
import type { MissingByAddress } from '../match/missing-objects.ts';
import type { PlanOptions } from '../plan-options.ts';
import { fieldsKey } from './same-content.ts';

export const SAME_ELSEWHERE = 'same-elsewhere';

/** What is inside an object goes with it. Stacks of one fleet may be equal. */
export function sameElsewhere(
  matched: Match,
  pasts: MissingByAddress,
  siblings: PlanOptions['siblings'] = new Set(),
): Diagnostic[] {
  const { pairs, snapshot, ownership } = matched;
  const isDoubtful = ({ address, parent }: DesiredResource) =>
    parent === undefined && pasts.get(address)?.is === 'unknown';
  const missing = pairs.filter(({ desired }) => isDoubtful(desired));
  if (missing.length === 0) return [];
  const known = knownIn(matched);
  const byAddress = snapshot.whole?.byAddress() ?? groupBy(snapshot.resources, ({ marker }) => marker?.address);
  return missing.flatMap(({ desired }): Diagnostic[] => {
    const keys = keysOf({ ...desired, spec: resolveSpec(desired.spec, known) });
    const isSame = (live: LiveResource) => live.kind === desired.kind && keysOf(live).some((key) => keys.includes(key));
    return (byAddress.get(desired.address) ?? []).flatMap((live) => {
      const owner = otherOwner(ownership.of(live))?.stack;
      const isMeant = owner === undefined || siblings.has(owner) || !isSame(live);
      return isMeant ? [] : [perhapsTheSame(desired.address, live.id, owner)];
    });
  });
}

function keysOf({ kind, spec }: Pick<DesiredResource | LiveResource, 'kind' | 'spec'>): string[] {
  return fieldsKey({ kind: kindByName(kind), parentId: undefined, spec }).map(({ key }) => key);
}

function perhapsTheSame(address: string, id: string, stack: string): Diagnostic {
  const message = `stack ${stack} has ${address} (${id}) with the same fields, and no journal here says whether it was handed over: this may become a second one`;
  const fix =
    'if it was handed over, remove the block or take the newer manifest; if each stack has one of its own, there is nothing to do';
  return { code: SAME_ELSEWHERE, severity: 'warning', address, message, fix };
}
