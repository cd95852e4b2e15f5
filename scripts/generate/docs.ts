// Reference pages in Markdown: every kind and field from the catalogue, every error code from its table. Pure.

import type { CodeEntry } from '../../src/core/codes.ts';
import { limits, notes, sourceOf, spellings, typeName } from '../../src/catalog/facts.ts';
import type { Field } from '../../src/catalog/field.ts';
import type { Kind, Operation } from '../../src/catalog/kind.ts';
import { allFields } from '../../src/catalog/walk.ts';
import type { CommandSpec } from '../../src/commands/shell/command.ts';
import type { Example } from './examples.ts';
import { fleetKey, overlayKey, ownKeys } from '../../src/commands/options/field-help.ts';

/** docs/reference.md */
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
  const rows = (keys: readonly OwnKey[]): string[] => keys.flatMap((key) => [ownRow(key), ...rows(key.children)]);
  return [
    '## Manifest',
    '',
    'Beside the kinds, a manifest has keys of its own. Any resource may have `lifecycle`, `preset` and `without`.',
    '',
    '| key | type | rules | example | meaning |',
    '|---|---|---|---|---|',
    ...rows(ownKeys()),
    '',
    '## Overlay file',
    '',
    `${overlayKey().doc} It needs neither \`version\` nor \`stack\`, and \`without\` may stand at its top.`,
    '',
    '## Fleet file',
    '',
    'A list of stacks that one command reads, plans and applies: `edgeform.fleet.yaml`.',
    '',
    '| key | type | rules | example | meaning |',
    '|---|---|---|---|---|',
    ...rows(fleetKey().children),
    '',
  ];
}

function ownRow({ path, type, notes, limits, examples, doc }: OwnKey): string {
  const words = [...notes, ...limits].join(', ');
  const example = examples.map((one) => `\`${JSON.stringify(one)}\``).join(', ');
  return `| ${[`\`${path}\``, type, words, example, doc].map(escape).join(' | ')} |`;
}

function kindSection(kind: Kind): string[] {
  const operations = Object.values(kind.operations).map(
    (operation: Operation) =>
      `| ${operation.method} | \`${operation.path}\` | ${sourceOf(operation.source)} | ${operation.capability ?? ''} |`,
  );
  return [
    `## ${kind.title} (\`${kind.manifestKey}\`)`,
    '',
    kind.doc,
    ...(kind.irreplaceable === undefined
      ? []
      : ['', `To replace or delete one needs consent, such as \`--allow-loss\`: ${kind.irreplaceable}.`]),
    '',
    '| method | path | source | capability |',
    '|---|---|---|---|',
    ...operations,
    '',
    '| field | type | rules | default | source | meaning |',
    '|---|---|---|---|---|---|',
    ...allFields(kind.fields).map(fieldRow),
    '',
  ];
}

function fieldRow({ path, field }: ReturnType<typeof allFields>[number]): string {
  const cells = [
    `\`${path}\``,
    typeName(field),
    rules(field),
    defaultOf(field),
    sourceOf(field.source),
    escape(field.doc),
  ];
  return `| ${cells.join(' | ')} |`;
}

function rules(field: Field): string {
  const words = notes(field);
  if (field.write === 'update') words.push('updates only');
  if (field.unique !== undefined) words.push(field.unique === 'service' ? 'unique' : 'unique in its parent');
  if (field.type === 'string' && field.values !== undefined)
    words.push(field.values.map((value) => `\`${value}\``).join(', '));
  if (field.type === 'list' && field.write !== 'never')
    words.push(field.order === 'kept' ? 'order matters' : 'order ignored');
  return escape([...words, ...limits(field), ...spellings(field)].join('; '));
}

function defaultOf(field: Field): string {
  if (field.default === 'service') return 'chosen by the service';
  return field.default === undefined ? '' : `\`${JSON.stringify(field.default.value)}\``;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** docs/errors.md */
export function errorsPage(
  codes: Readonly<Record<string, CodeEntry>>,
  examples: ReadonlyMap<string, readonly Example[]>,
): string {
  const sections = Object.entries(codes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([code, entry]) => [
      `## ${code}`,
      '',
      `${entry.title}. ${entry.explanation}`,
      '',
      `Fix: ${entry.fix}`,
      '',
      ...(examples.get(code) ?? []).flatMap(exampleOfCode),
    ]);
  const head =
    'Every diagnostic code, generated from the table in the code. The tests carry out each example: the program prints what it shows.';
  return `${['# Errors', '', head, '', ...sections].join('\n').trimEnd()}\n`;
}

/** What led to a code, and what the program then prints. */
function exampleOfCode({ when, files = {}, hidden = [], env = {}, command, output }: Example): string[] {
  const shown = Object.entries(files).filter(([path]) => !hidden.includes(path));
  const set = Object.entries(env).map(([name, value]) => `${name}=${/^[\w-]*$/.test(value) ? value : `'${value}'`} `);
  return [
    ...(when === undefined ? [] : [when, '']),
    ...shown.flatMap(([path, text]) => [
      `\`${path}\`:`,
      '',
      `\`\`\`${path.endsWith('.json') ? 'json' : 'yaml'}`,
      String(text).trimEnd(),
      '```',
      '',
    ]),
    '```text',
    `$ ${set.join('')}${command}`,
    ...output.trimEnd().split('\n'),
    '```',
    '',
  ];
}

/** docs/commands.md */
export function commandsPage(all: readonly CommandSpec[]): string {
  const commands = [...all].sort((one, other) => one.position - other.position);
  const sections = commands.flatMap(({ words, text, flags, help }) => {
    const { own, manifest = [], output = [], service = [] } = flags;
    const rows = [...own, ...manifest, ...output, ...service].map(
      (flag) => `| \`${escape(flag.flags)}\` | ${escape(flag.text)} |`,
    );
    return [
      `## edgeform ${words.replace(/ [[<].*/, '')}`,
      '',
      `\`edgeform ${words}\`: ${text}.`,
      '',
      ...(rows.length === 0 ? [] : ['| option | meaning |', '|---|---|', ...rows, '']),
      '```text',
      ...help.examples.map((example) => `edgeform ${example}`),
      '```',
      '',
    ];
  });
  const head =
    'Every command with its options, generated from the table in the code. `edgeform COMMAND --help` has the same, and the';
  return [
    '# Commands',
    '',
    head,
    'variables of the environment and the exit codes of each; the [guide](guide.md#commands) has them in one place.',
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
