// Operations that the user says the service lacks: one whose capability is off is never planned (ADR-0004).

import type { Capability } from '../../catalog/kind.ts';
import { capabilityFor } from '../../catalog/operations.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Blocked } from '../plan.ts';

/** Leaves out every draft with a request whose capability is off, and everything that waits for its object. */
export function withoutUnsupported(drafts: readonly StepDraft[], on: ReadonlySet<Capability>) {
  const obstacles = obstaclesIn(drafts, on);
  if (obstacles.size === 0) return { drafts, blocked: [] };
  const blocked = new Map<string, Blocked>();
  for (const { address, changes } of drafts) {
    const obstacle = obstacles.get(address);
    if (obstacle !== undefined && !blocked.has(address))
      blocked.set(address, { code: 'operation-off', severity: 'error', address, path: '', ...obstacle, changes });
  }
  return { drafts: drafts.filter(({ address }) => !obstacles.has(address)), blocked: [...blocked.values()] };
}

type Obstacle = Pick<Blocked, 'message'> & { readonly fix: string };

/** By address: the operation that is switched off, or what the object waits for. */
function obstaclesIn(drafts: readonly StepDraft[], on: ReadonlySet<Capability>): ReadonlyMap<string, Obstacle> {
  const obstacles = new Map<string, Obstacle>();
  for (const draft of drafts) {
    const capability = missingFor(draft, on);
    if (capability !== undefined) obstacles.set(draft.address, switchedOff(draft, capability));
  }
  const creations = drafts.filter(({ action, phase }) => action === 'create' || phase === 'create');
  const created = new Set(creations.map(({ address }) => address));
  for (let size = 0; size < obstacles.size;) {
    size = obstacles.size;
    for (const { address, references } of drafts) {
      const needed = references.find((reference) => created.has(reference) && obstacles.has(reference)) ?? '';
      const obstacle = obstacles.get(needed);
      if (obstacle === undefined || obstacles.has(address)) continue;
      obstacles.set(address, { message: `needs ${needed}, which is blocked`, fix: obstacle.fix });
    }
  }
  return obstacles;
}

function switchedOff({ action }: StepDraft, capability: Capability): Obstacle {
  return {
    message: `${action} needs an operation that is switched off with EDGEFORM_CAPABILITIES=-${capability}`,
    fix: `remove \`-${capability}\` if the service has it`,
  };
}

/** The path of a part is below that of its object, and needs that object's operations, too. */
function missingFor({ kind, requests }: StepDraft, on: ReadonlySet<Capability>): Capability | undefined {
  return requests
    .map(({ method }) => capabilityFor(kind, method, false))
    .find((capability) => capability !== undefined && !on.has(capability));
}
