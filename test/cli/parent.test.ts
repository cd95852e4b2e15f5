// A process that is killed sends no signal: the program that it started sees the end of its pipe. Nothing else stops a run.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CLI, folder } from '../support/cli.ts';

const LIB = pathToFileURL('.github/actions/lib/run.mjs').href;
const COUNT = 16;
const MANIFEST = [
  'version: 1\nstack: shop\nfailover_backends:',
  ...Array.from({ length: COUNT }, (_, at) => `  b${at}: { backends: [bkdhr_1] }`),
].join('\n');

let service: Emulator;
beforeEach(async () => {
  service = await startEmulator({ apiKey: 'local', latencyMs: 100 });
});
afterEach(() => service.close());

const written = () => service.objects('backends').length;
const isWriting = async () => {
  while (written() === 0) await new Promise((done) => setTimeout(done, 10));
};

/** A process in a folder with the manifest; what it and its children print, once all of them have ended. */
function started(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  writeFileSync(join(cwd, 'edgeform'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${cwd}:${process.env['PATH'] ?? ''}`,
    EDGEFORM_BASE_URL: service.url,
    EDGEFORM_API_KEY: 'local',
    ...more,
  };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ends = [child.stdout, child.stderr].map((stream) => {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return once(stream, 'end');
  });
  return { child, end: Promise.all(ends).then(() => said) };
}

const APPLY = 'edgeform apply --auto-approve --concurrency 2';

test('an apply stops as for SIGTERM when the script of its job is killed', async () => {
  const script = `import { run } from ${JSON.stringify(LIB)};\nawait run('edgeform', ${JSON.stringify(APPLY.split(' ').slice(1))});`;
  const { child, end } = started(process.execPath, ['--input-type=module', '--eval', script]);
  await isWriting();
  child.kill('SIGKILL');
  const said = await end;
  expect(written()).toBeLessThan(COUNT);
  expect(said).toMatch(/SIGTERM|not attempted/);
});

test.each([
  ['a shell that ends', `${APPLY} & sleep 0.1`],
  ['a shell that ends, with standard input closed', `${APPLY} <&- & sleep 0.1`],
  ['nohup', `nohup ${APPLY} & sleep 0.1`],
  ['a session of its own, as under cron', `setsid ${APPLY} </dev/null & sleep 0.1`],
])('an apply goes on after %s', async (_, script) => {
  const { child, end } = started('bash', ['-c', script]);
  await isWriting();
  child.kill('SIGKILL');
  expect(await end).toContain('Applied');
  expect(written()).toBe(COUNT);
});

test.each(['3', '0', '99', 'x'])('a descriptor %s that is no pipe is named, and stops nothing', async (parent) => {
  const { end } = started('bash', ['-c', 'edgeform validate'], { EDGEFORM_PARENT_FD: parent });
  const said = await end;
  expect(said).toContain('warning: EDGEFORM_PARENT_FD names no open pipe');
  expect(said).toContain('stack shop is valid');
});
