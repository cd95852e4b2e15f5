// What is wrong with a filled-in text: its length, its form, or a value that is not allowed (§8). Knows no position.

import type { ProblemText } from '../../core/diagnostic.ts';
import type { Code } from '../../core/codes.ts';
import { patternOf } from '../../core/text/pattern.ts';
import { plural } from '../../core/text/text.ts';
import type { StringField } from '../../catalog/field.ts';
import { withoutBlanks } from '../../catalog/fields/forms.ts';
import { hasForm, textLimit } from '../../catalog/text-limits.ts';
import { shellVariableFix } from '../../schema/shell-variable.ts';

interface TextProblem extends Omit<ProblemText, 'message'> {
  readonly code: Code;
  readonly what: string;
}

export function textProblem(field: StringField, text: string): TextProblem | undefined {
  return tooLong(field, text) ?? wrongText(field, text);
}

function tooLong(field: StringField, text: string): TextProblem | undefined {
  const { most, unit, measure } = textLimit(field);
  const length = measure(text);
  if (length <= most) return undefined;
  return {
    code: 'too-long',
    what: 'is too long',
    expected: `at most ${plural(most, unit)}`,
    got: plural(length, unit),
    fix: `shorten it by ${plural(length - most, unit)}`,
  };
}

function wrongText(field: StringField, text: string): TextProblem | undefined {
  const { values, pattern, required } = field;
  if (required === true && text === '')
    return { code: 'wrong-value', what: 'is empty, but required', expected: 'a text', fix: 'write a value' };
  const got = JSON.stringify(text);
  if (values !== undefined && !values.includes(text)) {
    return {
      code: 'wrong-value',
      what: 'has a value that is not allowed',
      expected: `one of ${values.join(', ')}`,
      got,
      fix: 'use one of the allowed values',
    };
  }
  if (hasForm(field, text)) return undefined;
  const shown = withoutBlanks(text, patternOf(pattern?.regex ?? ''));
  if (shown !== undefined)
    return { code: 'hidden-character', what: `holds the character ${shown.first}`, fix: 'remove the character' };
  return {
    code: 'wrong-value',
    what: 'does not have the right form',
    ...(pattern !== undefined && { expected: pattern.words }),
    got,
    fix: shellVariableFix(text) ?? 'correct the value',
  };
}
