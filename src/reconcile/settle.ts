// After the last step: reads and plans everything again until the result is observed. "Done" is seen and never assumed, and an
// object that another run created at the same time is found before this run claims success.
//
// Lists may lag behind writes. A list that does not show an object yet proves nothing, and neither does one that shows only
// ours: the other run's may still be missing. The lag is therefore measured with the objects that this run created. If it took
// three seconds until ours were listed, then one that somebody created before ours were listed is visible three seconds later.
//
// Example: this run creates edgtls_1 at 0 s. The read at 0.25 s does not list it, the one at 0.75 s does: the lag is taken to be
// 0.75 s. Time stamps are in whole seconds, so a rival with the same stamp may have been created until 1 s. A read that begins
// at 1.75 s or later shows every rival, and if its plan is empty, the run ends with 0. If that read shows edgtls_2 for the same
// address, created later by this run, the clean-up deletes it (redundant-duplicates.ts) and reading goes on.
//
// `--settle` bounds all of this. What has not been proven by then is said: an object that no list shows is an error, never a
// silent success. After a failed or interrupted run only its own creations are checked.

import type { StepResult } from '../apply/event.ts';
import type { RunHistory } from '../apply/gate/run-history.ts';
import type { Capability } from '../catalog/kind.ts';
import { isListable } from '../catalog/lookup.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { PlanInput } from '../plan/build.ts';
import { cleanUpPlan } from '../plan/clean-up.ts';
import { isPending } from '../plan/count-steps.ts';
import type { Plan } from '../plan/plan.ts';
import type { Clock } from '../platform/clock.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { ListLag } from './list-lag.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const SECOND_MS = 1_000;

export interface Planned {
  /** What was read, and how this run sees it. */
  readonly read: Snapshot;
  readonly snapshot: Snapshot;
  /** Made when it is first asked for: some plans are only looked at for what was read. */
  readonly plan: Plan;
}

interface SettleInput {
  /** Resolves when a read may begin: runs side by side read together. */
  readonly turnToRead: () => Promise<void>;
  readonly planNow: () => Promise<Pick<Planned, 'snapshot' | 'plan'>>;
  /** From now on everything is read again; true when that was not so before. */
  readonly readWhole: () => boolean;
  /** The planner's input for a live state. */
  readonly planInput: (snapshot: Snapshot) => PlanInput;
  /** Shows and carries out the plan of a clean-up. */
  readonly carryOut: (cleanUp: Pick<Planned, 'snapshot' | 'plan'>) => Promise<readonly StepResult[]>;
  /** Called for each object that was deleted again: what this run stored for it is useless. */
  readonly onDeleted: (address: string, id: string) => void;
  readonly clock: Clock;
  readonly capabilities: ReadonlySet<Capability>;
  /** How long lists may lag behind, in milliseconds. */
  readonly settleMs: number;
  /** Aborted to stop reading. */
  readonly signal: AbortSignal;
  readonly results: readonly StepResult[];
  readonly history: RunHistory;
  readonly lag: ListLag;
  /** False once a run has failed or was interrupted: then only its own creations are checked. */
  readonly mustConverge: () => boolean;
}

export interface Settled {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plan of what is left, once the service shows everything this run has done and without duplicates. */
export async function settle(input: SettleInput): Promise<Settled> {
  const { clock, settleMs, signal, history } = input;
  const meter = new LagMeter(input);
  await input.turnToRead();
  const until = clock.now() + settleMs;
  const cleaned = new Map<string, Diagnostic>();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    // A slow list is as old as its request.
    const began = clock.now();
    const found = await refreshPlan(input, meter);
    const going = redundantOf(found.snapshot, history);
    if (going.length > 0 && input.readWhole()) continue;
    if (await cleanUp(input, found.snapshot, going, cleaned)) continue;
    const isLate = signal.aborted || began >= until + graceMs(input, { meter, isGoing: going.length > 0, began });
    if (isLate || (going.length === 0 && meter.isProven() && isDone(input, found.plan)))
      return {
        plan: found.plan,
        diagnostics: [...cleaned.values(), ...(isLate && !signal.aborted ? notProven(input, meter) : [])],
      };
    await clock.sleep(meter.isProven() ? wait : meter.waitMs(clock.now()) || wait, signal);
    await input.turnToRead();
  }
}

/** Objects of this very run that go: it created them by POST, and another run, or an earlier try, created the same before. */
function redundantOf({ resources }: Snapshot, history: RunHistory): LiveResource[] {
  const { created, deleted, runName, repeated } = history;
  return resources.filter(({ id, marker, isRedundant }) => {
    const isLateTry = runName !== undefined && marker?.created_by === runName && repeated.has(marker.address);
    return isRedundant === true && (created.has(id) || isLateTry) && !deleted.has(id);
  });
}

/** True while an address of this run has several objects; other runs are expected to delete the later ones. */
function hasDuplicate({ diagnostics }: Plan, { created }: RunHistory): boolean {
  const own = new Set([...created.values()].map(({ address }) => address));
  return diagnostics.some(({ code, address }) => code === 'duplicate-marker' && own.has(address ?? ''));
}

/**
 * Time to look beyond `--settle`: until the listed objects have stayed unique and, while objects of this run are to go, until the
 * lists no longer show what the other run has deleted and what refers to it.
 */
function graceMs(
  { settleMs }: SettleInput,
  { meter, isGoing, began }: { readonly meter: LagMeter; readonly isGoing: boolean; readonly began: number },
): number {
  if (isGoing) return 2 * settleMs + SECOND_MS;
  // Everything of this run is listed, and must only stay unique for the time that took.
  const isAlmostProven = !meter.isProven() && meter.waitMs(began) !== undefined;
  return isAlmostProven ? settleMs + SECOND_MS : 0;
}

/** Carries out the clean-up, and retries what failed earlier. True when an object was deleted. */
async function cleanUp(
  input: SettleInput,
  snapshot: Snapshot,
  going: readonly LiveResource[],
  cleaned: Map<string, Diagnostic>,
): Promise<boolean> {
  if (going.length === 0 || input.signal.aborted) return false;
  const plan = cleanUpPlan(input.planInput(snapshot), going);
  const forbidden = plan.refusals.map(({ message }) => message).join('; ');
  const isCarriedOut = plan.steps.length > 0 && forbidden === '';
  const results = isCarriedOut ? await input.carryOut({ plan, snapshot }) : [];
  let isAnyGone = false;
  for (const live of going) {
    const isGone = input.history.deleted.has(live.id);
    const result = results.find(({ live_id: id }) => id === live.id);
    const whyKept =
      forbidden === '' ? (result?.error ?? 'something still needs it') : `a policy forbids it: ${forbidden}`;
    cleaned.set(live.id, createdTwice(live, { ...input, snapshot }, isGone ? undefined : whyKept));
    if (isGone) input.onDeleted(live.marker?.address ?? '', live.id);
    isAnyGone ||= isGone;
  }
  return isAnyGone;
}

function createdTwice(
  { id, marker }: LiveResource,
  { snapshot, history: { created } }: Pick<SettleInput, 'history'> & Pick<Planned, 'snapshot'>,
  whyKept: string | undefined,
): Diagnostic {
  const address = marker?.address ?? '';
  const kept = snapshot.resources.find((one) => one.marker?.address === address && one.isRedundant !== true);
  const end = whyKept === undefined ? `${id} was deleted again` : `${id} could not be deleted: ${whyKept}`;
  const isOwnTwice = whyKept === undefined && !created.has(id);
  return isOwnTwice
    ? {
        code: 'created-twice',
        severity: 'warning',
        address,
        message: `${address} was created twice, because an answer was lost; ${end}`,
      }
    : {
        code: 'created-twice',
        severity: 'error',
        address,
        message: `${address} was created at the same time by another run, as ${kept?.id ?? 'another object'}; ${end}`,
        fix:
          whyKept === undefined
            ? 'make sure that only one run at a time applies a stack, then plan and apply again'
            : `pin the right one with \`lifecycle: { id: … }\` under ${address}, or delete one of them yourself`,
      };
}

/** True when nothing is left to do, or when the rest is not caused by lagging lists; never while another object is to go. */
function isDone({ results, mustConverge, history }: SettleInput, plan: Plan): boolean {
  if (hasDuplicate(plan, history)) return false;
  if (!mustConverge() || !isPending(plan)) return true;
  const done = new Set(results.map((result) => result.address));
  return plan.blocked.length > 0 || plan.steps.some((step) => !done.has(step.address));
}

async function refreshPlan({ planNow, clock }: SettleInput, meter: LagMeter) {
  const began = clock.now();
  const found = await planNow();
  const unlisted = new Set(found.snapshot.unlisted);
  const listed = new Set(found.snapshot.resources.flatMap(({ id }) => (unlisted.has(id) ? [] : [id])));
  meter.note(began, clock.now(), listed);
  return found;
}

/** Creations of this run that are not confirmed, because the lists do not show them. */
function notProven({ history, settleMs }: SettleInput, meter: LagMeter): Diagnostic[] {
  return meter.unlisted().map((id): Diagnostic => {
    const address = history.created.get(id)?.address ?? '';
    return {
      code: 'not-listed',
      severity: 'error',
      address,
      message: `${address} was created as ${id}, but does not appear in any list after ${Math.ceil(settleMs / 1000)} s, so another run may have created it as well`,
      fix: 'run plan later; if the lists of this service are that slow, set a longer --settle',
    };
  });
}

type CreatedObject = RunHistory['created'] extends ReadonlyMap<string, infer Created> ? Created : never;

/** Measures how far the lists of a service lag behind what this run created, and says when a read of them proves something. */
class LagMeter {
  readonly #history: RunHistory;
  /** The longest lag that the user expects. */
  readonly #settleMs: number;
  readonly #isListable: (kind: string) => boolean;
  /** Ids seen in a list. */
  readonly #listed = new Set<string>();
  /** Ids that a read missed. */
  readonly #missed = new Set<string>();
  readonly #lag: ListLag;
  /** When the read ended that completed the list. */
  #completeAt: number | undefined;
  #isProven = false;

  constructor({ history, settleMs, capabilities, lag }: SettleInput) {
    this.#history = history;
    this.#settleMs = settleMs;
    this.#isListable = (kind) => isListable(kind, capabilities);
    this.#lag = lag;
  }

  /** True once a read began late enough for its lists to be trusted. */
  isProven(): boolean {
    return this.#isProven;
  }

  /** Ids of this run that no list has shown yet. */
  unlisted(): readonly string[] {
    return this.#awaited().flatMap(({ id }) => (this.#listed.has(id) ? [] : [id]));
  }

  /** Milliseconds from `now` until a read could prove something; undefined while that is unknown. */
  waitMs(now: number): number | undefined {
    const from = this.#provesFrom();
    return from === undefined ? undefined : Math.max(0, from - now);
  }

  /** Records a read of all lists; `listed` are the ids in a list, without objects that were only found by id. */
  note(began: number, ended: number, listed: ReadonlySet<string>): void {
    const awaited = this.#awaited();
    const proves = began >= (this.#provesFrom() ?? Infinity);
    for (const created of awaited) this.#noteObject(created, ended, listed.has(created.id));
    if (awaited.every(({ id }) => this.#listed.has(id))) this.#completeAt ??= ended;
    // Anything created longer ago than the maximum lag is listed by now, and so is everything older.
    const isOld = awaited.every((created) => began >= endOfStamp(created) + this.#settleMs);
    // A list that loses objects comes from a cache, and proves nothing.
    this.#isProven = awaited.every(({ id }) => listed.has(id)) && (proves || isOld);
  }

  #noteObject({ id, at }: CreatedObject, ended: number, isListed: boolean): void {
    if (!isListed) {
      this.#missed.add(id);
      return;
    }
    if (this.#listed.has(id)) return;
    this.#listed.add(id);
    this.#lag.note(ended - at, this.#missed.has(id));
  }

  /** What this run created and a list has to show. */
  #awaited(): readonly CreatedObject[] {
    const { created, deleted } = this.#history;
    return [...created.values()].filter(({ id, kind }) => this.#isListable(kind) && !deleted.has(id));
  }

  /** The time from which a read proves something; undefined while an object of this run is not listed. */
  #provesFrom(): number | undefined {
    if (this.#completeAt === undefined) return undefined;
    const lag = Math.min(this.#settleMs, this.#lag.measured());
    return Math.max(this.#completeAt, ...this.#awaited().map(endOfStamp)) + lag;
  }
}

/**
 * Until when another object with the same creation time may be created. It could not be seen which of the two is later, so the run
 * must not end before.
 */
function endOfStamp({ at, stamp }: { readonly at: number; readonly stamp?: string | undefined }): number {
  return stamp?.includes('.') === true ? at : at + SECOND_MS;
}
