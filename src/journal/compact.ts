// A journal without what nobody needs any more: the same facts in fewer lines.

import { groupBy } from '../core/group.ts';
import { bindingRuns } from './binding.ts';
import type { JournalEntry, IntentEntry, WriteStatus } from './entry.ts';
import { replayJournal, isGoodEnd } from './replay.ts';

/** Entries that say the same: open writes, ids, values stored and not stored, and how the last run ended. */
export function compact(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const { open, ids, made, stored, begin, runs, ended } = replayJournal(entries);
  if (begin === undefined) return [];
  const kept = [
    ...[...open.values()].map(({ intent, isAnswerLost }): Kept => ({
      intent,
      outcome: isAnswerLost ? 'unknown' : undefined,
    })),
    ...[...made.values()].map(({ intent, address, liveId }): Kept => ({
      intent: { ...intent, address },
      outcome: 'done',
      liveId,
    })),
  ].sort((a, b) => a.intent.n - b.intent.n);
  const facts = [
    ...[...ids].flatMap(([id, address]): JournalEntry[] =>
      made.has(id) ? [] : [{ type: 'resolved', address, as: { id } }],
    ),
    ...[...stored].map(([id, address]): JournalEntry => ({ type: 'stored', address, live_id: id })),
  ];
  const byRun = groupBy(kept, ({ intent }) => intent.run);
  // What is known without a write comes first, where it settles nothing, and in a run that it may bind.
  const [home] = bindingRuns(entries);
  const lastGood = runs.findLast((run) => isGoodEnd(ended.get(run)));
  return entries.flatMap((entry): JournalEntry[] => {
    if (entry.type !== 'begin') return [];
    const own = (byRun.get(entry.run) ?? []).flatMap(entriesOf);
    const said = entry === home ? [...facts, ...own] : own;
    if (said.length === 0 && entry !== begin && entry.run !== lastGood) return [];
    const end = ended.get(entry.run);
    return [entry, ...said, ...(end === undefined ? [] : [end])];
  });
}

interface Kept {
  readonly intent: IntentEntry;
  readonly outcome: WriteStatus | undefined;
  readonly liveId?: string;
}

function entriesOf({ intent, outcome: status, liveId }: Kept): JournalEntry[] {
  if (status === undefined) return [intent];
  return [intent, { type: 'outcome', n: intent.n, status, ...(liveId !== undefined && { live_id: liveId }) }];
}
