// All families of worlds.

import type { Family } from './world-families.ts';
import { WAVES } from './waves.ts';
import { FULL_DISKS } from './full-disks.ts';
import { LATE_USERS } from './late-users.ts';
import { PEOPLE } from './metadata-edits.ts';
import { REFUSED_PLANS } from './refused.ts';
import { SAVED_PLANS } from './saved-plans.ts';
import { TAKEOVERS } from './takeovers.ts';
import { WRITERS } from './two-machines.ts';

export const FAMILIES: readonly Family[] = [
  PEOPLE,
  FULL_DISKS,
  TAKEOVERS,
  LATE_USERS,
  SAVED_PLANS,
  REFUSED_PLANS,
  WAVES,
  ...WRITERS,
];
