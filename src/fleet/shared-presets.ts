// Presets that several stacks of a fleet share: one is unused when no stack that reads its file uses it.

import { rangeText, type Diagnostic } from '../core/diagnostic.ts';
import type { LoadedEntry } from './load-entry.ts';

/** The stacks without warnings about presets that another one of them uses. */
export function withoutSharedPresets(loaded: readonly LoadedEntry[]): LoadedEntry[] {
  const warnings = countBy(loaded.flatMap(({ diagnostics }) => diagnostics.filter(isUnused).map(placeOf)));
  if (warnings.size === 0) return [...loaded];
  const readers = countBy(loaded.flatMap(({ sources }) => [...sources.keys()]));
  const isUsedElsewhere = (problem: Diagnostic) =>
    isUnused(problem) && (warnings.get(placeOf(problem)) ?? 0) < (readers.get(problem.range?.file ?? '') ?? 0);
  return loaded.map((entry) => ({
    ...entry,
    diagnostics: entry.diagnostics.filter((problem) => !isUsedElsewhere(problem)),
  }));
}

function isUnused({ code }: Diagnostic): boolean {
  return code === 'unused-preset';
}

function placeOf({ range }: Diagnostic): string {
  return range === undefined ? '' : rangeText(range);
}

function countBy(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
