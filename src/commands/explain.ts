// schema and explain: what the catalogue says, as JSON Schema or as text. No network.

import type { Kind } from '../catalog/kind.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import { childKinds, findKind, managedKinds } from '../catalog/lookup.ts';
import { kinds } from '../catalog/kinds/index.ts';
import { usageError } from '../core/failure.ts';
import { compareText } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { definitionLines } from '../render/text/definitions.ts';
import { indented } from '../render/text/lines.ts';
import { kindSchema, manifestSchema } from '../schema/generate.ts';
import { documentSchemas } from '../schema/documents.ts';
import type { OwnKey } from '../schema/own-keys.ts';
import { ANY_NAME, LIFECYCLE, lifecycleKey, ownKeys, pathOfKind } from '../schema/own-keys.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { explainField, explainKind, explainOwnKey, noField } from './options/field-help.ts';
import type { Host } from './shell/host.ts';
import { widthOf } from './shell/invocation.ts';
import type { CommandSpec } from './shell/command.ts';

/** Names that are meant for something else than a kind, and what they are names of. */
interface OtherNames {
  readonly what: string;
  readonly names: readonly string[];
}

function kindNamed(name: string, others: OtherNames): Kind {
  const kind = findKind(name) ?? kinds.find((one) => one.manifestKey === name);
  if (kind !== undefined) return kind;
  throw usageError(
    `there is no kind or ${others.what} "${name}"`,
    didYouMean(name, [...kinds.flatMap((one) => [one.name, one.manifestKey]), ...others.names]) ??
      `kinds: ${managedKinds.map((one) => one.manifestKey).join(', ')}; ${others.what}s: ${others.names.join(', ')}`,
  );
}

const MANIFEST = 'manifest';
/** Names of documents that have a schema. */
export const DOCUMENT_NAMES: readonly string[] = [MANIFEST, ...documentSchemas.keys()];

/** Prints the schema of manifests, of one document that a command prints, or of one kind. */
function schema(name: string | undefined, host: Host): RunOutcome {
  const found =
    name === undefined || name === MANIFEST
      ? manifestSchema(kinds)
      : (documentSchemas.get(name) ?? kindSchema(kindNamed(name, { what: 'document', names: DOCUMENT_NAMES })));
  host.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  return 'done';
}

/** Prints what a kind, one of its fields or another key of a manifest means; asked for nothing, what there is. */
function explain(path: string | undefined, host: Host): RunOutcome {
  const width = widthOf(host.stdout);
  const lines = path === undefined ? listing(width) : pageOf(path, width);
  host.stdout.write(`${lines.join('\n')}\n`);
  return 'done';
}

function listing(width: number): string[] {
  const all = managedKinds.map((kind) => ({ name: pathOfKind(kind), text: kind.doc }));
  const own = ownKeys().map(({ name, doc }) => ({ name, text: doc }));
  const hint =
    '`edgeform explain KIND` lists the fields of a kind, `edgeform explain KIND.FIELD` describes one field, for example ' +
    `\`edgeform explain ${EXAMPLES.fieldPath}\`. ` +
    'Any resource may have `lifecycle`.';
  return [
    'Kinds of resources:',
    '',
    ...definitionLines(
      all.sort((a, b) => compareText(a.name, b.name)),
      width,
    ),
    '',
    'Other keys of a manifest:',
    '',
    ...definitionLines(own, width),
    '',
    ...indented(hint, width),
  ];
}

/** Names that users give and marks of lists may stand in the path, as in the reference. */
function pageOf(path: string, width: number): string[] {
  const [name = '', ...rest] = path
    .replace(/\[\d*\]/g, '')
    .split('.')
    .filter((segment) => segment !== ANY_NAME);
  const own = ownKeys();
  const key = own.find((one) => one.name === name);
  if (key !== undefined) return explainOwnKey(keyInside(key, rest), width);
  const names = own.map((one) => one.name);
  const { kind, segments } = innermost(kindNamed(name, { what: 'key', names }), rest);
  const [first, ...below] = segments;
  if (first === LIFECYCLE) return explainOwnKey(keyInside(lifecycleKey(kind), below), width);
  return first === undefined ? explainKind(kind, width) : explainField(kind, segments, width);
}

function keyInside(key: OwnKey, [first, ...rest]: readonly string[]): OwnKey {
  if (first === undefined) return key;
  const found = key.children.find((one) => one.name === first);
  if (found !== undefined) return keyInside(found, rest);
  throw noField(
    first,
    key.children.map((one) => one.name),
  );
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

export const commands: readonly CommandSpec[] = [
  {
    position: 70,
    words: 'schema [kind|document]',
    text: 'print the JSON Schema of manifests, of one kind, or of a document that a command prints',
    isDocument: true,
    flags: { own: [] },
    help: { examples: ['schema > manifest.schema.json', 'schema tls_edges', 'schema plan'] },
    run: ({ invocation, args: [name] }) => schema(name, invocation),
  },
  {
    position: 80,
    words: 'explain [kind[.field]]',
    text: 'explain a kind, a field or another manifest key; without a name, list them',
    flags: { own: [] },
    help: { examples: ['explain', `explain ${EXAMPLES.fieldPath}`, 'explain lifecycle'] },
    run: ({ invocation, args: [path] }) => explain(path, invocation),
  },
];
