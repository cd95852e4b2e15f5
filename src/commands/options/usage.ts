// Texts of usage errors: bounded, and without possible secrets.

import { truncateMiddle } from '../../core/bounds.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';

/** A message of the command line parser, made safe to show. */
export function wrongUsage(text: string): string {
  return truncateMiddle(withoutValues(text));
}

/** Shows what was typed in place of a name as far as it looks like one; the rest may be a secret. */
function withoutValues(text: string): string {
  const lead = VALUE_START.exec(text);
  if (lead === null) return text;
  const start = lead.index + lead[0].length;
  const end = endOfValue(text);
  return end < start ? text : `${text.slice(0, start)}${asName(text.slice(start, end))}${text.slice(end)}`;
}

const VALUE_START = /(?:unknown option|unknown command|argument|value) '/;

/** What may follow a value; the message may also end with it. */
const AFTER_VALUE = ["' is invalid", "'\n(Did"];

/** The last quote that may close the value, which may hold quotes itself. */
function endOfValue(text: string): number {
  const end = text.endsWith('\n') ? text.length - 2 : text.length - 1;
  const last = text[end] === "'" ? end : -1;
  return Math.max(last, ...AFTER_VALUE.map((words) => text.lastIndexOf(words)));
}

/** The part that looks like a name. A mistyped option may have capitals and underscores, but no digits; of a short option, only its letter is shown. */
export function asName(word: string): string {
  const name = /^(?:--[A-Za-z][A-Za-z_-]{0,29}(?![\w-])|-[A-Za-z]|[a-z][a-z-]{0,19}(?![\w-])|)/.exec(word)?.[0] ?? '';
  if (name === word) return name;
  return name !== '' && word[name.length] === '=' ? `${name}=…` : `${name}…`;
}

export function usageProblem(text: string): Diagnostic {
  const [message = '', hint] = withoutValues(text)
    .replace(/^error: /, '')
    .split('\n');
  const fix = hint === undefined ? {} : { fix: hint.replace(/^\(D(.*)\)$/, 'd$1') };
  return { code: 'bad-usage', severity: 'error', message, ...fix };
}
