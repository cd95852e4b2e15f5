// From a loaded fleet to the engine's input: connections, journals, and saved plans. No request is sent before all of it is valid.

import { join } from 'node:path';
import { Collector, Failure } from '../../core/failure.ts';
import { partition } from '../../core/group.ts';
import { consentsOf } from './consents.ts';
import type { FleetRun, FleetStack } from '../../fleet/fleet.ts';
import type { LoadedEntry } from '../../fleet/load-entry.ts';
import type { Plan } from '../../plan/plan.ts';
import type { UserPolicies } from '../../plan/policies/user-policies.ts';
import type { RunEvent } from '../../reconcile/run.ts';
import type { ClientSettings } from '../../service/settings.ts';
import { connectionOf } from '../options/connection.ts';
import { showCleanUp } from '../shell/carry-out.ts';
import type { Invocation } from '../shell/invocation.ts';
import { tokenFolder } from '../shell/check-inputs.ts';
import { announce } from '../shell/load.ts';
import { runOf } from '../shell/prepare.ts';
import { loadFleet, problemsIn, requireFleet, shardFor, type LoadedFleet } from './load-fleet.ts';
import { unknownLinks, type UnplacedStack } from './unplaced.ts';

/** By the name of their stack. */
type SavedPlans = ReadonlyMap<string, Plan>;

/** How a command uses what it reads; without saved plans, and not to destroy, unless it says so. */
interface FleetUse<T> {
  readonly savedIn?: (own: T) => SavedPlans | undefined;
  readonly destroy?: boolean;
}

/**
 * The engine's input and the command's own, or a failure with all problems of both. The own input is read with the names of the
 * whole fleet; with saved plans in it, stacks without one are left out. While the fleet file has mistakes, nothing that it names is
 * looked up.
 */
export async function prepareFleet<T>(
  invocation: Invocation,
  read: (names: readonly string[]) => T | Promise<T>,
  { savedIn = () => undefined, destroy = false }: FleetUse<T> = {},
) {
  const collector = new Collector();
  const fleet = await loadFleet(invocation, { mayLackValues: false, mayLackFields: destroy });
  if (!fleet.isRight) requireFleet(fleet);
  const names = [...fleet.selected, ...fleet.others].map(({ entry }) => entry.name);
  const own = await collector.take(async () => ({ value: await read(names) }));
  const saved = own && savedIn(own.value);
  const { stacks, others, unplaced } = await connectStacks(fleet, saved, invocation, collector);
  const unknown = unknownLinks(unplaced, stacks);
  if (unknown.length > 0) collector.add(new Failure('invalid', unknown, fleet.sources));
  requireFleet(fleet, collector);
  if (own === undefined) throw collector.failure();
  announce({ diagnostics: problemsIn(fleet), sources: fleet.sources }, invocation);
  invocation.note({ type: 'loaded' });
  const shard = shardFor(invocation);
  const rate = rateOf(invocation, shard);
  const run: FleetRun = { ...invocation, stacks, others, unplaced, shard, emit: invocation.note, rate };
  return { run, own: own.value, given: fleet.given, entries: [...fleet.selected, ...fleet.others] };
}

/** The stacks of the run, and those that it leaves out. Only those of its own shard must be reachable. */
async function connectStacks(
  fleet: LoadedFleet,
  saved: SavedPlans | undefined,
  invocation: Invocation,
  collector: Collector,
) {
  const [taken, left] = partition(fleet.selected, ({ entry }) => saved === undefined || saved.has(entry.name));
  const connect = connectionsOf(invocation);
  const own = await connectEach(taken, {
    connect,
    collectorFor: (entry) => (fleet.isInShard(entry) ? collector : undefined),
    toStack: (entry, connection) =>
      stackOf(entry, connection, invocation, {
        saved,
        policies: fleet.policies,
        refusesOpenings: fleet.refusesOpenings,
      }),
  });
  const others = await connectEach([...left, ...fleet.others], {
    connect,
    collectorFor: () => undefined,
    toStack: (entry, connection) => stackOf(entry, connection, invocation),
  });
  return { stacks: own.stacks, others: others.stacks, unplaced: [...own.unplaced, ...others.unplaced] };
}

interface Connecting {
  readonly connect: (entry: LoadedEntry) => Promise<ClientSettings>;
  /** Where the failure of a stack that must be reachable goes; any other one without a connection is unplaced. */
  readonly collectorFor: (entry: LoadedEntry) => Collector | undefined;
  readonly toStack: (entry: LoadedEntry, connection: ClientSettings) => FleetStack[];
}

async function connectEach(entries: readonly LoadedEntry[], { connect, collectorFor, toStack }: Connecting) {
  const stacks: FleetStack[] = [];
  const unplaced: UnplacedStack[] = [];
  for (const entry of entries) {
    const required = collectorFor(entry);
    const tried = required ?? new Collector();
    const connection = await tried.take(() => connect(entry));
    if (connection !== undefined) stacks.push(...toStack(entry, connection));
    else if (required === undefined) unplaced.push(...unplacedStack(entry, tried));
  }
  return { stacks, unplaced };
}

function unplacedStack({ entry: { name }, manifest }: LoadedEntry, tried: Collector): UnplacedStack[] {
  return manifest === undefined ? [] : [{ name, manifest, why: tried.failure().diagnostics }];
}

/** This shard's share of the rate for all shards. */
function rateOf({ settings: { rate } }: Invocation, shard: FleetRun['shard']): number | undefined {
  return rate === undefined ? undefined : rate / (shard?.of ?? 1);
}

/** Each connection once, so that a key file is read once. */
export function connectionsOf(invocation: Invocation): (one: LoadedEntry) => Promise<ClientSettings> {
  const known = new Map<string, Promise<ClientSettings>>();
  return ({ entry }) => {
    const key = `${entry.baseUrlEnv} ${entry.apiKeyEnv}`;
    const connection = known.get(key) ?? connectionOf(invocation, entry);
    known.set(key, connection);
    return connection;
  };
}

/** What the fleet says of one of its stacks. */
interface StackFacts {
  readonly saved?: SavedPlans | undefined;
  readonly policies?: UserPolicies | undefined;
  /** True when its file names the built-in policy `openings`. */
  readonly refusesOpenings?: boolean;
}

/** Tokens of each stack have a folder of their own, because addresses of several stacks may be equal. */
export function stackOf(
  { entry: { name, wave }, manifest }: LoadedEntry,
  connection: ClientSettings,
  invocation: Invocation,
  { saved, policies, refusesOpenings = false }: StackFacts = {},
): FleetStack[] {
  if (manifest === undefined) return [];
  const run = runOf(invocation, manifest, connection);
  const subject = { name, stack: manifest.stack, service: connection.baseUrl.href, wave };
  const folder = tokenFolder(invocation);
  const tokenDir = folder === undefined ? undefined : join(folder, name);
  const tell = (event: RunEvent) => {
    if (event.type === 'cleaning-up') showCleanUp(event.plan, invocation);
    // Plans are shown with those of the other stacks.
    if (event.type !== 'planned') invocation.note(event, subject);
  };
  const consents = consentsOf(name, invocation.settings);
  const refuses = refusesOpenings || run.options.refusesOpenings === true;
  const options = { ...run.options, ...consents, tokenDir, refusesOpenings: refuses };
  return [{ name, run: { ...run, emit: tell, options, policies }, wave, saved: saved?.get(name) }];
}
