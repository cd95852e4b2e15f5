// A command whose lines are carried out by this process: for what scripts do with the program, not for the program. Its own start
// takes longer than most of what it is asked for.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { run } from './host.ts';

/** What a command line did. */
interface Done {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** Carries out the arguments of a command that was called in this folder, with this environment and nothing to read. */
export type CarryOut = (
  args: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<Done>;

/** The text of a shell script that has its arguments carried out here, by the program when not said; it keeps files in the folder. */
export async function servedScript(folder: string, carryOut: CarryOut = run): Promise<string> {
  const server = createServer((socket) => {
    // A failure of this stub ends the step, and the tests as an error that nobody handles.
    socket.once(
      'data',
      (name) => void answer(carryOut, join(folder, name.toString().trim()), socket).finally(() => socket.end()),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return `at='${folder}'/$$
printf '%s\\0' "$PWD" "$@" > "$at.args" && env -0 > "$at.env" || exit 99
exec 3<>/dev/tcp/127.0.0.1/${port}
echo $$ >&3
read -r code <&3 || exit 99
cat "$at.stdout" && cat "$at.stderr" >&2
exit "$code"`;
}

async function answer(carryOut: CarryOut, path: string, socket: Socket): Promise<void> {
  const words = (name: string) => readFileSync(`${path}.${name}`, 'utf8').split('\0').slice(0, -1);
  const [cwd = '', ...args] = words('args');
  const env = Object.fromEntries(
    words('env').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const done = await carryOut(args, { cwd, env });
  for (const name of ['stdout', 'stderr'] as const) writeFileSync(`${path}.${name}`, done[name]);
  socket.write(`${done.code}\n`);
  for (const name of ['args', 'env']) rmSync(`${path}.${name}`);
}
