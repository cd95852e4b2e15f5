// Makes the world of a pair from a number.

import { chanceOf } from '../support/chance.ts';
import { tryLoad } from '../support/worlds.ts';
import { baseDraft, withValues } from './base.ts';
import type { Mechanism } from './mechanism.ts';
import { worldOf } from './script.ts';
import type { World } from './world.ts';

const STAGES = ['document', 'form', 'command'] as const;
const MOST_TRIES = 40;

/** The same number gives the same world; undefined where the two find nothing that both can act upon. */
export function worldFor(one: Mechanism, other: Mechanism, seed: number): World | undefined {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const chance = chanceOf(numberOf(`${one.name} ${other.name} ${seed} ${tries}`));
    const wishes = [one, other].flatMap(({ wish }) => wish ?? []);
    const draft = baseDraft(chance, wishes);
    const both = chance(2) === 0 ? [one, other] : [other, one];
    const inOrder = STAGES.flatMap((stage) => both.filter((row) => row.stage === stage));
    if (!inOrder.every((row) => row.add(draft))) continue;
    const { before } = draft.main;
    if (tryLoad(withValues(before)) === undefined) continue;
    return worldOf(draft, [one.name, other.name], seed);
  }
  return undefined;
}

/** Pairs of one seed have worlds of their own. */
function numberOf(text: string): number {
  let made = 2_166_136_261;
  for (const char of text) made = Math.imul(made ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return made;
}
