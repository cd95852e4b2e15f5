// What a run leaves for people to use, said last: outputs, and where new tokens are.

import { relative } from 'node:path';
import { compareText } from '../../core/json.ts';
import { visible } from '../../core/visible.ts';
import type { RunReport } from '../../reconcile/outcome.ts';
import type { Entry } from '../../render/text/entries.ts';
import { entryLines } from '../../render/text/entries.ts';
import { inline } from '../../render/view/value.ts';

/** The last lines of a report for people; empty when there is nothing to use. */
export function endingLines({ plan, result, tokens: places }: RunReport, cwd: string): string[] {
  const outputs = result === 'done' ? Object.entries(plan.outputs).sort(([a], [b]) => compareText(a, b)) : [];
  const values = outputs.map(([name, value]) => ({
    name: visible(name),
    text: typeof value === 'string' ? visible(value) : inline(value),
  }));
  const tokens = places.map(({ address, path }) => ({
    name: visible(address),
    text: visible(relative(cwd, path) || path),
  }));
  return [...section('Outputs:', values), ...section('Tokens, each in a file that only you can read:', tokens)];
}

/** Values are whole on one line, so that they can be copied. */
function section(title: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : ['', title, ...entryLines(entries, Infinity)];
}
