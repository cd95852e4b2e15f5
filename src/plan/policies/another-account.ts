// A journal whose objects are all gone: either they were deleted outside, or the key is that of another account, in which the plan
// would create everything a second time (ADR-0052).

import { plural } from '../../core/text/text.ts';
import type { PolicyViolation } from '../plan.ts';
import type { PolicyInput } from './policy.ts';

/** One object that is gone was most likely deleted; several at once are hardly ever. */
const FEWEST = 2;

/** Objects that the stack itself deleted or released are not expected, and neither are those of the run under way. */
export function anotherAccount({ manifest, snapshot, options }: PolicyInput): PolicyViolation[] {
  if (options.recreate === true) return [];
  const known = [...(options.journal?.objects ?? [])].filter(([, one]) => one.isGone !== true && one.isFresh !== true);
  if (known.length < FEWEST) return [];
  const present = new Set(snapshot.resources.map(({ id }) => id));
  if (known.some(([id]) => present.has(id) || snapshot.whole?.byId.has(id) === true)) return [];
  const way = options.destroy
    ? 'there is nothing to destroy here'
    : 'with the key of another account, everything would be created a second time';
  const message = `the journal knows ${plural(known.length, 'object')} of stack ${manifest.stack}, and the service has none of them; ${way}; use the key and the address that they were created with, or, if they were deleted outside, say so`;
  const addresses = [...new Set(known.map(([, { address }]) => address))].sort();
  // It lifts the rule for one stack only.
  const flag = options.entry === undefined ? '--recreate' : `--recreate --only ${options.entry}`;
  return [{ rule: 'another-account', message, addresses, flag }];
}
