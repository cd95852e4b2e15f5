// The command line as a tree for completion scripts: commands, flags and the possible values of each.

import { managedKinds } from '../../catalog/lookup.ts';
import { groupBy } from '../../core/group.ts';
import type { CommandTree } from '../../render/scaffold/completion.ts';
import { documentNames } from '../../schema/documents.ts';
import type { Flag } from '../options/option.ts';
import type { CommandSpec } from './command.ts';

type Shown = Pick<Flag, 'flags' | 'text' | 'choices'>;

const VERSION: Shown = { flags: '-V, --version', text: 'output the version number' };
const HELP: Shown = { flags: '-h, --help', text: 'print what the command takes' };

export function treeOf(all: readonly CommandSpec[]): CommandTree {
  const parts = groupBy(all, ({ above, words }) => above?.name ?? words);
  const commands = [...parts.values()].flatMap((members) => {
    const [{ above }] = members;
    return above === undefined ? members.map(leafOf) : [branchOf(above.name, above.text, [HELP], members.map(leafOf))];
  });
  return branchOf('edgeform', '', [VERSION, HELP], commands);
}

function branchOf(name: string, help: string, flags: readonly Shown[], commands: readonly CommandTree[]): CommandTree {
  return { name, help, flags: flags.map(flagOf), argument: [], commands };
}

function leafOf(spec: CommandSpec): CommandTree {
  const { own, manifest = [], output = [], service = [] } = spec.flags;
  const [, names = '', placeholder] = /^([a-z ]*[a-z])(?: [[<](.+)[>\]])?$/.exec(spec.words) ?? [];
  return {
    name: names.split(' ').at(-1) ?? '',
    help: spec.text,
    flags: [...own, ...manifest, ...output, ...service, HELP].map(flagOf),
    argument: placeholder === undefined ? [] : wordsFor(placeholder, spec.choices, ''),
    commands: [],
  };
}

function flagOf({ flags, text, choices }: Shown): CommandTree['flags'][number] {
  const [names = '', placeholder] = flags.split(/ <|>/);
  const value = placeholder === undefined ? undefined : wordsFor(placeholder, choices, text);
  return { names: names.split(', '), help: text, value };
}

/** The words that may stand for a placeholder. If a description is just a list of words, these are the values. */
function wordsFor(placeholder: string, choices: readonly string[] | undefined, description: string): readonly string[] {
  if (choices !== undefined) return choices;
  if (/^[\w-]+(?:, [\w-]+)* or [\w-]+$/.test(description)) return description.split(/, | or /);
  if (!placeholder.startsWith('kind')) return [];
  const documents = placeholder.includes('document') ? documentNames : [];
  return [...managedKinds.map((kind) => kind.manifestKey), ...documents];
}
