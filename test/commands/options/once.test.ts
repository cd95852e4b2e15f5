// An option that takes one value is given once: the last one never wins without a word.

import { expect, test } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import type { CommandSpec } from '../../../src/commands/shell/command.ts';
import { nameOf } from '../../../src/commands/shell/command.ts';
import { longName } from '../../../src/commands/options/option.ts';
import { folder } from '../../support/cli.ts';
import { run } from '../../support/host.ts';

const flagsOf = ({ flags: { own, manifest = [], output = [], service = [] } }: CommandSpec) => [
  ...own,
  ...manifest,
  ...output,
  ...service,
];
const takesOne = (spec: CommandSpec) =>
  flagsOf(spec).filter(({ flags, isRepeatable }) => flags.includes('<') && isRepeatable !== true);
/** The words of the command, with something for what it needs beside flags. */
const wordsOf = (spec: CommandSpec) => [
  ...nameOf(spec).split(' '),
  ...(spec.words.match(/<[^>]+>/g) ?? []).map(() => spec.choices?.[0] ?? 'x'),
];
const CASES = commands.flatMap((spec) =>
  takesOne(spec).map((flag) => ({ command: nameOf(spec), words: wordsOf(spec), flag })),
);

test('there are many', () => {
  expect(CASES.length).toBeGreaterThan(100);
});

test.each(CASES)('$command $flag.flags', async ({ words, flag }) => {
  const name = longName(flag);
  const [one = '1', other = '2'] = flag.choices ?? [];
  const { code, stderr, stdout } = await run([...words, name, one, name, other], { cwd: folder({}) });
  expect([code, `${stdout}${stderr}`]).toEqual([
    64,
    expect.stringContaining(`${name} is given twice, with different values`),
  ]);
});

test('again with the same value is no mistake, as where a pipeline and a person both guard a stack', async () => {
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\n' });
  const { code, stdout } = await run(['validate', '--format', 'json', '--format', 'json'], { cwd });
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ diagnostics: [] })]);
});
