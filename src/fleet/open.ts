// Opens a fleet, or the shard of it that a run takes, and finds what links its stacks: the text, and, once the service was read, the
// owner of an object that is imported by id, and the holder of a value that another stack claims.

import type { FleetRun, FleetStack } from './fleet.ts';
import type { ImportLink, Link } from './order.ts';
import { shardNumber } from './select.ts';
import { openStacks, serviceKey, type FailedStack, type OpenStack } from './service.ts';

type Found = readonly (OpenStack | FailedStack)[];

/** What a plan needs of an import. */
type KnownImport = Omit<ImportLink, 'why' | 'range'>;

/**
 * The stacks with their live state, and every import between stacks. With a shard, `fleet` has only its stacks. Links are within a
 * service, so that the services of the stacks that the text alone gives it show all of them; one that joins by them is read later.
 * Only the text counts at a service that has objects which cannot be listed: shards with different journals would not see the same.
 */
export async function openFleet<Fleet extends FleetRun>(fleet: Fleet, byText: readonly ImportLink[]) {
  const { shard, stacks, others = [] } = fleet;
  const all = [...stacks, ...others];
  const services: Parameters<typeof openStacks>[1] = new Map();
  const takenWith = (links: readonly Link[]) => {
    if (shard === undefined) return () => true;
    const shardOf = shardNumber(
      all.map(({ name }) => name),
      links,
      shard.of,
    );
    return ({ name }: Pick<FleetStack, 'name'>) => shardOf(name) === shard.index;
  };
  const first = await openStacks({ ...fleet, stacks: stacks.filter(takenWith(byText)) }, services);
  const shown = linksShown(all, first);
  const imports: readonly KnownImport[] = [...byText, ...shown.imports];
  const selected = new Set(stacks.map(({ name }) => name));
  const joins = shard === undefined ? [] : shown.joins();
  const isTaken = takenWith([...byText, ...joins.filter(({ from, to }) => selected.has(from) && selected.has(to))]);
  const taken = stacks.filter(isTaken);
  const known = new Set(first.map(({ name }) => name));
  const joining = await openStacks({ ...fleet, stacks: taken.filter(({ name }) => !known.has(name)) }, services);
  const found = new Map([...first, ...joining].map((one) => [one.name, one]));
  return {
    fleet: { ...fleet, stacks: taken, others: [...others, ...stacks.filter((one) => !isTaken(one))] },
    found: taken.flatMap(({ name }) => found.get(name) ?? []),
    imports,
  };
}

/** Links that the services show. */
function linksShown(all: readonly FleetStack[], opened: Found) {
  const keyOf = ({ run }: Pick<FleetStack, 'run'>) => serviceKey(run.connection);
  const owners = new Map(all.map((one) => [`${keyOf(one)} ${one.run.manifest.stack}`, one.name]));
  const seen = new Map(opened.flatMap((one) => ('preview' in one ? [[keyOf(one), one] as const] : [])));
  const linkFrom = (stack: string, one: FleetStack): Link[] => {
    const from = owners.get(`${keyOf(one)} ${stack}`);
    return from === undefined || from === one.name ? [] : [{ from, to: one.name }];
  };
  const imports = all.flatMap((one) =>
    one.run.manifest.imports.flatMap(({ address: as, from: source }): KnownImport[] => {
      if (!('id' in source)) return [];
      const live = seen.get(keyOf(one))?.preview.snapshot.whole?.byId.get(source.id);
      return linkFrom(live?.marker?.stack ?? '', one).map((link) => ({ ...link, as, address: source.id }));
    }),
  );
  const joins = () => {
    const listed = all.filter((one) => seen.get(keyOf(one))?.preview.snapshot.unread.length === 0);
    const names = new Set(listed.map(({ name }) => name));
    const claims = listed.flatMap((one) => {
      const holders = seen.get(keyOf(one))?.read?.views.holdersFor(one.run.manifest) ?? [];
      return holders.flatMap((stack) => linkFrom(stack, one));
    });
    return [...imports.filter(({ to }) => names.has(to)), ...claims];
  };
  return { imports, joins };
}
