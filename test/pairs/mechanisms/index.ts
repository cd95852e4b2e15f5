// All mechanisms that a user can set. A new one brings its row.

import type { Mechanism } from '../mechanism.ts';
import { COMMANDS } from './commands.ts';
import { CONSENT } from './consent.ts';
import { CONTENT } from './content.ts';
import { FORMS } from './forms.ts';
import { IDENTITY } from './identity.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { SURROUNDINGS } from './surroundings.ts';

export const MECHANISMS: readonly Mechanism[] = [
  ...CONTENT,
  ...FORMS,
  ...IDENTITY,
  ...LIFECYCLE,
  ...CONSENT,
  ...COMMANDS,
  ...SURROUNDINGS,
];
