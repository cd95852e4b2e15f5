// schema and explain: what the catalogue says, as JSON Schema or as text. No network.

import type { Field, Fields, RefTarget } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { childKinds, findKind, kindByName, managedKinds } from '../catalog/lookup.ts';
import { kinds } from '../catalog/kinds/index.ts';
import { closest } from '../base/closest.ts';
import { plural } from '../base/text.ts';
import { kindSchema, manifestSchema } from '../schema/generate.ts';
import { documentSchemas } from '../schema/documents.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import type { Host } from './host.ts';
import { usage } from './options.ts';

/** `others` are names that are meant for something else than a kind. */
function kindNamed(name: string, others: readonly string[] = []): Kind {
  const kind = findKind(name) ?? kinds.find((one) => one.manifestKey === name);
  if (kind !== undefined) return kind;
  const near = closest(name, [...kinds.flatMap((one) => [one.name, one.manifestKey]), ...others]);
  const also = others.length === 0 ? '' : `; documents: ${others.join(', ')}`;
  throw usage(
    `there is no kind ${others.length === 0 ? '' : 'or document '}"${name}"`,
    near === undefined
      ? `kinds: ${managedKinds.map((one) => one.manifestKey).join(', ')}${also}`
      : `did you mean "${near}"?`,
  );
}

const MANIFEST = 'manifest';
/** Names of documents that have a schema. */
export const DOCUMENT_NAMES: readonly string[] = [MANIFEST, ...documentSchemas.keys()];

/** Prints the schema of manifests, of one document that a command prints, or of one kind. */
export function schema(name: string | undefined, host: Host): ExitCode {
  const found =
    name === undefined || name === MANIFEST
      ? manifestSchema(kinds)
      : (documentSchemas.get(name) ?? kindSchema(kindNamed(name, DOCUMENT_NAMES)));
  host.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  return EXIT.done;
}

/** Prints what a kind or one of its fields means. */
export function explain(path: string, host: Host): ExitCode {
  const [name = '', ...rest] = path.split('.');
  const { kind, segments } = innermost(kindNamed(name), rest);
  const lines = segments.length === 0 ? explainKind(kind) : explainField(kind, segments);
  host.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

/** The manifest keys that lead to the kind. */
function keyOf(kind: Kind): string {
  return kind.parent === undefined ? kind.manifestKey : `${keyOf(kindByName(kind.parent.kind))}.${kind.manifestKey}`;
}

/** The kind inside others that the path leads to, and what of the path is left. */
function innermost(
  kind: Kind,
  segments: readonly string[],
): { readonly kind: Kind; readonly segments: readonly string[] } {
  const [first = ''] = segments;
  const child = childKinds(kind).find((one) => one.manifestKey === first);
  return child === undefined || Object.hasOwn(kind.fields, first)
    ? { kind, segments }
    : innermost(child, segments.slice(1));
}

function explainKind(kind: Kind): string[] {
  const inside = childKinds(kind).map((child) => `  ${child.manifestKey}: ${child.doc}`);
  return [
    `${keyOf(kind)}: ${kind.doc}`,
    '',
    ...listFields(kind.fields),
    ...(inside.length === 0 ? [] : ['', 'Inside:', ...inside]),
  ];
}

function listFields(fields: Fields): string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields).map(
    ([name, field]) => `  ${name.padEnd(width)}  ${typeName(field)}${notes(field)}. ${field.doc}`,
  );
}

function explainField(kind: Kind, segments: readonly string[]): string[] {
  let fields = kind.fields;
  let field: Field | undefined;
  for (const segment of segments) {
    field = Object.hasOwn(fields, segment) ? fields[segment] : undefined;
    if (field === undefined) {
      const inside = fields === kind.fields ? childKinds(kind).map((child) => child.manifestKey) : [];
      const names = [...Object.keys(fields), ...inside];
      const near = closest(segment, names);
      throw usage(
        `there is no field "${segment}"`,
        near === undefined ? `fields: ${names.join(', ')}` : `did you mean "${near}"?`,
      );
    }
    const inner = field.type === 'list' ? field.items : field;
    fields = inner.type === 'object' ? inner.fields : {};
  }
  if (field === undefined) return explainKind(kind);
  const { source } = field;
  const examples = (field.examples ?? []).map((example) => `  example: ${JSON.stringify(example)}`);
  const known =
    source.level === 'assumed'
      ? `assumed, ${source.adr}`
      : `${source.level}, ${source.section} of the API specification`;
  const inside = Object.keys(fields).length === 0 ? [] : ['', ...listFields(fields)];
  return [
    `${keyOf(kind)}.${segments.join('.')}: ${typeName(field)}${notes(field)}`,
    `  ${field.doc}`,
    ...limits(field).map((limit) => `  limit: ${limit}`),
    ...removal(kind, field),
    ...examples,
    `  source: ${known}`,
    ...inside,
  ];
}

/** What values are taken beyond the type, in words. */
function limits(field: Field): string[] {
  switch (field.type) {
    case 'string':
      return [
        ...(field.maxBytes === undefined ? [] : [`at most ${field.maxBytes} bytes`]),
        ...(field.maxChars === undefined ? [] : [`at most ${field.maxChars} characters`]),
        ...(field.pattern === undefined ? [] : [field.pattern.words]),
        ...(field.ref === undefined ? [] : [idForm(field.ref)]),
      ];
    case 'integer':
    case 'number':
      return [
        ...(field.min === undefined ? [] : [`at least ${field.min}`]),
        ...(field.max === undefined ? [] : [`at most ${field.max}`]),
      ];
    case 'list': {
      const count = field.maxItems === undefined ? [] : [`at most ${plural(field.maxItems, 'item')}`];
      return [...count, ...limits(field.items).map((limit) => `each item: ${limit}`)];
    }
    default:
      return field.type === 'object' && field.exactlyOne ? ['exactly one of its fields'] : [];
  }
}

function idForm({ kinds: names, prefixes }: RefTarget): string {
  const references = names.flatMap((name) => findKind(name)?.manifestKey ?? []).map((key) => `\${${key}.NAME.id}`);
  return [...references, ...prefixes.map((prefix) => `an id that begins with ${prefix}`)].join(', or ');
}

/** What happens when the block is left out. */
function removal(kind: Kind, field: Field): string[] {
  if (field.remove === undefined) return isFinal(field) ? ['  removed: never, because no operation does it'] : [];
  const operation = `DELETE ${kind.operations.get.path}/${field.remove}`;
  return [
    `  removed: when left out, by ${operation}; without the capability module-delete it is set to \`enabled: false\``,
  ];
}

/** True for a value of the object itself that can be given and not taken away again. */
function isFinal({ write, required, default: given, module }: Field): boolean {
  return write === 'update' && !required && given === undefined && !module;
}

function typeName(field: Field): string {
  if (field.type === 'list') return `list of ${typeName(field.items)}`;
  return field.module ? 'module' : field.type;
}

function notes(field: Field): string {
  const words = [
    field.required ? 'required' : '',
    field.write === 'never' ? 'read-only' : field.write === 'create' ? 'cannot be changed later' : '',
    field.sensitive ? 'secret' : '',
    field.default === 'service'
      ? 'default chosen by the service'
      : field.default === undefined
        ? ''
        : `default ${JSON.stringify(field.default.value)}`,
    field.type === 'string' && field.values ? `one of ${field.values.join(', ')}` : '',
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : ` (${words.join('; ')})`;
}
