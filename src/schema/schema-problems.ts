// Schema errors about one value, in our words: what was expected and got, and the likely fix.
// Never repeats values of sensitive fields.

import type { ProblemText } from '../core/diagnostic.ts';
import { didYouMean } from '../core/text/closest.ts';
import type { Code } from '../core/codes.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
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
import { article, isSecret, show, typeOf, safeKey } from './describe-value.ts';

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

/** One value, and the part of the schema that describes it. */
export interface SchemaLocation {
  readonly path: Path;
  readonly schema: JsonObject;
  readonly value: Json | undefined;
  /** The source text of the value, if it is a scalar. */
  readonly text: string;
  /** What messages call the whole document. */
  readonly called: string;
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
    fix: fixOfType(at, types),
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

/**
 * Numbers, booleans and lists may be given as variables, which are text of no other form; messages should suggest neither such text
 * nor `null`.
 */
function typesOf({ type, pattern, [FORM]: form }: JsonObject): string[] {
  const all = (isList(type) ? type : [type]).map(String).filter((one) => one !== 'null');
  const hasText = pattern === undefined || form !== undefined || all.length === 1;
  return hasText ? all : all.filter((one) => one !== 'string');
}

const FIX_OF_NO_ENTRY = 'write a value here, or remove the entry';

/** How a value of the expected type is written. */
function fixOfType(at: SchemaLocation, types: readonly string[]): string {
  const { path, schema, value } = at;
  const own = safeKey(path.at(-1) ?? '');
  if (path.length === 0) return 'begin it with `version: 1` and `stack: NAME`, and write the kinds below';
  if (value === null && requiredIn(schema).length === 0)
    return /^\d+$/.test(own) ? FIX_OF_NO_ENTRY : `write \`${own}: ${emptyOf(types)}\``;
  if (types.includes('array')) return 'write it as a list: begin each entry with "- "';
  return types.includes('object') ? fixOfBlock(at, own) : fixOfScalar(at, types);
}

function requiredIn({ required }: JsonObject): string[] {
  return isList(required) ? required.map(String) : [];
}

/** How a block is written where there is something else. */
function fixOfBlock({ schema, value }: SchemaLocation, own: string): string {
  const entry = schema['additionalProperties'];
  const required = requiredIn(schema);
  if (typeof value === 'string' && /^[\w-]+:[^\s/]/.test(value)) return 'put a space after the ":"';
  if (isObject(entry)) return `give each entry a name: NAME: ${emptyOf(typesOf(entry))}`;
  if (required.length > 0) return `write it as a block with ${required.join(', ')}`;
  if (isVariable(schema) && !isList(value)) return `write \`${own}: { default: VALUE }\``;
  return value === true ? `write \`${own}: {}\`` : 'write it as a block';
}

/** The declaration of a variable, for which people write its value. */
function isVariable({ properties }: JsonObject): boolean {
  return isObject(properties) && 'default' in properties && 'sensitive' in properties;
}

function fixOfScalar({ schema, value, text }: SchemaLocation, types: readonly string[]): string {
  if (isObject(value) || isList(value)) return 'write a single value here, not a block or list';
  if (types.includes('boolean')) return 'write true or false, or "${var.NAME}"';
  if (typeof value === 'number' && types.includes('integer')) return 'write a whole number';
  if (!types.includes('string')) return 'write a number without quotes, or "${var.NAME}"';
  return isSecret(schema) ? 'quote it' : `quote it: "${text}"`;
}

function emptyOf(types: readonly string[]): string {
  return types.includes('object') ? '{}' : types.includes('array') ? '[]' : 'VALUE';
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
