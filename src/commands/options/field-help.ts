// What is said of a kind, of one of its fields and of other keys of a manifest, as lines that fit a width.

import { usageError } from '../../core/failure.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { BugError } from '../../core/diagnostic.ts';
import { limits, notes, typeName } from '../../catalog/facts.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds } from '../../catalog/lookup.ts';
import { fieldOf, fieldsIn } from '../../catalog/walk.ts';
import { definitionLines } from '../../render/text/definitions.ts';
import { indented } from '../../render/text/lines.ts';
import type { OwnKey } from '../../schema/own-keys.ts';
import { LIFECYCLE, pathOfKind } from '../../schema/own-keys.ts';
import type { Failure } from '../../core/failure.ts';

/** The kind, its fields and the kinds inside it. */
export function explainKind(kind: Kind, width: number): string[] {
  const inside = childKinds(kind).map((child) => ({ name: `${child.manifestKey}:`, text: child.doc }));
  return [
    ...indented(`${pathOfKind(kind)}: ${kind.doc}`, width, '', '  '),
    '',
    ...listFields(kind.fields, width),
    ...(inside.length === 0 ? [] : ['', 'Inside:', ...definitionLines(inside, width)]),
    '',
    ...indented('Any resource may have `lifecycle`, too: `edgeform explain lifecycle`.', width),
  ];
}

function listFields(fields: Fields, width: number): string[] {
  const entries = Object.entries(fields).map(([name, field]) => ({
    name,
    text: `${typeName(field)}${inBrackets(field)}. ${field.doc}`,
  }));
  return definitionLines(entries, width);
}

/** A field, by the names that lead to it. */
export function explainField(kind: Kind, segments: readonly string[], width: number): string[] {
  const { field, inside } = fieldAt(kind, segments);
  const { source } = field;
  const known =
    source.level === 'assumed'
      ? `assumed, ${source.adr}`
      : `${source.level}, ${source.section} of the API specification`;
  const facts = [
    ...limits(field).map((limit) => `limit: ${limit}`),
    ...removal(kind, field),
    ...(field.examples ?? []).map((example) => `example: ${JSON.stringify(example)}`),
    `source: ${known}`,
  ];
  return [
    ...indented(`${pathOfKind(kind)}.${segments.join('.')}: ${typeName(field)}${inBrackets(field)}`, width, '', '  '),
    ...indented(field.doc, width, '  '),
    ...facts.flatMap((fact) => indented(fact, width, '  ', '  ')),
    ...(Object.keys(inside).length === 0 ? [] : ['', ...listFields(inside, width)]),
  ];
}

function fieldAt(kind: Kind, segments: readonly string[]): { readonly field: Field; readonly inside: Fields } {
  let fields = kind.fields;
  let field: Field | undefined;
  for (const segment of segments) {
    const above = field;
    field = fieldOf(fields, segment);
    if (field === undefined) {
      const more = above === undefined ? [...childKinds(kind).map((child) => child.manifestKey), LIFECYCLE] : [];
      throw noField(segment, [...Object.keys(fields), ...more]);
    }
    fields = fieldsIn(field);
  }
  if (field === undefined) throw new BugError(`no name leads to a field of ${kind.name}`);
  return { field, inside: fields };
}

/** A name that leads nowhere, with the nearest that does. */
export function noField(name: string, names: readonly string[]): Failure {
  const known = names.length === 0 ? 'there are no fields inside it' : `fields: ${names.join(', ')}`;
  return usageError(`there is no field "${name}"`, didYouMean(name, names) ?? known);
}

/** A key of the manifest that is not of a kind, and what is in it. */
export function explainOwnKey(key: OwnKey, width: number): string[] {
  const facts = [
    ...key.limits.map((limit) => `limit: ${limit}`),
    ...key.examples.map((example) => `example: ${JSON.stringify(example)}`),
  ];
  const entries = key.children.map((one) => ({ name: one.name, text: `${ownType(one)}. ${one.doc}` }));
  return [
    ...indented(`${key.path}: ${ownType(key)}`, width, '', '  '),
    ...indented(key.doc, width, '  '),
    ...facts.flatMap((fact) => indented(fact, width, '  ', '  ')),
    ...(entries.length === 0 ? [] : ['', ...definitionLines(entries, width)]),
  ];
}

function ownType({ type, isRequired }: OwnKey): string {
  return `${type}${isRequired ? ' (required)' : ''}`;
}

/** What happens when the block is left out. */
function removal(kind: Kind, field: Field): string[] {
  if (field.remove === undefined)
    return isFinal(field) ? ['removed: never, because the API has no operation for it'] : [];
  const operation = `DELETE ${kind.operations.get.path}/${field.remove}`;
  return [
    `removed: when left out, by ${operation}; without the capability module-delete it is set to \`enabled: false\``,
  ];
}

/** True for a value of the object itself that can be given and not taken away again. */
function isFinal({ write, required, default: given, module }: Field): boolean {
  return write === 'update' && !required && given === undefined && !module;
}

function inBrackets(field: Field): string {
  const words = [
    ...notes(field),
    ...(field.default === 'service' ? ['default chosen by the service'] : []),
    ...(typeof field.default === 'object' ? [`default ${JSON.stringify(field.default.value)}`] : []),
    ...(field.type === 'string' && field.values ? [`one of ${field.values.join(', ')}`] : []),
  ];
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}
