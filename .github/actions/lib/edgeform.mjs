// Runs the program, with its output in the log of the job and its exit code as the result.

import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { constants } from 'node:os';

/** Signals of a cancelled job go on to the program, which stops cleanly and keeps its journal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The exit code of `edgeform ARGS`. Standard output goes to a file where one is named. */
export function edgeform(args, { stdout, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const out = stdout === undefined ? 'inherit' : openSync(stdout, 'w');
    const child = spawn('edgeform', args, { stdio: ['ignore', out, 'inherit'], env });
    const pass = (signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, pass);
    child.once('error', (error) => {
      reject(
        error.code === 'ENOENT'
          ? new Error('edgeform is not on the PATH: give a version, or install it before')
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

/** The manifest and the options that were given, or some of them. */
export function givenOptions(mayBe = () => true, { MANIFEST, ARGUMENTS } = process.env) {
  return [...lines(MANIFEST).flatMap((path) => ['-f', path]), ...lines(ARGUMENTS).filter(mayBe)];
}

/** What an exit code asks people to do. */
export function adviceFor(code) {
  return (
    {
      3: 'Some steps were done and others were not. Open a pull request, an empty commit will do: its plan has what is left.',
      5: 'A policy refused this before the first write. Allow it with the option that is named, in a new pull request.',
      6: 'The plan that was reviewed is out of date, and nothing was changed. Open a new pull request, an empty commit will do (`git commit --allow-empty`), read its plan, and merge it.',
      7: 'The outcome of a write is unknown. Look at the object by hand, then follow what the message says.',
      130: 'The run was stopped. Open a pull request, an empty commit will do: its plan has what is left.',
      143: 'The run was stopped. Open a pull request, an empty commit will do: its plan has what is left.',
    }[code] ?? 'See the messages, mend what they name, and open a new pull request.'
  );
}
