// All families of worlds.

import type { Family } from './families.ts';
import { FULL_DISKS } from './full-disks.ts';
import { PEOPLE } from './people.ts';
import { WRITERS } from './writers.ts';

export const FAMILIES: readonly Family[] = [PEOPLE, FULL_DISKS, ...WRITERS];
