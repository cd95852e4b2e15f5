// Wrong usage ends before any work: every value of an option that is only used later is checked at the start.

import type { Diagnostic } from '../base/diagnostic.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import { resolutionsOf } from './journal.ts';
import type { RawOptions } from './options.ts';
import {
  allowDeletesOf,
  concurrencyOf,
  deadlineOf,
  detailOf,
  formatOf,
  isColored,
  pairsOf,
  settleOf,
} from './options.ts';

const CHECKS: readonly ((raw: RawOptions, host: Host) => unknown)[] = [
  formatOf,
  detailOf,
  (raw, host) => isColored(raw, host, host.stdout),
  concurrencyOf,
  allowDeletesOf,
  deadlineOf,
  settleOf,
  pairsOf,
  resolutionsOf,
];

/** Fails with all that is wrong. */
export function checkUsage(raw: RawOptions, host: Host): void {
  const problems = CHECKS.flatMap((check) => problemsOf(() => check(raw, host)));
  if (problems.length > 0) throw new CommandFailure(EXIT.usage, problems);
}

function problemsOf(check: () => unknown): readonly Diagnostic[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return error.diagnostics;
  }
}
