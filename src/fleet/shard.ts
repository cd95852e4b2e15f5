// The part of a fleet that one of several machines takes. What the text links is together, and, once the service was read, what
// that shows: the owner of an object that is imported by id, and the holder of a value that another stack claims.

import type { FleetRun, FleetStack } from './fleet.ts';
import type { Link } from './order.ts';
import { shardNumber } from './select.ts';
import { openStacks, serviceKey, type FailedStack, type OpenStack } from './service.ts';

type Found = readonly (OpenStack | FailedStack)[];

/**
 * The fleet with only the stacks of its shard, and these with their live state. Links are within a service, so that the services of
 * the stacks that the text alone gives it show all of them; a stack that joins by them is read after the others.
 */
export async function openShard<Fleet extends FleetRun>(
  fleet: Fleet,
  links: readonly Link[],
): Promise<{ readonly fleet: Fleet; readonly found: Found }> {
  const { shard, stacks, others = [] } = fleet;
  if (shard === undefined) return { fleet, found: await openStacks(fleet) };
  const names = [...stacks, ...others].map(({ name }) => name);
  const takenWith = (known: readonly Link[]) => {
    const shardOf = shardNumber(names, known, shard.of);
    return ({ name }: Pick<FleetStack, 'name'>) => shardOf(name) === shard.index;
  };
  const services: Parameters<typeof openStacks>[1] = new Map();
  const first = await openStacks({ ...fleet, stacks: stacks.filter(takenWith(links)) }, services);
  const isTaken = takenWith([...links, ...shownBy(first, fleet)]);
  const taken = stacks.filter(isTaken);
  const known = new Set(first.map(({ name }) => name));
  const joining = await openStacks({ ...fleet, stacks: taken.filter(({ name }) => !known.has(name)) }, services);
  const found = new Map([...first, ...joining].map((one) => [one.name, one]));
  const left = stacks.filter((one) => !isTaken(one));
  return {
    fleet: { ...fleet, stacks: taken, others: [...others, ...left] },
    found: taken.flatMap(({ name }) => found.get(name) ?? []),
  };
}

/** The name of the entry whose stack of a service has this name. */
export function ownersIn({ stacks, others = [] }: FleetRun) {
  const names = new Map(
    [...stacks, ...others].map(({ name, run: { connection, manifest } }) => {
      return [`${serviceKey(connection)} ${manifest.stack}`, name] as const;
    }),
  );
  return (service: string, stack = ''): string | undefined => names.get(`${service} ${stack}`);
}

function shownBy(opened: Found, fleet: FleetRun): Link[] {
  const ownerOf = ownersIn(fleet);
  const reads = new Map(
    opened.flatMap((one) => ('read' in one ? [[serviceKey(one.run.connection), one.read] as const] : [])),
  );
  return [...fleet.stacks, ...(fleet.others ?? [])].flatMap(({ name, run: { connection, manifest } }) => {
    const service = serviceKey(connection);
    const behind = reads.get(service)?.views.stacksBehind(manifest) ?? [];
    return behind.flatMap((stack): Link[] => {
      const from = ownerOf(service, stack);
      return from === undefined || from === name ? [] : [{ from, to: name }];
    });
  });
}
