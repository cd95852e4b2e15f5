// What a service holds of stacks that no entry of the fleet file names, from the reads that a drift check made anyway. Information,
// and no drift: another fleet may own it. Pure.

import { groupBy } from '../core/group.ts';
import { compareText } from '../core/json.ts';
import { objectsByStack } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';

/** A stack that owns objects of a service, and that no entry of the fleet names there. */
export interface UnnamedStack {
  /** Base URL. */
  readonly service: string;
  readonly stack: string;
  /** Numbers of its objects by kind. */
  readonly objects: Readonly<Record<string, number>>;
}

/** An object whose owner is hidden by a marker that cannot be read. */
export interface HiddenObject {
  readonly service: string;
  readonly kind: string;
  readonly live_id: string;
  /** Stacks that its metadata still names; none of them is in the fleet. */
  readonly stacks: readonly string[];
}

export interface OutsideFleet {
  readonly unnamed: readonly UnnamedStack[];
  readonly hidden: readonly HiddenObject[];
}

/** One service: its whole live state, and the stacks that the fleet has there, selected or not. */
export interface ReadService {
  readonly service: string;
  readonly snapshot: Pick<Snapshot, 'resources'>;
  readonly stacks: ReadonlySet<string>;
}

/** Sorted by service and stack, or id. */
export function outsideFleet(services: readonly ReadService[]): OutsideFleet {
  return {
    unnamed: services
      .flatMap(unnamedIn)
      .sort((a, b) => compareText(a.service, b.service) || compareText(a.stack, b.stack)),
    hidden: services
      .flatMap(hiddenIn)
      .sort((a, b) => compareText(a.service, b.service) || compareText(a.live_id, b.live_id)),
  };
}

function unnamedIn({ service, snapshot, stacks }: ReadService): UnnamedStack[] {
  return [...objectsByStack(snapshot.resources)].flatMap(([stack, objects]) =>
    stacks.has(stack) ? [] : [{ service, stack, objects: countsOf(objects) }],
  );
}

export function countsOf(objects: readonly LiveResource[]): Record<string, number> {
  const kinds = [...groupBy(objects, ({ kind }) => kind)].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(kinds.map(([kind, { length }]) => [kind, length]));
}

function hiddenIn({ service, snapshot, stacks: named }: ReadService): HiddenObject[] {
  return snapshot.resources.flatMap(({ kind, id, markerProblem }): HiddenObject[] => {
    if (markerProblem === undefined || markerProblem.stacks.some((stack) => named.has(stack))) return [];
    return [{ service, kind, live_id: id, stacks: [...markerProblem.stacks].sort() }];
  });
}
