// The manual page, from the table of commands and from what the program itself says of its variables and exit codes.

import type { CommandSpec } from '../../src/commands/shell/command.ts';
import type { Host, Sink } from '../../src/commands/shell/host.ts';
import { main } from '../../src/commands/shell/program.ts';

/** Commands whose help names every variable and every exit code between them. */
const WHOLE = ['apply', 'plan', 'fleet plan'];

/** man/edgeform.1 */
export async function manPage(all: readonly CommandSpec[]): Promise<string> {
  const commands = [...all].sort((one, other) => one.position - other.position);
  const helps = await Promise.all(WHOLE.map((words) => helpOf(words.split(' '))));
  const rows = (heading: string) => {
    const all = new Map(helps.flatMap((help) => rowsOf(help, heading)));
    return definitions([...all].sort(([one], [other]) => Number.parseInt(one, 10) - Number.parseInt(other, 10) || 0));
  };
  return [
    '.\\" Generated from the table of commands by `npm run generate`.',
    '.TH EDGEFORM 1 "" "edgeform" "User commands"',
    '.SH NAME',
    'edgeform \\- keep the objects of an Edge Ingress Management API as a manifest describes them',
    '.SH SYNOPSIS',
    ...commands.flatMap(({ words }) => [`.B edgeform ${escape(words)}`, '.RI [ options ]', '.br']),
    '.SH DESCRIPTION',
    'edgeform compares a manifest in YAML with the objects of a service, shows what would change, and changes exactly that.',
    'It needs no state file: each object that it creates has a marker with the name of its stack.',
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...rows('Environment:'),
    '.SH EXIT STATUS',
    ...rows('Exit codes:'),
    '.SH FILES',
    ...definitions([
      ['edgeform.yaml, edgeform/', 'the manifest, unless -f names another one'],
      [
        '.edgeform/HOST_PORT/STACK.journal.jsonl',
        'writes of each run, recorded before they are sent; keep it between runs',
      ],
    ]),
    '.SH SEE ALSO',
    '.B edgeform explain',
    'lists kinds and fields;',
    '.B edgeform COMMAND \\-\\-help',
    'has the same as this page for one command.',
    '',
  ].join('\n');
}

function commandLines({ words, text, flags, help }: CommandSpec): string[] {
  const { own, manifest = [], output = [], service = [] } = flags;
  const options = [...own, ...manifest, ...output, ...service];
  return [
    `.SS edgeform ${escape(words)}`,
    escape(text),
    ...options.flatMap((option) => ['.TP', `.B ${escape(option.flags)}`, escape(option.text)]),
    ...help.examples.flatMap((example) => ['.PP', '.EX', `$ edgeform ${escape(example)}`, '.EE']),
  ];
}

function definitions(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([name, text]) => ['.TP', `.B ${escape(name)}`, escape(text)]);
}

/** The rows below a heading of a help text. */
function rowsOf(help: string, heading: string): [string, string][] {
  const [, after = ''] = help.split(`${heading}\n`);
  const [block = ''] = after.split('\n\n');
  const joined = block.trimEnd().replaceAll(/\n {4,}/g, '  ');
  return joined.split('\n').map((line) => {
    const [name = '', ...text] = line.trim().split(/ {2,}/);
    return [name, text.join(' ')];
  });
}

async function helpOf(words: readonly string[]): Promise<string> {
  let text = '';
  const sink: Sink = { isTty: false, columns: 80, write: (part) => (text += part) };
  const { signal } = new AbortController();
  const host: Host = {
    stdout: sink,
    stderr: sink,
    env: {},
    cwd: '/',
    readStdin: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(undefined),
    signal,
    hardCancel: signal,
    signalName: () => undefined,
    untilSignal: new Promise(() => undefined),
  };
  await main([...words, '--help'], host, '');
  return text;
}

function escape(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
