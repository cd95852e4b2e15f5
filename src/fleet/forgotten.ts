// Moves between stacks that seem to have been forgotten: what one stack of a fleet deletes and another creates alike. Only stacks at
// one service, of one run, that are planned whole. Pure.

import { groupBy } from '../core/group.ts';
import { entryOf } from '../plan/notices/forgotten-moves.ts';
import { forgottenBetween, type ForgottenMove } from '../plan/notices/find-moves.ts';
import type { ForgottenTransfer } from '../plan/plan-options.ts';
import { movedEntries } from '../plan/policies/policy.ts';
import type { AnalysedStack } from './plan-stack.ts';
import { serviceKey } from './service.ts';

/** By the name of each stack that deletes or creates such an object. */
export function forgottenIn(analysed: readonly AnalysedStack[]): ReadonlyMap<string, readonly ForgottenTransfer[]> {
  const byName = new Map<string, ForgottenTransfer[]>();
  const byService = groupBy(analysed, ({ run }) => serviceKey(run.connection));
  for (const stacks of byService.values()) {
    const nameBySide = new Map(stacks.flatMap(({ name, side }) => (side === undefined ? [] : [[side, name] as const])));
    for (const move of forgottenBetween([...nameBySide.keys()])) {
      if (move.isImplied) continue;
      for (const side of [move.giver, move.taker]) {
        const name = nameBySide.get(side) ?? '';
        byName.set(name, [...(byName.get(name) ?? []), transferOf(move)]);
      }
    }
  }
  return byName;
}

function transferOf({ live, from, to, words, giver, taker }: ForgottenMove): ForgottenTransfer {
  const source = { stack: giver.manifest.stack, address: from };
  const entry = movedEntries(entryOf({ from: source, to }), taker.manifest);
  return { id: live.id, from: source, into: taker.manifest.stack, to, words, entry };
}
