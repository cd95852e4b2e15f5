// What a run leaves for people to use, said last: outputs, where new tokens are, and how long it took.

import { relative } from 'node:path';
import { compareText } from '../../core/json.ts';
import { duration } from '../../core/text/text.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import type { RunReport } from '../../reconcile/run-report.ts';
import type { Definition } from '../../render/text/definitions.ts';
import { definitionLines } from '../../render/text/definitions.ts';
import { inline } from '../../render/view/values/value.ts';

/** The last lines of a report for people; empty when there is nothing to use. */
export function closingLines(
  { plan, results, result, tokens: places }: RunReport,
  { cwd, took }: { readonly cwd: string; readonly took: number },
): string[] {
  const outputs = result === 'done' ? Object.entries(plan.outputs).sort(([a], [b]) => compareText(a, b)) : [];
  const values = outputs.map(([name, value]) => ({
    name: escapeControls(name),
    text: typeof value === 'string' ? escapeControls(value) : inline(value),
  }));
  const tokens = places.map(({ address, path }) => ({
    name: escapeControls(address),
    text: escapeControls(relative(cwd, path) || path),
  }));
  return [
    ...section('Outputs:', values),
    ...section('Tokens, each in a file that only you can read:', tokens),
    ...(results.length === 0 ? [] : ['', `Total time: ${duration(took)}`]),
  ];
}

/** Values are whole on one line, so that they can be copied. */
function section(title: string, entries: readonly Definition[]): string[] {
  return entries.length === 0 ? [] : ['', title, ...definitionLines(entries, Infinity)];
}
