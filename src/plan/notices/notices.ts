// What a person should know about a plan's creations: objects that exist already, under another address or in another stack. None
// of it changes the plan.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Match } from '../match/match.ts';
import type { MissingByAddress } from '../match/missing-objects.ts';
import type { PlanOptions } from '../plan-options.ts';
import { forgottenMoves, forgottenTransfers } from './forgotten-moves.ts';
import { renamedStack } from './renamed-stack.ts';
import { sameElsewhere } from './same-elsewhere.ts';
import { leftBehind, spared } from './transfers.ts';
import { unmatchedMoves } from './unmatched-moves.ts';

interface NoticeInput {
  readonly manifest: Manifest;
  /** As it was read: with the markers of objects that other stacks take. */
  readonly snapshot: Snapshot;
  /** The whole manifest, whatever the targets. */
  readonly matched: Match;
  /** What the plan is about. */
  readonly chosen: Match;
  readonly missing: MissingByAddress;
  readonly options: Pick<
    PlanOptions,
    'destroy' | 'journal' | 'siblings' | 'forgottenTransfers' | 'transferredElsewhere'
  >;
}

/** The notices of a plan, in a fixed order; when everything is destroyed, of what is spared. */
export function noticesOf({ manifest, snapshot, matched, chosen, missing, options }: NoticeInput): Diagnostic[] {
  if (options.destroy) return spared(snapshot, options.transferredElsewhere);
  return [
    ...forgottenMoves(manifest, matched),
    ...forgottenTransfers(manifest, options.forgottenTransfers),
    ...renamedStack(manifest, matched, options.siblings),
    ...sameElsewhere(matched, missing, options.siblings),
    ...unmatchedMoves(manifest, { matched, missing, journal: options.journal }),
    ...leftBehind(manifest, chosen),
  ];
}
