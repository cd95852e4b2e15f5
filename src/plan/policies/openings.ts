// The built-in policy `openings`: what lets more in needs consent (record 0101). Off unless a run asks for it.

import { isUnder } from '../../resource/marker/moves.ts';
import type { PolicyViolation } from '../plan.ts';
import { openingFlag } from './consent.ts';
import type { PolicyInput } from './policy.ts';

/** What opens, by the address of what is opened; consent to an edge is consent to its routes. */
export function openings({ drafts, options }: PolicyInput): PolicyViolation[] {
  if (options.refusesOpenings !== true) return [];
  const allowed = new Set(options.allowOpening);
  return drafts.flatMap(({ address, exposures = [] }): PolicyViolation[] => {
    const paths = exposures.flatMap(({ effect, path }) => (effect === 'opens' ? [path] : []));
    if (paths.length === 0 || isUnder(address, allowed)) return [];
    const message = `${address} would let more in: ${[...new Set(paths)].join(', ')}`;
    return [{ rule: 'opening', message, addresses: [address], flag: openingFlag(address, options) }];
  });
}
