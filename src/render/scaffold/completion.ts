// Completion scripts for bash, zsh and fish, from a table of the command line. They run no program and need no network.

/** The value of a flag or an argument: one of these words, or another kind of value. */
type Slot = readonly string[] | 'file' | 'directory' | 'free';

interface CompletionFlag {
  /** All forms, for example `-f` and `--file`. */
  readonly names: readonly string[];
  readonly help: string;
  /** Undefined for a switch. */
  readonly value: Slot | undefined;
}

export interface CommandTree {
  readonly name: string;
  readonly help: string;
  readonly flags: readonly CompletionFlag[];
  readonly argument: Slot | undefined;
  readonly commands: readonly CommandTree[];
}

interface CommandPath {
  /** The words of the command line up to it, each after a space; '' for the program itself. */
  readonly path: string;
  readonly command: CommandTree;
}

function flat(command: CommandTree, path = ''): CommandPath[] {
  return [{ path, command }, ...command.commands.flatMap((inner) => flat(inner, `${path} ${inner.name}`))];
}

/** A word in single quotes, for all three shells; for fish, the caller escapes backslashes first. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function longest({ names }: CompletionFlag): string {
  return names.find((name) => name.startsWith('--')) ?? names[0] ?? '';
}

export function completionScript(shell: string, tree: CommandTree): string {
  return shell === 'zsh' ? zsh(tree) : shell === 'fish' ? fish(tree) : bash(tree);
}

/** For bash 3.2 and later. */
function bash(tree: CommandTree): string {
  const all = flat(tree);
  const known = all.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# bash completion for ${tree.name}: source this file, or put it into a directory of bash-completion.
_${tree.name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' skip=0 index word
  COMPREPLY=()
  # "--flag=value" comes as three words.
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then skip=1; continue; fi
    if ((skip)); then skip=0; continue; fi
    case "$command $word" in
      ${known.join(' | ')}) command="$command $word"; continue ;;
    esac
    case "$command $word" in
      ${valueFlags(all).join(' | ')}) skip=1 ;;
    esac
  done
  local words='' paths=''
  case "$command $previous" in
${all.flatMap(bashValues).join('\n')}
    *)
      case "$command" in
${all.map(bashWords).join('\n')}
      esac ;;
  esac
  while IFS= read -r word; do
    [[ -n $word ]] && COMPREPLY+=("$word")
  done < <(compgen -W "$words" -- "$current"; [[ -n $paths ]] && compgen "$paths" -- "$current")
  if [[ -n $paths ]]; then compopt -o filenames 2>/dev/null; fi
  return 0
}
complete -F _${tree.name} ${tree.name}`;
}

function valueFlags(all: readonly CommandPath[]): string[] {
  return all.flatMap(({ path, command }) =>
    command.flags.flatMap(({ names, value }) =>
      value === undefined ? [] : names.map((name) => quote(`${path} ${name}`)),
    ),
  );
}

function bashValues({ path, command }: CommandPath): string[] {
  return command.flags.flatMap(({ names, value }) =>
    value === undefined
      ? []
      : [`    ${names.map((name) => quote(`${path} ${name}`)).join(' | ')}) ${bashSlot(value, [])} ;;`],
  );
}

function bashWords({ path, command }: CommandPath): string {
  const words = [...command.commands.map((inner) => inner.name), ...command.flags.map(longest)];
  return `        ${quote(path)}) ${bashSlot(command.argument, words)} ;;`;
}

function bashSlot(slot: Slot | undefined, more: readonly string[]): string {
  const paths = slot === 'file' ? " paths='-f'" : slot === 'directory' ? " paths='-d'" : '';
  return `words=${quote([...(typeof slot === 'object' ? slot : []), ...more].join(' '))}${paths}`;
}

/** For zsh with its completion system (compinit). */
function zsh(tree: CommandTree): string {
  const functions = flat(tree).map((one) => zshFunction(tree.name, one));
  return [
    `#compdef ${tree.name}`,
    `# zsh completion for ${tree.name}: put this file into a directory of $fpath as _${tree.name}.`,
    ...functions,
    `if [ "$funcstack[1]" = "_${tree.name}" ]; then _${tree.name} "$@"; else compdef _${tree.name} ${tree.name}; fi`,
  ].join('\n');
}

function zshFunction(program: string, { path, command }: CommandPath): string {
  const name = `_${program}${path.replaceAll(' ', '_')}`;
  const flags = command.flags.map((flag) => `    ${zshFlag(flag)}`);
  if (command.commands.length === 0) {
    const argument = command.argument === undefined ? [] : [`    '*:argument:${zshSlot(command.argument)}'`];
    return `${name}() {\n  _arguments \\\n${[...flags, ...argument].join(' \\\n')}\n}`;
  }
  const list = command.commands.map(
    (inner) => `        ${quote(`${inner.name}:${inner.help.replaceAll(':', '\\:')}`)}`,
  );
  const cases = command.commands.map((inner) => `        ${inner.name}) ${name}_${inner.name} ;;`);
  return `${name}() {
  local curcontext="$curcontext" state line
  local -a commands
  _arguments -C \\
${flags.map((flag) => `${flag} \\`).join('\n')}
    '1:command:->command' \\
    '*::argument:->argument'
  case $state in
    command)
      commands=(
${list.join('\n')}
      )
      _describe command commands ;;
    argument)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}`;
}

function zshFlag({ names, help, value }: CompletionFlag): string {
  const slot = value === undefined ? '' : `:value:${zshSlot(value)}`;
  const form = (name: string) => (value !== undefined && name.startsWith('--') ? `*${name}=` : `*${name}`);
  return names.map((name) => quote(`${form(name)}[${zshText(help)}]${slot}`)).join(' ');
}

function zshSlot(slot: Slot): string {
  if (typeof slot === 'object') return `(${slot.join(' ')})`;
  return slot === 'file' ? '_files' : slot === 'directory' ? '_files -/' : ' ';
}

/** Text in a description; escapes brackets and colons, which have a meaning there. */
function zshText(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, '\\$&');
}

/** For fish 3 and later. */
function fish(tree: CommandTree): string {
  const lines = flat(tree).flatMap((one) => fishLines(tree.name, one));
  return [`# fish completion for ${tree.name}: put this file into ~/.config/fish/completions.`, ...lines].join('\n');
}

function fishLines(program: string, { path, command }: CommandPath): string[] {
  const words = path.split(' ').slice(1);
  const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = command.commands.map((inner) => inner.name);
  const here = names.length === 0 ? seen : [...seen, `not __fish_seen_subcommand_from ${names.join(' ')}`];
  const start = (conditions: readonly string[]) =>
    `complete -c ${program}${conditions.length === 0 ? '' : ` -n ${fishQuote(conditions.join('; and '))}`}`;
  const argument = command.argument === undefined ? ' -f' : fishSlot(command.argument);
  return [
    `${start(here)}${argument}`,
    ...command.commands.map((inner) => `${start(here)} -f -a ${inner.name} -d ${fishQuote(inner.help)}`),
    ...command.flags.map((flag) => {
      const forms = flag.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      const value = flag.value === undefined ? '' : ` -r${fishSlot(flag.value)}`;
      return `${start(here)} ${forms.join(' ')}${value} -d ${fishQuote(flag.help)}`;
    }),
  ];
}

function fishSlot(slot: Slot): string {
  if (slot === 'file') return ' -F';
  if (slot === 'directory') return " -f -a '(__fish_complete_directories)'";
  return slot === 'free' ? ' -f' : ` -f -a ${fishQuote(slot.join(' '))}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
