// The same manifest and the same account in another order: files, keys, lists of the service and their pages.

import { stringify } from 'yaml';
import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Chance } from './chance.ts';
import { shuffled } from './chance.ts';
import type { Block } from './document.ts';
import type { LoadFiles } from './worlds.ts';

export interface Rearranged {
  readonly files: readonly LoadFiles[];
  readonly pageSize: number;
  readonly arrange: <T>(list: readonly T[]) => readonly T[];
}

/** Another way to say the same. */
export function rearranged(doc: Block, chance: Chance): Rearranged {
  const { version, stack, ...sections } = doc;
  const parts = Object.entries(sections).flatMap(([key, section]): Block[] =>
    isObject(section) && key !== 'variables'
      ? Object.entries(section).map(([name, block]) => ({ [key]: { [name]: block } }))
      : [{ [key]: section }],
  );
  const names = ['a.yaml', 'b.json', 'c.yaml'];
  const docs = names.map((): Block => ({ version: version!, stack: stack! }));
  for (const part of shuffled(parts, chance)) {
    const target = docs[chance(docs.length)]!;
    for (const [key, value] of Object.entries(part)) {
      const known = target[key];
      target[key] = isObject(known) && isObject(value) ? { ...known, ...value } : value;
    }
  }
  const files = docs.map((one, index) => fileOf(names[index]!, mixed(one, chance)));
  const seed = chance(1_000_000);
  return {
    files: shuffled(files, chance),
    pageSize: 1 + chance(4),
    // The same order on every page: turned round, or rotated.
    arrange: (list) => {
      const at = seed % Math.max(1, list.length);
      const turned = [...list.slice(at), ...list.slice(0, at)];
      return seed % 2 === 0 ? turned.reverse() : turned;
    },
  };
}

function fileOf(name: string, doc: Json): LoadFiles {
  return { name, text: name.endsWith('.json') ? JSON.stringify(doc) : stringify(doc) };
}

/** Keys of every object in another order; lists stay. */
function mixed(value: Json, chance: Chance): Json {
  if (isList(value)) return value.map((item) => mixed(item, chance));
  if (!isObject(value)) return value;
  return Object.fromEntries(shuffled(Object.entries(value), chance).map(([key, item]) => [key, mixed(item, chance)]));
}
