// Operations that the user says the service lacks: one whose capability is off is never planned (ADR-0004).

import type { Capability } from '../../catalog/kind.ts';
import { capabilityFor } from '../../catalog/operations.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Blocked } from '../plan.ts';

/** Leaves out every draft with a request whose capability is off, and everything that waits for its object. */
export function withoutUnsupported(drafts: readonly StepDraft[], on: ReadonlySet<Capability>) {
  const reasons = new Map<string, Obstacle>();
  for (const draft of drafts) {
    const capability = missingFor(draft, on);
    if (capability !== undefined) reasons.set(draft.address, switchedOff(draft, capability));
  }
  if (reasons.size === 0) return { drafts, blocked: [] };
  const made = new Set(
    drafts.flatMap((draft) => (draft.action === 'create' || draft.phase === 'create' ? [draft.address] : [])),
  );
  for (let size = 0; size < reasons.size;) {
    size = reasons.size;
    for (const { address, references } of drafts) {
      const lacking = references.find((needed) => made.has(needed) && reasons.has(needed));
      if (lacking !== undefined && !reasons.has(address)) reasons.set(address, waitsFor(lacking));
    }
  }
  const blocked = new Map<string, Blocked>();
  for (const { address, changes } of drafts) {
    const obstacle = reasons.get(address);
    if (obstacle !== undefined && !blocked.has(address))
      blocked.set(address, { address, path: '', ...obstacle, changes });
  }
  return { drafts: drafts.filter(({ address }) => !reasons.has(address)), blocked: [...blocked.values()] };
}

type Obstacle = Pick<Blocked, 'reason' | 'fix'>;

function switchedOff({ action }: StepDraft, capability: Capability): Obstacle {
  return {
    reason: `${action} needs an operation that is switched off with EDGEFORM_CAPABILITIES=-${capability}`,
    fix: `remove \`-${capability}\` if the service has it`,
  };
}

function waitsFor(address: string): Obstacle {
  return { reason: `needs ${address}, which is blocked` };
}

/** The path of a part is below that of its object, and needs that object's operations, too. */
function missingFor({ kind, requests }: StepDraft, on: ReadonlySet<Capability>): Capability | undefined {
  return requests
    .map(({ method }) => capabilityFor(kind, method, false))
    .find((capability) => capability !== undefined && !on.has(capability));
}
