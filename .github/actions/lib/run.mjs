// Runs the program, with its output in the log of the job and its exit code as the result. It gets no token of a forge.

import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { constants } from 'node:os';

const TOKENS = ['GITHUB_TOKEN', 'EDGEFORM_GITLAB_TOKEN'];
/** What a forge gives every job, by itself or in an address. A checkout may fetch with it. */
const OF_JOB =
  /^(?:CI_(?:JOB_TOKEN|JOB_JWT\w*|BUILD_TOKEN|REPOSITORY_URL|\w+_PASSWORD)|GH_TOKEN|GITEA_TOKEN|ACTIONS_(?:RUNTIME|ID_TOKEN_REQUEST)_TOKEN)$/;

/** Signals of a cancelled job go on to the program, which stops cleanly and keeps its journal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** An environment in which nobody speaks for us to the forge, but for what fetches as the checkout of the job did. */
export function withoutTokens(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !TOKENS.includes(name)));
}

/** The environment of the program, which speaks to no forge at all. */
function ofProgram(env) {
  return Object.fromEntries(Object.entries(withoutTokens(env)).filter(([name]) => !OF_JOB.test(name)));
}

/** The exit code of the program with these words. Standard output goes to a file where one is named, and `env` is added to its own. */
export function run(program, args, { stdout, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const out = stdout === undefined ? 'inherit' : openSync(stdout, 'w');
    const child = spawn(program, args, {
      stdio: ['ignore', out, 'inherit', 'pipe'],
      env: { ...ofProgram(process.env), ...env, EDGEFORM_PARENT_FD: '3' },
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
