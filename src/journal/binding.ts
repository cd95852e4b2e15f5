// Which stack and service a journal belongs to: that of the first run that wrote, or noted something about an object. A run
// that came to nothing, such as one against a mistyped address, binds nothing (ADR-0020).

import { isSameService } from '../core/service.ts';
import type { Begin, Entry } from './entry.ts';

export interface Owner {
  readonly stack: string;
  readonly service: string;
}

/** The runs that say something about objects, in the order of the journal. */
export function bindingRuns(entries: readonly Entry[]): readonly Begin[] {
  const found = new Set<Begin>();
  let run: Begin | undefined;
  for (const entry of entries) {
    if (entry.type === 'begin') run = entry;
    else if (entry.type !== 'end' && run !== undefined) found.add(run);
  }
  return [...found];
}

/** The run by which a journal belongs to somebody else. */
export function boundElsewhere(entries: readonly Entry[], { stack, service }: Owner): Begin | undefined {
  return bindingRuns(entries).find((run) => run.stack !== stack || !isSameService(run.service, service));
}
