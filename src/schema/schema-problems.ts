// Schema errors about one value, in our words: what was expected and got, and the likely fix.
// Never repeats values of sensitive fields.

import type { ProblemText } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text/closest.ts';
import type { Code } from '../core/codes.ts';
import { isList, isObject, type JsonObject, type Path } from '../core/json.ts';
import { patternOf } from '../core/text/pattern.ts';
import { codePoint } from '../core/text/text.ts';
import {
  FINAL_BREAK_FIX,
  forbiddenCharacterMessage,
  withoutBlanks,
  withoutFinalBreak,
} from '../catalog/fields/forms.ts';
import { FORM } from './hints.ts';
import { expressionFor } from './fix-unknown.ts';
import { shellVariableFix } from './shell-variable.ts';
import { article, isSecret, show, typeOf } from './describe-value.ts';
import { fixOfType } from './fix-type.ts';
import { typesOf, type SchemaLocation } from './location.ts';

export interface SchemaProblem extends ProblemText {
  readonly path: Path;
  readonly code: Code;
  /** Point at the key rather than at the value. */
  readonly atKey?: boolean;
  /** Name of the field missing at the path. */
  readonly missing?: string;
  /** Name of the absent field that an unknown one probably stands for. */
  readonly near?: string;
}

/** A value of another type. */
export function wrongType(at: SchemaLocation, name: string): SchemaProblem {
  const types = typesOf(at.schema);
  const expected = types.map(article).join(' or ');
  return {
    path: at.path,
    code: 'wrong-type',
    message: `${name} must be ${expected}`,
    expected,
    got: article(typeOf(at.value)),
    fix: fixOfType(at),
    ...(at.value === null && { atKey: true }),
  };
}

/** The pattern or closed set would match without the final line break or the invisible characters. */
export function hiddenIn({ path, schema: { pattern }, text }: SchemaLocation): SchemaProblem | undefined {
  const problem = (character: string, fix: string): SchemaProblem => {
    return { path, code: 'hidden-character', message: forbiddenCharacterMessage(character), fix };
  };
  const meant = withoutFinalBreak(text);
  if (meant !== text) return problem(codePoint(text.charAt(meant.length)), FINAL_BREAK_FIX);
  const shown = typeof pattern === 'string' ? withoutBlanks(text, patternOf(pattern)) : undefined;
  return shown && problem(shown.first, 'remove the character');
}

/** A value outside a closed set, or neither suggested nor in the form of an open one. */
export function wrongValue(
  at: SchemaLocation,
  name: string,
  params: Readonly<Record<string, unknown>>,
): SchemaProblem | undefined {
  const allowed = params['allowedValues'] ?? [params['allowedValue']];
  if (!Array.isArray(allowed)) return undefined;
  const choices = allowed.map(String);
  const form = openForm(at.schema);
  // Suggestions are an open set: their enum error only occurs together with the pattern's.
  const near = didYouMean(String(at.value), choices, (choice) => JSON.stringify(allowed[choices.indexOf(choice)]));
  return {
    path: at.path,
    code: 'wrong-value',
    message: form === undefined ? `${name} has a value that is not allowed` : `${name} does not have the right form`,
    expected: form ?? (choices.length === 1 ? choices.join() : `one of ${choices.join(', ')}`),
    got: show(at),
    fix: near ?? (form === undefined ? 'use one of the allowed values' : exampleFix(at)),
  };
}

function openForm({ anyOf }: JsonObject): string | undefined {
  const forms = (isList(anyOf) ? anyOf : []).map((one) => (isObject(one) ? one[FORM] : undefined));
  return forms.find((form) => typeof form === 'string');
}

/** A value that does not match its field's pattern. */
export function wrongForm(at: SchemaLocation, name: string): SchemaProblem {
  const { path, schema, value } = at;
  const types = typesOf(schema);
  if (!types.includes('string')) return { ...wrongType(at, name), got: show(at) };
  const form = schema[FORM] ?? openForm(schema);
  return {
    path,
    code: 'wrong-value',
    message: `${name} does not have the right form`,
    ...(typeof form === 'string' && { expected: form }),
    ...(!isSecret(schema) && typeof value === 'string' && { got: JSON.stringify(value.slice(0, 60)) }),
    fix: exampleFix(at),
  };
}

function exampleFix({ schema, value }: SchemaLocation): string {
  const { examples } = schema;
  const meant = typeof value === 'string' ? expressionFor(value) : undefined;
  if (meant !== undefined) return `did you mean "${meant}"?`;
  const variableFix = typeof value === 'string' ? shellVariableFix(value) : undefined;
  if (variableFix !== undefined) return variableFix;
  const example = isList(examples) ? examples.find((text) => typeof text === 'string') : undefined;
  if (example === undefined) return 'correct the value';
  const completed = typeof value === 'string' && !isSecret(schema) ? completedAs(example, value, schema) : undefined;
  return completed === undefined ? `for example ${JSON.stringify(example)}` : `write ${JSON.stringify(completed)}`;
}

/** The host of the value with its port or that of the example, if a scheme, a path or the port is all that is wrong. */
function completedAs(example: string, value: string, { pattern }: JsonObject): string | undefined {
  const port = /:\d+$/.exec(example)?.[0];
  if (port === undefined || typeof pattern !== 'string') return undefined;
  const host = value.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/s, '');
  return [host, host + port].find((completed) => patternOf(pattern).test(completed));
}
