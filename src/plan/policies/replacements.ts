// Replacements that need consent: of objects that cannot be recovered or were never ours, or that a block forbids.

import { originsOf, type Origins } from '../../resource/marker/moves.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from '../journal-view.ts';
import type { PolicyViolation } from '../plan.ts';
import { allowsLoss, consentFlag } from './consent.ts';
import { removalsOf, type Policy, type PolicyInput } from './policy.ts';

/** Policies that stop a replacement without consent. */
export const REPLACEMENTS: readonly Policy[] = [unconfirmedReplacements, unprovenSuccessors, forbiddenReplacements];

/** The create step of each replacement, with the object that it replaces. */
function replacements({ drafts }: PolicyInput) {
  const oldByAddress = new Map(
    removalsOf(drafts).flatMap(({ draft, live }) => (draft.phase === 'delete' ? [[draft.address, live]] : [])),
  );
  return drafts
    .filter((draft) => draft.phase === 'create')
    .map((draft) => ({ draft, old: oldByAddress.get(draft.address) }));
}

/** Requires consent to what a replacement loses: an irreplaceable kind, or an object that was never ours (ADR-0021). */
function unconfirmedReplacements(input: PolicyInput): PolicyViolation[] {
  return replacements(input).flatMap(({ draft, old }): PolicyViolation[] => {
    const { address, kind, reason, loss } = draft;
    if (allowsLoss(input.options, address)) return [];
    const consent = { addresses: [address], flag: consentFlag(address, input.options) };
    if (old !== undefined && old.marker === undefined) {
      const message = `${address} would adopt ${old.id}, which no stack owns, and replace it immediately: ${reason.text}; ${old.id} is deleted: ${loss?.cost ?? ''}`;
      return [{ rule: 'adoption-replaces', message, ...consent }];
    }
    // A value that was certainly never stored is no loss; one that may have been stored is.
    const cost =
      draft.returnedOnce === undefined
        ? kind.irreplaceable
        : draft.returnedOnce === 'unclear'
          ? reason.text
          : undefined;
    if (cost === undefined) return [];
    return [{ rule: 'irreplaceable', message: `${address} would be replaced: ${cost}`, ...consent }];
  });
}

/**
 * A marker alone does not prove that an object was replaced, so it is no consent to an irreversible loss: its text may have
 * been copied or edited. The journal proves it if one of its runs created the new object in place of this one (ADR-0021).
 */
function unprovenSuccessors({ manifest, drafts, options }: PolicyInput): PolicyViolation[] {
  const origins = originsOf(manifest.moved);
  return removalsOf(drafts).flatMap(({ draft: { address, kind, successor }, live }): PolicyViolation[] => {
    if (successor === undefined || kind.irreplaceable === undefined) return [];
    if (allowsLoss(options, successor.address)) return [];
    if (hasReplaced(options.journal, successor.live, live, origins)) return [];
    const { id } = successor.live;
    return [
      {
        rule: 'irreplaceable',
        message: `${live.id} would be deleted: the marker of ${id} says that it took its place as ${address}, but no journal here proves it; ${kind.irreplaceable}`,
        fix: 'name the journal of the run that replaced it with --journal, or, if the marker was copied or edited, remove `replaces` from it',
        addresses: [...new Set([successor.address, address])],
        flag: consentFlag(successor.address, options),
      },
    ];
  });
}

/** Whether the journal proves that the object replaced the old one, which it knows under that address. */
function hasReplaced(
  journal: JournalView | undefined,
  successor: LiveResource,
  old: LiveResource,
  origins: Origins,
): boolean {
  const address = successor.marker?.address ?? '';
  const was = journal?.objects.get(old.id)?.address ?? '';
  return isMadeBy(journal, successor, origins) && [address, ...origins(address)].includes(was);
}

/** `on_immutable_change: refuse` forbids a replacement, whatever the flags. */
function forbiddenReplacements(input: PolicyInput): PolicyViolation[] {
  const refuses = new Set(
    input.manifest.resources.filter((r) => r.lifecycle.onImmutableChange === 'refuse').map((r) => r.address),
  );
  return replacements(input).flatMap(({ draft: { address, reason } }) => {
    if (!refuses.has(address)) return [];
    const message = `${address} would be replaced (${reason.text}), but its \`on_immutable_change\` is refuse`;
    return [
      {
        rule: 'immutable-change',
        message,
        fix: 'undo the change, or remove the setting',
        addresses: [address],
        flag: null,
      },
    ];
  });
}
