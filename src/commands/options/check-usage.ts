// Wrong usage ends before any work: every value of an option that is only used later is checked at the start.

import { collectAll } from '../shell/failure.ts';
import type { Host } from '../shell/host.ts';
import { resolutionsOf } from '../run/journal.ts';
import type { RawOptions } from './options.ts';
import { allowDeletesOf, concurrencyOf, deadlineOf, detailOf, formatOf, isColored, settleOf } from './options.ts';

const CHECKS: readonly ((raw: RawOptions, host: Host) => unknown)[] = [
  formatOf,
  detailOf,
  (raw, host) => isColored(raw, host, host.stdout),
  concurrencyOf,
  allowDeletesOf,
  deadlineOf,
  settleOf,
  resolutionsOf,
];

/** Fails with all that is wrong. */
export function checkUsage(raw: RawOptions, host: Host): void {
  collectAll(CHECKS, (check) => check(raw, host));
}
