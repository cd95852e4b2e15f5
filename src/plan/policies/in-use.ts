// Objects in use, or not ours, are not deleted: those that others refer to or serve, and children that are not the stack's
// (ADR-0021).

import { describeOwner, otherOwner, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { PolicyViolation } from '../plan.ts';
import { idsIn } from '../../resource/references.ts';
import { deletedWith, removalsOf, type Policy, type PolicyInput } from './policy.ts';
import { valueOfKey } from '../../resource/uniques.ts';
import { idKey, keysOf, servedBy, servedKey, usesOf, type Use } from '../../resource/uses.ts';

/** Policies that stop a deletion of something in use or not ours. */
export const IN_USE: readonly Policy[] = [foreignChildren, releasedChildren, stillReferenced];

/** Children are deleted with their parent, so all of them must be the stack's, or have a deletion of their own. */
function foreignChildren(input: PolicyInput): PolicyViolation[] {
  const { snapshot, drafts, ownership } = input;
  const toDelete = new Map(removalsOf(drafts).map(({ draft, live }) => [live.id, draft]));
  return snapshot.resources.flatMap((live) => {
    const draft = live.parentId === undefined ? undefined : toDelete.get(live.parentId);
    const status = ownership.of(live);
    if (draft === undefined || status.is === 'ours' || toDelete.has(live.id)) return [];
    const fix = wayOutOf(live, draft, input);
    const message = `deleting ${draft.address} would delete its child ${live.id}, ${ownerOf(status)}`;
    return [{ rule: 'foreign-object', message, fix, addresses: [draft.address], flag: null }];
  });
}

function wayOutOf(live: LiveResource, { address }: StepDraft, { manifest, options, ownership }: PolicyInput): string {
  const status = ownership.of(live);
  if (otherOwner(status) !== undefined)
    return 'delete it there, or move it here with a block of its own and an entry of `moved`, first';
  const ways = ['delete the child yourself first', `adopt it with \`lifecycle: { adopt: ${live.id} }\``];
  const hasBlock = manifest.resources.some((block) => block.address === address);
  const mayExpel = options.destroy && hasBlock && status.is === 'unowned';
  return [...ways, ...(mayExpel ? [`add \`lifecycle: { exclusive: true }\` to ${address}`] : [])].join(', or ');
}

/** A release removes the marker and leaves the object, which is useless if its parent is deleted. */
function releasedChildren({ drafts }: PolicyInput): PolicyViolation[] {
  const toDelete = new Map(removalsOf(drafts).map(({ draft, live }) => [live.id, draft]));
  return drafts.flatMap(({ action, address, live }) => {
    const above = action === 'release' ? toDelete.get(live?.parentId ?? '') : undefined;
    if (above === undefined) return [];
    const message = `${address} (${live?.id ?? ''}) is to be released, but would be deleted with its parent ${above.address}`;
    const fix = `release the parent, too, with \`removed: [{ from: ${above.address}, destroy: false }]\`, or keep it as it is`;
    return [{ rule: 'release-inside', message, fix, addresses: [above.address, address].sort(), flag: null }];
  });
}

function ownerOf(status: OwnershipStatus): string {
  if (status.is === 'unclear') return 'whose ownership marker cannot be read';
  const other = otherOwner(status);
  return other === undefined ? 'which no stack owns' : `which belongs to stack ${other.stack}`;
}

/** Deleting something that others still use would leave them with dangling references. */
function stillReferenced(input: PolicyInput): PolicyViolation[] {
  const removals = removalsOf(input.drafts);
  if (removals.length === 0) return [];
  const lost = new Map(
    removals.flatMap((removal) => deletedWith(removal, input).map((live) => [live, removal.draft] as const)),
  );
  const toDelete = usesToDelete(lost);
  const gone = new Set([...lost.keys()].map((live) => live.id));
  const dropped = new Set(input.drafts.flatMap(dropsOf));
  const kept = input.snapshot.resources
    .filter((live) => !gone.has(live.id))
    .flatMap((live) => {
      const uses = usesOf(live).filter(({ key }) => !dropped.has(`${live.id} ${key}`));
      return uses.map((use) => ({ use, user: describeUser(live, input) }));
    });
  const begun = input.drafts.flatMap((draft) => beginnings(draft).map((use) => ({ use, user: draft.address })));
  return [...kept, ...begun].flatMap(({ use, user }): PolicyViolation[] => {
    const draft = toDelete.get(use.key);
    if (draft === undefined) return [];
    const message = `cannot delete ${draft.address} (${draft.live?.id ?? ''}): ${user} ${use.what}`;
    const fix = `change ${user} first`;
    return [{ rule: 'still-referenced', message, fix, addresses: [draft.address], flag: null }];
  });
}

/** By the key of a use: the step that deletes what is used. */
function usesToDelete(lost: ReadonlyMap<LiveResource, StepDraft>): ReadonlyMap<string, StepDraft> {
  return new Map([...lost].flatMap(([live, draft]) => keysOf(live).map((key): [string, StepDraft] => [key, draft])));
}

/** What a step stops using, as keys of uses. */
function dropsOf({ live, drops, releases }: StepDraft): string[] {
  if (live === undefined) return [];
  const served = servedBy(live).filter(({ key }) => releases.includes(key));
  return [...drops.map(idKey), ...served.map(({ text }) => servedKey(text))].map((key) => `${live.id} ${key}`);
}

function beginnings({ kind, live, referencedIds, claims, secretClaims = [] }: StepDraft): Use[] {
  const before = new Set(live === undefined ? [] : idsIn(kind.fields, live.spec));
  const ids = referencedIds.filter((id) => !before.has(id));
  const served = claims.filter((key) => kind.fields[scopeOfKey(key)]?.unique === 'service');
  return [
    ...ids.map((id) => ({ what: 'would start to refer to it', key: idKey(id) })),
    ...served.map((key) => {
      const text = valueOfKey(key);
      const isSecret = secretClaims.some((value) => value.key === key);
      return { what: `would start to serve ${isSecret ? 'its value' : text}`, key: servedKey(text) };
    }),
  ];
}

function describeUser(live: LiveResource, { ownership }: PolicyInput): string {
  const status = ownership.of(live);
  if (status.is === 'ours') return describeOwner(status.marker);
  const other = otherOwner(status);
  return other === undefined ? live.id : describeOwner(other);
}

/** The scope of a key: a field's name, for values that are unique in the whole service. */
function scopeOfKey(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}
