// Removes children before their parent is renamed or released: their markers contain the old address, so a run that stopped in
// between would leave them without an owner (ADR-0017). Pure.

import { groupBy } from '../../core/group.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import { isRemoval } from '../fingerprint.ts';

/** The drafts, with renames and releases after the removal or release of children. */
export function childrenFirst(drafts: readonly StepDraft[]): StepDraft[] {
  const leaving = groupBy(drafts, (draft) =>
    isRemoval(draft) || draft.action === 'release' ? draft.live?.parentId : undefined,
  );
  return drafts.map((draft) => {
    const keys = (leaving.get(draft.live?.id ?? '') ?? []).map(({ key }) => key);
    return keys.length === 0 || !changesAddress(draft) ? draft : { ...draft, after: [...draft.after, ...keys] };
  });
}

function changesAddress({ action, phase, address, live }: StepDraft): boolean {
  if (action === 'release') return true;
  const old = live?.marker?.address;
  return action === 'update' && phase === undefined && old !== undefined && old !== address;
}
