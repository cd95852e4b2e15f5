// The example of a program that embeds the engine, as a process of its own against the emulator.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { problemsOf } from '../support/compiler.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/embed/apply.mjs', import.meta.url));

let emulator: Emulator;
beforeEach(async () => {
  emulator = await startEmulator();
});
afterEach(() => emulator.close());

function run(cwd: string, ...args: string[]): Promise<{ code: number | null; out: string }> {
  const env = { PATH: process.env['PATH'], EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      out += bytes.toString();
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

test('it is short, refuses what it was told to refuse, and applies the rest once', async () => {
  expect(readFileSync(PROGRAM, 'utf8').trimEnd().split('\n').length).toBeLessThan(40);
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\nreserved_addrs: { a: {}, b: {} }\n' });
  expect(await run(cwd, '1')).toMatchObject({ code: 1, out: expect.stringContaining('2 steps are more than 1') });
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(await run(cwd)).toMatchObject({ code: 0, out: expect.stringContaining('done: 2 steps') });
  expect(await run(cwd)).toMatchObject({ code: 0, out: expect.stringContaining('done: 0 steps') });
});

test('it shows no secret, and reads no file outside the folder', async () => {
  const head =
    'version: 1\nstack: shop\nvariables: { s: { sensitive: true, default: hunter2hunter2 }, p: { default: hunter2hunter2 } }\n';
  const used = 'event_destinations: { d: { target: { datadog: { api_key: "${var.s}" } } } }\n';
  const cwd = folder({ 'edgeform.yaml': `${head}${used}reserved_addrs: { a: { description: "x \${var.p}" } }\n` });
  const { code, out } = await run(cwd);
  expect([code, out.includes('hunter2')]).toEqual([0, false]);
  const outside = 'version: 1\nstack: shop\nreserved_addrs: { a: { description: "${file:/etc/hostname}" } }\n';
  const refused = await run(folder({ 'edgeform.yaml': outside }));
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('file-outside-root') });
});

test('its types are those that the package declares', () => {
  const options = ['--allowJs', '--checkJs', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', 'node'];
  expect(problemsOf(PROGRAM, options)).toEqual([]);
});
