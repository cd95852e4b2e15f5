// A creation at an address whose object is elsewhere: the manifest is older than a rename or a hand-over, and the object would exist
// twice (ADR-0078).

import { placeName, type ObjectElsewhere } from '../match/elsewhere.ts';
import type { PolicyViolation, Step } from '../plan.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import { flagFor, movedEntries, transferEntry, type PolicyInput } from './policy.ts';

export const MOVED_AWAY = 'moved-away';

/** Where the object of a creation is, if it is elsewhere. */
export function elsewhereOf(
  { action, address }: Pick<Step | StepDraft, 'action' | 'address'>,
  missing: PolicyInput['missing'],
): ObjectElsewhere | undefined {
  const past = action === 'create' ? missing.get(address) : undefined;
  return past?.is === 'elsewhere' ? past : undefined;
}

/** What is inside of such an object is elsewhere with it, and is not said again. */
export function movedAway({ drafts, pairs, missing, manifest, options }: PolicyInput): PolicyViolation[] {
  const parents = new Map(pairs.map(({ desired }) => [desired.address, desired.parent ?? '']));
  return drafts.flatMap((draft): PolicyViolation[] => {
    const { address } = draft;
    const away = elsewhereOf(draft, missing);
    if (away === undefined || missing.get(parents.get(address) ?? '')?.is === 'elsewhere') return [];
    const message = `${address} would be created a second time: its object (${away.id}) is ${placeName(away.now, manifest.stack)} now`;
    return [
      {
        rule: MOVED_AWAY,
        message,
        fix: waysOn(address, away, { manifest, options }),
        addresses: [address],
        flag: null,
      },
    ];
  });
}

function waysOn(
  address: string,
  { now }: ObjectElsewhere,
  { manifest, options }: Pick<PolicyInput, 'manifest' | 'options'>,
): string {
  const isOwn = now.stack === manifest.stack;
  const entry = isOwn
    ? movedEntries(`{ from: ${now.address ?? ''}, to: ${address} }`, manifest)
    : transferEntry(now, address, manifest);
  const old = 'if this manifest is older than that move, take the newer one, or remove the block';
  const back = entry === undefined ? '' : `; to have the object back here, add ${entry}`;
  return `${old}${back}; if a second one is meant, apply with \`${flagFor(`--resolve ${address}=absent`, options)}\`, which says that the first has left the address`;
}
