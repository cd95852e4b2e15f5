// First step of each action: refuses what cannot work, and says what the run may do. Knows no secret.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { keyOf } from '../names.mjs';
import { journalsAt } from '../plans.mjs';

export function setup(forge) {
  requireStack(forge);
  forge.requireSafeEvent();
  if (!/^(?:\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)?$/.test(forge.given('version')))
    throw new Error('version: a version such as 1.2.3, or nothing for the edgeform on the PATH');
  const mode = forge.given('validate_only') === 'true' || forge.change()?.isForeign === true ? 'validate' : 'full';
  forge.put({ mode });
  // What an action before this one left there may be of the same stack at another service.
  if (mode === 'full') for (const path of journalsAt(forge.given('journal'))) rmSync(path, { force: true });
  forge.put({
    // No stack has a slash in its name, so the key of one is never the beginning of another's.
    journal: `edgeform-journal/${keyOf(forge.about)}/`,
    // A cache is never written again, and a run may have several actions for one stack.
    once: randomBytes(4).toString('hex'),
  });
}

/** Refuses a name that no stack has. */
export function requireStack({ inputs }) {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(inputs.stack))
    throw new Error('stack: at most 63 lower-case letters, digits and hyphens');
}
