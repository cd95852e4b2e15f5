// Runs the program, with its output in the log of the job and its exit code as the result.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync } from 'node:fs';
import { constants } from 'node:os';
import { withoutSlashes } from './text.mjs';

/** Signals of a cancelled job go on to the program, which stops cleanly and keeps its journal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const FLEET = process.env.EDGEFORM_CI_FLEET ?? '';
/** True in a job for all stacks of a fleet: each command is that of `edgeform fleet`. */
export const isFleet = FLEET !== '';
/** What names the manifests of a fleet. */
export const ofFleet = ['--fleet', FLEET];

/** The exit code of `edgeform ARGS`. Standard output goes to a file where one is named. */
export function edgeform(words, { stdout, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const out = stdout === undefined ? 'inherit' : openSync(stdout, 'w');
    const args = isFleet ? ['fleet', ...words] : words;
    // Where it was installed, or else the one on the PATH.
    const program = process.env.EDGEFORM_CI_PROGRAM || 'edgeform';
    const child = spawn(program, args, {
      stdio: ['ignore', out, 'inherit', 'pipe'],
      env: { ...env, EDGEFORM_PARENT_FD: '3' },
    });
    // A job that is killed sends no signal. This pipe closes with this process, and the program stops as for SIGTERM.
    child.stdio[3].on('error', () => undefined).resume();
    const pass = (signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, pass);
    child.once('error', (error) => {
      reject(
        error.code === 'ENOENT'
          ? new Error(
              `${program} is not ${program === 'edgeform' ? 'on the PATH' : 'there'}: set the input version, or install it first`,
            )
          : error,
      );
    });
    child.once('close', (code, signal) => {
      for (const one of SIGNALS) process.off(one, pass);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** The lines that say something. */
export function lines(text = '') {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const READING = '-f= --file= --overlay= --var= --var-file= --format= --color= --summary-file= --policy=';
const ASKING = `${READING} --comment-file= --detail= --target= --token-dir= --journal= --base-url= --api-key-file= --concurrency= --deadline= --debug`;
const WRITING = '--allow-deletes= --allow-loss= --allow-takeover= --recreate';
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
const COMMANDS = isFleet ? FLEET_OPTIONS : OPTIONS;
const ALL = new Set(Object.values(COMMANDS).flat());

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
export function optionsFor(command, words, input = 'the input base-url') {
  const kept = [];
  for (let at = 0; at < words.length; at += 1) {
    const [name, value] = /^(--?[a-z-]+)(?:[=\s]\s*(.*))?$/s.exec(words[at])?.slice(1) ?? [];
    const address = `give the address as ${input}, because plans, comments and journals are kept by it`;
    const instead = name === '--base-url' ? address : OWN[name];
    if (instead !== undefined) throw new Error(`arguments: ${name}: ${instead}`);
    const takesValue = ALL.has(`${name}=`);
    const own = takesValue ? `${name}=` : name;
    const whole =
      takesValue && value === undefined ? words.slice(at, (at += 1) + 1) : takesValue ? [name, value] : [words[at]];
    if (name === '--events' && whole.at(-1) === '-')
      throw new Error('arguments: --events: name a file, because standard output is the log');
    const isWanted = COMMANDS[command].includes(own) && !SAVED[command]?.includes(own);
    if (!ALL.has(own) || isWanted) kept.push(...whole);
  }
  return kept;
}

/** The options for a wave; none without one. Only a fleet has waves. */
export function ofWave(wave = '') {
  if (wave === '') return [];
  if (!isFleet) throw new Error('wave: name the fleet file in the input fleet, or remove the wave');
  if (!/^[1-9]\d{0,8}$/.test(wave)) throw new Error('wave: a whole number from 1 on');
  return ['--wave', wave];
}

/** What is written beside the log: everything for the summary of the job, and what fits into a comment. */
export function documents(summary, comment) {
  return ['--summary-file', summary, '--comment-file', comment];
}

/** The manifest and the options that were given for a command. */
export function givenOptions(command, { MANIFEST, ARGUMENTS, STACK } = process.env) {
  const from = isFleet ? ofFleet : lines(MANIFEST).flatMap((path) => ['-f', path]);
  return [...from, ...guard(command, STACK), ...optionsFor(command, lines(ARGUMENTS))];
}

/** Lets the program refuse the manifest of another stack before it asks the service anything. */
export function guard(command, stack) {
  return !isFleet && OPTIONS[command].includes('--stack=') ? ['--stack', stack] : [];
}

/** The address of the service as documents have it. */
export function serviceOf(text = '') {
  return URL.canParse(text) ? new URL(text).href : text;
}

/** One name for a stack at a service, for artifacts, caches and branches. */
export function keyOf({ stack, service }) {
  const digest = createHash('sha256').update(withoutSlashes(service)).digest('hex');
  return `${stack}-${digest.slice(0, 8)}`;
}

/** What an exit code of apply says, as documents have it. */
export function resultOf(code) {
  return code === 0 ? 'done' : code === 6 ? 'stale' : 'error';
}

/** The exit code of a plan that a safety rule refuses: it is shown, and there is nothing to apply. */
export const REFUSED = 5;
export const WHEN_REFUSED =
  'A safety rule refuses this plan. Each violation says what to change in the manifest, or which option allows it: add that to `arguments` of plan and apply.';

/** What a comment says when there was no program to run. */
export function notInstalled(version) {
  return `edgeform ${version} could not be installed. The log of the run says why; correct the version or the registry, or run the job again.`;
}

/** What an exit code asks people to do; `request` is what the forge calls a proposed change. */
export function adviceFor(code, request = 'pull request') {
  return (
    {
      3: 'Some steps were done and others were not. Fix the cause, then run this job again: it goes on with the same plan.',
      5: `A policy stopped the run before the first write. To allow it, add the option that the message names, in a new ${request}.`,
      6: `The plan that was reviewed is out of date, and nothing was changed. Open a new ${request} (an empty commit is enough: \`git commit --allow-empty\`), read its plan, and merge it.`,
      7: 'The outcome of a write is unknown. Check the object by hand, then do what the message says.',
      130: 'The run was stopped. Run this job again: it goes on with the same plan.',
      143: 'The run was stopped. Run this job again: it goes on with the same plan.',
    }[code] ??
    `Read the messages, and fix the problems. Then run this job again, or open a new ${request} if the manifest is to change.`
  );
}
