// What stacks of a fleet give to each other in one run: a unique value that the plan of one gives up and that of another claims, and
// an object that one releases (`removed` with `destroy: false`) and another names by id, with `adopt` or `id`. The plan of the taker is
// made as if the giver had ended, and waits for it. Pure.

import { METADATA } from '../catalog/fields/common.ts';
import { groupEntries } from '../core/group.ts';
import { stackNamed } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Link } from './order.ts';
import { stepsToDo, type AnalysedStack } from './plan-stack.ts';
import { serviceKey } from './service.ts';

/** Something that the entry `from` gives up and the entry `to` needs. */
export interface Given extends Link {
  readonly what: 'value' | 'object';
  /** A unique value as a text that is equal for equal ones, or the id of an object. */
  readonly key: string;
  /** The stack of the giver. */
  readonly stack: string;
}

type Thing = Pick<Given, 'what' | 'key'>;

/** Everything that one of the stacks gives up and another one at the same service needs. */
export function givenBetween(stacks: readonly AnalysedStack[]): Given[] {
  const givers = groupEntries(stacks.flatMap((giver) => givesOf(giver).map((thing) => [nameOf(thing, giver), giver])));
  if (givers.size === 0) return [];
  return stacks.flatMap((taker) =>
    needsOf(taker).flatMap((thing) => {
      const others = (givers.get(nameOf(thing, taker)) ?? []).filter((giver) => giver !== taker);
      return others.map((giver) => ({ ...thing, from: giver.name, to: taker.name, stack: giver.run.manifest.stack }));
    }),
  );
}

function nameOf({ what, key }: Thing, { run }: AnalysedStack): string {
  return `${serviceKey(run.connection)} ${what} ${key}`;
}

function givesOf(stack: AnalysedStack): Thing[] {
  const values = stack.drafts.flatMap(({ releases }) => releases);
  const released = stepsToDo(stack).flatMap(({ action, live_id: id }) =>
    action === 'release' && id !== null ? [id] : [],
  );
  return [...values.map(valueOf), ...released.map(objectOf)];
}

function needsOf({ drafts, run: { manifest } }: AnalysedStack): Thing[] {
  const named = manifest.resources.flatMap(({ lifecycle }) => lifecycle.pin?.id ?? []);
  return [...drafts.flatMap(({ claims }) => claims).map(valueOf), ...named.map(objectOf)];
}

function valueOf(key: string): Thing {
  return { what: 'value', key };
}

function objectOf(key: string): Thing {
  return { what: 'object', key };
}

/**
 * The live state once these objects are released, with what the giver has inside of them: they have the user's part of their metadata, and no
 * stack owns them.
 */
export function afterRelease(snapshot: Snapshot, given: readonly Given[]): Snapshot {
  const givers = new Map(given.flatMap(({ what, key, stack }) => (what === 'object' ? [[key, stack]] : [])));
  if (givers.size === 0) return snapshot;
  const isReleased = (live: LiveResource) => {
    const above = givers.get(live.parentId ?? '');
    return givers.has(live.id) || (above !== undefined && above === stackNamed(live));
  };
  return { ...snapshot, resources: snapshot.resources.map((live) => (isReleased(live) ? released(live) : live)) };
}

function released(live: LiveResource): LiveResource {
  const { userMetadata } = live;
  const { [METADATA]: _, ...spec } = live.spec;
  const left = userMetadata === '' ? spec : { ...spec, [METADATA]: userMetadata };
  return { ...live, marker: undefined, markerProblem: undefined, metadata: userMetadata, spec: left };
}
