// Fills variables and files into one block and types its values by the catalogue. References stay expressions.

import type { Code } from '../base/codes.ts';
import type { Diagnostic, Outcome } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { compareText, isList, isObject } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import { closest } from '../base/closest.ts';
import { byteLength, charLength } from '../base/text.ts';
import type { Reference, Value, ValueObject } from '../base/value.ts';
import { Expression, isOpaque } from '../base/value.ts';
import type { Field, Fields, StringField } from '../catalog/field.ts';
import { whyNeverSecret } from '../catalog/secrecy.ts';
import type { Part } from './expression.ts';
import { splitText } from './expression.ts';
import type { Words } from './lines.ts';
import type { Places } from './places.ts';
import type { Variables, VariableValue } from './variables.ts';

export interface ExpandContext {
  readonly variables: Variables;
  readonly readFile: (relative: string) => Outcome<string>;
  readonly places: Places;
  readonly diagnostics: Diagnostic[];
}

interface Spot {
  readonly path: readonly string[];
  readonly context: ExpandContext;
}

/** The block's fields with values filled in; fields that are wrong are left out and reported. */
export function expandFields(
  fields: Fields,
  block: JsonObject,
  path: readonly string[],
  context: ExpandContext,
): ValueObject {
  const made: Record<string, Value> = {};
  for (const name of inOrder(fields, block)) {
    const value = block[name] ?? null;
    if (value === null) continue;
    if (name.includes('${')) checkName(name, { path: [...path, name], context });
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const expanded = expand(field, value, { path: [...path, name], context });
    if (expanded !== undefined) made[name] = expanded;
  }
  return made;
}

/** Only values are filled in; a name that has a variable would be sent as it stands. */
function checkName(name: string, { path, context }: Spot): void {
  const part = splitText(name).find((one) => one.type === 'variable' && context.variables.declared.has(one.name));
  if (part === undefined) return;
  const words = {
    message: `variables are not filled into names, and a name cannot be secret: ${JSON.stringify(name)}`,
    fix: 'write the name itself',
  };
  context.diagnostics.push(context.places.errorAtKey('bad-expression', path, words));
}

/** Names in the catalogue's order, free ones after them by name, so that the order in a file makes no difference. */
function inOrder(fields: Fields, block: JsonObject): string[] {
  const known = Object.keys(fields).filter((name) => Object.hasOwn(block, name));
  const free = Object.keys(block).filter((name) => !Object.hasOwn(fields, name));
  return [...known, ...free.sort(compareText)];
}

/** A value outside any kind, such as an output. */
export function expandFree(value: Json, path: readonly string[], context: ExpandContext): Value | undefined {
  return expand(undefined, value, { path, context });
}

function expand(field: Field | undefined, value: Json, spot: Spot): Value | undefined {
  if (typeof value === 'string') return expandText(field, value, spot);
  if (isList(value)) {
    const items = field?.type === 'list' ? field.items : undefined;
    return value.flatMap((item, index) => expand(items, item, { ...spot, path: [...spot.path, String(index)] }) ?? []);
  }
  if (isObject(value))
    return expandFields(field?.type === 'object' ? field.fields : {}, value, spot.path, spot.context);
  return value;
}

function report({ path, context }: Spot, code: Code, words: Words): undefined {
  context.diagnostics.push(context.places.error(code, path, words));
  return undefined;
}

type Piece = VariableValue | Reference;

function expandText(field: Field | undefined, text: string, spot: Spot): Value | undefined {
  const parts = splitText(text).map((part) => (field?.sensitive === true ? unquoted(part) : part));
  const filled = parts.map((part) => fill(part, spot));
  const pieces = filled.filter((piece) => piece !== undefined);
  if (pieces.length < filled.length) return undefined;
  const isLiteral = parts.every((part) => part.type === 'text');
  return typed(field, join(pieces), { spot, isLiteral });
}

/** What stands in a secret and is no expression may be a part of the secret. */
function unquoted(part: Part): Part {
  return part.type === 'bad' ? { ...part, source: 'what begins here with ${' } : part;
}

function fill(part: Part, spot: Spot): Piece | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reference':
      return { address: part.address, attr: part.attr };
    case 'variable':
      return fillVariable(part.name, spot);
    case 'file': {
      const outcome = spot.context.readFile(part.path);
      for (const problem of outcome.diagnostics) report(spot, problem.code as Code, problem);
      return outcome.value;
    }
    case 'bad': {
      report(spot, 'bad-expression', {
        message: `${part.source} is not an expression: ${part.why}`,
        fix: 'write $${ for a literal ${',
      });
      return;
    }
    default:
      return part satisfies never;
  }
}

function fillVariable(name: string, spot: Spot): Piece | undefined {
  const { values, declared } = spot.context.variables;
  const value = values.get(name);
  if (value !== undefined) return value;
  if (declared.has(name)) {
    report(spot, 'unset-variable', {
      message: `variable ${name} has no value`,
      fix: `give it with --var ${name}=VALUE or EDGEFORM_VAR_${name}`,
    });
    return;
  }
  const near = closest(name, declared);
  report(spot, 'unknown-variable', {
    message: `variable ${name} is not declared`,
    fix: near === undefined ? `declare it: variables: { ${name}: {} }` : `did you mean "${near}"?`,
  });
}

/** One piece keeps its type; several become text, a secret, or an expression. */
function join(pieces: readonly Piece[]): Value {
  const [only] = pieces;
  if (only === undefined) return '';
  if (pieces.length === 1) return isReference(only) ? new Expression([only]) : only;
  if (pieces.some(isReference)) {
    return new Expression(
      pieces.map((piece) => (isReference(piece) || piece instanceof Secret ? piece : String(piece))),
    );
  }
  const text = pieces.map((piece) => (piece instanceof Secret ? piece.reveal() : String(piece))).join('');
  return pieces.some((piece) => piece instanceof Secret) ? new Secret(text) : text;
}

function isReference(piece: Piece): piece is Reference {
  return typeof piece === 'object' && !(piece instanceof Secret);
}

interface TextOrigin {
  readonly spot: Spot;
  readonly isLiteral: boolean;
}

function typed(field: Field | undefined, value: Value, { spot, isLiteral }: TextOrigin): Value | undefined {
  if (field === undefined) return value;
  const why = isOpaque(value) ? whyNeverSecret(field) : undefined;
  if (why !== undefined) {
    refuseSecret(spot, why);
    return undefined;
  }
  if (value instanceof Expression) return field.sensitive ? new Expression(value.parts, { isSecret: true }) : value;
  switch (field.type) {
    case 'integer':
    case 'number':
      return toNumber(field, value, spot);
    case 'boolean':
      return toBoolean(value, spot);
    case 'string':
      if (field.sensitive && isLiteral) warnLiteral(spot);
      return toText(field, value, spot);
    default:
      return value;
  }
}

function refuseSecret(spot: Spot, why: string): void {
  const name = spot.path.at(-1) ?? '';
  const what = /^\d+$/.test(name) ? (spot.path.at(-2) ?? '') : name;
  report(spot, 'secret-in-text', {
    message: `a sensitive variable cannot be used in ${what}, because ${why}`,
    got: 'a sensitive value',
    fix: 'use a variable that is not sensitive',
  });
}

function toText(field: StringField, value: Value, spot: Spot): string | Secret | undefined {
  if (field.sensitive) return value instanceof Secret ? value : new Secret(String(value));
  const text = value instanceof Secret ? value : String(value);
  return checkText(field, text, spot) ? text : undefined;
}

function toBoolean(value: Value, spot: Spot): boolean | undefined {
  const text = String(value);
  if (text === 'true' || text === 'false') return text === 'true';
  report(spot, 'bad-variable', {
    message: 'the variable is neither true nor false',
    expected: 'true or false',
  });
  return undefined;
}

function toNumber(
  field: Field & { readonly type: 'integer' | 'number' },
  value: Value,
  spot: Spot,
): number | undefined {
  const text = String(value);
  const pattern = field.type === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(?:\.\d{1,15})?$/;
  const number = pattern.test(text) ? Number(text) : NaN;
  if (number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity)) return number;
  report(spot, 'bad-variable', {
    message: 'the variable is not a number that fits',
    expected: `a number from ${field.min ?? '…'} to ${field.max ?? '…'}`,
  });
}

function warnLiteral({ path, context }: Spot): void {
  const problem = context.places.error('literal-secret', path, {
    message: `${path.at(-1) ?? ''} is a secret written in the manifest`,
    fix: 'use ${var.NAME} with a variable marked sensitive',
  });
  context.diagnostics.push({ ...problem, severity: 'warning' });
}

/** Limits and forms again, on the text as it will be sent (§8). What is secret is told by nothing but its place. */
function checkText(field: StringField, given: string | Secret, spot: Spot): boolean {
  const text = given instanceof Secret ? given.reveal() : given;
  const problem = tooLong(field, text) ?? wrongText(field, text);
  if (problem === undefined) return true;
  const { code, what, ...words } = problem;
  const { fix, ...rest } = { message: `${spot.path.at(-1) ?? ''} ${what}`, ...words };
  const isSecret = given instanceof Secret;
  report(spot, code, {
    ...rest,
    ...(isSecret && { got: 'a sensitive value' }),
    ...(fix !== undefined && { fix: isSecret ? 'correct the value of the variable' : fix }),
  });
  return false;
}

interface TextProblem extends Omit<Words, 'message'> {
  readonly code: Code;
  readonly what: string;
}

function tooLong(field: StringField, text: string): TextProblem | undefined {
  const limit = field.maxBytes ?? field.maxChars;
  const unit = field.maxBytes === undefined ? 'characters' : 'bytes';
  const length = field.maxBytes === undefined ? charLength(text) : byteLength(text);
  if (limit === undefined || length <= limit) return undefined;
  return {
    code: 'too-long',
    what: 'is too long',
    expected: `at most ${limit} ${unit}`,
    got: `${length} ${unit}`,
    fix: `shorten it by ${length - limit} ${unit}`,
  };
}

function wrongText({ values, pattern }: StringField, text: string): TextProblem | undefined {
  const got = JSON.stringify(text);
  if (values !== undefined && !values.includes(text)) {
    return {
      code: 'wrong-value',
      what: 'has a value that is not allowed',
      expected: `one of ${values.join(', ')}`,
      got,
    };
  }
  if (pattern === undefined || new RegExp(pattern.regex, 'u').test(text)) return undefined;
  return { code: 'wrong-value', what: 'does not have the right form', expected: pattern.words, got };
}
