// What is wrong with a filled-in text: its length, its form, or a value that is not allowed (§8). Knows no position.

import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { patternOf } from '../../core/text/pattern.ts';
import { plural } from '../../core/text/text.ts';
import type { StringField } from '../../catalog/field.ts';
import { withoutBlanks } from '../../catalog/fields/forms.ts';
import { hasForm, textLimit } from '../../catalog/text-limits.ts';
import { shellVariableFix } from '../../schema/shell-variable.ts';

type TextProblem = ProblemText & Pick<Diagnostic, 'code'>;

/** `name` is that of the field, for the message. */
export function textProblem(field: StringField, text: string, name: string): TextProblem | undefined {
  return tooLong(field, text, name) ?? wrongText(field, text, name);
}

function tooLong(field: StringField, text: string, name: string): TextProblem | undefined {
  const { most, unit, measure } = textLimit(field);
  const length = measure(text);
  if (length <= most) return undefined;
  return {
    code: 'too-long',
    message: `${name} is too long`,
    expected: `at most ${plural(most, unit)}`,
    got: plural(length, unit),
    fix: `shorten it by ${plural(length - most, unit)}`,
  };
}

function wrongText(field: StringField, text: string, name: string): TextProblem | undefined {
  const { values, pattern, required } = field;
  if (required === true && text === '')
    return { code: 'wrong-value', message: `${name} is empty, but required`, expected: 'a text', fix: 'write a value' };
  const got = JSON.stringify(text);
  if (values !== undefined && !values.includes(text)) {
    return {
      code: 'wrong-value',
      message: `${name} has a value that is not allowed`,
      expected: `one of ${values.join(', ')}`,
      got,
      fix: 'use one of the allowed values',
    };
  }
  if (hasForm(field, text)) return undefined;
  const shown = withoutBlanks(text, patternOf(pattern?.regex ?? ''));
  if (shown !== undefined)
    return {
      code: 'hidden-character',
      message: `${name} holds the character ${shown.first}`,
      fix: 'remove the character',
    };
  return {
    code: 'wrong-value',
    message: `${name} does not have the right form`,
    ...(pattern !== undefined && { expected: pattern.words }),
    got,
    fix: shellVariableFix(text) ?? 'correct the value',
  };
}
