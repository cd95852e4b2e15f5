// Help on a kind, one of its fields or another manifest key, wrapped to a width. Found by a path of names; for a wrong path, a
// usage error suggests the nearest.

import { EXAMPLES } from '../../catalog/examples.ts';
import { limits, notes, typeName } from '../../catalog/facts.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { managedKinds, childKinds, findKind } from '../../catalog/lookup.ts';
import { fieldOf, fieldsIn } from '../../catalog/walk.ts';
import { BugError } from '../../core/diagnostic.ts';
import { usageError, type Failure } from '../../core/failure.ts';
import { isList, isObject, type Json, type JsonObject, compareText } from '../../core/json.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { definitionLines, indented, type Definition } from '../../render/text/lines.ts';
import { fleetSchema } from '../../schema/fleet-schema.ts';
import { lifecycleSchema, manifestSchema } from '../../schema/generate.ts';
import { FORM } from '../../schema/hints.ts';

/** The kind with this singular name or manifest key; `others` are other valid names, for the error. */
export function kindNamed(name: string, others: { readonly what: string; readonly names: readonly string[] }): Kind {
  const kind = findKind(name) ?? kinds.find((one) => one.manifestKey === name);
  if (kind !== undefined) return kind;
  throw usageError(
    `there is no kind or ${others.what} "${name}"`,
    didYouMean(name, [...kinds.flatMap((one) => [one.name, one.manifestKey]), ...others.names]) ??
      `kinds: ${managedKinds.map((one) => one.manifestKey).join(', ')}; ${others.what}s: ${others.names.join(', ')}`,
  );
}

/** Help on a path, or the list of all names. The path may contain user-chosen names and list marks, as in the reference. */
export function helpOn(path: string | undefined, width: number): string[] {
  if (path === undefined) return listing(width);
  const [name = '', ...rest] = path
    .replace(/\[\d*\]/g, '')
    .split('.')
    .filter((segment) => segment !== ANY_NAME);
  const own = [...ownKeys(), fleetKey()];
  const key = own.find((one) => one.name === name);
  if (key !== undefined) return explainOwnKey(keyInside(key, rest), width);
  const names = own.map((one) => one.name);
  const [kind, segments] = innermost(kindNamed(name, { what: 'key', names }), rest);
  const [first, ...below] = segments;
  if (first === LIFECYCLE) return explainOwnKey(keyInside(lifecycleKey(kind), below), width);
  return first === undefined ? explainKind(kind, width) : explainField(kind, segments, width);
}

function keyInside(key: OwnKey, [first, ...rest]: readonly string[]): OwnKey {
  if (first === undefined) return key;
  const found = key.children.find((one) => one.name === first);
  if (found !== undefined) return keyInside(found, rest);
  const names = key.children.map((one) => one.name);
  throw noField(first, names);
}

/** The innermost kind on the path, and the rest of the path. */
function innermost(kind: Kind, segments: readonly string[]): readonly [Kind, readonly string[]] {
  const [first = '', ...rest] = segments;
  const child = childKinds(kind).find((one) => one.manifestKey === first);
  return child === undefined || Object.hasOwn(kind.fields, first) ? [kind, segments] : innermost(child, rest);
}

function listing(width: number): string[] {
  const kindNames = managedKinds.map((kind) => ({ name: pathOfKind(kind), text: kind.doc }));
  const all = kindNames.sort((a, b) => compareText(a.name, b.name));
  const definitions = (keys: readonly OwnKey[]) => keys.map(({ name, doc }) => ({ name, text: doc }));
  const hint =
    '`edgeform explain KIND` lists the fields of a kind, `edgeform explain KIND.FIELD` describes one field, for example ' +
    `\`edgeform explain ${EXAMPLES.fieldPath}\`. ` +
    'Any resource may have `lifecycle`.';
  return [
    'Kinds of resources:',
    '',
    ...definitionLines(all, width),
    '',
    'Other keys of a manifest:',
    '',
    ...definitionLines(definitions(ownKeys()), width),
    '',
    'Other files:',
    '',
    ...definitionLines(definitions([fleetKey()]), width),
    '',
    ...indented(hint, width),
  ];
}

function explainKind(kind: Kind, width: number): string[] {
  const inside = childKinds(kind).map((child) => ({ name: `${child.manifestKey}:`, text: child.doc }));
  return [
    ...indented(`${pathOfKind(kind)}: ${kind.doc}`, width, '', '  '),
    '',
    ...definitionLines(definitionsOf(kind.fields), width),
    ...(inside.length === 0 ? [] : ['', 'Inside:', ...definitionLines(inside, width)]),
    '',
    ...indented('Any resource may have `lifecycle`, too: `edgeform explain lifecycle`.', width),
  ];
}

function definitionsOf(fields: Fields): Definition[] {
  return Object.entries(fields).map(([name, field]) => {
    return { name, text: `${typeName(field)}${inBrackets(field)}. ${field.doc}` };
  });
}

function explainField(kind: Kind, segments: readonly string[], width: number): string[] {
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
  const head = `${pathOfKind(kind)}.${segments.join('.')}: ${typeName(field)}${inBrackets(field)}`;
  return topicLines({ head, doc: field.doc, facts, inside: definitionsOf(inside) }, width);
}

/** Help on one field or key and its members. */
interface Topic {
  readonly head: string;
  readonly doc: string;
  readonly facts: readonly string[];
  readonly inside: readonly Definition[];
}

function topicLines({ head, doc, facts, inside }: Topic, width: number): string[] {
  return [
    ...indented(head, width, '', '  '),
    ...indented(doc, width, '  '),
    ...facts.flatMap((fact) => indented(fact, width, '  ', '  ')),
    ...(inside.length === 0 ? [] : ['', ...definitionLines(inside, width)]),
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

/** An unknown name, with the nearest known one. */
function noField(name: string, names: readonly string[]): Failure {
  const known = names.length === 0 ? 'there are no fields inside it' : `fields: ${names.join(', ')}`;
  return usageError(`there is no field "${name}"`, didYouMean(name, names) ?? known);
}

/** A manifest key that belongs to no kind, and its members. */
function explainOwnKey(key: OwnKey, width: number): string[] {
  const facts = [
    ...key.limits.map((limit) => `limit: ${limit}`),
    ...key.examples.map((example) => `example: ${JSON.stringify(example)}`),
  ];
  const inside = key.children.map((one) => ({ name: one.name, text: `${ownType(one)}. ${one.doc}` }));
  return topicLines({ head: `${key.path}: ${ownType(key)}`, doc: key.doc, facts, inside }, width);
}

function ownType({ type, isRequired }: OwnKey): string {
  return `${type}${isRequired ? ' (required)' : ''}`;
}

/** What happens when the block is omitted. */
function removal(kind: Kind, field: Field): string[] {
  if (field.remove === undefined)
    return isFinal(field) ? ['removed: never, because the API has no operation for it'] : [];
  const operation = `DELETE ${kind.operations.get.path}/${field.remove}`;
  return [
    `removed: when left out, by ${operation}; without the capability module-delete it is set to \`enabled: false\``,
  ];
}

/** True for a value of the object itself that can be set but not removed. */
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

const LIFECYCLE = 'lifecycle';
/** Placeholder in paths for a name that the user chooses. */
const ANY_NAME = 'NAME';

/** A key that belongs to no kind, and its members. */
interface OwnKey {
  /** The key alone, such as `from`. */
  readonly name: string;
  /** Its place in a manifest, such as `moved[].from` or `variables.NAME.default`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly doc: string;
  /** Which values are accepted beyond the type, in words. */
  readonly limits: readonly string[];
  readonly examples: readonly Json[];
  readonly children: readonly OwnKey[];
}

/** Top-level keys of a manifest besides the kinds, and `lifecycle`, which any resource may have. */
export function ownKeys(): OwnKey[] {
  const schema = manifestSchema([]);
  return [...keysIn(schema, ''), lifecycleKey()];
}

/** The fleet file, as one key. */
export function fleetKey(): OwnKey {
  return keyOf('fleet', fleetSchema(), { above: '', isRequired: false });
}

function lifecycleKey(kind?: Kind): OwnKey {
  return keyOf(LIFECYCLE, lifecycleSchema(kind), { above: '', isRequired: false });
}

/** The manifest keys of the kind, such as `https_edges.routes`. */
function pathOfKind(kind: Kind): string {
  const above = managedKinds.find(({ name }) => name === kind.parent?.kind);
  return above === undefined ? kind.manifestKey : `${pathOfKind(above)}.${kind.manifestKey}`;
}

function keysIn(schema: JsonObject, above: string): OwnKey[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const names = isList(required) ? required : [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    isObject(inner) ? [keyOf(name, inner, { above, isRequired: names.includes(name) })] : [],
  );
}

function keyOf(
  name: string,
  schema: JsonObject,
  { above, isRequired }: { readonly above: string; readonly isRequired: boolean },
): OwnKey {
  const path = `${above}${name}`;
  const { items, additionalProperties: named, description, examples } = schema;
  const inside = isObject(items)
    ? keysIn(items, `${path}[].`)
    : isObject(named)
      ? keysIn(named, `${path}.${ANY_NAME}.`)
      : keysIn(schema, `${path}.`);
  return {
    name,
    path,
    type: typeOf(schema),
    isRequired,
    doc: typeof description === 'string' ? description : '',
    limits: limitsOf(schema),
    examples: isList(examples) ? examples : [],
    children: inside,
  };
}

function typeOf({ type, items, additionalProperties: named, const: only }: JsonObject): string {
  if (isObject(items)) return `list of ${typeOf(items)}`;
  if (isObject(named)) return `map of ${ANY_NAME} to ${typeOf(named)}`;
  if (isList(type)) return `${type.slice(0, -1).map(String).join(', ')} or ${String(type.at(-1))}`;
  if (only !== undefined) return typeof only;
  return typeof type === 'string' ? type : 'string';
}

function limitsOf({ enum: values, const: only, [FORM]: form }: JsonObject): string[] {
  return [
    ...(isList(values) ? [`one of ${values.map(String).join(', ')}`] : []),
    ...(only === undefined ? [] : [`always ${JSON.stringify(only)}`]),
    ...(typeof form === 'string' ? [form] : []),
  ];
}
