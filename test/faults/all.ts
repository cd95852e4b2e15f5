// All families of worlds.

import type { Family } from './families.ts';
import { PEOPLE } from './people.ts';
import { WRITERS } from './writers.ts';

export const FAMILIES: readonly Family[] = [PEOPLE, ...WRITERS];
