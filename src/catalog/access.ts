// Which changes may let in what was kept out before: what the catalogue marks as a guard or as reach. Knows nothing of how much is
// opened; that is asked of the value of each field.

import { canonicalJson, isList, type Json } from '../core/json.ts';
import type { ListDifference } from '../core/list-difference.ts';
import type { Fields } from './field.ts';

/** A change as a plan shows it; null is an absent value. */
interface ShownChange {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  /** Which items of a list differ, where masks cannot tell. */
  readonly items?: ListDifference;
}

/**
 * True for a change after which something may get in that did not: any change of a guard that was there, and what a field of reach
 * gives up. Stricter and looser are not told apart.
 */
export function mayOpen(fields: Fields, change: ShownChange): boolean {
  const [name = '', ...inside] = change.path.split('.');
  const access = Object.hasOwn(fields, name) ? fields[name]?.access : undefined;
  const isAdded = inside.length === 0 && change.before === null;
  if (access === undefined || isAdded) return false;
  return access === 'guard' || givesUp(change);
}

function givesUp({ before, after, items }: ShownChange): boolean {
  if (items !== undefined) return items.removed.length > 0;
  if (!isList(before) || !isList(after)) return true;
  const kept = new Set(after.map(canonicalJson));
  return before.some((item) => !kept.has(canonicalJson(item)));
}
