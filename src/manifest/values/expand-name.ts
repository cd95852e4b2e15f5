// Names that must be known before anything is read: of a stack, or the id of an import.

import { isStackName, STACK_FORM } from '../../catalog/address.ts';
import { Expression, isOpaque } from '../../core/value.ts';
import { rejectSecret, report, type ExpandContext } from './convert-value.ts';
import { expandFree } from './expand.ts';
import { splitText } from './expression.ts';

/** The name with its variables filled in, and nothing else; undefined if one of them is unknown, or if something is wrong, which is reported. */
export function expandName(
  text: string,
  path: readonly string[],
  context: ExpandContext,
  isStack = false,
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
  if (!isStack || isStackName(name)) return name;
  report(cursor, 'wrong-value', {
    message: `${what} does not have the right form once its variables are filled in`,
    expected: STACK_FORM,
    got: JSON.stringify(name.slice(0, 80)),
    fix: 'correct the value of the variable, or the text around it',
  });
  return undefined;
}
