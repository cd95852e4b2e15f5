// What a move from another stack must not bring along: a deletion, the end of a protection that nobody asked for, or a part of a stack that
// lives on (ADR-0079).

import { plural } from '../../core/text/text.ts';
import { otherOwner } from '../../resource/marker/ownership.ts';
import { transferDestination } from '../../resource/marker/transfers.ts';
import type { PolicyViolation } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import { nameOf, type Policy, type PolicyInput } from './policy.ts';

/** Policies about objects that `moved` brings from another stack. */
export const TRANSFERS: readonly Policy[] = [replacedTransfers, unprotectedTransfers, livingStacks];

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

/**
 * An entry for a whole stack is for one that was renamed, of which nothing is left. What entries name by address is agreed to, and a
 * fleet that has both stacks sees both sides.
 */
function livingStacks(input: PolicyInput): PolicyViolation[] {
  const { manifest, options } = input;
  const isAllowed = (stack: string) => options.siblings?.has(stack) === true || options.allowTakeover?.includes(stack);
  const whole = manifest.transfers.flatMap(({ stack, ends }) =>
    ends === undefined && !isAllowed(stack) ? [stack] : [],
  );
  return whole.flatMap((stack): PolicyViolation[] => {
    const { taken, sources, left } = sidesOf(stack, input);
    const [first] = left;
    if (taken.length === 0 || first === undefined) return [];
    const message = `${plural(taken.length, 'object')} would be taken over from stack ${stack}, which keeps ${left.length}, such as ${nameOf(first)} (${first.id}): it lives on, and was not renamed`;
    const fix = `name what is to come, as in \`{ from: { stack: ${stack}, address: ${sources[0] ?? ''} }, to: … }\`, or remove the entry, if it was copied with the manifest`;
    return [{ rule: 'living-stack', message, fix, addresses: taken, flag: `--allow-takeover ${stack}` }];
  });
}

/** What the plan takes from a stack without naming it, and what the manifest leaves there. */
function sidesOf(stack: string, { manifest, drafts, pairs, snapshot, ownership, options }: PolicyInput) {
  const ends = manifest.transfers.filter((one) => one.ends !== undefined);
  const named = transferDestination({ ...manifest, transfers: ends });
  const coming = pairs.flatMap(({ desired, live }) => {
    const status = live === undefined ? undefined : ownership.of(live);
    return status?.is === 'transferred' && otherOwner(status)?.stack === stack
      ? [
          {
            address: desired.address,
            from: status.marker.address,
            id: live?.id,
            isNamed: named(status.marker) !== undefined,
          },
        ]
      : [];
  });
  const leaving = new Set([...coming.map(({ id }) => id), ...(options.takenBesides ?? [])]);
  const written = new Set(drafts.map(({ address }) => address));
  const taken = coming.filter(({ address, isNamed }) => !isNamed && written.has(address));
  return {
    taken: taken.map(({ address }) => address),
    sources: taken.map(({ from }) => from),
    left: snapshot.resources.filter((live) => otherOwner(ownership.of(live))?.stack === stack && !leaving.has(live.id)),
  };
}
