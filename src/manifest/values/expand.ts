// Fills variables and files into one block and converts its values to the types of the catalogue. References stay expressions.
// The size of a text is computed before it is built: a short file can ask for more than fits into memory.

import { compareText, isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Expression, isReference, type Value, type ValueObject, type Reference } from '../../core/value.ts';
import { fieldOf, itemField, perTable } from '../../catalog/walk.ts';
import type { Field, Fields, ListField } from '../../catalog/field.ts';
import {
  FINAL_BREAK_FIX,
  forbiddenCharacterIn,
  forbiddenCharacterMessage,
  withoutFinalBreak,
} from '../../catalog/fields/forms.ts';
import { splitText, type Part } from './expression.ts';
import { report, reportAbsent, convertValue, nameOf, type ExpandContext, type Cursor } from './convert-value.ts';
import { byteLength } from '../../core/text/text.ts';
import { MAX_TOTAL_BYTES } from '../text/preflight.ts';
import { VariableList, type VariableValue } from './variables.ts';
import { whereWritten } from './written-in.ts';

/** The block's fields with values filled in; invalid fields are reported and left out. */
export function expandFields(fields: Fields, block: JsonObject, path: Path, context: ExpandContext): ValueObject {
  return expandEntries(inOrder(fields, block), (name) => fieldOf(fields, name), { block, path, context });
}

interface Entries extends Cursor {
  readonly block: JsonObject;
}

function expandEntries(
  names: readonly string[],
  fieldNamed: (name: string) => Field | undefined,
  { block, path, context }: Entries,
): ValueObject {
  const made: Record<string, Value> = {};
  for (const name of names) {
    const value = block[name] ?? null;
    const cursor = { path: [...path, name], context };
    if (value === null || context.unknownValues.has(cursor.path)) continue;
    const field = fieldNamed(name);
    const forbidden = field === undefined ? forbiddenCharacterIn(name) : undefined;
    if (forbidden !== undefined) {
      const words = { message: `a name cannot hold the character ${forbidden}`, fix: 'remove the character' };
      context.diagnostics.push(context.sourceMap.errorAtKey('hidden-character', cursor.path, words));
    }
    const expanded = expand(field, value, cursor);
    if (expanded !== undefined) made[name] = expanded;
  }
  return made;
}

/** Names in the order of the catalogue, then other names alphabetically, so that the order in a file does not matter. */
function inOrder(fields: Fields, block: JsonObject): string[] {
  const ranks = ranksOf(fields);
  const rank = (name: string) => ranks.get(name) ?? ranks.size;
  return Object.keys(block).sort((a, b) => rank(a) - rank(b) || compareText(a, b));
}

const ranksOf = perTable((fields) => new Map(Object.keys(fields).map((name, index) => [name, index])));

/** A value outside any kind, such as an output. */
export function expandFree(value: Json, path: Path, context: ExpandContext): Value | undefined {
  return expand(undefined, value, { path, context });
}

/** The same, also for a variable that is a list, where nothing but the expression is wanted. */
export function expandFreeOrList(value: Json, path: Path, context: ExpandContext): Value | undefined {
  const [only, ...others] = typeof value === 'string' ? splitText(value) : [];
  const variable =
    only?.type === 'variable' && others.length === 0 ? context.variables.values.get(only.name) : undefined;
  return variable instanceof VariableList ? variable.items : expandFree(value, path, context);
}

function expand(field: Field | undefined, value: Json, cursor: Cursor): Value | undefined {
  if (typeof value === 'string' && field?.type === 'list') return expandList(field, value, cursor);
  if (typeof value === 'string') return expandText(field, value, cursor);
  if (isList(value)) {
    const items = itemField(field);
    return value.map((item, index) => {
      const path = [...cursor.path, String(index)];
      // An invalid item keeps its position, so that the others keep theirs.
      return cursor.context.unknownValues.has(path) ? null : (expand(items, item, { ...cursor, path }) ?? null);
    });
  }
  if (isObject(value) && field?.type === 'map')
    return expandEntries(Object.keys(value), () => field.items, { block: value, ...cursor });
  if (isObject(value))
    return expandFields(field?.type === 'object' ? field.fields : {}, value, cursor.path, cursor.context);
  return value;
}

/** A list that is one variable. */
function expandList(field: ListField, text: string, cursor: Cursor): Value | undefined {
  const [only, ...others] = splitText(text);
  if (only?.type !== 'variable' || others.length > 0) {
    report(cursor, 'wrong-type', {
      message: `${nameOf(cursor.path)} must be a list`,
      expected: 'a list, or one variable that is a list: "${var.NAME}"',
      got: 'a text',
      fix: `write a list: ${nameOf(cursor.path)}: [VALUE]`,
    });
    return undefined;
  }
  const value = variableNamed(only.name, cursor, 'list');
  if (value instanceof VariableList) return expandItems(field, only.name, value, cursor);
  if (value instanceof Expression) {
    // The items of a variable without a value are not known; that they are secret is.
    cursor.context.unknownValues.add(cursor.path);
    return value.isSecret ? [value] : undefined;
  }
  if (value !== undefined) reportNoList(only.name, cursor);
  return undefined;
}

function expandItems(field: ListField, name: string, list: VariableList, cursor: Cursor): Value | undefined {
  const { items, bytes } = list;
  if (!hasRoomFor(bytes, cursor)) return undefined;
  const writtenIn = whereWritten([{ type: 'variable', name }], cursor.context.variables);
  const values: Value[] = [];
  for (const item of items) {
    const value = convertValue(field.items, item, { cursor, writtenIn });
    // The others would only say the same again.
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function reportNoList(name: string, cursor: Cursor): void {
  report(cursor, 'bad-variable', {
    message: `variable ${name} is not a list, as ${nameOf(cursor.path)} must be`,
    fix: `write a list: ${nameOf(cursor.path)}: ["\${var.${name}}"], or give the variable a list`,
  });
}

function expandText(field: Field | undefined, text: string, cursor: Cursor): Value | undefined {
  const parts = splitText(text).map((part) => (field?.sensitive === true ? unquoted(part) : part));
  const filled = parts.map((part) => fill(part, field, cursor));
  const pieces = filled.filter((piece) => piece !== undefined);
  if (pieces.length < filled.length || (pieces.length > 1 && !isWithinLimit(pieces, cursor))) return undefined;
  const strange = pieces.map((piece) => forbiddenCharacterIn(plainText(piece), field)).find((one) => one !== undefined);
  if (strange !== undefined) {
    const text = pieces.map(plainText).join('');
    const isAtEnd = forbiddenCharacterIn(withoutFinalBreak(text), field) === undefined;
    const fix = isAtEnd ? FINAL_BREAK_FIX : 'remove the character';
    report(cursor, 'hidden-character', { message: forbiddenCharacterMessage(strange), fix });
    return undefined;
  }
  return convertValue(field, join(pieces), { cursor, writtenIn: whereWritten(parts, cursor.context.variables) });
}

function plainText(piece: TextPiece): string {
  if (piece instanceof Secret) return piece.reveal();
  if (piece instanceof Expression)
    return piece.written(
      (secret) => secret.reveal(),
      () => '',
    );
  return isReference(piece) ? '' : String(piece);
}

/** Literal text inside a secret may be part of the secret. */
function unquoted(part: Part): Part {
  return part.type === 'bad' ? { ...part, source: 'what begins here with ${' } : part;
}

function fill(part: Part, field: Field | undefined, cursor: Cursor): TextPiece | undefined {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reference':
      return { address: part.address, attr: part.attr };
    case 'variable':
      return fillVariable(part.name, cursor);
    case 'file':
      return fillFile(part.path, field, cursor);
    case 'bad': {
      report(cursor, 'bad-expression', {
        message: `${part.source} is not an expression: ${part.why}`,
        fix: part.fix ?? 'use ${var.NAME} for a value from outside, or write $${ for a literal ${',
      });
      return;
    }
    default:
      return part satisfies never;
  }
}

/** The text of a file. Editors end a file with a line break, which belongs only to a text of many lines. */
function fillFile(path: string, field: Field | undefined, cursor: Cursor): string | undefined {
  const { readFile, sourceMap } = cursor.context;
  const outcome = readFile(path, sourceMap.file(cursor.path));
  for (const problem of outcome.diagnostics) report(cursor, problem.code, problem);
  const keepsBreak = field?.type === 'string' && field.lines === 'many';
  return keepsBreak ? outcome.value : outcome.value?.replace(/\r?\n$/, '');
}

function fillVariable(name: string, cursor: Cursor): TextPiece | undefined {
  const value = variableNamed(name, cursor, 'text');
  if (!(value instanceof VariableList)) return value;
  report(cursor, 'bad-variable', {
    message: `variable ${name} is a list, and no list can stand here`,
    fix: 'use it alone where a list stands, such as hostports: "${var.NAME}", or give it one value',
  });
  return undefined;
}

/** What may stand at the place of a variable. */
type Wanted = 'text' | 'list';

function variableNamed(name: string, cursor: Cursor, wanted: Wanted): VariableValue | undefined {
  const { variables, unknownValues, reported } = cursor.context;
  const { values, declared, unset } = variables;
  const value = values.get(name);
  if (value !== undefined) return value;
  const unknown = unset.get(name);
  if (unknown !== undefined) {
    if (!reported.has(name)) reportUnset(name, waysToSet(name, wanted, unknown.isSecret, cursor), cursor);
    return unknown;
  }
  if (unknownValues.mayHave(['variables', name])) return new Expression([`\${var.${name}}`]);
  reportAbsent(cursor, 'unknown-variable', ['variables', name], {
    message: `variable ${name} is not declared`,
    fix: declared.didYouMean(name) ?? `declare it: variables: { ${name}: {} }`,
  });
}

/** A list can only be written in a file. */
function waysToSet(name: string, wanted: Wanted, isSecret: boolean, { context }: Cursor): string {
  if (wanted === 'list') return `give it a list with --var-file FILE, in which you write \`${name}: [VALUE]\``;
  return context.waysToGive(name, isSecret);
}

/** Once per variable, at its first use. */
function reportUnset(name: string, fix: string, { path, context }: Cursor): void {
  context.reported.add(name);
  const words = { message: `variable ${name} has no value`, fix };
  context.lacking.push(context.sourceMap.error('unset-variable', path, words));
}

/** A single piece keeps its type; several become text, a secret, or an expression. */
function join(pieces: readonly TextPiece[]): Value {
  const [only] = pieces;
  if (only === undefined) return '';
  if (pieces.length === 1) return isReference(only) ? new Expression([only]) : only;
  if (pieces.some((piece) => isReference(piece) || piece instanceof Expression)) {
    const isSecret = pieces.some((piece) => piece instanceof Expression && piece.isSecret);
    return new Expression(pieces.flatMap(partsOf), { isSecret });
  }
  const text = pieces.map((piece) => (piece instanceof Secret ? piece.reveal() : String(piece))).join('');
  return pieces.some((piece) => piece instanceof Secret) ? new Secret(text) : text;
}

function partsOf(piece: TextPiece): Expression['parts'] {
  if (piece instanceof Expression) return piece.parts;
  return [isReference(piece) || piece instanceof Secret ? piece : String(piece)];
}

type TextPiece = Exclude<VariableValue, VariableList> | Reference;

/** Adds the pieces to the total as one text; false, with a report, when they exceed the limit. */
function isWithinLimit(pieces: readonly TextPiece[], cursor: Cursor): boolean {
  const known = new Map<TextPiece, number>();
  let bytes = 0;
  for (const piece of pieces) {
    const size = known.get(piece) ?? bytesOf(piece);
    known.set(piece, size);
    bytes += size;
  }
  return hasRoomFor(bytes, cursor);
}

/** Adds to the size of all that is filled in; false, with a report, when that exceeds the limit. */
function hasRoomFor(bytes: number, cursor: Cursor): boolean {
  const { filled } = cursor.context;
  if (filled.bytes + bytes > MAX_TOTAL_BYTES) {
    const message = 'the texts up to this one would become larger than 16 MiB once their expressions are filled in';
    report(cursor, 'too-large', { message, fix: 'use the value fewer times, or a smaller one' });
    return false;
  }
  filled.bytes += bytes;
  return true;
}

/** References are not filled in yet. */
function bytesOf(piece: TextPiece): number {
  if (piece instanceof Secret) return byteLength(piece.reveal());
  if (piece instanceof Expression) return piece.parts.reduce((sum, part) => sum + bytesOf(part), 0);
  return typeof piece === 'object' ? 0 : byteLength(String(piece));
}
