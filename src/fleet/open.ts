// Opens the stacks of a fleet: those with the same connection share a service, and one read of it. A stack that cannot be read
// is a failure of its own. Writes nothing.

import { sha256 } from '../core/digest.ts';
import { Failure } from '../core/failure.ts';
import { preview, type Preview } from '../reconcile/plan.ts';
import type { RunInput } from '../reconcile/run.ts';
import { checkOrigin } from '../reconcile/saved-plan.ts';
import { withDeadline } from '../reconcile/stop.ts';
import type { ClientSettings } from '../service/settings.ts';
import type { FleetRun, FleetStack } from './fleet.ts';
import { accessFor, shareService, type SharedRead, type SharedService } from './service.ts';

/** A stack with its live state. */
export interface OpenStack {
  readonly stack: FleetStack;
  /** Its run, stopped by the fleet's signals, on the shared service. */
  readonly run: RunInput;
  readonly service: SharedService;
  /** The read that its live state is from. */
  readonly read: SharedRead | undefined;
  readonly preview: Preview;
}

/** A stack that nothing can be done with. */
export interface FailedStack {
  readonly stack: FleetStack;
  readonly failure: Failure;
}

/** Equal for stacks that see the same objects: base URL and key. Never shown. */
export function serviceKey({ baseUrl, apiKey }: ClientSettings): string {
  return `${baseUrl.href} ${sha256(apiKey.reveal())}`;
}

/** Reads each service once, and gives every stack what it sees there, in the order of the fleet. */
export function openStacks(fleet: FleetRun): Promise<(OpenStack | FailedStack)[]> {
  const { signal, hardCancel, signalName, deadlineAt } = fleet;
  const services = new Map<string, SharedService>();
  const shared = ({ connection, options }: RunInput) => {
    const key = serviceKey(connection);
    const service = services.get(key) ?? shareService({ ...fleet, connection, options }, fleet.rate);
    services.set(key, service);
    return service;
  };
  // All of them ask before the first read begins.
  return Promise.all(
    fleet.stacks.map((stack) => {
      const run = { ...stack.run, signal, hardCancel, signalName, deadlineAt };
      return openStack(stack, run, shared(run));
    }),
  );
}

async function openStack(stack: FleetStack, given: RunInput, service: SharedService): Promise<OpenStack | FailedStack> {
  const { manifest, connection, options } = given;
  const { saved } = stack;
  const access = accessFor(service, manifest);
  const targets = saved?.made_with?.targets ?? options.targets;
  const run = { ...given, service: access, options: { ...options, targets } };
  try {
    if (saved !== undefined) checkOrigin(saved, manifest, connection.baseUrl.href);
    return { stack, run, service, preview: await preview(run, 'nothing was changed'), read: access.lastRead() };
  } catch (error) {
    return { stack, failure: failureIn(error) };
  }
}

/** The failure of one stack; any other error is a bug, and ends the whole run. */
export function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** The fleet with a deadline, the earliest of its stacks, that begins now. */
export function untilDeadline<Fleet extends FleetRun>(fleet: Fleet): Fleet {
  const limits = fleet.stacks.flatMap(({ run }) => run.options.deadlineMs ?? []);
  return withDeadline(fleet, limits.length === 0 ? undefined : Math.min(...limits), fleet.platform.clock);
}
