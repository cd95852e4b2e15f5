// Compacts a journal: the same facts in fewer lines.

import { groupBy } from '../core/group.ts';
import { bindingRuns } from './binding.ts';
import type { JournalEntry, IntentEntry, OutcomeEntry } from './entry.ts';
import { isGoodEnd, recentRuns, replayJournal } from './replay.ts';

/** Entries with the same meaning to a later run: the same `JournalState`, except for names of runs that nothing depends on. */
export function compact(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const state = replayJournal(entries);
  const { open, ids, made, stored, deleted, parents, begin, runs, ended } = state;
  if (begin === undefined) return [];
  // What a new object replaces is among the ids or the deleted ones; recording it again would bring it back.
  const kept = [
    ...[...open.values()].map(({ intent: { replaces: _, ...intent }, isAnswerLost }): Kept =>
      isAnswerLost ? [intent, { type: 'outcome', n: intent.n, status: 'unknown' }] : [intent],
    ),
    ...[...made.values()].map(({ intent: { replaces: _, ...intent }, address, liveId }): Kept => [
      { ...intent, address, parent_id: parents.get(liveId) ?? null },
      { type: 'outcome', n: intent.n, status: 'done', live_id: liveId },
    ]),
  ].sort(([a], [b]) => a.n - b.n);
  const placed = ([id, address]: readonly [string, string]): JournalEntry => {
    const parent = parents.get(id);
    return { type: 'resolved', address, as: { id }, ...(parent !== undefined && { parent_id: parent }) };
  };
  const facts = [
    // An object that existed at an address which is now empty: it was deleted.
    ...[...deleted].map(placed),
    ...[...new Set(deleted.values())].map((address): JournalEntry => ({ type: 'resolved', address, as: 'absent' })),
    ...[...ids].filter(([id]) => !made.has(id)).map(placed),
    ...[...stored].map(([id, address]): JournalEntry => ({ type: 'stored', address, live_id: id })),
  ];
  const byRun = groupBy(kept, ([intent]) => intent.run);
  // Facts without a write come first, where they resolve nothing, and in a run that they may bind.
  const [home] = bindingRuns(entries);
  const recent = new Set([...recentRuns(state), runs.findLast((run) => isGoodEnd(ended.get(run)))]);
  return entries.flatMap((entry): JournalEntry[] => {
    if (entry.type !== 'begin') return [];
    const own = (byRun.get(entry.run) ?? []).flat();
    const said = entry === home ? [...facts, ...own] : own;
    if (said.length === 0 && !recent.has(entry.run)) return [];
    const end = ended.get(entry.run);
    return [entry, ...said, ...(end === undefined ? [] : [end])];
  });
}

type Kept = readonly [IntentEntry, ...OutcomeEntry[]];
