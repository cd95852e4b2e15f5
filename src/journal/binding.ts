// Which stack and service a journal belongs to: that of the first run that wrote something, or recorded something about an
// object. A run without effect, such as one with a mistyped address, does not count (ADR-0020).

import { isSameService } from '../core/service-address.ts';
import type { BeginEntry, JournalEntry } from './entry.ts';

/** The runs that recorded something about objects, in the order of the journal. */
function bindingRuns(entries: readonly JournalEntry[]): readonly BeginEntry[] {
  const found = new Set<BeginEntry>();
  let run: BeginEntry | undefined;
  for (const entry of entries) {
    if (entry.type === 'begin') run = entry;
    else if (run !== undefined && (entry.type !== 'end' || entry.objects !== undefined)) found.add(run);
  }
  return [...found];
}

/** The run that bound a journal to another stack or service, if any. */
export function boundElsewhere(
  entries: readonly JournalEntry[],
  { stack, service }: Pick<BeginEntry, 'stack' | 'service'>,
): BeginEntry | undefined {
  return bindingRuns(entries).find((run) => run.stack !== stack || !isSameService(run.service, service));
}
