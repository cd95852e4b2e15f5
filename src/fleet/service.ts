// Opens the stacks of a fleet: those with the same connection share a limiter and reads of the live state, and a read serves
// everyone who asked before it began. A stack that cannot be read is a failure of its own. Writes nothing.

import { createGateReads } from '../apply/gate/recent-reads.ts';
import { sha256 } from '../core/digest.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { preview, type Preview } from '../reconcile/plan.ts';
import { readLive } from '../reconcile/read.ts';
import { clientPorts, type Bare, type ReadNeeds, type RunInput, type ServiceAccess } from '../reconcile/run.ts';
import { ListLag } from '../reconcile/list-lag.ts';
import { checkOrigin } from '../reconcile/saved-plan.ts';
import { GRACE_MS } from '../reconcile/stop.ts';
import type { ExpectedObject } from '../reconcile/execution/run-effects.ts';
import { sharedCalls } from '../core/shared-calls.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { createClients, type Clients } from '../service/client.ts';
import type { ClientSettings } from '../service/settings.ts';
import { failed, type FailedStack, type FleetRun, type FleetStack } from './fleet.ts';
import { viewsOf, type Views } from './view.ts';

/** A stack with its live state. */
export interface OpenStack {
  readonly name: string;
  readonly stack: FleetStack;
  /** Its run, stopped by the fleet's signals, on the shared service. */
  readonly run: RunInput;
  readonly service: SharedService;
  /** The read that its live state is from. */
  readonly read: SharedRead | undefined;
  readonly preview: Preview;
}

/** Equal for stacks that see the same objects: base URL and key. Never shown. */
export function serviceKey({ baseUrl, apiKey }: ClientSettings): string {
  return `${baseUrl.href} ${sha256(apiKey.reveal())}`;
}

/** Reads each service once, and gives every stack what it sees there, in the order of the fleet; `services` are those in use. */
export function openStacks(
  fleet: FleetRun,
  services: SharedServices = new Map(),
): Promise<(OpenStack | FailedStack)[]> {
  const { signal, hardCancel, signalName, deadlineAt } = fleet;
  // All of them ask before the first read begins.
  return Promise.all(
    fleet.stacks.map((stack) => {
      const { connection, options } = stack.run;
      const key = serviceKey(connection);
      const service =
        services.get(key) ?? shareService({ ...fleet, connection: { ...connection, rate: fleet.rate }, options });
      services.set(key, service);
      return openStack(stack, { ...stack.run, signal, hardCancel, signalName, deadlineAt }, service);
    }),
  );
}

async function openStack(stack: FleetStack, given: RunInput, service: SharedService): Promise<OpenStack | FailedStack> {
  const { manifest, connection, options } = given;
  const { name, saved } = stack;
  const access = accessFor(service, manifest);
  const targets = saved?.made_with?.targets ?? options.targets;
  const run = { ...given, service: access, options: { ...options, targets } };
  try {
    if (saved !== undefined) checkOrigin(saved, manifest, connection.baseUrl.href, run.policies);
    return { name, stack, run, service, preview: await preview(run, 'nothing was changed'), read: access.lastRead() };
  } catch (error) {
    return failed(stack, error);
  }
}

/** Services in use, by their keys. */
export type SharedServices = Map<string, SharedService>;

/** A read, with what was asked for. */
interface SharedRead {
  readonly needs: readonly ReadNeeds[];
  /** The whole live state. */
  readonly snapshot: Snapshot;
  readonly views: Views;
}

interface SharedService extends Pick<ServiceAccess, 'reads' | 'lag'> {
  readonly clients: Clients;
  /** The next read that begins. */
  readonly read: (needs: ReadNeeds) => Promise<SharedRead>;
}

/** A service for several runs with the same connection. Its reads go on after `signal`, because runs that end need them. */
function shareService(run: Bare): SharedService {
  const grace = { signal: run.hardCancel, ms: GRACE_MS };
  const clients = createClients(run.connection, { ...clientPorts(run), gracePeriod: grace });
  const reading = { ...run, signal: run.hardCancel };
  let asked: ReadNeeds[] = [];
  const readNext = sharedCalls(async (): Promise<SharedRead> => {
    const needs = asked;
    asked = [];
    const snapshot = await readLive(clients.reader, together(needs), reading);
    return { needs, snapshot, views: viewsOf(snapshot) };
  });
  return {
    clients,
    reads: createGateReads(run.platform.clock),
    lag: new ListLag(),
    read: (needs) => {
      asked.push(needs);
      return readNext(undefined);
    },
  };
}

/** The services of opened stacks as they were read: they give that, and ask for nothing more. */
export function alreadyRead(stacks: readonly OpenStack[]): SharedServices {
  return new Map(
    stacks.flatMap(({ run, service, read }) =>
      read === undefined
        ? []
        : [[serviceKey(run.connection), { ...service, read: () => Promise.resolve(read) }] as const],
    ),
  );
}

/** Everything that any of them needs; an object that one of them deleted and another expects is only read again. */
function together(needs: readonly ReadNeeds[]): ReadNeeds {
  const expected = needs.flatMap(({ expectedObjects }) => expectedObjects);
  return {
    pinned: needs.flatMap(({ pinned }) => pinned),
    expectedObjects: [...new Map(expected.map((one) => [keyOf(one), one])).values()],
  };
}

function keyOf({ id, address, deletedBy = '' }: ExpectedObject): string {
  return `${id} ${address} ${deletedBy}`;
}

/** What one stack asks besides its own needs. */
interface Reading {
  /** A read that began before, which serves the first ask if the stack's journal knows nothing new since. */
  readonly earlier?: SharedRead | undefined;
  /** Objects that other stacks of this run made for it. */
  readonly expected?: readonly ExpectedObject[];
}

/** A service as one stack sees it; `lastRead` is the read that served it last. */
export function accessFor(
  { clients, reads, lag, read }: SharedService,
  manifest: Manifest,
  { earlier, expected = [] }: Reading = {},
): ServiceAccess & { readonly lastRead: () => SharedRead | undefined } {
  let kept = earlier;
  let last: SharedRead | undefined;
  return {
    clients,
    reads,
    lag,
    lastRead: () => last,
    read: async (own) => {
      const needs = { ...own, expectedObjects: [...own.expectedObjects, ...expected] };
      const before = kept;
      kept = undefined;
      last = before !== undefined && covers(before, needs) ? before : await read(needs);
      return last.views.viewOf(
        manifest,
        needs.expectedObjects.map(({ id }) => id),
      );
    },
  };
}

/** True when the journal has learnt nothing since the read, and no creation of an earlier run may have appeared. */
function covers(read: SharedRead, { expectedObjects, isNew = false }: ReadNeeds): boolean {
  if (isNew) return false;
  const known = new Set(read.needs.flatMap((needs) => needs.expectedObjects.map(keyOf)));
  return expectedObjects.every((one) => known.has(keyOf(one)));
}
