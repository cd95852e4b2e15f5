// What is said of a command line that is wrong: bounded, and without what may be a secret.

import { truncateMiddle } from '../../core/bounds.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';

/** Words of the library that parses the command line, as they may be shown. */
export function wrongUsage(text: string): string {
  return truncateMiddle(withoutValues(text));
}

/** Unknown options and words are named without what may be a secret behind them. */
function withoutValues(text: string): string {
  return text
    .replace(/(unknown option '--[\w-]+)=[^']*/g, '$1=…')
    .replace(/(unknown option '-\w)[^'-][^']*/g, '$1…')
    .replace(/(unknown command )'[^']{20,}'/g, '$1(not shown)');
}

/** The same as a problem of a document. */
export function usageProblem(text: string): Diagnostic {
  const [message = '', hint] = withoutValues(text)
    .replace(/^error: /, '')
    .split('\n');
  const fix = hint === undefined ? {} : { fix: hint.replace(/^\(D(.*)\)$/, 'd$1') };
  return { code: 'bad-usage', severity: 'error', message, ...fix };
}
