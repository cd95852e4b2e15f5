// The command line as a tree: what may stand in the place of each value follows from how the command writes it.

import { expect, test } from 'vitest';
import type { CommandSpec } from '../../../src/commands/shell/command.ts';
import { treeOf } from '../../../src/commands/shell/command-tree.ts';

const spec = (words: string, more: Partial<CommandSpec> = {}): CommandSpec => ({
  position: 1,
  words,
  text: words,
  flags: { own: [] },
  help: { examples: [] },
  run: () => 'done',
  ...more,
});

test('commands below another one are in its place', () => {
  const above = { name: 'cars', text: 'about cars' };
  const tree = treeOf([spec('plan'), spec('cars list', { above }), spec('cars sell <id...>', { above })]);
  expect(tree.commands.map(({ name, help }) => `${name}: ${help}`)).toEqual(['plan: plan', 'cars: about cars']);
  expect(tree.commands[1]?.commands.map(({ name }) => name)).toEqual(['list', 'sell']);
});

test.each([
  { words: 'x', argument: [] },
  { words: 'x [name]', argument: [] },
  { words: 'x [kind|document]', argument: expect.arrayContaining(['tls_edges', 'manifest', 'plan']) },
  { words: 'x [kind[.field]]', argument: expect.not.arrayContaining(['manifest']) },
])('$words', ({ words, argument }) => {
  expect(treeOf([spec(words)]).commands[0]?.argument).toEqual(argument);
});

test('a flag has the words of its choices, or those that its description lists', () => {
  const own = [
    { name: 'ci', flags: '--ci <service>', text: 'a pipeline', choices: ['one', 'two'] },
    { name: 'detail', flags: '--detail <level>', text: 'names, changes or full' },
    { name: 'file', flags: '-f, --file <path>', text: 'manifest file' },
    { name: 'debug', flags: '--debug', text: 'trace' },
  ];
  const [command] = treeOf([spec('x', { flags: { own } })]).commands;
  const values = [['one', 'two'], ['names', 'changes', 'full'], [], undefined, undefined];
  expect(command?.flags.map(({ value }) => value)).toEqual(values);
});
