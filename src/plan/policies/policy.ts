// The input and output of a policy. Knows no particular policy.

import type { Ownership } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { ImportsFound } from '../match/imports.ts';
import type { Match, Pair } from '../match/match.ts';
import type { PlanOptions, PlanContext } from '../plan-options.ts';
import type { PolicyViolation } from '../plan.ts';
import { isRemoval } from '../fingerprint.ts';
import { valueOfKey } from '../../resource/uniques.ts';

export interface PolicyInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly drafts: readonly StepDraft[];
  /** Every block of the manifest with its object, including what the plan leaves out. */
  readonly pairs: readonly Pair[];
  readonly dispositions: Match['dispositions'];
  readonly options: PlanOptions;
  readonly imports: ImportsFound;
  readonly ownership: Ownership;
  /** Objects by their parent. */
  readonly children: PlanContext['children'];
  /** The past of addresses without an object. */
  readonly missing: PlanContext['missing'];
}

/** A policy: any violation stops apply. */
export type Policy = (input: PolicyInput) => PolicyViolation[];

/** A step that deletes an object. */
export interface Removal {
  readonly draft: StepDraft;
  readonly live: LiveResource;
}

export function removalsOf(drafts: readonly StepDraft[]): Removal[] {
  return drafts.flatMap((draft) => (isRemoval(draft) && draft.live !== undefined ? [{ draft, live: draft.live }] : []));
}

/** The objects deleted by a removal: the object itself and all of its children (§4). */
export function deletedWith({ live }: Removal, { children }: Pick<PolicyInput, 'children'>): LiveResource[] {
  return [live, ...(children.get(live.id) ?? [])];
}

/** Entries of `moved` to add to a manifest, for a sentence: the whole key, or more for the list that is there. */
export function movedEntries(entries: string, { moved, transfers }: Pick<Manifest, 'moved' | 'transfers'>): string {
  const hasList = moved.length + transfers.length > 0;
  return hasList ? `\`${entries}\` to the list \`moved\` of the manifest` : `\`moved: [${entries}]\` to the manifest`;
}

/** The `moved` entry that would bring an object of another stack to an address, for a sentence; undefined if its marker cannot be read, or the entry is there. */
export function transferEntry(
  { stack, address }: { readonly stack: string; readonly address: string | undefined },
  to: string,
  manifest: Pick<Manifest, 'moved' | 'transfers'>,
): string | undefined {
  const isThere = manifest.transfers.some(
    ({ stack: from, ends }) =>
      from === stack && (ends === undefined ? address === to : ends.from === address && ends.to === to),
  );
  return isThere
    ? undefined
    : address && movedEntries(`{ from: { stack: ${stack}, address: ${address} }, to: ${to} }`, manifest);
}

/** A flag of the next run, for a sentence; in a fleet it is for one stack only. */
export function flagFor(flag: string, { entry }: Pick<PlanOptions, 'entry'>): string {
  return entry === undefined ? flag : `${flag} --only ${entry}`;
}

/** An object's name for people: the address in its marker, or its id. */
export function nameOf(live: LiveResource): string {
  return live.marker?.address ?? live.id;
}

/** A claimed value in full; a secret one is named by its field. */
export function describeClaim({ secretClaims = [] }: StepDraft, key: string): string {
  const secret = secretClaims.find((value) => value.key === key);
  return secret === undefined ? valueOfKey(key) : `the sensitive value of its ${secret.field}`;
}
