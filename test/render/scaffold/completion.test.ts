// Completion scripts from a small command line: what real bash offers, and text that none of the shells may act on.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { CommandTree } from '../../../src/render/scaffold/completion.ts';
import { completionScript } from '../../../src/render/scaffold/completion.ts';

const HOSTILE = `it's $(touch x) \`y\` [z]: \\ "q"`;
const leaf = (name: string, more: Partial<CommandTree> = {}): CommandTree => ({
  name,
  help: HOSTILE,
  flags: [],
  argument: [],
  commands: [],
  ...more,
});
const words = (...choices: string[]) => choices;
const free = words();
const tree = leaf('tool', {
  flags: [{ names: ['-h', '--help'], help: HOSTILE, value: undefined }],
  commands: [
    leaf('plan', {
      flags: [
        { names: ['-f', '--format'], help: HOSTILE, value: words('text', 'json') },
        { names: ['--name'], help: 'x', value: free },
      ],
    }),
    leaf('show', { argument: words('one', 'two') }),
    leaf('state', { flags: [{ names: ['--dir'], help: 'x', value: free }], commands: [leaf('list'), leaf('move')] }),
  ],
});

/** What bash offers behind these words; the last one is being typed. */
function offered(...line: string[]): string[] {
  const typed = ['tool', ...line].map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', tree)}\nCOMP_WORDS=(${typed}); COMP_CWORD=${line.length}; _tool 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
}

describe('bash offers', () => {
  test.each([
    { name: 'commands and flags at first', line: [''], is: ['plan', 'show', 'state', '--help'] },
    { name: 'what begins like the word', line: ['st'], is: ['state'] },
    { name: 'flags of the command', line: ['plan', '--'], is: ['--format', '--name'] },
    { name: 'values of a flag', line: ['plan', '--format', ''], is: ['text', 'json'] },
    { name: 'values of a short flag', line: ['plan', '-f', 'j'], is: ['json'] },
    { name: 'values behind an equals sign', line: ['plan', '--format', '=', 'te'], is: ['text'] },
    { name: 'nothing for what may be anything', line: ['plan', '--name', ''], is: [] },
    { name: 'commands below a command', line: ['state', ''], is: ['list', 'move', '--dir'] },
    { name: 'choices of an argument', line: ['show', 't'], is: ['two'] },
    { name: 'commands behind a value that is called like one', line: ['state', '--dir', 'list', 'm'], is: ['move'] },
    { name: 'nothing that there is not', line: ['nothing-like-it'], is: [] },
  ])('$name', ({ line, is }) => {
    expect(offered(...line)).toEqual(is);
  });
});

describe('a script', () => {
  test('of bash is well-formed', () => {
    expect(spawnSync('bash', ['-n'], { input: completionScript('bash', tree), encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test('of zsh is that of bash', () => {
    expect(completionScript('zsh', tree)).toContain(completionScript('bash', tree));
  });

  test('of fish names every command, flag and choice', () => {
    for (const word of ['plan', 'show', 'state', 'list', 'move', 'help', 'format', 'name', 'text json', 'one two'])
      expect(completionScript('fish', tree)).toContain(word);
  });

  test('of fish has help in which no character has a meaning', () => {
    expect(completionScript('fish', tree)).toContain(`-d 'it\\'s $(touch x) \`y\` [z]: \\\\ "q"'`);
  });

  test('of fish offers commands only where none was given', () => {
    expect(completionScript('fish', tree)).toContain("'not __fish_seen_subcommand_from plan show state' -f -a plan");
    expect(completionScript('fish', tree)).toContain(
      "'__fish_seen_subcommand_from state; and not __fish_seen_subcommand_from list move' -f -a list",
    );
  });
});
