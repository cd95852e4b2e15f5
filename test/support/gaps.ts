// What the planner does not do yet: worlds in which it matters are left out of the properties. Meant to become empty.

import { objectsOf } from './document.ts';
import type { Block } from './document.ts';
import type { Gap } from './tally.ts';

function moves(doc: Block): readonly { readonly from: string; readonly to: string }[] {
  return (doc['moved'] as { from: string; to: string }[] | undefined) ?? [];
}

export const KNOWN_GAPS: readonly Gap[] = [
  {
    what: 'an address that something moved away from is used again',
    matters: ({ second }) => {
      const addresses = objectsOf(second).map((spot) => spot.address);
      return moves(second).some(({ from }) => addresses.includes(from));
    },
  },
  {
    what: 'a unique value that is kept by ignore_changes while another object asks for it',
    matters: ({ second }) =>
      objectsOf(second).some(({ block, kind }) => {
        const ignored = (block['lifecycle'] as { ignore_changes?: string[] } | undefined)?.ignore_changes ?? [];
        return ignored.some((name) => kind.fields[name]?.unique !== undefined);
      }),
  },
];
