// Journals whose objects are all gone: either they were deleted outside, or the key is that of another account, in which the plan
// would create everything a second time (ADR-0052). What the journals of all stacks at one service and key know counts together.

import { plural } from '../../core/text/text.ts';
import { accountEvidence, type LostTogether } from '../account.ts';
import type { PolicyViolation } from '../plan.ts';
import { flagFor, type PolicyInput } from './policy.ts';

/** One object that is gone was most likely deleted; several at once are hardly ever. */
const FEWEST = 2;

const NONE: LostTogether = { objects: 0, stacks: 0 };

export function anotherAccount(input: PolicyInput): PolicyViolation[] {
  const { manifest, snapshot, options } = input;
  if (options.recreate === true) return [];
  const { known, isHere } = accountEvidence(manifest.stack, options.journal, snapshot);
  const isLostAlone = !isHere && known.size >= FEWEST;
  const isLostTogether = (options.lostTogether?.objects ?? 0) >= FEWEST;
  if (!isLostAlone && !isLostTogether) return [];
  const addresses = known.size > 0 ? [...new Set(known.values())].sort() : createdByNewcomer(input);
  if (addresses.length === 0) return [];
  const what = isLostAlone
    ? `the journal knows ${plural(known.size, 'object')} of stack ${manifest.stack}`
    : knownTogether(options);
  const way = options.destroy
    ? 'there is nothing to destroy here'
    : 'in which everything would be created a second time';
  const message = `${what}, and the service has none of them: they were deleted outside, or this is the key or the address of another account${options.destroy ? ';' : ','} ${way}`;
  return [{ rule: 'another-account', message, fix: fixIn(options.entry), addresses, flag: consentIn(options) }];
}

/** What a stack would create that has nothing there and knows of nothing: the key is doubted for it as for the others. */
function createdByNewcomer({ ownership, snapshot, drafts }: PolicyInput): string[] {
  if (snapshot.resources.some(ownership.isOurs)) return [];
  return drafts.flatMap(({ action, address }) => (action === 'create' ? [address] : [])).sort();
}

function knownTogether({ lostTogether, entry }: PolicyInput['options']): string {
  const { objects, stacks } = lostTogether ?? NONE;
  const whose = stacks === 1 ? 'one stack' : plural(stacks, 'stack');
  const where = entry === undefined ? 'in this folder' : 'of the fleet';
  return `the journals ${where} know ${plural(objects, 'object')} of ${whose} at this service`;
}

function fixIn(entry: string | undefined): string {
  const apart =
    entry === undefined ? 'give each a journal of its own with --journal FILE' : 'run the fleet in a folder for each';
  return `use the key and the address that they were created with; for two accounts at one address, ${apart}`;
}

/** The consent has a name for each use, and is for one stack only. */
function consentIn(options: PolicyInput['options']): string {
  return flagFor(options.destroy ? '--deleted-outside' : '--recreate', options);
}
