// What becomes of each live object, as a plan says it in JSON: each has exactly one disposition. It reads the document and the objects
// with their markers, and nothing of the program's own lists.

import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import type { Drift } from '../../src/drift/drift.ts';
import type { Plan, Step } from '../../src/plan/plan.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';

/** `kept` has its address and stays; `left` is not the stack's; `doubt` may be. */
type Disposition = 'kept' | 'taken' | 'adopted' | 'released' | 'replaced' | 'deleted' | 'expelled' | 'left' | 'doubt';

const OF_ACTION = {
  create: 'kept',
  update: 'kept',
  replace: 'replaced',
  delete: 'deleted',
  adopt: 'adopted',
  release: 'released',
} as const satisfies Readonly<Record<Step['action'], Disposition>>;

function dispositionOf({ action, foreign_child, from_stack }: Step): Disposition {
  if (foreign_child === true) return 'expelled';
  return from_stack === undefined ? OF_ACTION[action] : 'taken';
}

/** All that the plan says of objects, by their ids. */
export function claimsIn({
  steps,
  unmanaged,
  foreign_children: added = [],
  diagnostics,
}: Plan): Map<string, Set<Disposition>> {
  const claims = new Map<string, Set<Disposition>>();
  const claim = (id: string | null | undefined, disposition: Disposition) => {
    if (id != null) claims.set(id, (claims.get(id) ?? new Set()).add(disposition));
  };
  for (const step of steps) {
    claim(step.live_id, dispositionOf(step));
    for (const { live_id: id } of step.deletes ?? []) if (id !== step.live_id) claim(id, 'deleted');
  }
  for (const { id } of unmanaged) claim(id, 'left');
  for (const { live_id: id } of added) claim(id, 'left');
  for (const { code, live_id: id } of diagnostics) if (code === 'broken-marker') claim(id, 'doubt');
  return claims;
}

/** What is wrong with what the plans of a document say of all objects that there are; of several, each lists only objects of its stack. */
export function misjudged(plans: readonly Plan[], objects: readonly Stored[]): string[] {
  const taken = (by: Plan) =>
    by.steps.flatMap(({ from_stack, live_id }) => (from_stack === undefined ? [] : (live_id ?? [])));
  return plans.flatMap((plan) => {
    const others = plans.filter((one) => one !== plan);
    const gone = new Set(others.flatMap(taken));
    const left = objects.filter(({ id }) => !gone.has(id));
    return misjudgedBy(plan, left, others.length > 0);
  });
}

function misjudgedBy(plan: Plan, objects: readonly Stored[], isPart: boolean): string[] {
  const claims = claimsIn(plan);
  const kept: string[] = [];
  const wrong = objects.flatMap((stored) => {
    const found = claims.get(stored.id) ?? new Set();
    if (found.size > 1) return [`${stored.id} is ${[...found].join(' and ')}`];
    if (found.size === 1) return [];
    const metadata = String(stored.spec[METADATA] ?? '');
    const { marker } = readMarker(metadata);
    if (marker?.stack === plan.stack) kept.push(marker.address);
    else if (marker === undefined || !isPart) return [`nothing is said of ${stored.id} (${metadata})`];
    return [];
  });
  const live = new Set(objects.map(({ id }) => id));
  const unknown = [...claims.keys()].filter((id) => !live.has(id)).map((id) => `${id} is not there`);
  return [...wrong, ...unknown, ...miscounted(plan, kept)];
}

/** Objects of which nothing is said are those that are counted as unchanged, and those of what is blocked. */
function miscounted({ complete, summary, diagnostics, steps, blocked }: Plan, kept: readonly string[]): string[] {
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  if (!complete || hasErrors) return [];
  const stepped = new Set(steps.map(({ address }) => address));
  const waiting = new Set(blocked.map(({ address }) => address).filter((address) => !stepped.has(address)));
  if (kept.length === summary.unchanged + waiting.size) return [];
  return [
    `of ${kept.length} nothing is said (${kept.join()}), and ${summary.unchanged} are unchanged, ${waiting.size} blocked`,
  ];
}

/** What a drift says otherwise than the plan behind it. */
export function misjudgedByDrift({ findings }: Drift, plan: Plan): string[] {
  const claims = claimsIn(plan);
  return findings.flatMap(({ type, live_id: id }) => {
    if (id === null || type === 'missing') return [];
    const [found = 'kept'] = claims.get(id) ?? [];
    return BY_FINDING[type].includes(found)
      ? []
      : [`drift says that ${id} is ${type}, and the plan that it is ${found}`];
  });
}

const OURS: readonly Disposition[] = ['kept', 'taken', 'adopted', 'released', 'replaced', 'deleted', 'doubt'];

const BY_FINDING: Readonly<Record<Exclude<Drift['findings'][number]['type'], 'missing'>, readonly Disposition[]>> = {
  changed: OURS,
  duplicate: OURS,
  'foreign-child': ['left', 'expelled'],
  unmanaged: ['left'],
};
