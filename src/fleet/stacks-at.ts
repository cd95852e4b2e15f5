// The stacks that own objects of a service, from a read of it: how many objects, and from which commits. Pure.

import { groupBy } from '../core/group.ts';
import { compareText } from '../core/json.ts';
import { objectsByStack } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { countsOf } from './outside.ts';

/** A stack that owns objects. */
export interface OwningStack {
  readonly stack: string;
  /** Numbers of its objects by kind. */
  readonly objects: Readonly<Record<string, number>>;
  /** The commits that its markers name, and how many do; most first. */
  readonly commits: readonly { readonly commit: string; readonly objects: number }[];
}

/** Sorted by name, without those that are named. */
export function stacksAt({ resources }: Pick<Snapshot, 'resources'>, named: ReadonlySet<string>): OwningStack[] {
  return [...objectsByStack(resources)]
    .filter(([stack]) => !named.has(stack))
    .sort(([a], [b]) => compareText(a, b))
    .map(([stack, objects]) => ({ stack, objects: countsOf(objects), commits: commitsOf(objects) }));
}

function commitsOf(objects: readonly LiveResource[]): OwningStack['commits'] {
  const known = objects.flatMap(({ marker }) => marker?.commit ?? []);
  return [...groupBy(known, (commit) => commit)]
    .map(([commit, { length }]) => ({ commit, objects: length }))
    .sort((a, b) => b.objects - a.objects || compareText(a.commit, b.commit));
}
