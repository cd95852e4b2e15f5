// Reference pages in Markdown: every error code from its table, every command from its own. Pure.

import type { CodeEntry } from '../../src/core/codes.ts';
import type { CommandSpec } from '../../src/commands/shell/command.ts';
import type { Example } from './examples.ts';

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
