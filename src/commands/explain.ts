// schema and explain: what the catalogue says, as JSON Schema or as text. No network.

import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { findKind, managedKinds } from '../catalog/lookup.ts';
import { kinds } from '../catalog/kinds/index.ts';
import { closest } from '../base/text.ts';
import { kindSchema, manifestSchema } from '../schema/generate.ts';
import { planSchema } from '../schema/plan-schema.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import type { Host } from './host.ts';
import { usage } from './options.ts';

function kindNamed(name: string): Kind {
  const kind = findKind(name) ?? kinds.find((one) => one.manifestKey === name);
  if (kind !== undefined) return kind;
  const near = closest(
    name,
    kinds.flatMap((one) => [one.name, one.manifestKey]),
  );
  throw usage(
    `there is no kind "${name}"`,
    near === undefined ? `kinds: ${managedKinds.map((one) => one.manifestKey).join(', ')}` : `did you mean "${near}"?`,
  );
}

/** Prints the schema of manifests, of plans, or of one kind. */
export function schema(name: string | undefined, host: Host): ExitCode {
  const found =
    name === undefined || name === 'manifest'
      ? manifestSchema(kinds)
      : name === 'plan'
        ? planSchema
        : kindSchema(kindNamed(name));
  host.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  return EXIT.done;
}

/** Prints what a kind or one of its fields means. */
export function explain(path: string, host: Host): ExitCode {
  const [name = '', ...segments] = path.split('.');
  const kind = kindNamed(name);
  const lines = segments.length === 0 ? explainKind(kind) : explainField(kind, segments);
  host.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

function explainKind(kind: Kind): string[] {
  return [`${kind.manifestKey}: ${kind.doc}`, '', ...listFields(kind.fields)];
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
      const near = closest(segment, Object.keys(fields));
      throw usage(
        `there is no field "${segment}"`,
        near === undefined ? `fields: ${Object.keys(fields).join(', ')}` : `did you mean "${near}"?`,
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
    `${kind.manifestKey}.${segments.join('.')}: ${typeName(field)}${notes(field)}`,
    `  ${field.doc}`,
    ...examples,
    `  source: ${known}`,
    ...inside,
  ];
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
