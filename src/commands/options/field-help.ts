// Help on a kind, one of its fields or another manifest key, wrapped to a width. Found by a path of names; for a wrong path, a
// usage error suggests the nearest.

import { EXAMPLES } from '../../catalog/examples.ts';
import { defaults, limits, notes, sourceOf, spellings, typeName } from '../../catalog/facts.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { managedKinds, childKinds, findKind } from '../../catalog/lookup.ts';
import { fieldsIn } from '../../catalog/walk.ts';
import { usageError } from '../../core/failure.ts';
import { isList, isObject, type Json, type JsonObject, compareText } from '../../core/json.ts';
import { alternatives, didYouMean } from '../../core/text/closest.ts';
import { definitionLines, indented } from '../../render/text/lines.ts';
import { fleetSchema } from '../../schema/fleet-schema.ts';
import { overlaySchema } from '../../schema/editor-schema.ts';
import { lifecycleSchema, manifestSchema } from '../../schema/generate.ts';
import { FORM } from '../../schema/hints.ts';
import { REUSE_KEYS } from '../../schema/reuse-schema.ts';

/** Placeholder in paths for a name that the user chooses. */
const ANY_NAME = 'NAME';

/** What can be explained: a kind, a field of one, or another key, with what is inside. */
interface Topic {
  /** The name alone, such as `from`. */
  readonly name: string;
  /** Its place in a manifest, such as `moved[].from` or `variables.NAME.default`. */
  readonly path: string;
  readonly type: string;
  /** What is said next to the type, such as `required`. */
  readonly notes: readonly string[];
  readonly doc: string;
  /** Which values are accepted beyond the type, in words. */
  readonly limits: readonly string[];
  /** Which spellings are the same value, in words. */
  readonly spellings?: readonly string[];
  readonly examples: readonly Json[];
  /** How we know it; undefined for what is ours. */
  readonly source?: string;
  readonly children: readonly Topic[];
}

/** The kind with this singular name or manifest key; `others` are other valid names, for the error. */
export function kindNamed(name: string, others: { readonly what: string; readonly names: readonly string[] }): Kind {
  const kind = kindCalled(name);
  if (kind !== undefined) return kind;
  throw usageError(
    `there is no kind or ${others.what} "${name}"`,
    didYouMean(name, [...kinds.flatMap((one) => [one.name, one.manifestKey]), ...others.names]) ??
      `kinds: ${managedKinds.map((one) => one.manifestKey).join(', ')}; ${others.what}s: ${others.names.join(', ')}`,
  );
}

function kindCalled(name: string): Kind | undefined {
  return findKind(name) ?? kinds.find((kind) => kind.manifestKey === name);
}

/**
 * Help on a path, or the list of all names. The path may contain user-chosen names and list marks, as in the reference. It may
 * also begin inside a kind: `oidc` is `https_edges.routes.oidc`.
 */
export function helpOn(path: string | undefined, width: number): string[] {
  if (path === undefined) return listing(width);
  const [name = '', ...rest] = path
    .replace(/\[\d*\]/g, '')
    .split('.')
    .filter((segment) => segment !== ANY_NAME);
  return explain(rest.reduce(inside, topicNamed(name)), width);
}

function topicNamed(name: string): Topic {
  const own = [...ownKeys(), ...otherFiles()];
  const kind = kindCalled(name);
  const topic = own.find((key) => key.name === name) ?? (kind && kindTopic(kind));
  if (topic !== undefined) return topic;
  const all = allTopics([...own, ...managedKinds.map(kindTopic)]);
  const [found, ...others] = all.filter((deeper) => deeper.name === name);
  if (found === undefined)
    throw usageError(
      `there is no kind, field or key "${name}"`,
      didYouMean(
        name,
        all.map((deeper) => deeper.name),
      ) ?? '`edgeform explain` lists them',
    );
  if (others.length === 0) return found;
  const paths = [found, ...others].slice(0, MAX_PLACES).map((deeper) => `\`edgeform explain ${deeper.path}\``);
  const more = others.length < MAX_PLACES ? '' : `, or one of ${others.length + 1 - MAX_PLACES} more places`;
  throw usageError(`"${name}" stands in ${others.length + 1} places`, `name one: ${alternatives(paths)}${more}`);
}

/** Places of a name that are listed. */
const MAX_PLACES = 6;

/** Topics, and all that is inside them, each path once. */
function allTopics(topics: readonly Topic[]): Topic[] {
  const withInner = (topic: Topic): Topic[] => [topic, ...topic.children.flatMap(withInner)];
  return [...new Map(topics.flatMap(withInner).map((topic) => [topic.path, topic])).values()];
}

function inside({ children }: Topic, name: string): Topic {
  const found = children.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = children.map((one) => one.name);
  const known = names.length === 0 ? 'there are no fields inside it' : `fields: ${names.join(', ')}`;
  throw usageError(`there is no field "${name}"`, didYouMean(name, names) ?? known);
}

function listing(width: number): string[] {
  const all = managedKinds.map((kind) => ({ name: pathOfKind(kind), text: kind.doc }));
  const hint =
    '`edgeform explain KIND` lists the fields of a kind, `edgeform explain KIND.FIELD` describes one field, for example ' +
    `\`edgeform explain ${EXAMPLES.fieldPath}\`. ` +
    'Any resource may have `lifecycle`, `preset` and `without`.';
  const parts = [
    { title: 'Kinds of resources:', list: all.sort((a, b) => compareText(a.name, b.name)) },
    { title: 'Other keys of a manifest:', list: ownKeys().map(({ name, doc }) => ({ name, text: doc })) },
    { title: 'Other files:', list: otherFiles().map(({ name, doc }) => ({ name, text: doc })) },
  ];
  return [
    ...parts.flatMap(({ title, list }) => [title, '', ...definitionLines(list, width), '']),
    ...indented(hint, width),
  ];
}

function explain(topic: Topic, width: number): string[] {
  const { path, doc, limits: accepted, spellings: same = [], examples, source, children } = topic;
  const facts = [
    ...accepted.map((limit) => `limit: ${limit}`),
    ...same.map((rule) => `spelling: ${rule}`),
    ...examples.map((example) => `example: ${JSON.stringify(example)}`),
    ...(source === undefined ? [] : [`source: ${source}`]),
  ];
  const members = children.map((one) => ({ name: one.name, text: `${typeOfTopic(one)}. ${one.doc}` }));
  return [
    ...indented(`${path}: ${typeOfTopic(topic)}`, width, '', '  '),
    ...indented(doc, width, '  '),
    ...facts.flatMap((fact) => indented(fact, width, '  ', '  ')),
    ...(members.length === 0 ? [] : ['', ...definitionLines(members, width)]),
  ];
}

function typeOfTopic({ type, notes: words }: Topic): string {
  return words.length === 0 ? type : `${type} (${words.join('; ')})`;
}

/** Children of a kind are among its members, as they are in a manifest. */
function kindTopic(kind: Kind): Topic {
  const { manifestKey: name, title, doc, fields } = kind;
  const path = pathOfKind(kind);
  const children = [...fieldTopics(fields, path), ...childKinds(kind).map(kindTopic), lifecycleKey(kind)];
  return { name, path, type: `map of ${ANY_NAME} to ${title}`, notes: [], doc, limits: [], examples: [], children };
}

function fieldTopics(fields: Fields, above: string): Topic[] {
  return Object.entries(fields).map(([name, field]) => {
    const path = `${above}.${name}`;
    return {
      name,
      path,
      type: typeName(field),
      notes: [...notes(field), ...defaults(field), ...choicesOf(field)],
      doc: field.doc,
      limits: limits(field),
      spellings: spellings(field),
      examples: field.examples ?? [],
      source: sourceOf(field.source),
      children: fieldTopics(fieldsIn(field), path),
    };
  });
}

function choicesOf(field: Field): string[] {
  return field.type === 'string' && field.values ? [`one of ${field.values.join(', ')}`] : [];
}

/** Top-level keys of a manifest besides the kinds, and those that any resource may have. */
export function ownKeys(): Topic[] {
  return [...keysIn(manifestSchema([]), ''), ...keysIn({ properties: REUSE_KEYS }, ''), lifecycleKey()];
}

function otherFiles(): Topic[] {
  return [fleetKey(), overlayKey()];
}

/** The file of `--overlay`, as one key. */
export function overlayKey(): Topic {
  return keyOf('overlay', overlaySchema([]), { above: '', isRequired: false });
}

/** The fleet file, as one key. */
export function fleetKey(): Topic {
  return keyOf('fleet', fleetSchema(), { above: '', isRequired: false });
}

function lifecycleKey(kind?: Kind): Topic {
  return keyOf('lifecycle', lifecycleSchema(kind), { above: '', isRequired: false });
}

/** The manifest keys of the kind, such as `https_edges.routes`. */
function pathOfKind(kind: Kind): string {
  const above = managedKinds.find(({ name }) => name === kind.parent?.kind);
  return above === undefined ? kind.manifestKey : `${pathOfKind(above)}.${kind.manifestKey}`;
}

function keysIn(schema: JsonObject, above: string): Topic[] {
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
): Topic {
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
    notes: isRequired ? ['required'] : [],
    doc: typeof description === 'string' ? description : '',
    limits: limitsOf(schema),
    examples: isList(examples) ? examples : [],
    children: inside,
  };
}

function typeOf({ type, items, additionalProperties: named, const: only, anyOf }: JsonObject): string {
  if (isList(anyOf)) return anyOf.flatMap((one) => (isObject(one) ? typeOf(one) : [])).join(' or ');
  const list = isObject(items) ? `list of ${typeOf(items)}` : 'list';
  if (isList(type)) {
    const names = type.map((name) => (name === 'array' ? list : String(name)));
    return `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  }
  if (isObject(items)) return list;
  if (isObject(named)) return `map of ${ANY_NAME} to ${typeOf(named)}`;
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
