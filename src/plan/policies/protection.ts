// Protection: an object protected by its block or its own marker is neither deleted nor replaced (ADR-0021).
// The marker counts until an apply has removed the protection, and nothing else in that plan deletes the object.

import { plural } from '../../core/text/text.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { PolicyViolation } from '../plan.ts';
import { deletedWith, nameOf, removalsOf, type PolicyInput } from './policy.ts';

/** Who protects an object, which decides how the protection is removed. */
type Protector =
  /** A block with `prevent_destroy: true`. */
  | 'block'
  /** Its marker; its block no longer does. */
  | 'marker'
  /** Its marker; no block asks for the object. */
  | 'orphan'
  /** Its marker; its address belongs to another object. */
  | 'double'
  /** Its marker; it is replaced because a returned-once value was never stored. */
  | 'unfinished';

/** One violation for each way in which protection must be removed. */
export function protectedObjects(input: PolicyInput): PolicyViolation[] {
  const protectorOf = protectors(input);
  const found = new Map<Protector, Set<LiveResource>>();
  for (const removal of removalsOf(input.drafts)) {
    for (const live of deletedWith(removal, input)) {
      const protector = protectorOf(live, removal.draft);
      if (protector !== undefined) found.set(protector, (found.get(protector) ?? new Set()).add(live));
    }
  }
  return [...found].map(([protector, objects]) => protectionViolation(protector, [...objects], input.options.destroy));
}

/** Every name counts: the address of the step, of the marker, and of the object's block. */
function protectors({ manifest, drafts, pairs, ownership }: PolicyInput) {
  const blocks = new Map(manifest.resources.map(({ address, lifecycle }) => [address, lifecycle]));
  const successors = new Map(
    pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[live.id, desired.address]])),
  );
  const unfinished = new Set(drafts.flatMap((draft) => (draft.returnedOnce !== undefined ? [draft.address] : [])));
  return (live: LiveResource, draft: StepDraft): Protector | undefined => {
    const status = ownership.of(live);
    const own = status.is === 'ours' ? status.marker : undefined;
    const successor = successors.get(live.id);
    const names = [own?.address, successor, draft.live === live ? draft.address : undefined];
    // No change of the manifest can undo this replacement, so the protection cannot be removed on its own.
    if (own?.protect === true && successor !== undefined && unfinished.has(successor)) return 'unfinished';
    if (names.some((name) => name !== undefined && blocks.get(name)?.preventDestroy === true)) return 'block';
    if (own?.protect !== true) return undefined;
    if (successor !== undefined) return 'marker';
    return blocks.has(own.address) ? 'double' : 'orphan';
  };
}

function protectionViolation(
  protector: Protector,
  objects: readonly LiveResource[],
  destroy: boolean,
): PolicyViolation {
  const addresses = [...new Set(objects.map(nameOf))].sort();
  const [one = ''] = addresses;
  const who = addresses.length === 1 ? `${one} is protected and` : plural(addresses.length, 'protected object');
  const ids = objects
    .map((live) => live.id)
    .sort()
    .join(', ');
  const doubt = protector === 'unfinished' ? ', and there is no record that its token was stored' : '';
  const fix = wayOut(protector, ids, destroy);
  return { rule: 'protected', message: `${who} would be deleted${doubt}`, fix, addresses, flag: null };
}

function wayOut(protector: Protector, ids: string, destroy: boolean): string {
  switch (protector) {
    case 'block':
      return 'set `lifecycle: { prevent_destroy: false }` and apply that change alone first';
    case 'marker':
      return destroy
        ? 'apply first, which removes the protection'
        : 'protection must be removed in a separate apply: undo the change that cannot be made in place, or list its field under `ignore_changes`, and apply that first';
    case 'orphan':
      return 'put the block back with `lifecycle: { prevent_destroy: false }`, apply that, then remove it';
    case 'double':
      return `give each a block of its own with \`lifecycle: { id: ID, prevent_destroy: false }\` (${ids}), apply that, then remove the block`;
    case 'unfinished':
      return `release it with \`removed: [{ from: ADDRESS, destroy: false }]\` in place of its block, then delete ${ids} yourself and put the block back, or adopt it if its token works`;
    default:
      return protector satisfies never;
  }
}
