// Worlds that are no scenario with a fault: stories of their own, each of many worlds, of which a share is tried.

import { chanceOf } from './chance.ts';
import type { Tally } from './enumerate.ts';
import { count } from './enumerate.ts';
import type { WorldOutcome } from './setup.ts';

export interface World {
  readonly name: string;
  /** Plays it to its end. */
  readonly play: () => Promise<WorldOutcome>;
}

export interface Family {
  readonly name: string;
  /** How much larger the share of its worlds is than that of the single faults. */
  readonly weight: number;
  readonly worlds: () => readonly World[] | Promise<readonly World[]>;
}

/** Tries a share of a family's worlds, and all whose name, after that of the family, begins so. */
export async function tryFamily(
  { name, weight, worlds }: Family,
  share: number,
  first: string,
  tally: Tally,
): Promise<void> {
  const chance = chanceOf(name.length * 3_000);
  for (const world of await worlds()) {
    const isNamed = first !== '' && `${name}: ${world.name}`.startsWith(first);
    if (chance() >= share * weight && !isNamed) continue;
    const outcome = await world.play();
    count(tally, outcome, {
      scenario: name,
      condition: 'family',
      name: world.name,
      faultPlan: { faults: [], seed: 1, gapMs: 0 },
    });
    tally.families.set(name, (tally.families.get(name) ?? 0) + 1);
  }
}
