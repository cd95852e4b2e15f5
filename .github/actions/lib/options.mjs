// The options of the program: those of each command, those that pipelines give themselves, and those that a user gave for all commands.

const READING = '-f= --file= --overlay= --var= --var-file= --format= --color= --summary-file= --policy=';
const ASKING = `${READING} --comment-file= --detail= --target= --token-dir= --journal= --base-url= --api-key-file= --concurrency= --deadline= --debug`;
const WRITING = '--allow-deletes= --allow-loss= --allow-takeover= --allow-opening= --recreate';
/** Options of each command; those with a sign take a value. */
export const OPTIONS = {
  validate: `${READING} --require-vars`.split(' '),
  plan: `${ASKING} ${WRITING} --stack= --base= --out= --detailed-exitcode`.split(' '),
  apply: `${ASKING} ${WRITING} --stack= --auto-approve --resolve= --settle= --events= --metrics-file=`.split(' '),
  drift: `${ASKING} --stack= --known= --metrics-file= --accept= --write`.split(' '),
};

const CHOOSING = '--only= --except= --changed-since= --shard=';
const NOT_FLEET = ['-f=', '--file=', '--overlay=', '--journal=', '--stack='];
const fleetOptions = (command) => [
  ...OPTIONS[command].filter((one) => !NOT_FLEET.includes(one)),
  ...`--fleet= --wave= ${CHOOSING}`.split(' '),
  ...({ validate: [], apply: ['--rate=', '--fail-fast'] }[command] ?? ['--rate=']),
];
/** Those of `edgeform fleet`. */
export const FLEET_OPTIONS = Object.fromEntries(
  Object.keys(OPTIONS).map((command) => [command, fleetOptions(command)]),
);

/** Options that are given here already, and what to do instead. */
const OWN = {
  '--out': 'remove it, because the action saves the plan in its own file, for apply',
  '--format':
    'remove it, because the action sets the format of the log; for another format, run edgeform in a separate step',
  '--summary-file': 'remove it, because the action writes the summary of the job',
  '--comment-file': 'remove it, because the action writes the comment',
  '--fleet': 'set the input fleet to the file',
  '--accept': 'remove it, and set the input pull-request, or run edgeform drift --accept in a separate step',
  '--write': 'remove it, because a check for drift changes no file; run edgeform drift --accept in a separate step',
  '--journal': 'remove it, because the action keeps the journal between runs under its own name',
};

/** What goes without saying: the plan that is applied has its targets in it, and the plans of a fleet say of which stacks. */
const SAVED = { apply: ['--target=', ...CHOOSING.split(' ')] };

/** Of options for several commands those that this one has, and those that none has, which it will refuse. */
export function optionsFor(command, words, { isFleet = false, address = 'the input base-url' } = {}) {
  const known = isFleet ? FLEET_OPTIONS : OPTIONS;
  const all = new Set(Object.values(known).flat());
  const kept = [];
  for (let at = 0; at < words.length; at += 1) {
    const [name, value] = /^(--?[a-z-]+)(?:[=\s]\s*(.*))?$/s.exec(words[at])?.slice(1) ?? [];
    const elsewhere = `give the address as ${address}, because plans, comments and journals are kept by it`;
    const instead = name === '--base-url' ? elsewhere : OWN[name];
    if (instead !== undefined) throw new Error(`arguments: ${name}: ${instead}`);
    const takesValue = all.has(`${name}=`);
    const own = takesValue ? `${name}=` : name;
    const whole =
      takesValue && value === undefined ? words.slice(at, (at += 1) + 1) : takesValue ? [name, value] : [words[at]];
    if (name === '--events' && whole.at(-1) === '-')
      throw new Error('arguments: --events: name a file, because standard output is the log');
    const isWanted = known[command].includes(own) && !SAVED[command]?.includes(own);
    if (!all.has(own) || isWanted) kept.push(...whole);
  }
  return kept;
}
