// Applies many stacks: plans all, gets approval once, then applies each as soon as what it waits for is done. Each is one apply
// with its own journal, gate and verification; a stack that fails stops only those that wait for it.

import type { Place } from '../apply/places.ts';
import { runQueue } from '../apply/queue.ts';
import { Failure } from '../core/failure.ts';
import { byWave } from '../core/waves.ts';
import { applyManifest } from '../reconcile/apply.ts';
import type { RunPlace } from '../reconcile/execution/execution.ts';
import type { ExpectedObject } from '../reconcile/execution/run-effects.ts';
import { effectsOf } from '../reconcile/execution/run-effects.ts';
import type { Platform } from '../reconcile/platform.ts';
import { whyNotExecuted } from '../reconcile/run-report.ts';
import { failed, resultOf, type FailedStack, type FleetRun, type StackResult } from './fleet.ts';
import { planResult, planStacks, type PlannedFleet } from './plan.ts';
import type { PlannedStack, StackPlan } from './plan-stack.ts';
import { accessFor } from './service.ts';
import { SettlingStacks } from './settling.ts';

export interface ApplyFleetRun extends FleetRun {
  /** Approves all plans at once, or rejects with a `Failure`; nothing has been written before. */
  readonly approve: (planned: readonly StackResult[]) => Promise<void>;
  /** True to start nothing new after the first stack that was not done. */
  readonly failFast?: boolean;
}

/** Makes the live state of every stack match its manifest, in an order that imports and moving values allow. */
export function applyFleet(fleet: ApplyFleetRun): Promise<readonly StackResult[]> {
  return carryOut(fleet, false);
}

/** Deletes everything that the stacks own, importers first. */
export function destroyFleet(fleet: ApplyFleetRun): Promise<readonly StackResult[]> {
  return carryOut(fleet, true);
}

interface Task {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** It deletes API keys, which others may still need, and none waits for it. */
  readonly last: boolean;
  readonly one: AgreedStack;
}

async function carryOut(given: ApplyFleetRun, destroy: boolean): Promise<readonly StackResult[]> {
  const agreed = await agree(given, destroy);
  const names = agreed.stacks.map(({ name }) => name);
  const carried = new CarriedFleet(agreed, destroy);
  // Importers are destroyed first, and they are never in an earlier wave: their order is all that counts.
  const results = destroy ? await carried.run(agreed.stacks) : await runWaves(carried, agreed);
  const byName = new Map(results.map((one) => [one.name, one]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** What was planned and agreed to, without what only the planner needs: there may be thousands of stacks. */
interface AgreedFleet extends Pick<PlannedFleet<ApplyFleetRun>, 'fleet' | 'before'> {
  readonly stacks: readonly AgreedStack[];
}

type AgreedStack = Omit<PlannedStack, 'preview' | 'drafts'> | FailedStack;

async function agree(given: ApplyFleetRun, destroy: boolean): Promise<AgreedFleet> {
  const { fleet, stacks, before } = await planStacks(given, destroy);
  const willWrite = stacks.some(
    (one) => 'plan' in one && one.plan.steps.length > 0 && whyNotExecuted(one.plan) === undefined,
  );
  if (willWrite) await fleet.approve(stacks.map(planResult));
  return { fleet, before, stacks: stacks.map(agreedStack) };
}

function agreedStack(planned: StackPlan): AgreedStack {
  if ('failure' in planned) return planned;
  const { preview: _, drafts: __, ...agreed } = planned;
  return agreed;
}

/** Begins a wave when every stack of those before it was done. After one that was not, no later wave begins. */
async function runWaves(
  carried: CarriedFleet,
  { stacks, fleet: { emit } }: AgreedFleet,
): Promise<readonly StackResult[]> {
  const results: StackResult[] = [];
  let stoppedAfter: number | undefined;
  for (const [wave, members] of byWave(
    stacks.map((one) => ({ one, wave: 'failure' in one ? one.wave : one.stack.wave })),
  )) {
    const own = members.map(({ one }) => one);
    if (stoppedAfter !== undefined) {
      const after = stoppedAfter;
      results.push(...own.map((one) => notAttempted(one, after)));
      continue;
    }
    if (members.some((member) => member.wave !== undefined))
      emit({ type: 'wave-started', wave, stacks: own.map(({ name }) => name) });
    const ended = await carried.run(own);
    results.push(...ended);
    if (!ended.every(isDone)) stoppedAfter = wave;
  }
  return results;
}

/** Carries out the plans of a fleet, some stacks at a time. */
class CarriedFleet {
  readonly #agreed: AgreedFleet;
  readonly #destroy: boolean;
  /** What each stack made, for those that import from it. */
  readonly #made = new Map<string, readonly ExpectedObject[]>();
  readonly #waitedFor: ReadonlySet<string>;
  readonly #platform: Platform;
  #hasFailed = false;

  constructor(agreed: AgreedFleet, destroy: boolean) {
    this.#agreed = agreed;
    this.#destroy = destroy;
    this.#platform = preparingOnce(agreed.fleet.platform);
    this.#waitedFor = new Set(agreed.stacks.flatMap(({ name }) => agreed.before(name)));
  }

  /** Each as soon as those of them are done that it waits for. */
  run(stacks: readonly AgreedStack[]): Promise<readonly StackResult[]> {
    const { fleet, before } = this.#agreed;
    const concurrency = Math.max(...fleet.stacks.map(({ run }) => run.options.concurrency), 1);
    const settling = new SettlingStacks({ stacks: stacks.length, concurrency, signal: fleet.signal });
    return runQueue<Task, StackResult>({
      tasks: stacks.map((one) => ({
        id: one.name,
        depends_on: before(one.name),
        last: !this.#waitedFor.has(one.name) && deletesLast(one),
        one,
      })),
      concurrency,
      isStopped: () => fleet.signal.aborted || (fleet.failFast === true && this.#hasFailed),
      onStarted: (underWay) => {
        settling.note(underWay);
      },
      run: (task, place) => this.#runStack(task, this.#placeOf(task.id, place, settling)),
      isSuccess: isDone,
      block: ({ one }, { id: by }) => ('failure' in one ? one : resultOf(one.stack, { is: 'blocked', by })),
      skip: ({ one }) => notAttempted(one),
    });
  }

  #placeOf(name: string, { enter, leave }: Place, settling: SettlingStacks): RunPlace {
    return {
      enter,
      leave: (isDone) => {
        this.#hasFailed ||= !isDone;
        leave();
      },
      turnToRead: () => settling.turnToRead(this.#waitedFor.has(name)),
    };
  }

  async #runStack({ id, depends_on: names, one }: Task, place: RunPlace): Promise<StackResult> {
    const expected = names.flatMap((name) => this.#made.get(name) ?? []);
    const isFirst = names.length === 0;
    const result =
      'failure' in one
        ? one
        : await applyStack(one, { destroy: this.#destroy, expected, isFirst, place, platform: this.#platform });
    if (result.is === 'applied') this.#made.set(id, effectsOf(result.report.plan, result.report.results).made);
    this.#hasFailed ||= !isDone(result);
    return result;
  }
}

/** A folder of many journals is tested once; each lock tests it again. */
function preparingOnce(platform: Platform): Platform {
  const { files } = platform;
  const prepared = new Set<string>();
  const prepareDirectory = (path: string) => {
    if (prepared.has(path)) return;
    files.prepareDirectory(path);
    prepared.add(path);
  };
  return { ...platform, files: { ...files, prepareDirectory } };
}

/** A stack whose run never began; one that cannot be planned says why. */
function notAttempted(one: AgreedStack, after?: number): StackResult {
  if ('failure' in one) return one;
  return resultOf(one.stack, { is: 'not-attempted', ...(after !== undefined && { after }) });
}

function deletesLast(one: AgreedStack): boolean {
  return 'plan' in one && one.plan.steps.some((step) => step.last === true);
}

function isDone(result: StackResult): boolean {
  return result.is === 'applied' && result.report.result === 'done';
}

interface Applying {
  readonly destroy: boolean;
  /** Objects that the stacks before it made: lists may not show them yet. */
  readonly expected: readonly ExpectedObject[];
  /** True for a stack that waited for none: what was read for its plan is still what it was made from. */
  readonly isFirst: boolean;
  readonly place: RunPlace;
  readonly platform: Platform;
}

/** Applies the plan that was shown; like a saved one, it is compared with a new plan before anything is written. */
async function applyStack(
  one: Exclude<AgreedStack, FailedStack>,
  { destroy, expected, isFirst, place, platform }: Applying,
): Promise<StackResult> {
  const { stack, service, plan } = one;
  // What was pending exists by now; the plan that was shown says what is to be filled in.
  const { pendingImports: _, ...elsewhere } = one.run.elsewhere ?? {};
  const run = { ...one.run, elsewhere, platform };
  const access = accessFor(service, run.manifest, { expected, earlier: isFirst ? one.read : undefined });
  // A plan that cannot be carried out was not agreed to: it is made again, to say what is wrong.
  const isAgreed = whyNotExecuted(plan) === undefined;
  const approve = () => (isAgreed ? Promise.resolve() : Promise.reject(notShown()));
  try {
    const agreed = stack.saved === undefined ? isAgreed && { shown: plan } : { saved: stack.saved };
    const report = await applyManifest({ ...run, ...agreed, service: access, destroy, approve, place });
    return resultOf(stack, { is: 'applied', report });
  } catch (error) {
    return failed(stack, error);
  }
}

function notShown(): Failure {
  const message = 'the stack can now be applied, but with a plan that was never shown; nothing was changed';
  return Failure.of('stale', 'stale-plan', message, 'run fleet apply again');
}
