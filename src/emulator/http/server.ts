// The emulated service on loopback over real HTTP: starts, stops, and lets tests inspect and change it.

import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../core/json.ts';
import { owner as ownerField } from '../../catalog/fields/common.ts';
import type { Capability, Kind } from '../../catalog/kind.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { createListener } from './exchange.ts';
import type { RequestRecord } from './exchange.ts';
import type { Fault } from '../faults.ts';
import { createFaults } from '../faults.ts';
import { makeId } from '../ids.ts';
import { MAX_PAGE } from '../paging.ts';
import { respond } from './respond.ts';
import { createRouter } from './router.ts';
import { kindByListKey, requestShape, seedObjects } from '../state/seed.ts';
import { loadState, saveState } from '../state/state.ts';
import type { Store, Stored } from '../state/store.ts';
import { createStore } from '../state/store.ts';

export type { RequestRecord } from './exchange.ts';
export type { Fault } from '../faults.ts';

export interface EmulatorOptions {
  /** 0 or missing: any free port. */
  readonly port?: number | undefined;
  /** The main token; a random one when missing. */
  readonly apiKey?: string | undefined;
  /** Whether the main token is that of an admin; default true. */
  readonly admin?: boolean;
  /** File that keeps the objects across restarts. A seed is used only if it does not exist. */
  readonly stateFile?: string | undefined;
  /** Maximum page size, 1 to 100; default 100. */
  readonly pageSize?: number | undefined;
  readonly latencyMs?: number | undefined;
  /** Answers values in the form in which services keep them: hosts in ASCII, keys without comments, and so on. */
  readonly normalizes?: boolean | undefined;
  /** Leaves values that are false, 0, an empty text or an empty list out of answers. */
  readonly omitsZeros?: boolean | undefined;
  /** Shows this in place of secrets. */
  readonly masks?: string | undefined;
  /** Keeps the default of a number for 0. */
  readonly keepsDefaults?: boolean | undefined;
  readonly seed?: JsonObject | undefined;
  readonly versionHeader?: { readonly name: string; readonly value: string };
  /** Assumed operations that this service lacks. */
  readonly disabled?: readonly Capability[];
  readonly faults?: readonly Fault[] | undefined;
  readonly clock?: () => Date;
}

export interface Emulator {
  readonly url: string;
  readonly apiKey: string;
  /** All requests so far, in order of arrival. */
  readonly requests: RequestRecord[];
  /** The objects of a list as GET returns them, newest first. */
  readonly objects: (listKey: string) => JsonObject[];
  /** A change from outside: values in response or request shape replace, null unsets. Enforces no rules. */
  readonly mutate: (listKey: string, id: string, patch: JsonObject) => void;
  /** A deletion from outside. Enforces no rules. */
  readonly remove: (listKey: string, id: string) => void;
  readonly close: () => Promise<void>;
}

const KEEP_ALIVE_MS = 60_000;

/** How values look in answers. */
function habitsOf({ normalizes = false, omitsZeros = false, keepsDefaults = false, masks }: EmulatorOptions) {
  return { normalizes, omitsZeros, keepsDefaults, masks };
}

/** Starts a service on loopback. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { stateFile, disabled = [], pageSize = MAX_PAGE } = options;
  const apiKey = options.apiKey ?? randomBytes(24).toString('base64url');
  const holder = { owner: makeId(ownerField.ref.prefixes[0], 0), admin: options.admin ?? true };
  const now = () => (options.clock?.() ?? new Date()).toISOString().replace(/\.\d+Z$/, 'Z');
  const saved = stateFile === undefined ? undefined : loadState(stateFile);
  const initial = saved ?? seedObjects(options.seed ?? {}, { now: now(), owner: holder.owner });
  const store = createStore(initial, (objects) => {
    if (stateFile !== undefined) saveState(stateFile, objects());
  });
  // Reports a file that cannot be written now, not at the first change.
  if (stateFile !== undefined) saveState(stateFile, store.all());
  const requests: RequestRecord[] = [];
  const base = {
    access: { apiKey, holder, versionHeader: options.versionHeader ?? { name: 'Service-Version', value: '2' } },
    router: createRouter(kinds, new Set(disabled)),
    pages: { pageSize: Math.min(MAX_PAGE, Math.max(1, pageSize)), limits: !disabled.includes('paging-limit') },
    faultsFor: createFaults(options.faults ?? []),
    latencyMs: options.latencyMs ?? 0,
    now,
    requests,
  };
  const { server, url } = await listenOn(options.port ?? 0);
  const outside = { store, baseUrl: url, ...habitsOf(options) };
  server.on('request', createListener({ ...base, view: outside }));
  return {
    url,
    apiKey,
    requests,
    objects: (key) => listed(key, (kind) => store.list(kind).map((stored) => respond(outside, kind, stored))),
    mutate: (key, id, patch) =>
      listed(key, (kind) => {
        store.put(changed(kind, existing(store, kind, id), patch));
      }),
    remove: (key, id) =>
      listed(key, (kind) => {
        store.remove([existing(store, kind, id).id]);
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Starts listening. Everything else that can fail comes before it, because an open server keeps the process alive. */
async function listenOn(port: number): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${portOf(server.address())}` };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the emulator has no port');
  return address.port;
}

function listed<T>(key: string, use: (kind: Kind) => T): T {
  const kind = kindByListKey(key);
  if (kind === undefined) throw new Error(`no list has the key ${key}`);
  return use(kind);
}

function existing(store: Store, kind: Kind, id: string): Stored {
  const stored = store.get(id);
  if (stored?.kind !== kind.name) throw new Error(`there is no ${kind.title} ${id}`);
  return stored;
}

function changed(kind: Kind, stored: Stored, patch: JsonObject): Stored {
  const spec = { ...stored.spec, ...requestShape(kind, patch) };
  return { ...stored, spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null)) };
}
