// Opens a fleet, or the shard of it that a run takes, and finds what links its stacks: the text, and, once the service was read, the
// owner of an object that is imported by id, and the holder of a value that another stack claims.

import type { FleetRun, FleetStack, FailedStack } from './fleet.ts';
import type { KnownImport, Link, TextLinks } from './order.ts';
import { ownerKey } from './member.ts';
import { shardNumber } from './select.ts';
import { openStacks, serviceKey, type OpenStack, type SharedServices } from './service.ts';

/** A fleet whose services have been read. */
export interface OpenFleet<Fleet extends FleetRun = FleetRun> {
  /** With a shard, only its stacks; all the rest are among the others. */
  readonly fleet: Fleet;
  /** The stacks with their live state, in the order of the fleet. */
  readonly stacks: readonly (OpenStack | FailedStack)[];
  /** Every import between stacks. */
  readonly imports: readonly KnownImport[];
}

/**
 * Links are within a service, so that the services of the stacks that the text alone gives a shard show all of them; one that
 * joins by them is read later. Only the text counts at a service that has objects which cannot be listed: shards with different
 * journals would not see the same. Both stacks of a move are in one shard, too. Services that are in use already are not opened again.
 */
export async function openFleet<Fleet extends FleetRun>(
  fleet: Fleet,
  { links, moves }: TextLinks,
  services: SharedServices = new Map(),
): Promise<OpenFleet<Fleet>> {
  const { stacks, others = [] } = fleet;
  const byText = [...links, ...moves];
  const first = await openStacks({ ...fleet, stacks: stacks.filter(isInShard(fleet, byText)) }, services);
  const shown = linksShown([...stacks, ...others], first);
  const isTaken = isInShard(fleet, [...byText, ...joinsAmong(stacks, fleet.shard === undefined ? [] : shown.joins())]);
  const taken = stacks.filter(isTaken);
  const known = new Set(first.map(({ name }) => name));
  const joining = await openStacks({ ...fleet, stacks: taken.filter(({ name }) => !known.has(name)) }, services);
  const opened = new Map([...first, ...joining].map((open) => [open.name, open]));
  return {
    fleet: { ...fleet, stacks: taken, others: [...others, ...stacks.filter((stack) => !isTaken(stack))] },
    stacks: taken.flatMap(({ name }) => opened.get(name) ?? []),
    imports: [...links, ...shown.imports],
  };
}

/** Whether a stack is in the shard of the run, if these links keep stacks together. */
function isInShard({ shard, stacks, others = [] }: FleetRun, links: readonly Link[]) {
  if (shard === undefined) return () => true;
  const names = [...stacks, ...others].map(({ name }) => name);
  const shardOf = shardNumber(names, links, shard.of);
  return ({ name }: Pick<FleetStack, 'name'>) => shardOf(name) === shard.index;
}

/** The links between stacks that this run does not leave out. */
function joinsAmong(stacks: readonly FleetStack[], links: readonly Link[]): readonly Link[] {
  const selected = new Set(stacks.map(({ name }) => name));
  return links.filter(({ from, to }) => selected.has(from) && selected.has(to));
}

/** Links that the services show. */
interface LinksShown {
  /** Imports by id, whose owner only the service knows. */
  readonly imports: readonly KnownImport[];
  /** These, and who claims a value or names an object of whom, where everything can be listed. */
  readonly joins: () => readonly Link[];
}

function linksShown(all: readonly FleetStack[], opened: readonly (OpenStack | FailedStack)[]): LinksShown {
  const read = new Map(opened.flatMap((open) => ('preview' in open ? [[keyOf(open), open] as const] : [])));
  const linkTo = linksToOwners(all);
  const imports = all.flatMap((stack) =>
    stack.run.manifest.imports.flatMap(({ address: as, from: source }): KnownImport[] => {
      if (!('id' in source)) return [];
      const live = read.get(keyOf(stack))?.preview.snapshot.whole?.byId.get(source.id);
      return linkTo(stack, live?.marker?.stack ?? '').map((link) => ({ ...link, as, address: source.id }));
    }),
  );
  const joins = () => {
    const listed = all.filter((stack) => read.get(keyOf(stack))?.preview.snapshot.unread.length === 0);
    const names = new Set(listed.map(({ name }) => name));
    const claims = listed.flatMap((stack) => {
      const holders = read.get(keyOf(stack))?.read?.views.holdersFor(stack.run.manifest) ?? [];
      return holders.flatMap((holder) => linkTo(stack, holder));
    });
    const pins = listed.flatMap((stack) => {
      const byId = read.get(keyOf(stack))?.preview.snapshot.whole?.byId;
      const ids = stack.run.manifest.resources.flatMap(({ lifecycle }) => lifecycle.pin?.id ?? []);
      return ids.flatMap((id) => linkTo(stack, byId?.get(id)?.marker?.stack ?? ''));
    });
    return [...imports.filter(({ to }) => names.has(to)), ...claims, ...pins];
  };
  return { imports, joins };
}

function keyOf({ run }: Pick<FleetStack, 'run'>): string {
  return serviceKey(run.connection);
}

/** Links a stack to the entry that has a stack of this name at the same service, unless it is its own. */
function linksToOwners(all: readonly FleetStack[]): (stack: FleetStack, owner: string) => Link[] {
  const entries = new Map(all.map((stack) => [ownerKey(keyOf(stack), stack.run.manifest.stack), stack.name]));
  return (stack, owner) => {
    const from = entries.get(ownerKey(keyOf(stack), owner));
    return from === undefined || from === stack.name ? [] : [{ from, to: stack.name }];
  };
}
