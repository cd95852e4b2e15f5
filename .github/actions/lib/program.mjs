// The program in one job: its commands, each with the manifests and the options of the inputs.

import { OPTIONS, optionsFor } from './options.mjs';
import { run } from './run.mjs';

/** True in a job for all stacks of a fleet: each command is that of `edgeform fleet`. */
export function isFleet({ inputs }) {
  return inputs.fleet !== '';
}

/** Runs a command; its exit code. */
export function programOf(forge) {
  const { program } = forge.inputs;
  return (words, how) => run(program, isFleet(forge) ? ['fleet', ...words] : words, how);
}

/** What names the manifests, the stack where the command asks for one, and the user's options that the command has. */
export function optionsOf(forge, command) {
  const { manifest, stack, options } = forge.inputs;
  const { address } = forge.words;
  const given = optionsFor(command, options, { isFleet: isFleet(forge), address });
  if (isFleet(forge)) return [...ofFleet(forge), ...given];
  // Lets the program refuse the manifest of another stack before it asks the service anything.
  const guard = OPTIONS[command].includes('--stack=') ? ['--stack', stack] : [];
  return [...manifest.flatMap((path) => ['-f', path]), ...guard, ...given];
}

export function ofFleet({ inputs }) {
  return ['--fleet', inputs.fleet];
}

/** The options for a wave; none without one. Only a fleet has waves. */
export function ofWave({ inputs: { wave, fleet } }) {
  if (wave === '') return [];
  if (fleet === '') throw new Error('wave: name the fleet file in the input fleet, or remove the wave');
  if (!/^[1-9]\d{0,8}$/.test(wave)) throw new Error('wave: a whole number from 1 on');
  return ['--wave', wave];
}

/** What is written beside the log: everything for the summary of the job, and what fits into a comment. */
export function documents({ files: { summary, note } }) {
  return ['--summary-file', summary, '--comment-file', note];
}
