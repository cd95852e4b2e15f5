// Deletions that need consent: more than the budget, all that the stack owns, or what cannot be had again (ADR-0044).

import { lazy } from '../../core/lazy.ts';
import { plural } from '../../core/text/text.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import { isRemoval } from '../fingerprint.ts';
import { disposedAs, isListedRemoval } from '../match/disposition.ts';
import { forgottenWithin } from '../notices/find-moves.ts';
import type { PolicyViolation } from '../plan.ts';
import { consentEntry, consentFlag, isConsented } from './consent.ts';
import {
  deletedWith,
  movedEntries,
  nameOf,
  removalsOf,
  type Policy,
  type PolicyInput,
  type Removal,
} from './policy.ts';

/** Policies that stop too many deletions; `destroy` is its own consent. */
export const TOO_MANY: readonly Policy[] = [deleteBudget, unrelatedManifest];

/**
 * Children count towards the deletion budget, too: deleting an edge deletes its routes. What the manifest lists under `removed`
 * does not: whoever reviewed the entry has consented.
 */
function deleteBudget(input: PolicyInput): PolicyViolation[] {
  const { snapshot, drafts, options, ownership, dispositions } = input;
  if (options.destroy || options.allowDeletes === 'all') return [];
  const owned = snapshot.resources.filter(ownership.isOurs);
  const limit = options.allowDeletes ?? Math.max(3, Math.floor(owned.length * 0.2));
  // A redundant duplicate is no loss, because another one stays.
  const isRemoved = (live: LiveResource) => isListedRemoval(dispositions, live);
  const counts = ({ live }: StepDraft) => live === undefined || (live.isRedundant !== true && !isRemoved(live));
  const toDelete = drafts.filter(isRemoval).filter(counts);
  const ids = new Set(toDelete.map((draft) => draft.live?.id));
  const inside = owned.filter((live) => live.parentId !== undefined && ids.has(live.parentId) && !isRemoved(live));
  const count = toDelete.length + inside.length;
  if (count <= limit) return [];
  const allowed = limit === 0 ? 'none is' : `only ${limit} ${limit === 1 ? 'is' : 'are'}`;
  const addresses = [...toDelete.map((draft) => draft.address), ...inside.map(nameOf)];
  const message = `${plural(count, 'object')} of ${owned.length} would be deleted or replaced, but ${allowed} allowed`;
  // A number would not be enough where the manifest has none of it.
  const flag = `--allow-deletes ${unrelatedManifest(input).length > 0 ? 'all' : count}`;
  return [{ rule: 'delete-budget', message, addresses: [...new Set(addresses)].sort(), flag }];
}

/**
 * A manifest that has none of what its stack owns is probably that of another stack. A plan of targets deletes nothing, but what
 * it creates would make the next plan of either manifest delete what belongs to the other.
 */
function unrelatedManifest(input: PolicyInput): PolicyViolation[] {
  const { manifest, drafts, options } = input;
  if (options.destroy || options.allowDeletes === 'all' || drafts.length === 0 || hasOwn(input)) return [];
  const unnamed = disposedAs(input.dispositions, 'orphan').flatMap(({ isListed, live }) => (isListed ? [] : [live]));
  if (unnamed.length === 0) return [];
  const none = unnamed.length === 1 ? 'which the manifest does not have' : 'of which the manifest has none';
  const message = `stack ${manifest.stack} owns ${plural(unnamed.length, 'object')}, ${none}; another team may use the same name of a stack`;
  const fix =
    'choose another name, list what was renamed under `moved`, or, if all of it is to be deleted, use `destroy` or list it under `removed` with `destroy: true`';
  const addresses = unnamed.map(nameOf).sort();
  return [{ rule: 'unrelated-manifest', message, fix, addresses, flag: '--allow-deletes all' }];
}

/** Whether blocks ask for any object of the stack, also where it is not clear which is the right one. */
function hasOwn({ dispositions, ownership }: PolicyInput): boolean {
  return disposedAs(dispositions, 'kept', 'contested').some(({ live }) => ownership.isOurs(live));
}

/**
 * Requires consent to each loss of something that cannot be had again, also inside what is deleted or replaced; `destroy` is its
 * own consent.
 */
export function unconfirmedDeletions(input: PolicyInput): PolicyViolation[] {
  if (input.options.destroy) return [];
  const keeping = lazy(() => entriesThatKeep(input));
  return removalsOf(input.drafts).flatMap((removal) =>
    lostForGood(removal, input)
      .filter((live) => !isConsented(live, input))
      .map((live) => ({ ...deletionViolation(live, removal, input), ...keeping().get(live.id) })),
  );
}

/** What a removal loses and cannot give back. Whether a replacement may lose the object itself is asked elsewhere. */
function lostForGood(removal: Removal, input: PolicyInput): LiveResource[] {
  const { draft, live } = removal;
  if (live.isRedundant === true) return [];
  const isOwnLoss = draft.action === 'delete' && draft.successor === undefined && draft.loss?.code === 'irreplaceable';
  const inside = deletedWith(removal, input).filter((one) => one !== live);
  return [...(isOwnLoss ? [live] : []), ...inside.filter(({ kind }) => kindByName(kind).irreplaceable !== undefined)];
}

/** How to keep an object that would be lost: the entry of `moved`, in words and as data. */
type Keeping = Pick<PolicyViolation, 'fix' | 'moved'>;

/** By the id of each object that the plan would create anew, in this stack or in another one of the run. */
function entriesThatKeep(input: PolicyInput): ReadonlyMap<string, Keeping> {
  const { manifest, options } = input;
  const { stack } = manifest;
  const within = forgottenWithin({ manifest, matched: input }).pairs.map(({ live, from, to }): [string, Keeping] => {
    const fix = `to keep it, add ${movedEntries(`{ from: ${from}, to: ${to} }`, manifest)}`;
    return [live.id, { fix, moved: { stack, from, to } }];
  });
  const across = (options.forgottenTransfers ?? []).map(({ id, from, to, into, entry }): [string, Keeping] => {
    return [id, { fix: `to keep it, add ${entry} of stack ${into}`, moved: { stack: into, from, to } }];
  });
  return new Map([...within, ...across]);
}

function deletionViolation(live: LiveResource, { draft }: Removal, input: PolicyInput): PolicyViolation {
  const address = nameOf(live);
  const { loss, irreplaceable } = kindByName(live.kind);
  const how = live === draft.live ? 'deleted' : `deleted with ${draft.address}`;
  return {
    rule: 'irreplaceable',
    message: `${address} (${live.id}) would be ${how}: ${loss ?? irreplaceable ?? ''}`,
    addresses: [address],
    flag: consentFlag(address, input.options),
    ...consentEntry(address, input),
  };
}
