// What the service has no operation for by the user's word: an operation whose capability is off is never planned (ADR-0004).

import type { Capability } from '../catalog/kind.ts';
import { capabilityFor } from '../catalog/operations.ts';
import type { Draft } from './draft.ts';
import type { Blocked } from './plan.ts';

/** The drafts that the service can carry out, and why the others are left out. */
export interface Possible {
  readonly drafts: readonly Draft[];
  readonly blocked: readonly Blocked[];
}

/** Leaves out every draft that has a request of which the capability is off, as a whole. */
export function withoutSwitchedOff(drafts: readonly Draft[], on: ReadonlySet<Capability>): Possible {
  const missing = new Map(drafts.map((draft) => [draft.key, missingFor(draft, on)]));
  const blocked = new Map<string, Blocked>();
  for (const { key, address, action, changes } of drafts) {
    const capability = missing.get(key);
    if (capability === undefined || blocked.has(address)) continue;
    const reason = `${action} needs an operation that is switched off with EDGEFORM_CAPABILITIES=-${capability}; take \`-${capability}\` away if the service has it`;
    blocked.set(address, { address, path: '', reason, changes });
  }
  return { drafts: drafts.filter(({ key }) => missing.get(key) === undefined), blocked: [...blocked.values()] };
}

/** A part lies under the path of its object, and needs the operations of that one as well. */
function missingFor({ kind, requests }: Draft, on: ReadonlySet<Capability>): Capability | undefined {
  return requests
    .map(({ method }) => capabilityFor(kind, method, false))
    .find((capability) => capability !== undefined && !on.has(capability));
}
