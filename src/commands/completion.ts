// completion: a script for a shell, made from the commands and flags themselves. No network.

import { managedKinds } from '../catalog/lookup.ts';
import { completionScript, type CommandTree, type CompletionFlag, type Slot } from '../render/scaffold/completion.ts';
import { publishNames } from '../platform/filter.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { DOCUMENT_NAMES } from './explain.ts';
import type { Host } from './shell/host.ts';
import type { CommandLike, CommandSpec, OptionLike } from './shell/command.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

/** Prints the script for the shell. */
function completion(shell: string, program: CommandLike, host: Host): RunOutcome {
  const script = `${completionScript(shell, treeOf(program))}\n`;
  publishNames(() => [script]);
  host.stdout.write(script);
  return 'done';
}

const HELP: CompletionFlag = { names: ['-h', '--help'], help: 'print what the command takes', value: undefined };

function treeOf(command: CommandLike): CommandTree {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    help: command.description(),
    flags: [...command.options.filter((option) => option.hidden !== true).map(flagOf), HELP],
    argument: argument === undefined ? undefined : slotOf(argument.name(), argument.argChoices, ''),
    commands: command.commands.map(treeOf),
  };
}

function flagOf({ flags, short, long, description, argChoices }: OptionLike): CompletionFlag {
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return {
    names: [short, long].filter((name) => name !== undefined),
    help: description,
    value: value === undefined ? undefined : slotOf(value, argChoices, description),
  };
}

/** What a placeholder such as `file` stands for. A description that is only a list of words is the list of values. */
function slotOf(placeholder: string, choices: readonly string[] | undefined, description: string): Slot {
  const words = choices ?? (/^[\w-]+(?:, [\w-]+)* or [\w-]+$/.test(description) ? description.split(/, | or /) : []);
  if (words.length > 0) return { kind: 'words', choices: words };
  if (placeholder.startsWith('kind')) {
    const documents = placeholder.includes('document') ? DOCUMENT_NAMES : [];
    return { kind: 'words', choices: [...managedKinds.map((kind) => kind.manifestKey), ...documents] };
  }
  if (/(?:^|[^a-z])(?:file|path)$|^planfile$/.test(placeholder)) return { kind: 'file', choices: [] };
  return { kind: /^dir/.test(placeholder) ? 'directory' : 'free', choices: [] };
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
    run: ({ invocation, args: [shell = ''], program }) => completion(shell, program, invocation),
  },
];
