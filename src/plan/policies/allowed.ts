// What the flags of this run allow: what a rule would refuse without them. For people, and for the comparison with a revision;
// allows nothing itself.

import { groupEntries } from '../../core/group.ts';
import { isUnder } from '../../resource/marker/moves.ts';
import { isRemoval } from '../fingerprint.ts';
import type { PlanOptions } from '../plan-options.ts';
import type { PolicyViolation, Step } from '../plan.ts';
import { consentNeeded } from './policies.ts';
import type { PolicyInput } from './policy.ts';

/** Steps with the flags that allow them; a step that only prepares another needs none. */
export function withFlags(steps: readonly Step[], input: PolicyInput): readonly Step[] {
  const flags = allowedSteps(input);
  if (flags.size === 0) return steps;
  return steps.map((step) => {
    const allowed = step.phase === 'detach' ? undefined : flags.get(step.address);
    return allowed === undefined ? step : { ...step, allowed_by: allowed };
  });
}

/** The flags by the address of the step that they allow. */
function allowedSteps(input: PolicyInput): ReadonlyMap<string, readonly string[]> {
  const { options, drafts } = input;
  if (!hasConsent(options)) return new Map();
  const refused = consentNeeded(input);
  const still = new Set(refused.map(keyOf));
  const stopped = new Set(refused.flatMap(({ addresses }) => addresses));
  const allowed = consentNeeded({ ...input, options: withoutConsent(options) }).filter((one) => !still.has(keyOf(one)));
  const pairs = allowed.flatMap((violation): (readonly [string, string])[] => {
    const flag = flagFor(violation, options);
    const covers = (draft: (typeof drafts)[number]) =>
      violation.addresses.some((one) =>
        isRemoval(draft) ? isUnder(one, new Set([draft.address])) : one === draft.address,
      );
    // What is refused all the same is not allowed by anything.
    const found = drafts.filter((draft) => !stopped.has(draft.address) && covers(draft));
    return flag === null ? [] : found.map(({ address }) => [address, flag]);
  });
  return new Map([...groupEntries(pairs)].map(([address, flags]) => [address, [...new Set(flags)]]));
}

function hasConsent({
  allowDeletes,
  allowLoss,
  allowTakeover = [],
  allowOpening = [],
  recreate,
}: PlanOptions): boolean {
  const named = allowLoss.length + allowTakeover.length + allowOpening.length;
  return allowDeletes !== undefined || named > 0 || recreate === true;
}

function withoutConsent(options: PlanOptions): PlanOptions {
  return { ...options, allowDeletes: undefined, allowLoss: [], allowTakeover: [], allowOpening: [], recreate: false };
}

function keyOf({ rule, addresses }: PolicyViolation): string {
  return [rule, ...addresses].join(' ');
}

/** A number of deletions as it was given, which may be more than is needed. */
function flagFor({ rule, flag }: PolicyViolation, { allowDeletes }: PlanOptions): string | null {
  const isCount = rule === 'delete-budget' || rule === 'unrelated-manifest';
  return isCount && allowDeletes !== undefined ? `--allow-deletes ${allowDeletes}` : flag;
}
