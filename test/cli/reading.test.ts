// Every option that takes a path to read, at paths that are no files: refused at once with option and path, exit code 4.
// What a shell hands over as a pipe is read, and waited for only until a signal comes.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CLI, edgeform, folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { ENDLESS, FOLDER, MISSING, ODD_PLACES } from '../support/special-paths.ts';

const MANIFEST =
  'version: 1\nstack: shop\nvariables: { d: { default: x } }\nreserved_addrs: { a: { description: "${var.d}" } }\n';

let emulator: Emulator;
let env: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmulator();
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
});
afterAll(() => emulator.close());

interface Reader {
  readonly option: string;
  /** What stands for the path in the message, when it is not all of it. */
  readonly says?: string;
  readonly args: (path: string, cwd: string) => readonly string[];
  /** A folder, or an empty place, means something else there. */
  readonly takes?: readonly string[];
}

const READERS: readonly Reader[] = [
  { option: '-f', args: (path) => ['validate', '-f', path], takes: ['a folder'] },
  { option: '--var-file', args: (path) => ['validate', '--var-file', path] },
  { option: '--api-key-file', args: (path) => ['plan', '--api-key-file', path] },
  { option: 'the plan file', args: (path) => ['apply', path] },
  { option: 'the plan file', args: (path) => ['show', path] },
  { option: '--seed', args: (path) => ['emulator', '--seed', path] },
  { option: '--faults', args: (path) => ['emulator', '--faults', path] },
  { option: 'the emulator', args: (path) => ['emulator', '--state', path], takes: ['nothing', 'a link to nothing'] },
  {
    option: 'could not be read',
    args: (path) => ['apply', '--auto-approve', '--journal', path],
    takes: ['nothing', 'a link to nothing', 'a link to itself', 'a file as a folder', '/proc/self/mem'],
  },
];

const PLACES = [...ODD_PLACES, FOLDER, ...ENDLESS, ...MISSING];
/** Here a mistake would wait for ever or fill the memory, so that is asked of a process of its own. */
const DANGEROUS = ['a pipe that nobody has open', '/dev/zero'];

describe.each(READERS)('$option ($args)', ({ option, args, takes = [] }) => {
  test.each(PLACES.filter((place) => !takes.includes(place.name)))('refuses $name', async ({ name, make }) => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST });
    const path = make(cwd);
    const start = DANGEROUS.includes(name) ? edgeform : run;
    const { code, stdout, stderr } = await start(args(path, cwd), { cwd, env });
    expect([code, stdout]).toEqual([4, '']);
    const said = stderr.replace(/\s+/g, ' ');
    if (option !== '-f') expect(said).toContain(option);
    expect(said).toContain(path);
    expect(stderr).not.toContain('made a mistake');
  });
});

test.each([...ODD_PLACES, ...ENDLESS, FOLDER])('${file:} refuses $name', async ({ make }) => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const path = make(cwd);
  writeFileSync(join(cwd, 'edgeform.yaml'), MANIFEST.replace('${var.d}', `\${file:${path.replace(`${cwd}/`, '')}}`));
  const { code, stderr } = await run(['validate'], { cwd, env });
  expect(code).toBe(4);
  expect(stderr).toMatch(/file-unreadable|file-outside-root/);
});

test('a file of a folder that is none is refused, and so is a pattern with too much below it', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  mkdirSync(join(cwd, 'many'));
  spawnSync('mkfifo', [join(cwd, 'many', 'a.yaml')]);
  expect(await edgeform(['validate', '-f', 'many'], { cwd })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('many/a.yaml'),
  });
  expect(await edgeform(['validate', '-f', '/proc/**/nothing.yaml'], { cwd })).toMatchObject({ code: 4 });
});

test('a file of a folder counts however its ending is written', async () => {
  const files = { 'a.yaml': 'a', 'b.YAML': 'b', 'c.Yml': 'c', 'd.JSON': 'd' };
  const texts = Object.entries(files).map(([name, one]) => [
    name,
    JSON.stringify({ ...(one === 'a' && { version: 1, stack: 'shop' }), reserved_addrs: { [one]: {} } }),
  ]);
  const cwd = folder({});
  mkdirSync(join(cwd, 'edgeform'));
  for (const [name, text] of texts) writeFileSync(join(cwd, 'edgeform', String(name)), String(text));
  const { code, stdout } = await run(['validate'], { cwd, env: {} });
  expect([code, stdout]).toEqual([0, expect.stringContaining('4 resources')]);
});

test('a stack of which one file cannot be read is not planned from the others', async () => {
  const cwd = folder({ 'one.yaml': MANIFEST, 'two.yaml': 'tls_edges: { a: {} }\n' });
  expect((await run(['apply', '--auto-approve', '-f', 'one.yaml', '-f', 'two.yaml'], { cwd, env })).code).toBe(0);
  const before = emulator.requests.length;
  for (const args of [['plan'], ['apply', '--auto-approve', '--allow-deletes', 'all']]) {
    const { code, stdout, stderr } = await run([...args, '-f', 'one.yaml', '-f', 'missing.yaml'], { cwd, env });
    expect([code, stdout + stderr]).toEqual([4, expect.stringContaining('missing.yaml')]);
  }
  expect(emulator.requests.length).toBe(before);
});

describe('what a shell hands over', () => {
  const shell = (script: string, cwd: string) => {
    const command = script.replaceAll('edgeform ', `"${process.execPath}" "${CLI}" `);
    const child = spawn('bash', ['--norc', '-c', command], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env } });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdout.resume();
    return new Promise<{ readonly code: number | null; readonly stderr: string }>((done) => {
      child.once('close', (code) => {
        done({ code, stderr });
      });
    });
  };

  test.each([
    ['-f <(…)', 'edgeform validate -f <(cat edgeform.yaml)', 0],
    ['-f - of a pipe', 'cat edgeform.yaml | edgeform validate -f -', 0],
    ['-f - of a file', 'edgeform validate -f - < edgeform.yaml', 0],
    ['-f /dev/stdin', 'cat edgeform.yaml | edgeform validate -f /dev/stdin', 0],
    ['--var-file <(…)', 'edgeform validate --var-file <(echo "d: y")', 0],
    ['--var-file of two', 'edgeform validate --var-file <(echo "d: y") --var-file <(echo "d: z")', 0],
    ['a pipe that is not YAML', 'edgeform validate --var-file <(echo "[")', 4],
    ['a pipe that is too large', 'edgeform validate --var-file <(head -c 9000000 /dev/zero)', 4],
    ['a pipe without an end', 'edgeform validate --var-file <(cat /dev/zero)', 4],
    ['standard input without an end', 'edgeform validate -f - < /dev/zero', 4],
    ['bytes that are no text', 'printf "\\xff\\xfe" | edgeform validate -f -', 4],
    ['a closed standard input', 'edgeform validate -f - <&-', 4],
    ['a folder as standard input', 'edgeform validate -f - < .', 4],
    ['a descriptor that is not open', 'edgeform validate -f /dev/fd/77', 4],
    ['a descriptor of a folder', 'edgeform validate -f /dev/fd/9 9< .', 0],
  ])('%s', async (_, script, code) => {
    const ran = await shell(script, folder({ 'edgeform.yaml': MANIFEST }));
    expect([ran.code, ran.stderr.includes('made a mistake')], ran.stderr).toEqual([code, false]);
  });

  test('an API key from <(…) is used, and not said to be readable by others', async () => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST });
    const script = `unset EDGEFORM_API_KEY; edgeform plan --api-key-file <(printf %s "$KEY")`;
    const { code, stderr } = await shell(`KEY=${emulator.apiKey}; ${script}`, cwd);
    expect([code, stderr]).toEqual([0, '']);
  });

  test.each([
    ['--var-file', 'echo "d: y" | edgeform validate --var-file -', 0],
    ['--api-key-file', `echo "$KEY" | edgeform plan --api-key-file -`, 0],
    ['a plan', 'edgeform plan --out p.json > /dev/null && cat p.json | edgeform show -', 0],
    ['a plan to apply', 'edgeform plan --out p.json > /dev/null && cat p.json | edgeform apply - --auto-approve', 0],
    ['two inputs', 'cat edgeform.yaml | edgeform validate -f - --var-file -', 64],
    ['two inputs, one by its device', 'cat edgeform.yaml | edgeform validate -f - --var-file /dev/stdin', 64],
  ])('standard input is read by its name: %s', async (_, script, expected) => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST });
    const { code, stderr } = await shell(`KEY=${emulator.apiKey}; ${script}`, cwd);
    expect([code, stderr]).toEqual([
      expected,
      expected === 0 ? expect.anything() : expect.stringContaining('read once'),
    ]);
  });

  test.each([
    ['standard input', 0, '-'],
    ['a descriptor', 3, '/dev/fd/3'],
  ])('%s that does not end is waited for until a signal comes', async (_, descriptor, path) => {
    const cwd = folder({});
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
    const child = spawn(process.execPath, [CLI, 'validate', '-f', path], { cwd, env: {}, stdio: [...stdio] });
    const into = child.stdio[descriptor];
    if (into === null || into === undefined || !('write' in into)) throw new Error('the descriptor is no pipe');
    into.on('error', () => undefined);
    // More than any pipe holds: once all of it is gone, somebody reads.
    await new Promise<void>((gone) => into.write('# comment\n'.repeat(200_000), () => gone()));
    const ended = new Promise((done) => child.once('exit', (code, signal) => done([code, signal])));
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });
});

test('nobody is asked where standard input was read for an input', async () => {
  const ended = await run(['apply', '-f', '-', '--format', 'json'], {
    cwd: folder({}),
    env,
    answer: 'yes',
    stdin: MANIFEST.replace('stack: shop', 'stack: asked'),
  });
  expect([ended.code, ended.asked]).toEqual([5, []]);
  expect(ended.stdout).toMatch(/"no-consent"[\s\S]*standard input was already read/);
});

test('what an empty file of variables lacks is said', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST, 'empty.yaml': '# nothing yet\n' });
  const { code, stderr } = await run(['validate', '--var-file', 'empty.yaml'], { cwd, env });
  expect(code).toBe(4);
  expect(stderr).toMatch(/"empty.yaml" is not a map[\s\S]*NAME: VALUE/);
  expect(stderr).not.toContain('stack: NAME');
});
