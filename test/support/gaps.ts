// What the planner does not do yet: worlds in which it matters are left out of the properties. Meant to become empty.

import type { Stored } from '../../src/emulator/store.ts';
import type { Block } from './document.ts';
import { isSet, objectsOf } from './document.ts';
import { fieldPaths } from './samples.ts';
import type { Gap } from './tally.ts';

export const KNOWN_GAPS: readonly Gap[] = [
  {
    what: 'an object of ours holds objects that are not ours and go with it',
    matters: (_, direct) => {
      const all = direct?.store.all() ?? [];
      const isOurs = (id: string) => all.some((one) => one.id === id && isMarked(String(one.spec['metadata'] ?? '')));
      return all.some((one) => one.parentId !== undefined && !isOurs(one.id) && isOurs(one.parentId));
    },
  },
  {
    what: 'an adopted object that has to be replaced',
    matters: ({ first, second, seed }, direct) =>
      seed % 2 === 1 && (direct?.store.all() ?? []).some(isUnmarked) && needsReplacement(first, second),
  },
  {
    what: 'the cause of a change that takes away a secret which the service masks',
    only: 'config',
    matters: ({ first }) =>
      objectsOf(first).some(({ kind, block }) =>
        fieldPaths(kind.fields).some(({ path, field }) => field.read === 'masked' && isSet(block, path)),
      ),
  },
  {
    what: 'a route of a deleted edge that names an address which is given up',
    only: 'order',
    matters: ({ first }) =>
      objectsOf(first).some(({ kind, block }) =>
        Object.entries(kind.fields).some(
          ([name, { unique }]) => unique === 'parent' && String(block[name]).startsWith('${'),
        ),
      ),
  },
  {
    what: 'digests in the marker of an object that shows a value once, when its fields name other objects',
    matters: ({ first, second }) =>
      [...objectsOf(first), ...objectsOf(second)].some(
        ({ kind, block }) =>
          Object.values(kind.fields).some((field) => field.read === 'once') &&
          /\$\{(?!var\.)/.test(JSON.stringify(block)),
      ),
  },
];

function isMarked(metadata: string): boolean {
  return metadata.includes('"stack":"world"');
}

function isUnmarked({ spec }: Stored): boolean {
  return spec['metadata'] === 'mine now';
}

/** True when a value that only a creation sets differs somewhere. */
function needsReplacement(first: Block, second: Block): boolean {
  const before = new Map(objectsOf(first).map((spot) => [spot.address, spot.block]));
  return objectsOf(second).some(({ address, kind, block }) =>
    Object.entries(kind.fields).some(
      ([name, field]) =>
        (field.write === 'create' || (field.type === 'object' && field.fixedChoice)) &&
        JSON.stringify(before.get(address)?.[name]) !== JSON.stringify(block[name]),
    ),
  );
}
