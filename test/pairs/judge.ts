// Everything that a world may violate.

import { brokenPromises } from './promises.ts';
import { INVARIANTS, type Violation } from './invariants.ts';
import type { Outcome } from './play.ts';
import { namesEveryChange, sendsThePlan } from './shown.ts';

export function violationsIn(outcome: Outcome): Violation[] {
  const all = [...INVARIANTS, namesEveryChange, sendsThePlan, brokenPromises];
  return all.flatMap((check) => check(outcome));
}
