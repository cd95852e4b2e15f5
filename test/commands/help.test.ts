// --help of a command: the flags that it has, examples, the environment that it reads and the exit codes that it ends with.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { nameOf } from '../../src/commands/shell/command.ts';
import { run } from '../support/host.ts';

const COMMANDS = [
  ...[
    'validate',
    'plan',
    'apply',
    'drift',
    'destroy',
    'show',
    'output',
    'history',
    'stacks',
    'graph',
    'render',
    'export',
    'init',
    'schema',
    'explain',
  ],
  ...['sessions list', 'sessions revoke', 'emulator', 'completion', 'fmt', 'eval', 'import terraform'],
  ...['check', 'test'].map((name) => `policy ${name}`),
  ...['list', 'validate', 'plan', 'apply', 'drift', 'destroy', 'graph'].map((name) => `fleet ${name}`),
];
const at = { cwd: '/', env: {} };
const help = async (name: string) => (await run([...name.split(' ').filter(Boolean), '--help'], at)).stdout;

test.each(COMMANDS)('%s', async (name) => {
  const text = await help(name);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(text).toMatch(/^Examples:$/m);
  expect(text).toMatch(/^Exit codes:$/m);
});

test('what each command says, in one file', async () => {
  const texts = await Promise.all(['', ...COMMANDS].map(async (name) => `$ edgeform ${name}\n\n${await help(name)}`));
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/help.txt');
});

test.each(['', ...COMMANDS])('%s fits a narrow terminal', async (name) => {
  for (const columns of [40, 50, 60]) {
    const { stdout } = await run([...name.split(' ').filter(Boolean), '--help'], { ...at, columns });
    // A path is never broken.
    const wide = stdout.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));
    expect(wide).toEqual([]);
  }
});

/** `help plan`, and `fleet help plan` for a command below another. */
function helpLine(name: string): string[] {
  const words = name.split(' ');
  return [...words.slice(0, -1), 'help', ...words.slice(-1)];
}

test.each(COMMANDS)('help %s says what its --help says', async (name) => {
  expect((await run(helpLine(name), at)).stdout).toBe((await run([...name.split(' '), '--help'], at)).stdout);
});

test('every command of the program is among them', async () => {
  const { stdout } = await run(['--help'], at);
  const listed = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'help').sort()).toEqual(
    [...new Set(COMMANDS.map((name) => name.split(' ')[0]))].sort(),
  );
});

/** The examples are right: each parses, which a wrong flag would not. */
test.each(COMMANDS)('examples of %s name flags that it has', async (name) => {
  const [examples = ''] = /Examples:\n([\s\S]*?)\n\n/.exec(await help(name))?.slice(1) ?? [];
  const {
    own = [],
    manifest = [],
    output = [],
    service = [],
  } = commands.find((one) => nameOf(one) === name)?.flags ?? {};
  const known = [...own, ...manifest, ...output, ...service].flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []);
  for (const line of examples.split('\n')) {
    const [command = ''] = line.trim().split(/ [>|] /);
    expect(command.startsWith(`edgeform ${name}`), line).toBe(true);
    for (const [flag] of command.matchAll(/(?<= )--?[a-z][\w-]*/g)) expect(known, line).toContain(flag);
  }
});

/** Flags without effect that the list of common options gives a command, or that it shares with apply. */
test.each([
  ['plan', '--settle 5'],
  ['drift', '--settle 5'],
  ['output', '--settle 5'],
  ['sessions list', '--settle 5'],
  ['fleet plan', '--settle 5'],
  ['destroy', '--allow-deletes all --allow-loss tls_edges.a'],
])('%s takes %s, and does not show it', async (name, flags) => {
  const text = await help(name);
  for (const [flag] of flags.matchAll(/--[\w-]+/g)) expect(text).not.toContain(flag);
  const { stderr, stdout } = await run([...name.split(' '), ...flags.split(' ')], at);
  expect(stderr + stdout).not.toContain('unknown option');
});

test.each(['--allow-deletes all', '--allow-loss tls_edges.a'])('drift does not know %s', async (flag) => {
  const { code, stderr } = await run(['drift', ...flag.split(' ')], at);
  expect([code, stderr]).toEqual([64, expect.stringContaining('unknown option')]);
});

test('the exit codes of the guide are those of --help', async () => {
  const guide = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');
  const rows = new Set<string>();
  for (const { words } of commands) {
    const [, codes = ''] = /Exit codes:\n([^]*)$/.exec(await help(words)) ?? [];
    for (const row of codes.split(/\n(?= {2}\d)/))
      rows.add(
        row
          .trim()
          .replace(/\s*\n\s+/g, ' ')
          .replace(/^(\d[\d, ]*?)\s\s+(.*)$/, '| $1 | $2 |'),
      );
  }
  const [, table = ''] = /\| exit code \| meaning \|\n\|---\|---\|\n([^]*?)\n\n/.exec(guide) ?? [];
  expect([...rows].sort()).toEqual(table.replaceAll('`', '').split('\n').sort());
});

test.each(COMMANDS)('help %s is its --help', async (name) => {
  expect(await run(['help', ...name.split(' ')], at)).toMatchObject({ code: 0, stdout: await help(name) });
});

test.each([
  ['plann', "unknown command 'plann'"],
  ['fleet plann', "unknown command 'plann'"],
])('help %s is no help', async (words, message) => {
  const { code, stderr } = await run(['help', ...words.split(' ')], at);
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
});
