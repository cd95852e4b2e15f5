// Fields of the catalogue → members of TypeScript interfaces, with what the catalogue says about them as JSDoc. Pure.

import { rulesOf, sourceOf } from '../../src/catalog/facts.ts';
import type { Field, Fields, ObjectField, StringField } from '../../src/catalog/field.ts';
import type { Json } from '../../src/core/json.ts';

/** A member of an interface. */
export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  /** The text of its type, whose further lines are indented for the member. */
  readonly type: string;
  /** Lines of its JSDoc. */
  readonly doc: readonly string[];
}

const STEP = '  ';

/** `export interface NAME { … }` below its comment. */
export function interfaceOf(name: string, doc: readonly string[], members: readonly Member[]): string {
  return [...doc, `export interface ${name} ${bodyOf(members, '')}`].join('\n');
}

/** `{ … }`, each member on lines of its own. */
export function bodyOf(members: readonly Member[], indent: string): string {
  const inner = indent + STEP;
  const lines = members.flatMap(({ name, isRequired, type, doc }) => [
    ...docComment(doc, inner),
    `${inner}${propertyName(name)}${isRequired ? '' : '?'}: ${type.replaceAll('\n', `\n${STEP}`)};`,
  ]);
  return ['{', ...lines, `${indent}}`].join('\n');
}

/** A JSDoc comment; nothing in a line can end it. */
export function docComment(lines: readonly string[], indent = ''): string[] {
  const safe = lines.map((line) => line.replaceAll('*/', '*\\/'));
  if (safe.length === 0) return [];
  if (safe.length === 1) return [`${indent}/** ${safe.join('')} */`];
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

/** Words, facts and examples as JSDoc. */
export function docLines(words: string, facts: readonly string[], examples: readonly Json[]): string[] {
  return [
    words,
    ...(facts.length === 0 ? [] : ['', facts.join(' · ')]),
    ...(examples.length === 0 ? [] : ['', ...examples.map((example) => `@example ${JSON.stringify(example)}`)]),
  ];
}

/** The fields that a manifest may have. */
export function fieldMembers(fields: Fields): Member[] {
  return Object.entries(fields)
    .filter(([, field]) => field.write !== 'never')
    .map(([name, field]) => ({
      name,
      isRequired: field.required === true,
      type: typeOf(field),
      doc: docLines(field.doc, factsOf(field), examplesOf(field)),
    }));
}

function factsOf(field: Field): string[] {
  // The type says it.
  return [...rulesOf(field).filter((rule) => rule !== 'required'), sourceOf(field.source)];
}

function examplesOf(field: Field): readonly Json[] {
  if (field.examples !== undefined) return field.examples;
  return field.type === 'list' ? (field.items.examples ?? []).map((example) => [example]) : [];
}

function typeOf(field: Field): string {
  switch (field.type) {
    case 'string':
      return field.nullable === true ? `${textType(field)} | null` : textType(field);
    case 'integer':
    case 'number':
      return 'number | VariableReference';
    case 'boolean':
      return 'boolean | VariableReference';
    case 'list':
      return `${listOf(typeOf(field.items))} | VariableReference`;
    case 'map':
      return `Record<string, ${typeOf(field.items)}>`;
    case 'object':
      return objectType(field);
    default:
      return field satisfies never;
  }
}

/** A list of a type, or of any of several. */
export function listOf(type: string): string {
  return `readonly ${type.includes(' | ') ? `(${type})` : type}[]`;
}

/** Any text may contain `${…}`. */
function textType({ values, suggestions }: StringField): string {
  if (values !== undefined) return [...values.map(literal), 'Expression'].join(' | ');
  return suggestions === undefined ? 'string' : [...suggestions.map(literal), 'AnyText'].join(' | ');
}

function objectType(field: ObjectField): string {
  const body = bodyOf(fieldMembers(field.fields), '');
  if (field.exactlyOne) return `ExactlyOne<${body}>`;
  // Other names are passed on to the service.
  return field.open ? `${body} & { [name: string]: unknown }` : body;
}

export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
}
