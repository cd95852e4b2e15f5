// Steps that wait for each other, where none of them can step aside: refused, with who needs what of whom.

import { compareText } from '../../core/json.ts';
import type { Draft } from '../decide/draft.ts';
import type { Refusal } from '../plan.ts';
import { takenInWords } from '../policies/rule.ts';

/** One refusal for each circle that could not be broken. */
export function circleRefusals(circles: readonly (readonly Draft[])[]): Refusal[] {
  return circles.map((circle) => {
    const addresses = [...new Set(circle.map((draft) => draft.address))].sort(compareText);
    const contested = contestedIn(circle);
    const who = contested.length === 0 ? addresses.join(', ') : contested.join('; ');
    return {
      rule: 'circular-order',
      message: `these steps wait for each other, and none of them can step aside: ${who}; take the value out of one of them, apply, and add it again`,
      addresses,
      flag: null,
    };
  });
}

/** Who takes which value of whom. */
function contestedIn(circle: readonly Draft[]): string[] {
  const holders = new Map(circle.flatMap((draft) => draft.frees.map((key) => [key, draft] as const)));
  const said = circle.flatMap((draft) =>
    draft.takes.flatMap((key) => {
      const holder = holders.get(key);
      if (holder === undefined || holder === draft) return [];
      return [`${draft.address} needs ${takenInWords(draft, key)}, which ${holder.address} has`];
    }),
  );
  return said.sort(compareText);
}
