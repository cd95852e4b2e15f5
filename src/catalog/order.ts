// The order of keys in a formatted manifest. Kinds, and the blocks of a kind, keep the order of the user.

import { IMPORTS } from './address.ts';
import { ADD, PRESET, PRESETS, WITHOUT } from './reuse-keys.ts';

/** Keys that stand first at the top. */
export const FIRST_KEYS: readonly string[] = ['version', 'stack', WITHOUT, 'variables', PRESETS, IMPORTS];
/** Keys that stand first in a block. */
export const FIRST_IN_BLOCK: readonly string[] = [PRESET, WITHOUT];
/** Keys that stand last, at the top and in a block. */
const LAST_KEYS: readonly string[] = ['lifecycle', 'outputs', 'moved', 'removed'];
/** Keys that stand last of all at the top. */
export const LAST_AT_TOP: readonly string[] = [ADD];

/** The place of each key: these first, in their order, then others, and last what always comes last. */
export function placeOfKey(first: readonly string[], last: readonly string[] = []): (key: string) => number {
  const places = new Map([...first, '', ...LAST_KEYS, ...last].map((key, place) => [key, place]));
  return (key) => places.get(key) ?? first.length;
}
