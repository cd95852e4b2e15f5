// What the planner does not do yet: worlds in which it matters are left out of the properties. Meant to stay empty.

import type { Gap } from './tally.ts';

export const KNOWN_GAPS: readonly Gap[] = [];
