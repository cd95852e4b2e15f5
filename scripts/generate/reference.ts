// docs/reference.md: every kind and field from the catalogue. A field is a block and not a row of a table, whose last columns a
// reader would have to scroll to: what it is comes first, what is accepted second, where we know it from last. Pure.

import { limits, notes, sourceOf, spellings, typeName } from '../../src/catalog/facts.ts';
import type { Field } from '../../src/catalog/field.ts';
import type { Kind, Operation } from '../../src/catalog/kind.ts';
import { allFields } from '../../src/catalog/walk.ts';
import { fleetKey, overlayKey, ownKeys } from '../../src/commands/options/field-help.ts';
import type { Json } from '../../src/core/json.ts';

export function referencePage(kinds: readonly Kind[]): string {
  const lines = [
    '# Reference',
    '',
    'Generated from the catalogue by `npm run generate`. *Source* is the section of the API specification, or the',
    'decision record (docs/adr) that says what we assumed; "open" marks values that the specification leaves open.',
    '',
    ...manifestSection(),
    ...kinds.flatMap(kindSection),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

type OwnKey = ReturnType<typeof ownKeys>[number];

/** Keys of a manifest that belong to no kind, and `lifecycle`, which any resource may have. */
function manifestSection(): string[] {
  return [
    '## Manifest',
    '',
    'Beside the kinds, a manifest has keys of its own. Any resource may have `lifecycle`, `preset` and `without`.',
    '',
    ...blocksOf(ownKeys()),
    '',
    '## Overlay file',
    '',
    `${overlayKey().doc} It needs neither \`version\` nor \`stack\`, and \`without\` may stand at its top.`,
    '',
    '## Fleet file',
    '',
    'A list of stacks that one command reads, plans and applies: `edgeform.fleet.yaml`.',
    '',
    ...blocksOf(fleetKey().children),
    '',
  ];
}

function blocksOf(keys: readonly OwnKey[]): string[] {
  return keys.flatMap((key) => [...block(blockOfKey(key)), ...blocksOf(key.children)]);
}

function blockOfKey({ path, type, notes: words, limits: rules, examples, doc }: OwnKey): Block {
  return { path, about: [type, ...words], doc, rules, examples };
}

function kindSection(kind: Kind): string[] {
  const operations = Object.values(kind.operations).map(
    ({ method, path, source, capability }: Operation) =>
      `| ${method} | \`${path}\` | ${sourceOf(source)} | ${capability ?? ''} |`,
  );
  return [
    `## ${kind.title} (\`${kind.manifestKey}\`)`,
    '',
    kind.doc,
    ...(kind.irreplaceable === undefined
      ? []
      : ['', `To replace or delete one needs consent, such as \`--allow-loss\`: ${kind.irreplaceable}.`]),
    '',
    ...allFields(kind.fields).flatMap((found) => block(blockOfField(found))),
    '',
    '| method | path | source | capability |',
    '|---|---|---|---|',
    ...operations,
    '',
  ];
}

function blockOfField({ path, field }: ReturnType<typeof allFields>[number]): Block {
  return {
    path,
    about: [typeName(field), ...notes(field), ...defaultOf(field)],
    doc: field.doc,
    rules: rulesOf(field),
    examples: examplesOf(field),
    source: sourceOf(field.source),
  };
}

function defaultOf(field: Field): string[] {
  if (field.default === 'service') return ['default chosen by the service'];
  return field.default === undefined ? [] : [`default ${code(field.default.value)}`];
}

/** What may be written; what only the service sets is in its answers. */
function examplesOf(field: Field): readonly Json[] {
  if (field.write === 'never') return [];
  if (field.examples !== undefined) return field.examples;
  return field.type === 'list' ? (field.items.examples ?? []).map((item) => [item]) : [];
}

function rulesOf(field: Field): string[] {
  const words: string[] = [];
  if (field.write === 'update') words.push('updates only');
  if (field.unique !== undefined) words.push(field.unique === 'service' ? 'unique' : 'unique in its parent');
  if (field.type === 'string' && field.values !== undefined)
    words.push(`one of ${field.values.map((value) => `\`${value}\``).join(', ')}`);
  if (field.type === 'list' && field.write !== 'never')
    words.push(field.order === 'kept' ? 'order matters' : 'order ignored');
  return [...words, ...limits(field), ...spellings(field)];
}

/** One field or key. */
interface Block {
  /** Dotted, from the block of the resource or the top of the file. */
  readonly path: string;
  /** Its type, and what is said next to it. */
  readonly about: readonly string[];
  readonly doc: string;
  readonly rules: readonly string[];
  readonly examples: readonly Json[];
  readonly source?: string;
}

/** An item of a list, with a line for each part that it has. */
function block({ path, about, doc, rules, examples, source }: Block): string[] {
  const last = [
    ...(examples.length === 0 ? [] : [`Example: ${examples.map(code).join(', ')}.`]),
    ...(source === undefined ? [] : [`Source: ${source}.`]),
  ];
  const lines = [
    `**\`${path}\`**: ${about.join(', ')}`,
    doc,
    ...(rules.length === 0 ? [] : [`Rules: ${rules.join('; ')}.`]),
    ...(last.length === 0 ? [] : [last.join(' ')]),
  ];
  return lines.map((line, index) => {
    const mark = index === 0 ? '- ' : '  ';
    return `${mark}${line}${index === lines.length - 1 ? '' : '\\'}`;
  });
}

function code(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}
