// Which object took the place of which. A marker's word for it is not enough: its text may have been copied or edited, and
// who believed it would delete the object that it names (ADR-0017).

import { compareInstants } from '../../core/instant.ts';
import { compareText } from '../../core/json.ts';
import { CREATED_AT } from '../../catalog/fields/common.ts';
import type { Origins } from './moves.ts';
import type { LiveResource } from '../snapshot.ts';

/**
 * By id, those among the objects whose place another of them took: a later one of the same kind and address that says so. The new
 * one may have been renamed already, so addresses from which moves lead count, too.
 */
export function replacedAmong(
  objects: readonly LiveResource[],
  origins: Origins = () => [],
): ReadonlyMap<string, LiveResource> {
  const byId = new Map(objects.map((live) => [live.id, live]));
  const heirs = new Map<string, LiveResource>();
  for (const live of objects) {
    const old = byId.get(live.marker?.replaces ?? '');
    if (old !== undefined && isSuccessor(live, old, origins)) heirs.set(old.id, live);
  }
  const cyclic = findCircularReplacements(heirs);
  return new Map([...heirs].filter(([id]) => !cyclic.has(id)));
}

/** Those in a cycle, or before one, of which every object would be replaced: none of their markers is believed. */
function findCircularReplacements(heirs: ReadonlyMap<string, LiveResource>): ReadonlySet<string> {
  const ending = new Set<string>();
  const cyclic = new Set<string>();
  for (const start of heirs.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    for (; id !== undefined && !path.has(id) && !ending.has(id) && !cyclic.has(id); id = heirs.get(id)?.id)
      path.add(id);
    const isCycle = id !== undefined && !ending.has(id);
    for (const one of path) (isCycle ? cyclic : ending).add(one);
  }
  return cyclic;
}

/** True when the object may have been created to replace the other, which may have had no marker. The service gives whole seconds. */
export function isSuccessor(live: LiveResource, old: LiveResource, origins: Origins): boolean {
  if (live.id === old.id || live.marker?.replaces !== old.id || live.kind !== old.kind) return false;
  const { address } = live.marker;
  const was = old.marker?.address ?? address;
  if (was !== address && !origins(address).includes(was)) return false;
  return compareInstants(String(live.computed[CREATED_AT]), String(old.computed[CREATED_AT])) >= 0;
}

/** Older first, and equal ones by id: the service gives whole seconds. Every run comes to the same order. */
export function byAge(a: LiveResource, b: LiveResource): number {
  const [first, second] = [a, b].map(({ computed }) => String(computed[CREATED_AT])) as [string, string];
  return compareInstants(first, second) || compareText(a.id, b.id);
}
