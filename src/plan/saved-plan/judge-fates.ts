// Judges each step of a saved plan: left, done, or out of date, and why. What is left must start from what the plan saw, but for
// what the file's own requests wrote since; what is done is judged by its object, and not by the values that it has. Says what
// changed, by object and field.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { parsePath } from '../../catalog/path.ts';
import { groupBy, groupEntries } from '../../core/group.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { changedFields, fingerprintFields, isRemoval } from '../fingerprint.ts';
import type { Match, Pair } from '../match/match.ts';
import type { Blocked, Change, Plan, Step } from '../plan.ts';
import { placeName } from '../match/elsewhere.ts';
import type { PlanContext } from '../plan-options.ts';
import { elsewhereOf, MOVED_AWAY } from '../policies/moved-away.ts';
import { staleAt } from './stale.ts';
import type { StepFate } from './work-left.ts';

export type LeftFate = StepFate & { readonly is: 'left' };

interface JudgeInput {
  readonly saved: Plan;
  /** The new plan, and the objects that it is made from. */
  readonly now: Plan;
  readonly matched: Match;
  readonly missing: PlanContext['missing'];
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
  /** Names of the fields that the file itself has written, by the id of their object. */
  readonly #written: ReadonlyMap<string, readonly string[]>;
  /** Addresses of what is newly blocked. */
  readonly #newlyBlocked: ReadonlySet<string>;

  constructor(fates: readonly StepFate[], input: JudgeInput) {
    const { matched, saved, now } = input;
    const { resources } = matched.snapshot;
    this.#input = input;
    this.#byId = new Map(resources.map((live) => [live.id, live]));
    this.#children = groupBy(resources, ({ parentId }) => parentId);
    this.#pairs = new Map(matched.pairs.map((pair) => [pair.desired.address, pair]));
    this.#written = groupEntries(
      fates.flatMap((fate) => fieldsWritten(fate).map((name) => [this.#objectOf(fate)?.id ?? '', name] as const)),
    );
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

  /** What is left starts from what the plan saw, and from what its own requests have written since. */
  #whyNotLeft(fate: LeftFate): string | undefined {
    const { step, now } = fate;
    const live = this.#objectOf(fate);
    if (live === undefined) return undefined;
    const written = [...(this.#written.get(live.id) ?? []), ...cutOffIn(fate)];
    const isAsSeen = step.precondition === null || step.precondition === now.precondition;
    const others = isAsSeen ? [] : this.#changedFields(step, live).filter((name) => !written.includes(name));
    const fields = [...others, ...changedAgain(now, written)];
    if (fields.length > 0) return changed(step, live, fields);
    return isAsSeen || written.length > 0 ? undefined : this.#whyChanged(step, now);
  }

  /** What a new plan no longer does: a deletion left nothing, a release no marker of ours, all else the object of its address. */
  #whyNotDone(fate: StepFate): string | undefined {
    const { step } = fate;
    const { address, action, live_id: id } = step;
    const live = this.#objectOf(fate);
    const isOwned = live !== undefined && this.#input.matched.ownership.isOurs(live);
    if (isRemoval(step)) return live === undefined ? undefined : kept(step);
    if (action === 'release') return isOwned ? kept(step) : undefined;
    if (live === undefined) return id === null ? notCreated(step) : gone(step);
    if (this.#newlyBlocked.has(address)) return `${address} needs what the service can no longer do`;
    const isPaired = this.#pairs.get(address)?.live?.id === live.id;
    return isOwned && isPaired ? undefined : this.#whyNotPaired(step, live);
  }

  /** Its marker, or what else leads to it, has changed. */
  #whyNotPaired(step: Step, live: LiveResource): string {
    const fields = this.#changedFields(step, live);
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
    const fields = this.#changedFields(step, live);
    if (fields.length > 0) return changed(step, live, fields);
    return `${address} (${id}) has not changed, but its change now needs other requests: the plan was edited, or a secret of it or something that it refers to has changed`;
  }

  /** Names of the fields that changed since the plan was made, whoever changed them. */
  #changedFields(step: Step, live: LiveResource): readonly string[] {
    const children = isRemoval(step) ? this.#children.get(live.id) : undefined;
    const seen = fingerprintFields(kindByName(live.kind), live, { children, before: step.seen });
    return changedFields(step.seen ?? {}, seen);
  }
}

/** Fields in the requests of a step that were sent: all of them when it is done, the first ones when the rest is left. */
function fieldsWritten(fate: StepFate): string[] {
  const { requests } = fate.step;
  if (fate.is === 'changed') return [];
  const kind = kindByName(fate.step.kind);
  return requests.slice(0, fate.is === 'left' ? fate.sent : requests.length).flatMap(({ method, path, body = {} }) => {
    const removed = method === 'DELETE' ? parsePath(kind, path)?.field : undefined;
    const isRemoved = (name: string) => removed !== undefined && kind.fields[name]?.remove === removed;
    return [...Object.keys(body), ...Object.keys(kind.fields).filter(isRemoved)];
  });
}

/** Fields that the file has written, is to write again, and others have changed in between: the marker tells. */
function changedAgain(now: Step, written: readonly string[]): string[] {
  const others = now.changes.filter(({ cause }) => cause === 'drift' || cause === 'both');
  const names = new Set(others.map(fieldOf));
  return [...names].filter((name) => written.includes(name));
}

/**
 * Fields that a run was cut off in writing since the plan was made, so that what the service shows for them may be its own (record
 * 0088). Where the plan itself says so of a field, the run was another one.
 */
function cutOffIn({ step, now }: LeftFate): string[] {
  const known = new Set(step.changes.filter(isNotTaken).map(fieldOf));
  return now.changes
    .filter(isNotTaken)
    .map(fieldOf)
    .filter((name) => !known.has(name));
}

function isNotTaken({ cause }: Change): boolean {
  return cause === 'not-taken';
}

function fieldOf({ path }: Change): string {
  return path.split('.')[0] ?? '';
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

function notCreated({ address }: Step): string {
  return `${address} is not there, and a plan made now would not create it`;
}

/** What a step of a new plan would change, in words. */
export function needsOf({ reason, changes }: Pick<Step, 'reason' | 'changes'>): string {
  const paths = [...new Set(changes.map(({ path }) => path))];
  return paths.length === 0 ? reason.text : paths.join(', ');
}
