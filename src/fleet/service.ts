// What the stacks of one service share: one limiter, and reads of the live state. A read of a service serves everyone who asked
// before it began. Knows no plan.

import type { Manifest } from '../manifest/manifest.ts';
import { readLive } from '../reconcile/read.ts';
import { clientPorts, type Bare, type ReadNeeds, type ServiceAccess } from '../reconcile/run.ts';
import { GRACE_MS } from '../reconcile/stop.ts';
import type { ExpectedObject } from '../reconcile/execution/run-effects.ts';
import { createClients, type Clients } from '../service/client.ts';
import { ConnectError, type Exchange } from '../service/http/exchange.ts';
import { createExchange } from '../service/http/undici-exchange.ts';
import { LIMITS } from '../service/policy.ts';
import { viewsOf, type ViewOf } from './view.ts';

/** A read, with what was asked for. */
export interface SharedRead {
  readonly needs: readonly ReadNeeds[];
  readonly viewOf: ViewOf;
}

export interface SharedService {
  readonly clients: Clients;
  /** The next read that begins. */
  readonly read: (needs: ReadNeeds) => Promise<SharedRead>;
}

/**
 * A service for several runs with the same connection. Its reads go on after `signal`, because runs that end need them. With a
 * rate, requests start at least its reciprocal apart, and those of no more than a second wait for their turn.
 */
export function shareService(given: Bare, rate?: number): SharedService {
  const run = rate === undefined ? given : paced(given, rate);
  const grace = { signal: run.hardCancel, ms: GRACE_MS };
  const clients = createClients(run.connection, { ...clientPorts(run), gracePeriod: grace });
  const reading = { ...run, signal: run.hardCancel };
  let next: { readonly needs: ReadNeeds[]; readonly read: Promise<SharedRead> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const begin = async (needs: readonly ReadNeeds[]): Promise<SharedRead> => {
    next = undefined;
    return { needs, viewOf: viewsOf(await readLive(clients.reader, together(needs), reading)) };
  };
  return {
    clients,
    read: (needs) => {
      if (next === undefined) {
        const asked: ReadNeeds[] = [];
        next = { needs: asked, read: last.then(() => begin(asked)) };
        last = next.read.catch(() => undefined);
      }
      next.needs.push(needs);
      return next.read;
    },
  };
}

/** The run with requests that wait for their turn; one that is stopped before was certainly not sent. */
function paced(run: Bare, rate: number): Bare {
  const { connection, platform } = run;
  const { clock, exchange = createExchange(connection) } = platform;
  let next = -Infinity;
  const inTurn: Exchange = async (request) => {
    const now = clock.now();
    const at = Math.max(now, next);
    next = at + 1000 / rate;
    if (at > now) await clock.sleep(at - now, request.signal);
    if (request.signal?.aborted === true) throw new ConnectError(undefined, 'the run was stopped before it was sent');
    return exchange(request);
  };
  const { concurrency = LIMITS.requests } = connection;
  const most = Math.max(1, Math.min(concurrency, Math.ceil(rate)));
  return { ...run, connection: { ...connection, concurrency: most }, platform: { ...platform, exchange: inTurn } };
}

/** Everything that any of them needs; an object that one of them deleted and another expects is only read again. */
function together(needs: readonly ReadNeeds[]): ReadNeeds {
  const expected = needs.flatMap(({ expectedObjects }) => expectedObjects);
  return {
    pinned: needs.flatMap(({ pinned }) => pinned),
    expectedObjects: [...new Map(expected.map((one) => [keyOf(one), one])).values()],
  };
}

function keyOf({ id, address, isDeleted }: ExpectedObject): string {
  return `${id} ${address} ${String(isDeleted ?? false)}`;
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
  { clients, read }: SharedService,
  manifest: Manifest,
  { earlier, expected = [] }: Reading = {},
): ServiceAccess & { readonly lastRead: () => SharedRead | undefined } {
  let kept = earlier;
  let last: SharedRead | undefined;
  return {
    clients,
    lastRead: () => last,
    read: async (own) => {
      const needs = { ...own, expectedObjects: [...own.expectedObjects, ...expected] };
      const before = kept;
      kept = undefined;
      last = before !== undefined && covers(before, needs) ? before : await read(needs);
      return last.viewOf(
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
