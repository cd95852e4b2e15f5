// Consent to a loss: by `--allow-loss`, or for a deletion by an entry of `removed` in the manifest (ADR-0044).

import { isUnder } from '../../resource/marker/moves.ts';
import { isListedRemoval } from '../match/disposition.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { PlanOptions } from '../plan-options.ts';
import type { PolicyViolation } from '../plan.ts';
import { nameOf, type PolicyInput } from './policy.ts';

/** True when `--allow-loss` names the address, or one that it is inside of. */
export function allowsLoss({ allowLoss }: Pick<PlanOptions, 'allowLoss'>, address: string): boolean {
  return isUnder(address, new Set(allowLoss));
}

/** True when the flag or the manifest consents to losing this object. */
export function isConsented(live: LiveResource, { options, dispositions }: PolicyInput): boolean {
  return isListedRemoval(dispositions, live) || allowsLoss(options, nameOf(live));
}

/** The flag that consents to losing the object of an address. */
export function consentFlag(address: string, options: Pick<PlanOptions, 'entry'>): string {
  return `--allow-loss ${named(address, options)}`;
}

/** The flag that consents to opening what an address is about. */
export function openingFlag(address: string, options: Pick<PlanOptions, 'entry'>): string {
  return `--allow-opening ${named(address, options)}`;
}

/** In a fleet, with the name of its stack, because addresses may be equal. */
function named(address: string, { entry }: Pick<PlanOptions, 'entry'>): string {
  return entry === undefined ? address : `${entry}:${address}`;
}

/** The entry of the manifest that consents to a deletion; none for an address that a block still asks for. */
export function consentEntry(address: string, { manifest }: PolicyInput): Pick<PolicyViolation, 'entry'> {
  if (manifest.resources.some((resource) => resource.address === address)) return {};
  return { entry: `removed: [{ from: ${address}, destroy: true }]` };
}
