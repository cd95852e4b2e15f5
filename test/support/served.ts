// `edgeform` as a command whose lines are carried out by this process: for what scripts do with the program, not for the program. Its
// own start takes longer than most of what it is asked for.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { run } from './host.ts';

/** The text of a shell script that has its arguments carried out here, with nothing to read; it keeps files in the folder. */
export async function servedScript(folder: string): Promise<string> {
  const server = createServer((socket) => {
    // A failure of this stub ends the step, and the tests as an error that nobody handles.
    socket.once(
      'data',
      (name) => void carryOut(join(folder, name.toString().trim()), socket).finally(() => socket.end()),
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

async function carryOut(path: string, socket: Socket): Promise<void> {
  const words = (name: string) => readFileSync(`${path}.${name}`, 'utf8').split('\0').slice(0, -1);
  const [cwd = '', ...args] = words('args');
  const env = Object.fromEntries(
    words('env').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const ran = await run(args, { cwd, env });
  for (const name of ['stdout', 'stderr'] as const) writeFileSync(`${path}.${name}`, ran[name]);
  socket.write(`${ran.code}\n`);
  for (const name of ['args', 'env']) rmSync(`${path}.${name}`);
}
