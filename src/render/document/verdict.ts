// What a view comes to in a few words: what happens, and whether a person has to act.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import { isDangerous, type View } from '../view/view.ts';

export function verdictOf({ is, sentence, items, totals, rows, facts, problems }: View): string {
  const result = facts['result'] ?? '';
  if (is === 'problems' || is === 'fleet') return sentence;
  if (is === 'drift') return items.length === 0 ? 'no drift' : countText(totals);
  if (is === 'report') return reportVerdict(rows, result);
  if (result === 'clean') return facts['complete'] === 'true' ? 'no changes' : 'no changes among the targets';
  const planned = items.length === 0 ? 'nothing to do' : countText(totals, 'to ');
  const refusals = problems.filter(({ group }) => group === 'refused').length;
  if (result === 'refused') return `${planned}; stopped by ${plural(refusals, 'policy violation')}`;
  if (result === 'error') return `${planned}; stopped by an error`;
  return `${planned}${look(items.length === 0 || items.some(isDangerous))}`;
}

function reportVerdict(rows: View['rows'], result: string): string {
  if (rows.length === 0) return result === 'done' ? 'nothing to do' : 'nothing was changed';
  const ended = groupBy(rows, ({ outcome }) => outcome);
  const counts = new Map([...ended].map(([outcome, list]) => [outcome, list.length]));
  return `${countText(counts)}${look(rows.some(({ status }) => status !== 'done'))}`;
}

function look(isNeeded: boolean): string {
  return isNeeded ? '; needs review' : '';
}

/** `2 to create, 1 to delete`, most important first. */
function countText(counts: ReadonlyMap<string, number>, lead = ''): string {
  const separator = [...counts.keys()].some((word) => word.includes(',')) ? '; ' : ', ';
  return [...counts].map(([word, count]) => `${count} ${lead}${word}`).join(separator);
}
