// Which stack and service a journal belongs to: that of the first run that wrote, or noted something about an object. A run
// that came to nothing, such as one against a mistyped address, binds nothing (ADR-0020).

import { isSameService } from '../core/service-address.ts';
import type { BeginEntry, JournalEntry } from './entry.ts';

/** The runs that say something about objects, in the order of the journal. */
export function bindingRuns(entries: readonly JournalEntry[]): readonly BeginEntry[] {
  const found = new Set<BeginEntry>();
  let run: BeginEntry | undefined;
  for (const entry of entries) {
    if (entry.type === 'begin') run = entry;
    else if (entry.type !== 'end' && run !== undefined) found.add(run);
  }
  return [...found];
}

/** The run by which a journal belongs to somebody else. */
export function boundElsewhere(
  entries: readonly JournalEntry[],
  { stack, service }: Pick<BeginEntry, 'stack' | 'service'>,
): BeginEntry | undefined {
  return bindingRuns(entries).find((run) => run.stack !== stack || !isSameService(run.service, service));
}
