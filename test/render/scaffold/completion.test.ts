// Completion scripts from a small command line: text that no shell may act on. What bash offers is tested with its commands.

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
const tree = leaf('tool', {
  flags: [{ names: ['-h', '--help'], help: HOSTILE, value: undefined }],
  commands: [leaf('plan'), leaf('show'), leaf('state', { commands: [leaf('list'), leaf('move')] })],
});

describe('a script', () => {
  test('of zsh has descriptions in which no character has a meaning', () => {
    expect(completionScript('zsh', tree)).toContain(`'plan:it'\\''s $(touch x) \`y\` [z]: \\ "q"'`);
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
