// What is read right before a write, after every wait: first what its rules of the plan are asked of again, then its own object.

import { kindsUsing } from '../catalog/users.ts';
import type { Kind } from '../catalog/kind.ts';
import { IMPORTS } from '../catalog/address.ts';
import { kindByName } from '../catalog/lookup.ts';
import { groupBy } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { keysOf, usersByKey, usesOf, type UseBy } from '../resource/uses.ts';
import { readSnapshot } from '../service/read.ts';
import type { ReadClient } from '../service/transport.ts';
import type { Ready } from './fill-request.ts';
import type { ImportSeen } from './gate/asked-again.ts';
import type { Observations } from './gate/gate.ts';
import { readBeforeWrite } from './read-before-write.ts';
import { refreshObject } from './refresh-object.ts';
import type { StepRun } from './step-run.ts';

/** Everything that the gate judges a write by. Throws `GateViolation` if the object no longer exists. */
export async function observe(
  run: StepRun,
  { method, field }: Pick<Ready, 'method' | 'field'>,
  reader: ReadClient,
): Promise<Observations> {
  const isDeletion = method === 'DELETE' && field === undefined;
  const users = isDeletion ? await usersNow(run, reader) : undefined;
  const imports = method === 'DELETE' ? undefined : await importsNow(run, reader);
  return { users, imports, ...(await readBeforeWrite(run, reader.get)) };
}

/** What uses the object of a deletion, or a child of it. What a list shows may be behind, so it is confirmed by its id. */
async function usersNow(run: StepRun, reader: ReadClient): Promise<readonly UseBy[]> {
  const kinds = kindsUsing(kindByName(run.step.kind));
  const going = goingWith(run);
  const keys = going.flatMap(keysOf);
  const users: UseBy[] = [];
  for (const kind of kinds) {
    const suspects = await suspectsOf(run, { kind, keys, going }, reader);
    for (const user of suspects) {
      const now = await refreshObject(reader.get, user);
      const uses = now === undefined ? [] : usesOf(now.live).filter(({ key }) => keys.includes(key));
      users.push(...uses.map((use) => ({ user, use })));
      // One is enough.
      if (users.length > 0) return users;
    }
  }
  return users;
}

/** The live objects of the plan by their parents. */
const childrenIn = perObject((live: ReadonlyMap<string, LiveResource>) =>
  groupBy([...live.values()], ({ parentId }) => parentId),
);

/** The object that is to be deleted, and its children, as the plan knows them: what others use of them does not change. */
function goingWith({ live_id, input: { live } }: StepRun): readonly LiveResource[] {
  const own = live.get(live_id ?? '');
  return own === undefined ? [] : [own, ...(childrenIn(live).get(own.id) ?? [])];
}

interface Asked {
  /** A top-level kind whose objects may be users. */
  readonly kind: Kind;
  /** Of what is to be deleted. */
  readonly keys: readonly string[];
  readonly going: readonly LiveResource[];
}

/** Objects that a recent list shows as users; another write's list is read again before any of them is suspected. */
async function suspectsOf(run: StepRun, { kind, keys, going }: Asked, reader: ReadClient): Promise<LiveResource[]> {
  const { reads, history, input } = run;
  const gone = new Set([...history.deleted.keys(), ...going.map(({ id }) => id)]);
  const own = new Set<readonly LiveResource[]>();
  const read = async () => {
    const listed = await listOf(kind, input, reader);
    own.add(listed);
    return listed;
  };
  const usersIn = (listed: readonly LiveResource[]) => {
    const users = keys.flatMap((key) => usersByKey(listed).get(key) ?? []).map(({ user }) => user);
    return users.filter(({ id, parentId = '' }) => !gone.has(id) && !gone.has(parentId));
  };
  const { askedSince: endedBefore } = run;
  const listed = await reads.lists.get(kind.name, read, { endedBefore });
  const users = usersIn(listed);
  return users.length === 0 || own.has(listed)
    ? users
    : usersIn(await reads.lists.get(kind.name, read, { value: listed }));
}

const NOTHING_READ: Snapshot = { resources: [], unread: [], requests: 0 };

/** All objects of a kind; where it cannot be listed, those that the plan knows. */
async function listOf(
  { name }: Kind,
  { capabilities, live }: StepRun['input'],
  reader: ReadClient,
): Promise<readonly LiveResource[]> {
  const pinned = [...live.values()].filter(({ kind }) => kind === name);
  const kept = { read: NOTHING_READ, changed: new Set([name]) };
  return (await readSnapshot(reader, { capabilities, pinned, kept })).resources;
}

/** The imported objects whose values the step carries, as they were and as they are. */
async function importsNow(
  { step, input, reads, askedSince }: StepRun,
  reader: ReadClient,
): Promise<readonly ImportSeen[]> {
  const { plan, imports } = input;
  const seen: ImportSeen[] = [];
  for (const address of step.imports ?? []) {
    const before = imports?.get(address);
    const planned = plan.imports?.find(({ name }) => address === `${IMPORTS}.${name}`);
    if (before === undefined || planned === undefined) continue;
    const read = async () => ({ live: (await refreshObject(reader.get, before))?.live });
    const { live: now } = await reads.objects.get(before.id, read, { endedBefore: askedSince });
    seen.push({ address, attrs: Object.keys(planned.values), isByMarker: planned.stack !== undefined, before, now });
  }
  return seen;
}
