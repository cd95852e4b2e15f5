// Where text that is not valid YAML holds secrets: nothing is shown behind the name of a sensitive field, on its line and on the
// lines indented below it. Works on lines; a secret under another name is shown.

import { privateKeyIn } from '../../catalog/public-key.ts';
import type { SourceRange } from '../../core/diagnostic.ts';
import { isPlainReference, SECRET_NAMES } from './secret-names.ts';

/** A word wherever it stands, since nobody knows what is a key in such a text, and what separates it from its value. */
const KEY = /["']?([\w.-]+)["']?\s*[:=]?\s*/g;

/** What may follow the value of an entry. */
const AFTER_VALUE = /^\s*(?:[,}\]#]|$)/;

/** A value that goes on below its line: lines indented more than its key belong to it, and the next one if it has not begun. */
interface OpenValue {
  readonly indentation: number;
  readonly hasBegun: boolean;
}

/** Ranges that must not be quoted, each to the end of its line; `others` are names that are secret in this file, too. */
export function secretsInBrokenText(file: string, text: string, others: readonly string[] = []): SourceRange[] {
  // Defaults are secret where the file declares a sensitive variable.
  const defaults = /\bsensitive["']?\s*:/.test(text) ? ['default'] : [];
  const names = new Set([...SECRET_NAMES, ...others, ...defaults]);
  let open: OpenValue | undefined;
  return text.split('\n').flatMap((line, index): SourceRange[] => {
    const indentation = line.length - line.trimStart().length;
    if (line.trim() === '') return [];
    const hidden = (start: number): SourceRange[] => {
      const place = { line: index + 1, column: start + 1, endLine: index + 1, endColumn: line.length + 1 };
      return start === line.length ? [] : [{ file, ...place }];
    };
    if (open !== undefined && (!open.hasBegun || indentation > open.indentation)) {
      open = { ...open, hasBegun: line.trim() !== ':' };
      return hidden(indentation);
    }
    const { value, shown } = foundIn(line, names);
    open = value === undefined ? undefined : openValue(line, value, shown === line.length && value !== '');
    return hidden(shown);
  });
}

/** Where the value ends; after a reference, which is shown, a key at the column of the line's first key is another one. */
function openValue(line: string, value: string, isReference: boolean): OpenValue {
  const before = (isReference ? /^\s*(?:[-?]\s+)*/ : /^\s*/).exec(line)?.[0] ?? '';
  return { indentation: before.length, hasBegun: value !== '' && !value.startsWith('#') };
}

interface LineSecret {
  /** What stands behind the last name of a secret. */
  readonly value: string | undefined;
  /** How much of the line is shown: also a reference in the place of a secret. */
  readonly shown: number;
}

function foundIn(line: string, names: ReadonlySet<string>): LineSecret {
  const keys = [...line.matchAll(KEY)].filter(([, name = '']) => names.has(name));
  const starts = keys.map(({ index, 0: key }) => index + key.length);
  const secret = starts.find((start) => !beginsWithReference(line.slice(start))) ?? privateKeyIn(line);
  const last = starts.at(-1);
  return { value: last === undefined ? undefined : line.slice(last).trim(), shown: secret ?? line.length };
}

/** True when the value at the beginning of the text is a reference, and nothing else. */
function beginsWithReference(text: string): boolean {
  const end = text.indexOf('}') + 1;
  const quote = /^["']/.exec(text)?.[0] ?? '';
  if (!isPlainReference(text.slice(quote.length, end)) || !text.startsWith(quote, end)) return false;
  return AFTER_VALUE.test(text.slice(end + quote.length));
}
