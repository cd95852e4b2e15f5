// Steps that only run one of our modules, in a process that is there already: a start of node takes longer than such a step.

import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('module-host.mjs', import.meta.url));
/** Ends what one module says on a stream. */
const MARK = '\u0000end\u0000';

interface Ended {
  readonly code: number;
  readonly log: string;
}
interface Call {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The module that is all that a script runs. */
export function onlyModule(script: string, env: Readonly<Record<string, string>>): string | undefined {
  const path = /^exec node "\$GITHUB_ACTION_PATH\/(\.\.\/lib\/[\w-]+\.mjs)"\n?$/.exec(script)?.[1];
  return path === undefined ? undefined : join(env['GITHUB_ACTION_PATH'] ?? '', path);
}

/** One for each fleet, and one for none: what the modules share looks once, when it is loaded, which fleet that is. */
const hosts = new Map<string, ChildProcess>();

/** Runs a module with nothing but the given environment; a host that was killed with it is replaced. */
export function runModule(path: string, { args = [], env, cwd }: Call): Promise<Ended> {
  const fleet = env['EDGEFORM_CI_FLEET'] ?? '';
  const used = hosts.get(fleet) ?? started();
  hosts.set(fleet, used);
  let [log, code]: [string, number | undefined] = ['', undefined];
  return new Promise((done, fail) => {
    const over = (end: number) => {
      for (const stream of [used.stdout, used.stderr]) stream?.removeAllListeners('data');
      used.removeAllListeners('message').removeAllListeners('close');
      done({ code: end, log: log.replaceAll(MARK, '') });
    };
    const look = () => {
      if (code !== undefined && log.split(MARK).length === 3) over(code);
    };
    for (const stream of [used.stdout, used.stderr])
      stream?.on('data', (chunk: Buffer) => {
        log += chunk.toString();
        look();
      });
    used.once('message', (told: { readonly code: number; readonly left?: string }) => {
      // As a process of its own, it would run until the forge ends its job.
      if (told.left !== undefined) fail(new Error(`${path} would never end: ${told.left}`));
      code = told.code;
      look();
    });
    used.once('close', (end) => {
      hosts.delete(fleet);
      over(end ?? 137);
    });
    used.send({ path, args, env, cwd, mark: MARK });
  });
}

function started(): ChildProcess {
  const child = fork(HOST, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: {}, execArgv: [] });
  child.unref();
  child.channel?.unref();
  return child;
}
