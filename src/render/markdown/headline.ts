// The first lines of a comment: an invisible marker for programs, and a summary, which e-mails show. The form of the marker is a
// contract with pipelines, described in docs/formats.md.

import { groupBy } from '../../core/group.ts';
import { plural, percentEncoded } from '../../core/text/text.ts';
import { isDangerous, type View } from '../view/view.ts';
import { sentence, truncate } from './markdown.ts';
import { knownSecrets } from '../../core/secrets/known.ts';

/** The summary line: the stack, what happens, and whether a person has to act. */
export function headline(view: View, maxTextLength: number): string {
  const { is, at, items } = view;
  const lead = is === 'drift' && items.length > 0 ? ' has drifted: ' : ': ';
  return `### ${at === undefined ? '' : `${sentence(truncate(at.stack, maxTextLength))}${lead}`}${verdictOf(view)}`;
}

function verdictOf(view: View): string {
  const { is, items, totals, rows, facts, problems } = view;
  const result = facts['result'] ?? '';
  if (is === 'problems') return sentence(view.sentence);
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

/** Longer than any stack, address or digest of ours; a plan file may contain anything. */
const MAX_VALUE = 120;

/** `<!-- edgeform:plan stack=shop … -->`, or an unused link definition where HTML comments are shown. */
export function marker({ is, facts }: Pick<View, 'is' | 'facts'>, hasHtml: boolean): string {
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${encoded(value)}`);
  const said = [`edgeform:${is}`, ...pairs].join(' ');
  return hasHtml ? `<!-- ${said} -->` : `[//]: # "${said}"`;
}

/**
 * Percent-encoded except slashes and the first colon, without two hyphens in a row, so that nothing ends the comment. Masked
 * first, because the output filter might not recognise an encoded secret.
 */
function encoded(value: string): string {
  const isWhole = value.length <= MAX_VALUE && /^[\w:/.-]*$/.test(value);
  const text = isWhole ? value : knownSecrets.mask(value);
  return text
    .slice(0, MAX_VALUE)
    .replace(/[^\w./-]|-(?=-)/gu, percentEncoded)
    .replace('%3A', ':');
}
