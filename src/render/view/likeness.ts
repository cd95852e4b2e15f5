// What makes entries equal: of each the same is shown but for their names, ids and places. Secrets are compared as they are shown,
// so that an entry about several objects never says that they have the same secret.

import { sha256 } from '../../core/digest.ts';
import { groupBy } from '../../core/group.ts';
import { canonicalJson, type Json, type JsonObject } from '../../core/json.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import type { Change } from '../../plan/plan.ts';
import type { Item } from './view.ts';

/** The same for equal facts. Values count whole, even where a line shows only their beginning. */
export function likenessOf(facts: Json): string {
  return sha256(knownSecrets.mask(canonicalJson(facts)));
}

export function factsOfChange({ path, before, after, effect, cause, sensitive, items, note }: Change): JsonObject {
  const places = items === undefined ? null : { removed: items.removed, added: items.added };
  return { path, before, after, effect, cause, sensitive, items: places, note: note ?? null };
}

/** What has the same likeness, each where the first of it is. What has none is alone. */
export function alike<T extends { readonly likeness?: string }>(list: readonly T[]): (readonly [T, ...T[]])[] {
  const groups = groupBy(list.entries(), ([at, { likeness = at }]) => likeness);
  return [...groups.values()].map(([[, first], ...others]) => [first, ...others.map(([, one]) => one)]);
}

/** Items of which the same is shown, in order. */
export interface ItemGroup {
  readonly first: Item;
  readonly members: readonly Item[];
}

/** Each group stands where its first item does. */
export function groupItems(items: readonly Item[]): ItemGroup[] {
  return alike(items).map((members) => ({ first: members[0], members }));
}
