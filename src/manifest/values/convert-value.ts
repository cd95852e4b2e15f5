// Converts filled-in values to the type, form and length of their fields. Does not know how they were filled in.

import type { Code } from '../../core/codes.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import type { Path } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Expression, isOpaque, type Value } from '../../core/value.ts';
import type { Field, NumberField, StringField } from '../../catalog/field.ts';
import { sentText } from '../../catalog/normal-form.ts';
import { whyNeverSecret } from '../../catalog/secrecy/secrecy.ts';
import { ofAbsent, type SourceMap } from '../source-map.ts';
import type { ReadInline } from '../read-files.ts';
import type { UnknownValues } from '../unknown-values.ts';
import { outsideOf, type WaysToGive } from './from-outside.ts';
import { textProblem } from './text-problem.ts';
import type { Variables } from './variables.ts';
import type { WrittenIn } from './written-in.ts';

export interface ExpandContext {
  readonly variables: Variables;
  /** Variables without a value, at their first use; not an error if the manifest is only inspected. */
  readonly lacking: Diagnostic[];
  /** How a variable gets its value, for those that have none. */
  readonly waysToGive: WaysToGive;
  /** Variables already reported as missing. */
  readonly reported: Set<string>;
  /** Total size of the text created by filling in. */
  readonly filled: { bytes: number };
  readonly readFile: ReadInline;
  readonly sourceMap: SourceMap;
  readonly unknownValues: UnknownValues;
  readonly diagnostics: Diagnostic[];
}

export interface Cursor {
  readonly path: readonly string[];
  readonly context: ExpandContext;
}

/** Reports a problem and marks the value as unknown. */
export function report({ path, context }: Cursor, code: Code, words: ProblemText): undefined {
  context.unknownValues.add(path);
  context.diagnostics.push(context.sourceMap.error(code, path, words));
  return undefined;
}

/** Reports that something which the value names is not there. */
export function reportAbsent({ path, context }: Cursor, code: Code, named: Path, words: ProblemText): undefined {
  const { sourceMap, unknownValues, diagnostics } = context;
  unknownValues.add(path);
  diagnostics.push(ofAbsent(sourceMap.error(code, path, words), sourceMap.dropOf(named)));
  return undefined;
}

/** The value for its field; undefined if it does not fit, which is reported. */
export function convertValue(
  field: Field | undefined,
  value: Value,
  { cursor, writtenIn }: { readonly cursor: Cursor; readonly writtenIn: WrittenIn },
): Value | undefined {
  if (field === undefined) return value;
  const why = isOpaque(value) ? whyNeverSecret(field) : undefined;
  if (why !== undefined) {
    rejectSecret(cursor, why);
    return undefined;
  }
  if (value instanceof Expression) return field.sensitive ? new Expression(value.parts, { isSecret: true }) : value;
  switch (field.type) {
    case 'integer':
    case 'number':
      return toNumber(field, value, cursor);
    case 'boolean':
      return toBoolean(value, cursor);
    case 'string':
      if (field.sensitive) warnWritten(writtenIn, value, cursor);
      return toText(field, value, cursor);
    default:
      return value;
  }
}

/** Reports a sensitive variable where its value would be shown. */
export function rejectSecret(cursor: Cursor, why: string): void {
  const name = cursor.path.at(-1) ?? '';
  const what = /^\d+$/.test(name) ? (cursor.path.at(-2) ?? '') : name;
  report(cursor, 'secret-in-text', {
    message: `a sensitive variable cannot be used in ${what}, because ${why}`,
    got: 'a sensitive value',
    fix: 'use a variable that is not sensitive',
  });
}

function toBoolean(value: Value, cursor: Cursor): boolean | undefined {
  const text = String(value);
  if (text === 'true' || text === 'false') return text === 'true';
  report(cursor, 'bad-variable', {
    message: `the value of the variable for ${cursor.path.at(-1) ?? ''} is not a boolean`,
    expected: 'true or false',
    fix: 'correct the value of the variable',
  });
}

function toNumber(field: NumberField, value: Value, cursor: Cursor): number | undefined {
  const text = String(value);
  const pattern = field.type === 'integer' ? /^-?\d{1,15}(?:\.0{1,15})?$/ : /^-?\d{1,15}(?:\.\d{1,15})?$/;
  const number = pattern.test(text) ? Number(text) : NaN;
  if (number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity)) return number;
  report(cursor, 'bad-variable', {
    message: `the value of the variable for ${cursor.path.at(-1) ?? ''} is not a number, or is out of range`,
    expected: `a number from ${field.min ?? '…'} to ${field.max ?? '…'}`,
    fix: 'correct the value of the variable',
  });
}

/** A secret that is written in the manifest, in its field or as the default of a variable that is not sensitive. */
function warnWritten(writtenIn: WrittenIn, value: Value, { path, context }: Cursor): void {
  if (writtenIn === undefined) return;
  const { sourceMap, diagnostics } = context;
  const field = path.at(-1) ?? '';
  if (writtenIn === 'field') {
    const message = `${field} is a secret written in the manifest`;
    const fix = 'use "${var.NAME}" with a variable marked sensitive';
    diagnostics.push(sourceMap.warning('literal-secret', path, { message, fix }));
    return;
  }
  // An empty secret is none (ADR-0035).
  if (value === '') return;
  const { defaultOf: name } = writtenIn;
  const problem = sourceMap.warning('literal-secret', ['variables', name, 'default'], {
    message: `the default of ${name} is a secret written in the manifest, because ${field} is one`,
    fix: `write \`${name}: { sensitive: true }\`, and give the value from outside: ${outsideOf(name)}`,
  });
  diagnostics.push({ ...problem, related: [{ message: 'used here', range: sourceMap.value(path) }] });
}

/** The text, if its final form satisfies its field's limits and pattern (§8). For a secret, the problem shows only its place. */
function toText(field: StringField, value: Value, cursor: Cursor): string | Secret | undefined {
  const isSecret = field.sensitive === true || value instanceof Secret;
  const text = !isSecret ? String(value) : value instanceof Secret ? value : new Secret(String(value));
  const problem = textProblem(field, text instanceof Secret ? text.reveal() : text, nameOf(cursor.path));
  // No spelling of a secret is ever shown, so it takes the form in which it is sent at once.
  if (problem === undefined) return text instanceof Secret ? asSent(field, text) : text;
  const { code, fix, ...words } = problem;
  report(cursor, code, {
    ...words,
    ...(isSecret && { got: 'a sensitive value' }),
    ...(fix !== undefined && { fix: isSecret ? 'correct the value of the variable' : fix }),
  });
}

/** The name of a field, with the index of an item. */
export function nameOf(path: readonly string[]): string {
  const name = path.at(-1) ?? '';
  return /^\d+$/.test(name) ? `${path.at(-2) ?? ''}[${name}]` : name;
}

function asSent(field: StringField, secret: Secret): Secret {
  const text = secret.reveal();
  const sent = sentText(field, text);
  return sent === text ? secret : secret.map(() => sent);
}
