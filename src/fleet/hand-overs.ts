// Objects that one stack of a fleet releases (`removed` with `destroy: false`) and another names by id in the same run, with `adopt`
// or `id`: the plan of the second is made as if the first had ended, and waits for it.

import { METADATA } from '../catalog/fields/common.ts';
import { groupBy } from '../core/group.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Link } from './order.ts';
import { stepsToDo, type AnalysedStack } from './plan-stack.ts';
import { serviceKey } from './service.ts';

/** A stack that releases objects, one that names some of them, and the ids of all that are released. */
export interface HandOver extends Link {
  readonly ids: ReadonlySet<string>;
}

/** Every release of an object that another stack at the same service names. */
export function handOversBetween(planned: readonly AnalysedStack[]): HandOver[] {
  const releasing = planned.map((one) => ({ one, ids: releasedBy(one) })).filter(({ ids }) => ids.size > 0);
  if (releasing.length === 0) return [];
  const byService = groupBy(releasing, ({ one }) => serviceKey(one.run.connection));
  return planned.flatMap((taker) => {
    const named = taker.run.manifest.resources.flatMap(({ lifecycle }) => lifecycle.pin?.id ?? []);
    if (named.length === 0) return [];
    return (byService.get(serviceKey(taker.run.connection)) ?? []).flatMap(({ one, ids }): HandOver[] =>
      one !== taker && named.some((id) => ids.has(id)) ? [{ from: one.name, to: taker.name, ids }] : [],
    );
  });
}

function releasedBy(one: AnalysedStack): ReadonlySet<string> {
  return new Set(
    stepsToDo(one).flatMap(({ action, live_id: id }) => (action === 'release' && id !== null ? [id] : [])),
  );
}

/** The live state once these objects are released: they have the user's part of their metadata, and nobody owns them. */
export function afterRelease(snapshot: Snapshot, handed: readonly HandOver[]): Snapshot {
  const isReleased = (id: string) => handed.some(({ ids }) => ids.has(id));
  const resources = snapshot.resources.map((live) => (isReleased(live.id) ? released(live) : live));
  return { ...snapshot, resources };
}

function released(live: LiveResource): LiveResource {
  const { userMetadata } = live;
  const { [METADATA]: _, ...spec } = live.spec;
  const left = userMetadata === '' ? spec : { ...spec, [METADATA]: userMetadata };
  return { ...live, marker: undefined, markerProblem: undefined, metadata: userMetadata, spec: left };
}
