// Each mechanism with each other one: worlds tried, what was violated, and what cannot meet.

import { whyNotMeeting } from './cannot-meet.ts';
import type { Violation } from './violation.ts';
import { violationsIn } from './judge.ts';
import { worldFor } from './make.ts';
import type { Mechanism } from './mechanism.ts';
import { MECHANISMS } from './mechanisms/index.ts';
import { play } from './play.ts';
import { shrunk } from './shrink.ts';
import type { World } from './world.ts';

export interface Pair {
  readonly one: Mechanism;
  readonly other: Mechanism;
  /** Why they do not meet. */
  readonly apart: string | undefined;
}

/** The triangle: every two rows once. */
export function allPairs(): Pair[] {
  return MECHANISMS.flatMap((one, index) =>
    MECHANISMS.slice(index + 1).map((other) => ({ one, other, apart: whyNotMeeting(one.name, other.name) })),
  );
}

export interface Failure {
  readonly world: World;
  readonly violations: readonly Violation[];
}

export interface PairResult {
  readonly pair: Pair;
  tried: number;
  /** Worlds whose beginning could not be reached, or in which one of the two found nothing to act on. */
  void: number;
  readonly failures: Failure[];
}

/** Tries worlds of a pair, from a number on. */
export async function tryPair(pair: Pair, worlds: number, seed: number, isShrunk = false): Promise<PairResult> {
  const result: PairResult = { pair, tried: 0, void: 0, failures: [] };
  for (let index = 0; index < worlds && pair.apart === undefined; index += 1) {
    const world = worldFor(pair.one, pair.other, seed + index);
    const outcome = world && (await play(world));
    if (world === undefined || outcome?.isPrepared !== true) {
      result.void += 1;
      continue;
    }
    result.tried += 1;
    const violations = await violationsIn(outcome);
    if (violations.length > 0)
      result.failures.push(isShrunk ? await shrunk({ world, violations }) : { world, violations });
  }
  return result;
}
