// What the journals of all stacks at one service and key know together, where the service has none of it: with the key of another
// account, each of many small stacks would look like one that somebody deleted (ADR-0080).

import { isListable } from '../catalog/lookup.ts';
import { parseAddress } from '../catalog/address.ts';
import { groupBy } from '../core/group.ts';
import { accountEvidence, lostTogether, type AccountEvidence, type LostTogether } from '../plan/account.ts';
import { notesFor, readNotes } from '../reconcile/execution/noted.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { FailedStack, FleetRun, FleetStack } from './fleet.ts';
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
      const [first] = opened;
      const rest = (leftOut.get(key) ?? []).map((stack) => evidenceOf(stack, first));
      const lost = lostTogether([...own, ...rest]);
      return lost === undefined ? [] : [[key, lost] as const];
    }),
  );
}

/** What the journal of a stack knows that this run leaves out. An object that no list shows was not read for it, and proves nothing. */
function evidenceOf({ run }: FleetStack, { read, preview }: OpenStack): AccountEvidence {
  const { manifest, options, connection, platform } = run;
  const owner = { stack: manifest.stack, service: connection.baseUrl.href };
  const snapshot: Snapshot = read?.snapshot ?? preview.snapshot;
  const view = notesFor(readNotes(options.journal, owner, platform).accounts, snapshot)?.view;
  const listed = [...(view?.objects ?? [])].filter(([, { address }]) => {
    const kind = parseAddress(address)?.kind.name;
    return kind !== undefined && isListable(kind, options.capabilities);
  });
  return accountEvidence(manifest.stack, view && { ...view, objects: new Map(listed) }, snapshot);
}
