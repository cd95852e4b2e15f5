// The built program on a pseudo-terminal of the system, with an emulator that takes its time: what a person sees while it
// runs and after it, and what a file gets.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CLI, folder } from '../support/cli.ts';
import { screenOf } from '../support/terminal.ts';

/** `script` of util-linux; that of other systems has other options. */
const found = spawnSync('script', ['--version'], { encoding: 'utf8' });
const hasScript = found.error === undefined && found.stdout.includes('util-linux');

const names = Array.from({ length: 12 }, (_, index) => `addr-${index}`);
const MANIFEST = `version: 1
stack: shop
reserved_addrs:
${names.map((name) => `  ${name}: { region: eu }\n`).join('')}outputs: { first: "\${reserved_addrs.addr-0.id}" }
`;

/** Longer than the half second after which progress is shown: by then it is on the screen, however busy the machine is. */
const LONG_MS = 1_000;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({
    latencyMs: 250,
    faults: [
      // What a run reads, and each of its steps.
      { action: 'delay', ms: LONG_MS, match: { method: 'GET', path: 'reserved_addrs' } },
      { action: 'delay', ms: LONG_MS, match: { method: 'POST' } },
    ],
  });
});
afterAll(() => emulator.close());

/** Most of their time they wait for the emulator. */
const BESIDE = { concurrent: true };

interface Seen {
  readonly code: number | null;
  readonly sent: string;
}

/** Runs a command line of a shell on a terminal of its own. */
function onTerminal(
  command: string,
  cwd: string,
  { columns, onText }: { columns: number; onText?: (text: string, child: ReturnType<typeof spawn>) => void },
): Promise<Seen> {
  const program = `stty cols ${columns} rows 24; edgeform() { "${process.execPath}" "${CLI}" "$@"; }; ${command}`;
  const env = {
    PATH: process.env['PATH'],
    EDGEFORM_BASE_URL: emulator.url,
    EDGEFORM_API_KEY: emulator.apiKey,
    TERM: 'xterm',
  };
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qefc', program, '/dev/null'], { cwd, env: { ...env, SHELL: '/bin/bash' } });
    let sent = '';
    child.stdout.on('data', (chunk: Buffer) => {
      sent += chunk.toString();
      onText?.(sent, child);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, sent });
    });
  });
}

test.skipIf(!hasScript)(
  'apply on a terminal draws its progress, asks, and leaves only what is to be kept',
  BESIDE,
  async () => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST });
    let isAnswered = false;
    const { code, sent } = await onTerminal('edgeform apply --detail names --color never', cwd, {
      columns: 60,
      onText: (text, child) => {
        if (isAnswered || !text.includes('to continue: ')) return;
        isAnswered = true;
        child.stdin?.write('yes\r');
      },
    });
    const lines = await screenOf(sent, 60, 24);
    expect(code).toBe(0);
    expect(sent).toMatch(/\d+ running, \d+ left · \d+ s/);
    expect(sent).toMatch(/Reading the service: \d of 9 kinds/);
    expect(lines.filter((line) => /^ {2}\+ s\d+ create/.test(line))).toHaveLength(12);
    expect(lines.join('\n')).not.toMatch(/running|Reading|Checking|\u001b/);
    expect(lines.filter((line) => line.includes('to continue: yes'))).toHaveLength(1);
    expect(lines.slice(-6)).toEqual([
      'Applied 12 of 12 steps to stack shop: 12 done.',
      '',
      'Outputs:',
      expect.stringMatching(/^ {2}first {2}ra_/),
      '',
      expect.stringMatching(/^Total time: [\d.]+ s$/),
    ]);
  },
);

test.skipIf(!hasScript)('nothing of the progress reaches files', BESIDE, async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: files') });
  await onTerminal('edgeform apply --auto-approve > out 2> err; edgeform plan > plan', cwd, { columns: 100 });
  for (const name of ['out', 'err', 'plan'])
    expect(readFileSync(join(cwd, name), 'utf8'), name).not.toMatch(/\r|\u001b|running/);
  expect(readFileSync(join(cwd, 'err'), 'utf8').match(/^ {2}\+ s\d+ create .* done in [\d.]+ m?s$/gm)).toHaveLength(12);
});

test.skipIf(!hasScript)(
  'after Ctrl-C, and after being stopped and continued, the progress is gone',
  BESIDE,
  async () => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: stopped') });
    const keys: string[] = [];
    // The shell continues the job that Ctrl-Z stopped.
    const command =
      'set -m; edgeform apply --auto-approve --detail names --concurrency 2; echo STOPPED; fg; echo "code $?"';
    const { sent } = await onTerminal(command, cwd, {
      columns: 100,
      onText: (text, child) => {
        const press = (name: string, key: string) => {
          if (keys.includes(name)) return;
          keys.push(name);
          child.stdin?.write(key);
        };
        if (/[2-9] running/.test(text)) press('stop', '\u001a');
        if (/STOPPED[\s\S]*running/.test(text)) press('interrupt', '\u0003');
      },
    });
    const lines = await screenOf(sent, 100, 24);
    expect(keys).toEqual(['stop', 'interrupt']);
    expect(lines.join('\n')).not.toMatch(/\d running/);
    expect(lines.at(-1)).toBe('code 130');
  },
);

test.skipIf(!hasScript)('a question that was stopped and continued still takes an answer', BESIDE, async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: asked') });
  const keys: string[] = [];
  const { sent } = await onTerminal('set -m; edgeform apply --detail names; fg', cwd, {
    columns: 100,
    onText: (text, child) => {
      const asked = text.split('to continue: ').length - 1;
      if (asked === keys.length + 1) child.stdin?.write(keys.push('key') % 2 === 1 ? '\u001a' : 'yes\r');
    },
  });
  expect((await screenOf(sent, 100, 24)).join('\n')).toContain('Applied 12 of 12 steps to stack asked: 12 done.');
});

test.skipIf(!hasScript)('Ctrl-D is no consent, and leaves the question on its line', BESIDE, async () => {
  const cwd = folder({
    'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: ended').replace(/^ {2}addr-(?!0:).*\n/gm, ''),
  });
  let isPressed = false;
  const { code, sent } = await onTerminal('edgeform apply --detail names', cwd, {
    columns: 100,
    onText: (text, child) => {
      if (isPressed || !text.includes('to continue: ')) return;
      isPressed = true;
      child.stdin?.write('\u0004');
    },
  });
  const lines = await screenOf(sent, 100, 24);
  expect(code).toBe(5);
  expect(lines.join('\n')).toContain('Run this 1 step against');
  expect(lines.filter((line) => line.includes('to continue:'))).toEqual([expect.stringMatching(/to continue:$/)]);
  expect(lines.join('\n')).toContain('not confirmed; nothing was changed');
});

test.skipIf(!hasScript)(
  'the question is where the plan is: beside a document or events, and never beside a file',
  BESIDE,
  async () => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: redirected') });
    const answering = (command: string) => {
      let isAnswered = false;
      return onTerminal(command, cwd, {
        columns: 100,
        onText: (text, child) => {
          if (isAnswered || !text.includes('to continue: ')) return;
          isAnswered = true;
          child.stdin?.write('no\r');
        },
      });
    };
    const [file, json, events] = await Promise.all([
      answering('edgeform apply --journal 1 > out.txt'),
      answering('edgeform apply --journal 2 --format json > out.json'),
      answering('edgeform apply --journal 3 --events - > events.jsonl'),
    ]);
    expect([file.code, json.code, events.code]).toEqual([5, 5, 5]);
    expect(file.sent).toMatch(/because standard output is not a\s+terminal; nothing was changed/);
    for (const { sent } of [json, events]) expect(sent).toMatch(/12 to create[\s\S]*to continue: /);
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8'))).toMatchObject({ exit_code: 5 });
    expect(readFileSync(join(cwd, 'events.jsonl'), 'utf8')).not.toContain('continue');
  },
);
