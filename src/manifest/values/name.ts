// Texts that must be known before anything is read, such as the name of a stack: variables are filled in, and nothing else.

import { patternOf } from '../../core/text/pattern.ts';
import { Expression, isOpaque } from '../../core/value.ts';
import { report, rejectSecret, type ExpandContext } from './convert-value.ts';
import { expandFree } from './expand.ts';
import { splitText } from './expression.ts';

/** The form of a name, as a pattern and in words. */
interface NameForm {
  readonly pattern: string;
  readonly words: string;
}

/** The text with its variables filled in; undefined if one of them is unknown, or if something is wrong, which is reported. */
export function expandName(
  text: string,
  {
    path,
    context,
    form,
  }: { readonly path: readonly string[]; readonly context: ExpandContext; readonly form?: NameForm },
): string | undefined {
  const cursor = { path, context };
  const what = path.at(-1) ?? '';
  if (splitText(text).some(({ type }) => type === 'reference' || type === 'file')) {
    const message = `${what} cannot hold references or files, because it must be known before anything is read`;
    report(cursor, 'bad-expression', { message, fix: 'use "${var.NAME}", or write the text itself' });
    return undefined;
  }
  const value = expandFree(text, path, context);
  if (isOpaque(value)) rejectSecret(cursor, 'plans and messages show it');
  if (value === undefined || value instanceof Expression || isOpaque(value)) return undefined;
  const name = String(value);
  if (form === undefined || patternOf(form.pattern).test(name)) return name;
  report(cursor, 'wrong-value', {
    message: `${what} does not have the right form once its variables are filled in`,
    expected: form.words,
    got: JSON.stringify(name.slice(0, 80)),
    fix: 'correct the value of the variable, or the text around it',
  });
  return undefined;
}
