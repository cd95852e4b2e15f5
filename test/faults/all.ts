// All families of worlds.

import type { Family } from './families.ts';
import { PEOPLE } from './people.ts';

export const FAMILIES: readonly Family[] = [PEOPLE];
