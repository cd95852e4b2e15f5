// Everything that a world may violate.

import { brokenPromises } from './promises.ts';
import { INVARIANTS } from './invariants.ts';
import type { Violation } from './violation.ts';
import type { Outcome } from './play.ts';
import { differsFromTwin } from './twin.ts';
import { namesEveryChange, sendsThePlan } from './shown.ts';

export async function violationsIn(outcome: Outcome): Promise<Violation[]> {
  const all = [...INVARIANTS, namesEveryChange, sendsThePlan, brokenPromises];
  return [...all.flatMap((check) => check(outcome)), ...(await differsFromTwin(outcome))];
}
