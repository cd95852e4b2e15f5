// What apply would do about a finding, according to the plan behind it.

import { groupBy } from '../../core/group.ts';
import type { Finding } from '../../drift/finding.ts';
import type { Action, Blocked, Plan, Step } from '../../plan/plan.ts';
import { isLeaving } from './group.ts';
import { lossSentence } from './loss.ts';

const WORDS: Readonly<Record<Action, string>> = {
  create: 'creates it again',
  update: 'puts it back',
  replace: 'replaces it with a new object',
  delete: 'deletes it',
  adopt: 'adopts it, and updates it to match the manifest',
  release: 'releases it without changing it',
};

export interface Repair {
  /** What apply does, in words that follow its name. */
  readonly repair: string;
  /** False when apply leaves the difference as it is. */
  readonly isDone: boolean;
  /** Whether the service cannot do it, or it needs a person for another reason. */
  readonly weight: 'blocked' | 'error' | 'warning';
}

/** Returns the repair of each finding. */
export function repairsIn(plan: Plan): (finding: Finding) => Repair {
  const byAddress = groupBy(plan.steps, ({ address }) => address);
  const byId = groupBy(plan.steps, (step) => step.live_id ?? undefined);
  const blocked = groupBy(plan.blocked, ({ address }) => address);
  const movedAway = new Set(plan.refusals.flatMap(({ rule, addresses }) => (rule === 'moved-away' ? addresses : [])));
  return (finding) => {
    const { address, live_id: id } = finding;
    if (movedAway.has(address ?? '')) return left('is refused: the object is elsewhere, and is not created again');
    const steps = address === null ? byId.get(id ?? '') : byAddress.get(address);
    return repairOf(finding, steps ?? [], blocked.get(address ?? '') ?? []);
  };
}

function repairOf(finding: Finding, steps: readonly Step[], blocked: readonly Blocked[]): Repair {
  const { type, live_id: id, consequences = [] } = finding;
  if (type === 'unmanaged') return left('leaves it alone');
  if (type === 'duplicate') return withoutDoubles(steps);
  const barrier = barrierOf(finding, blocked);
  if (barrier !== undefined) return barredBy(barrier);
  // Duplicates are deleted by steps with the same address.
  const own = steps.filter((step) => !isLeaving(step.action) || id === null || step.live_id === id);
  const step = own.find(({ phase }) => phase !== 'detach' && phase !== 'delete');
  if (step !== undefined) {
    const { action } = step;
    // Lost data does not come back.
    const weight = [step, ...consequences].some(({ action }) => action === 'delete' || action === 'replace')
      ? 'error'
      : 'warning';
    return { repair: `${WORDS[action]}${lossOf(own)}`, isDone: action !== 'release', weight };
  }
  const [first] = blocked;
  if (first !== undefined) return barredBy(first);
  return left(`leaves it as it is; ${finding.fix ?? 'you have to decide'}`);
}

/** A blocked change that prevents a complete repair, whatever else happens to the object. */
function barrierOf({ changes }: Finding, blocked: readonly Blocked[]): Blocked | undefined {
  const barriers = changes.map(({ path }) =>
    blocked.find((one) => one.path === '' || fieldOf(one) === fieldOf({ path })),
  );
  return barriers.includes(undefined) ? undefined : barriers[0];
}

/** The top-level field: a field is sent whole or not at all. */
function fieldOf({ path }: { readonly path: string }): string | undefined {
  return path.split('.')[0];
}

const left = (repair: string): Repair => ({ repair, isDone: false, weight: 'error' });

function barredBy({ message, fix }: Blocked): Repair {
  const way = fix === undefined ? '' : `; ${fix}`;
  return { ...left(`cannot put it back: ${message}${way}`), weight: 'blocked' };
}

function lossOf(steps: readonly Step[]): string {
  const loss = steps.find((step) => step.loss !== undefined)?.loss;
  return loss === undefined ? '' : `; ${lossSentence(loss)}`;
}

function withoutDoubles(steps: readonly Step[]): Repair {
  const duplicates = steps.flatMap(({ action, live_id: id }) => (action === 'delete' && id !== null ? [id] : []));
  if (duplicates.length === 0) return left('does not guess which one is right; you have to decide');
  return { repair: `deletes ${duplicates.join(', ')}, and keeps the other`, isDone: true, weight: 'error' };
}
