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

interface Module {
  readonly path: string;
  readonly args: readonly string[];
}

/** The module that is all that a script runs. */
export function onlyModule(script: string, env: Readonly<Record<string, string>>): Module | undefined {
  const found = /^exec node "\$GITHUB_ACTION_PATH\/(\.\.\/lib\/[\w-]+\.mjs)" ([\w-]+)\n?$/.exec(script);
  const [, path = '', step = ''] = found ?? [];
  return found === null ? undefined : { path: join(env['GITHUB_ACTION_PATH'] ?? '', path), args: [step] };
}

let host: ChildProcess | undefined;

/** Runs a module with nothing but the given environment; a host that was killed with it is replaced. */
export function runModule(path: string, { args = [], env, cwd }: Call): Promise<Ended> {
  const used = host ?? started();
  host = used;
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
      host = undefined;
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
