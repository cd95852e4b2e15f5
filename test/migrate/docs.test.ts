// The commands of docs/migration.md, run by a shell with the built program; `terraform` is a script that shows our state.

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { SEED, STATE } from './fixture.ts';

const PAGE = readFileSync(new URL('../../docs/migration.md', import.meta.url), 'utf8');

function script(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** Runs the script without blocking this process, which serves the emulator. */
function bash(cwd: string, env: Readonly<Record<string, string>>): Promise<{ status: number | null; stdout: string }> {
  return new Promise((done) => {
    const child = spawn('bash', ['all.sh'], { cwd, env });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.once('close', (status) => done({ status, stdout }));
  });
}

test('every command of the page does what the page says', async () => {
  const blocks = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(blocks.length).toBe(4);
  const cwd = folder({ 'seed.json': JSON.stringify(SEED), 'shown.json': STATE });
  mkdirSync(join(cwd, 'bin'));
  script(join(cwd, 'bin/edgeform'), `exec '${process.execPath}' '${CLI}' "$@"`);
  script(join(cwd, 'bin/terraform'), '[ "$1" = show ] && exec cat shown.json; echo "$@" >> terraform.log');
  const emulator = await startEmulator({ seed: SEED });
  try {
    const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
    const PATH = `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`;
    writeFileSync(join(cwd, 'all.sh'), `set -e\n${blocks.join('')}`);
    const ran = await bash(cwd, { PATH, ...env });
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/9 to adopt[\s\S]*9 done[\s\S]*No changes/) });
    expect(readFileSync(join(cwd, 'terraform.log'), 'utf8')).toMatch(/^state rm ngrok_reserved_addr\.db\[0\] /);
    expect((await edgeform(['fmt', '--check'], { cwd })).code).toBe(0);
  } finally {
    await emulator.close();
  }
});
