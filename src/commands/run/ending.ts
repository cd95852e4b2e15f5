// What a run leaves for people to use, said last: outputs, and where new tokens are.

import { relative } from 'node:path';
import { visible } from '../../core/visible.ts';
import { entryLines } from '../../render/text/entries.ts';
import type { Entry } from '../../render/text/entries.ts';
import { inline } from '../../render/view/value.ts';
import { compareText } from '../../core/json.ts';
import type { Ground } from './ground.ts';
import { tokenPlaces } from './tokens.ts';
import type { Outcome } from './verdict.ts';

/** The last lines of a report for people; empty when there is nothing to use. */
export function endingLines({ raw, host, session, history }: Ground, { plan, results, result }: Outcome): string[] {
  const outputs = result === 'done' ? Object.entries(plan.outputs).sort(([a], [b]) => compareText(a, b)) : [];
  const values = outputs.map(([name, value]) => ({
    name: visible(name),
    text: typeof value === 'string' ? visible(value) : inline(value),
  }));
  const tokens = tokenPlaces(plan, results, raw, host)
    .filter(({ id }) => session.stored.has(id) && !history.deleted.has(id))
    .map(({ address, path }) => ({ name: visible(address), text: visible(relative(host.cwd, path) || path) }));
  return [...section('Outputs:', values), ...section('Tokens, each in a file that only you can read:', tokens)];
}

/** Values are whole on one line, so that they can be copied. */
function section(title: string, entries: readonly Entry[]): string[] {
  return entries.length === 0 ? [] : ['', title, ...entryLines(entries, Infinity)];
}
