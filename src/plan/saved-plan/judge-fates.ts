// Judges each step of a saved plan: left, done, or out of date, and why. Says what changed, by object and field.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isRemoval } from '../fingerprint.ts';
import { groupBy } from '../../core/group.ts';
import type { Match, Pair } from '../match/match.ts';
import type { Blocked, Plan, Step } from '../plan.ts';
import { placeName } from '../match/elsewhere.ts';
import type { PlanContext } from '../plan-options.ts';
import { elsewhereOf, MOVED_AWAY } from '../policies/moved-away.ts';
import { changedByOthers, doneWrites, type DoneWrites, fieldsLost } from './done-writes.ts';
import type { FillingSource } from './filled-requests.ts';
import { staleAt } from './stale.ts';
import type { JournalView } from '../journal-view.ts';
import type { StepFate } from './work-left.ts';

export type LeftFate = StepFate & { readonly is: 'left' };

interface JudgeInput {
  readonly saved: Plan;
  /** The new plan, and the objects that it is made from. */
  readonly now: Plan;
  readonly matched: Match;
  readonly missing: PlanContext['missing'];
  readonly source: FillingSource;
  /** What the journal knows; values that the service did not take are as the plan left them. */
  readonly journal: JournalView | undefined;
}

/** What is left, what was done, and what is out of date. */
interface Judged {
  readonly left: readonly LeftFate[];
  readonly done: readonly Step[];
  readonly stale: readonly Diagnostic[];
}

export function judgeFates(fates: readonly StepFate[], input: JudgeInput): Judged {
  const judge = new FateJudge(fates, input);
  const stale = fates.flatMap((fate) => {
    const why = judge.whyStale(fate);
    return why === undefined ? [] : [staleAt(fate.step.address, why)];
  });
  return {
    left: fates.filter((fate) => fate.is === 'left'),
    done: fates.flatMap((fate) => (fate.is === 'missing' ? [fate.step] : [])),
    stale,
  };
}

/** Looks each step's object up once. */
class FateJudge {
  readonly #input: JudgeInput;
  readonly #byId: ReadonlyMap<string, LiveResource>;
  readonly #children: ReadonlyMap<string, readonly LiveResource[]>;
  readonly #pairs: ReadonlyMap<string, Pair>;
  /** Paths that the manifest ignores, by the id of their object. */
  readonly #ignored: ReadonlyMap<string, readonly string[]>;
  readonly #writes: ReadonlyMap<string, DoneWrites>;
  /** Addresses of what is newly blocked. */
  readonly #newlyBlocked: ReadonlySet<string>;

  constructor(fates: readonly StepFate[], input: JudgeInput) {
    const { matched, saved, now, source } = input;
    const { resources } = matched.snapshot;
    this.#input = input;
    this.#byId = new Map(resources.map((live) => [live.id, live]));
    this.#children = groupBy(resources, ({ parentId }) => parentId);
    this.#pairs = new Map(matched.pairs.map((pair) => [pair.desired.address, pair]));
    this.#ignored = new Map(
      matched.pairs.flatMap(({ desired, live }) => (live ? [[live.id, desired.lifecycle.ignoreChanges] as const] : [])),
    );
    this.#writes = doneWrites(fates, (fate) => this.#objectOf(fate)?.id, source);
    this.#newlyBlocked = new Set(newlyBlocked(now.blocked, saved.blocked).map(({ address }) => address));
  }

  /** Undefined for a step that is left as it was planned, or done as it was planned. */
  whyStale(fate: StepFate): string | undefined {
    const away = fate.is === 'missing' ? undefined : this.#whyElsewhere(fate.now);
    if (away !== undefined) return away;
    if (fate.is === 'changed') return this.#whyChanged(fate.step, fate.now);
    return fate.is === 'left' ? this.#whyNotLeft(fate) : this.#whyNotDone(fate);
  }

  /** A creation whose object has another address or owner since. What the plan itself refuses is no news. */
  #whyElsewhere(now: Step): string | undefined {
    const { saved, missing } = this.#input;
    const away = elsewhereOf(now, missing);
    const isKnown = saved.refusals.some(
      ({ rule, addresses }) => rule === MOVED_AWAY && addresses.includes(now.address),
    );
    if (away === undefined || isKnown) return undefined;
    return `${now.address} was created as ${away.id}, which is ${placeName(away.now, saved.stack)} now`;
  }

  /** The object that a step is about, or that it created. */
  #objectOf({ step, ...fate }: StepFate): LiveResource | undefined {
    const id = step.live_id ?? (fate.is === 'missing' ? undefined : fate.now.live_id);
    return id === undefined || id === null ? this.#pairs.get(step.address)?.live : this.#byId.get(id);
  }

  /** What is left starts from what the plan saw, and from what the plan itself has written since. */
  #whyNotLeft(fate: LeftFate): string | undefined {
    const { step, now } = fate;
    if (now.live_id === null) return undefined;
    const live = this.#objectOf(fate);
    if (live === undefined) return gone(step);
    const lost = this.#fieldsLost(live);
    if (lost.length > 0) return changed(step, live, lost);
    if (step.precondition === null || step.precondition === now.precondition) return undefined;
    const own = this.#writes.get(live.id);
    const others = changedByOthers(step, live, this.#childrenOf(step), own);
    if (others.length > 0) return changed(step, live, others);
    return own === undefined ? this.#whyChanged(step, now) : undefined;
  }

  #whyNotDone(fate: StepFate): string | undefined {
    const { step } = fate;
    const live = this.#objectOf(fate);
    if (isRemoval(step)) return live === undefined ? undefined : kept(step);
    if (live === undefined) return step.live_id === null ? notCreated(step) : gone(step);
    if (step.action === 'release') return this.#input.matched.ownership.isOurs(live) ? kept(step) : undefined;
    if (this.#newlyBlocked.has(step.address)) return `${step.address} needs what the service can no longer do`;
    if (this.#pairs.get(step.address)?.live?.id !== live.id) return this.#whyNotPaired(step, live);
    const lost = this.#fieldsLost(live);
    if (lost.length === 0) return undefined;
    return step.live_id === null ? otherwise(step, live, lost) : changed(step, live, lost);
  }

  /** Its marker, or what else leads to it, has changed. */
  #whyNotPaired(step: Step, live: LiveResource): string {
    const fields = changedByOthers(step, live, []);
    if (fields.length > 0) return changed(step, live, fields);
    return `${step.address} (${live.id}) is no longer the object of this address`;
  }

  #whyChanged(step: Step, now: Step): string {
    const { address, live_id: id } = step;
    if (id === null) {
      if (now.live_id !== null) return `${address} exists now, as ${now.live_id}, and still needs: ${needsOf(now)}`;
      if (now.reason.code !== step.reason.code) return `${address} would now be created because ${now.reason.text}`;
      return `${address} would now be created with other values: a secret of it, or something that it refers to, has changed`;
    }
    const live = this.#byId.get(id);
    if (live === undefined) return gone(step);
    const others = changedByOthers(step, live, this.#childrenOf(step));
    if (others.length > 0) return changed(step, live, others);
    return `${address} (${id}) has not changed, but its change now needs other requests: the plan was edited, or a secret of it or something that it refers to has changed`;
  }

  #fieldsLost(live: LiveResource): readonly string[] {
    const writes = this.#writes.get(live.id);
    if (writes === undefined) return [];
    const untaken = this.#input.journal?.objects.get(live.id)?.untaken;
    return fieldsLost(live, writes, this.#ignored.get(live.id) ?? []).filter((name) => untaken?.has(name) !== true);
  }

  #childrenOf(step: Step): readonly LiveResource[] {
    return isRemoval(step) ? (this.#children.get(step.live_id ?? '') ?? []) : [];
  }
}

/** Changes that the service cannot make now, and could when the plan was made. */
export function newlyBlocked(now: readonly Blocked[], before: readonly Blocked[]): Blocked[] {
  const known = new Set(before.map(blockedKey));
  return now.filter((blocked) => !known.has(blockedKey(blocked)));
}

function blockedKey({ address, path }: Blocked): string {
  return `${address} ${path}`;
}

function gone({ address, live_id: id }: Step): string {
  return `${address} (${id ?? ''}) is gone`;
}

/** What the plan deletes or releases, and a new plan would leave. */
function kept({ address, live_id: id, action }: Step): string {
  const what = action === 'release' ? 'is still owned by the stack' : 'still exists';
  return `${address} (${id ?? ''}) ${what}, but a plan made now would leave it as it is`;
}

function changed({ address }: Step, { id }: LiveResource, fields: readonly string[]): string {
  return `${address} (${id}) has changed since the plan was made: ${fields.join(', ')}`;
}

function otherwise({ address }: Step, { id }: LiveResource, fields: readonly string[]): string {
  return `${address} exists now, as ${id}, and not as the plan creates it: ${fields.join(', ')}`;
}

function notCreated({ address }: Step): string {
  return `${address} is not there, and a plan made now would not create it`;
}

/** What a step of a new plan would change, in words. */
export function needsOf({ reason, changes }: Pick<Step, 'reason' | 'changes'>): string {
  const paths = [...new Set(changes.map(({ path }) => path))];
  return paths.length === 0 ? reason.text : paths.join(', ');
}
