// What a move from another stack must not bring along: a deletion, or the end of a protection that nobody asked for.

import type { PolicyViolation } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import type { Policy, PolicyInput } from './policy.ts';

/** Policies about objects that `moved` brings from another stack. */
export const TRANSFERS: readonly Policy[] = [replacedTransfers, unprotectedTransfers];

/** Its own stack would lose the object, and the ids that it holds would dangle: first the move, then the replacement. */
function replacedTransfers({ drafts, ownership }: PolicyInput): PolicyViolation[] {
  return drafts.flatMap(({ phase, live, address, reason }) => {
    const status = live === undefined ? undefined : ownership.of(live);
    if (phase !== 'delete' || live === undefined || status?.is !== 'transferred') return [];
    const { stack } = status.marker;
    const message = `${address} (${live.id}) is to move here from stack ${stack}, and would be replaced at once: ${(reasonOf(address, drafts) ?? reason).text}`;
    const fix = 'give it the values that it has, apply that, then change them';
    return [{ rule: 'move-replaces', message, fix, addresses: [address], flag: null }];
  });
}

/** The create step says which field cannot be changed. */
function reasonOf(address: string, drafts: PolicyInput['drafts']): Reason | undefined {
  return drafts.find((draft) => draft.address === address && draft.phase === 'create')?.reason;
}

/** A protected object stays protected, unless its new block says otherwise. */
function unprotectedTransfers({ drafts, ownership, pairs }: PolicyInput): PolicyViolation[] {
  const blocks = new Map(pairs.map(({ desired }) => [desired.address, desired.lifecycle]));
  return drafts.flatMap(({ address, live }) => {
    const status = live === undefined ? undefined : ownership.of(live);
    const saysNothing = blocks.get(address)?.preventDestroy === undefined;
    if (live === undefined || status?.is !== 'transferred' || !saysNothing) return [];
    const { stack, protect } = status.marker;
    if (protect !== true) return [];
    const message = `${address} (${live.id}) is protected in stack ${stack}, and its block here does not say whether it stays so`;
    const fix = 'add `lifecycle: { prevent_destroy: true }`, or `false` to end the protection';
    return [{ rule: 'move-protection', message, fix, addresses: [address], flag: null }];
  });
}
