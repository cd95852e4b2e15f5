// Finds the name under which the job that looked for drift stored what was accepted. Knows no secret.

import { acceptedName } from '../names.mjs';
import { requireStack } from './setup.mjs';

export function findAccepted(forge) {
  requireStack(forge);
  forge.requireSafeEvent();
  forge.put({ artifact: acceptedName(forge.about, forge.attempt) });
}
