// completion: a shell script generated from the commands and flags. No network.

import { completionScript } from '../render/scaffold/completion.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { treeOf } from './shell/command-tree.ts';
import type { Call, CommandSpec } from './shell/command.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

function completion({ invocation: { stdout }, args: [shell = ''], commands: all }: Call): RunOutcome {
  stdout.write(`${completionScript(shell, treeOf(all))}\n`);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 150,
    words: 'completion <shell>',
    text: 'print a shell completion script',
    choices: SHELLS,
    isDocument: true,
    flags: { own: [] },
    help: { examples: ['completion bash > ~/.local/share/bash-completion/completions/edgeform'] },
    run: completion,
  },
];
