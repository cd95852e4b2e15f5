// Which stack of a run judges which live objects by the policies of the user: each what it has or takes, and the first one the rest.

import { groupBy } from '../core/group.ts';
import type { LiveJudges } from '../plan/plan-options.ts';
import type { FailedStack, FleetRun, FleetStack } from './fleet.ts';
import { plannedIn } from './plan-stack.ts';
import { serviceKey, type OpenStack } from './service.ts';

/** By the key of the service. Stacks that this run leaves out judge nothing, and one that could not be read judges no rest. */
export function liveJudgesIn(
  { stacks }: Pick<FleetRun, 'stacks'>,
  opened: readonly (OpenStack | FailedStack)[],
): ReadonlyMap<string, LiveJudges> {
  const first = new Map(
    opened
      .flatMap(plannedIn)
      .toReversed()
      .map((open) => [keyOf(open), open.run.manifest.stack]),
  );
  return new Map([...groupBy(stacks, keyOf)].map(([key, there]) => [key, judgesAmong(there, first.get(key))]));
}

/** Owners that are stacks of the run come last, so that no other stack judges for them. */
function judgesAmong(stacks: readonly FleetStack[], rest: string | undefined): LiveJudges {
  const manifests = stacks.map(({ run }) => run.manifest);
  const taken = manifests.flatMap(({ stack, transfers }) => transfers.map((from) => [from.stack, stack] as const));
  const own = manifests.map(({ stack }) => [stack, stack] as const);
  const named = manifests.flatMap(({ stack, resources }) =>
    resources.flatMap(({ lifecycle: { pin } }) => (pin === undefined ? [] : [[pin.id, stack] as const])),
  );
  return { byOwner: new Map([...taken, ...own]), byId: new Map(named), rest };
}

function keyOf({ run }: Pick<FleetStack, 'run'>): string {
  return serviceKey(run.connection);
}
