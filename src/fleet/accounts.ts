// What the journals of all stacks at one service and key know together, where the service has none of it: with the key of another
// account, each of many small stacks would look like one that somebody deleted (ADR-0080).

import { groupBy } from '../core/group.ts';
import { accountEvidence, lostTogether, type LostTogether } from '../plan/account.ts';
import { evidenceOf } from '../reconcile/other-journals.ts';
import type { FailedStack, FleetRun } from './fleet.ts';
import { plannedIn } from './plan-stack.ts';
import { serviceKey, type OpenStack } from './service.ts';

/** By the key of the service; stacks that this run leaves out count, too, unless those that it takes say enough. */
export function lostAccounts(
  { others = [] }: Pick<FleetRun, 'others'>,
  stacks: readonly (OpenStack | FailedStack)[],
): ReadonlyMap<string, LostTogether> {
  const byService = groupBy(stacks.flatMap(plannedIn), ({ run }) => serviceKey(run.connection));
  const leftOut = groupBy(others, ({ run }) => serviceKey(run.connection));
  return new Map(
    [...byService].flatMap(([key, opened]) => {
      const own = opened.map(({ run: { manifest }, preview: { snapshot, input } }) =>
        accountEvidence(manifest.stack, input.options.journal, snapshot),
      );
      if (lostTogether(own) === undefined) return [];
      const [{ read, preview }] = opened;
      const rest = (leftOut.get(key) ?? []).map(({ run }) =>
        evidenceOf(
          { stack: run.manifest.stack, journal: run.options.journal },
          run,
          read?.snapshot ?? preview.snapshot,
        ),
      );
      const lost = lostTogether([...own, ...rest]);
      return lost === undefined ? [] : [[key, lost] as const];
    }),
  );
}
