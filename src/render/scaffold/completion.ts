// Completion scripts for bash, zsh and fish, from a table of the command line. They run no program and need no network.

/** The value of a flag or an argument: one of these words; anything, if there are none, and the shell offers files. */
type Slot = readonly string[];

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
  readonly argument: Slot;
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

/** A word in single quotes. */
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
  return `# bash completion for ${tree.name}: source this file, or put it into a directory of bash-completion.
_${tree.name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' skip=0 offers='' index word
  COMPREPLY=()
  # "--flag=value" comes as three words.
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == '=' ]]; then skip=1; continue; fi
${wordLines(all)}
  done
  case "$command $previous" in
${all.flatMap(bashValues).join('\n')}
    *)
      case "$command" in
${all.map(bashWords).join('\n')}
      esac ;;
  esac
  while IFS= read -r word; do
    [[ -n $word ]] && COMPREPLY+=("$word")
  done < <(compgen -W "$offers" -- "$current")
  return 0
}
complete -o default -F _${tree.name} ${tree.name}`;
}

/** The loop over the words so far, in bash and zsh: follows commands, and skips the values of flags. */
function wordLines(all: readonly CommandPath[]): string {
  const known = all.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `    if ((skip)); then skip=0; continue; fi
    case "$command $word" in
      ${known.join(' | ')}) command="$command $word"; continue ;;
    esac
    case "$command $word" in
      ${valueFlags(all).join(' | ')}) skip=1 ;;
    esac`;
}

function valueFlags(all: readonly CommandPath[]): string[] {
  return all.flatMap(({ path, command }) =>
    command.flags.flatMap(({ names, value }) => (value === undefined ? [] : flagWords(path, names))),
  );
}

function flagWords(path: string, names: readonly string[]): string[] {
  return names.map((name) => quote(`${path} ${name}`));
}

function bashValues({ path, command }: CommandPath): string[] {
  return command.flags.flatMap(({ names, value }) =>
    value === undefined ? [] : [`    ${flagWords(path, names).join(' | ')}) ${bashSlot(value)} ;;`],
  );
}

function bashWords({ path, command }: CommandPath): string {
  const words = [...command.argument, ...command.commands.map((inner) => inner.name), ...command.flags.map(longest)];
  return `        ${quote(path)}) ${bashSlot(words)} ;;`;
}

function bashSlot(slot: Slot): string {
  return `offers=${quote(slot.join(' '))}`;
}

/** For zsh 5 and later: like the script of bash, with descriptions. */
function zsh(tree: CommandTree): string {
  const all = flat(tree);
  return `#compdef ${tree.name}
# zsh completion for ${tree.name}: put it into a directory of $fpath as _${tree.name}, or source it after compinit.
_${tree.name}() {
  local command='' word previous=\${words[CURRENT-1]}
  local -i index skip=0
  local -a names flags
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
${wordLines(all)}
  done
  if [[ \${words[CURRENT]} == --*=* ]]; then previous=\${words[CURRENT]%%=*}; compset -P '*='; fi
  case "$command $previous" in
${all.flatMap(zshValues).join('\n')}
  esac
  case "$command" in
${all.map(zshWords).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then _describe -o option flags
  elif ((\${#names})); then _describe word names
  else _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _${tree.name} "$@"; else compdef _${tree.name} ${tree.name}; fi`;
}

function zshValues({ path, command }: CommandPath): string[] {
  return command.flags.flatMap(({ names, value }) => {
    if (value === undefined) return [];
    const offer = value.length === 0 ? '_files' : `compadd -- ${value.map(quote).join(' ')}`;
    return [`    ${flagWords(path, names).join(' | ')}) ${offer}; return ;;`];
  });
}

function zshWords({ path, command }: CommandPath): string {
  const names = [
    ...command.argument.map((word) => zshItem(word, '')),
    ...command.commands.map(({ name, help }) => zshItem(name, help)),
  ];
  const flags = command.flags.map((flag) => zshItem(longest(flag), flag.help));
  return `    ${quote(path)}) names=(${names.join(' ')}); flags=(${flags.join(' ')}) ;;`;
}

/** A word and its description, as `_describe` reads them. */
function zshItem(word: string, help: string): string {
  const name = word.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
  return quote(help === '' ? name : `${name}:${help}`);
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
  return [
    ...(command.argument.length === 0 ? [] : [`${start(here)}${fishSlot(command.argument)}`]),
    ...command.commands.map((inner) => `${start(here)} -f -a ${inner.name} -d ${fishQuote(inner.help)}`),
    ...command.flags.map((flag) => {
      const forms = flag.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      const value = flag.value === undefined ? '' : ` -r${fishSlot(flag.value)}`;
      return `${start(here)} ${forms.join(' ')}${value} -d ${fishQuote(flag.help)}`;
    }),
  ];
}

function fishSlot(slot: Slot): string {
  return slot.length === 0 ? '' : ` -f -a ${fishQuote(slot.join(' '))}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
