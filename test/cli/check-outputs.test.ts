// What a command writes is no file that it reads, nor another file that it writes, by whatever path or link. Told before the
// service is asked; every file stays as it is.

import { journalOf } from '../../src/journal/place.ts';
import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { CLI, folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const MANIFEST =
  'version: 1\nstack: shop\nvariables: { v: { default: a } }\n' +
  'reserved_addrs: { a: { description: "${file:note.txt}" } }\n';
const KEYS = 'version: 1\nstack: shop\napi_keys: { a: {} }\nremoved: [{ from: reserved_addrs.a, destroy: true }]\n';

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());
beforeEach(() => {
  emulator.requests.length = 0;
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  cwd = folder({
    'edgeform.yaml': MANIFEST,
    'note.txt': 'text',
    'vars.yaml': 'v: b\n',
    key: `${emulator.apiKey}\n`,
    'ignore.yaml': '[]\n',
  });
  mkdirSync(at('all'));
  writeFileSync(at('all/one.yaml'), MANIFEST);
  writeFileSync(at('all/note.txt'), 'text');
  writeFileSync(at('keys.yaml'), KEYS);
});

const at = (name: string) => join(cwd, name);
const here = (...args: string[]) => runIn(args, { cwd, env });

/** The exit code of the program in a shell, with redirections. */
async function inShell(args: readonly string[], redirections: string): Promise<unknown> {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`);
  const script = `set -o pipefail; ${words.join(' ')} ${redirections}`;
  const child = spawn('bash', ['--norc', '-c', script], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env } });
  return new Promise((done) => child.once('close', done));
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** All files with their texts, by path. */
function files(): ReadonlyMap<string, string> {
  const names = readdirSync(cwd, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((one) => one.isFile() || one.isSymbolicLink())
    .map((one) => join(one.parentPath, one.name));
  return new Map(paths.sort().map((path) => [path, isFile(path) ? readFileSync(path, 'utf8') : '(no file)']));
}

async function expectRefused(args: readonly string[]): Promise<void> {
  const before = files();
  const { code, stderr } = await here(...args);
  expect([code, stderr.replace(/\s+/g, ' ')], args.join(' ')).toEqual([
    64,
    expect.stringContaining(' is the same file as '),
  ]);
  expect(files()).toEqual(before);
  expect(emulator.requests).toEqual([]);
}

interface Option {
  readonly option: string;
  readonly args: (path: string) => string[];
}

const PLAN: readonly Option[] = [
  { option: 'plan --out', args: (path) => ['plan', '--out', path] },
  { option: 'plan --summary-file', args: (path) => ['plan', '--summary-file', path] },
  { option: 'plan --comment-file', args: (path) => ['plan', '--comment-file', path] },
];
const VALIDATE: readonly Option[] = [
  { option: 'validate --summary-file', args: (path) => ['validate', '--summary-file', path] },
];
const DRIFT: readonly Option[] = [
  { option: 'drift --summary-file', args: (path) => ['drift', '--summary-file', path] },
];
const APPLY: readonly Option[] = ['--summary-file', '--events', '--journal'].map((option) => ({
  option: `apply ${option}`,
  args: (path) => ['apply', '--auto-approve', option, path],
}));

interface Input {
  readonly input: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly writers: readonly Option[];
}

const ALL = [...PLAN, ...VALIDATE, ...DRIFT, ...APPLY];
const INPUTS: readonly Input[] = [
  { input: 'the manifest of the folder', path: 'edgeform.yaml', args: [], writers: ALL },
  { input: 'a manifest', path: 'edgeform.yaml', args: ['-f', 'edgeform.yaml'], writers: ALL },
  { input: 'a manifest by its folder', path: 'all/one.yaml', args: ['-f', 'all'], writers: ALL },
  { input: 'a manifest by a pattern', path: 'all/one.yaml', args: ['-f', 'all/*.yaml'], writers: ALL },
  { input: 'a file that a manifest names', path: 'note.txt', args: [], writers: ALL },
  { input: 'variables', path: 'vars.yaml', args: ['--var-file', 'vars.yaml'], writers: ALL },
  { input: 'the API key', path: 'key', args: ['--api-key-file', 'key'], writers: [...PLAN, ...DRIFT, ...APPLY] },
  { input: 'a saved plan', path: 'p.json', args: ['p.json'], writers: APPLY },
];

/** The paths that lead to a file, there or not. */
function waysTo(path: string): string[] {
  symlinkSync(path, at('symbolic'));
  if (!existsSync(at(path))) return [path, at(path), `./all/../${path}`, 'symbolic'];
  linkSync(at(path), at('hard'));
  return [path, at(path), `./all/../${path}`, 'symbolic', 'hard'];
}

describe.each(INPUTS)('$input', ({ path, args, writers }) => {
  test.each(writers)('is not written over by $option', async (writer) => {
    if (path === 'p.json') {
      expect((await here('plan', '--out', path)).code).toBe(0);
      emulator.requests.length = 0;
    }
    for (const way of waysTo(path)) await expectRefused([...writer.args(way), ...args]);
  });
});

test('the lock of a journal is no file that is read, either', async () => {
  writeFileSync(at('j.lock'), 'v: b\n');
  await expectRefused(['apply', '--auto-approve', '--journal', 'j', '--var-file', 'j.lock']);
});

test('a plan that cannot be read stays as it is, too', async () => {
  writeFileSync(at('p.json'), '{');
  await expectRefused(['apply', 'p.json', '--summary-file', 'p.json']);
});

describe.each(['new', 'note2.txt'])('two outputs are two files: %s', (path) => {
  test.each([
    ['plan', '--out', '--summary-file'],
    ['plan', '--comment-file', '--summary-file'],
    ['plan', '--journal', '--out'],
    ['plan', '--journal', '--summary-file'],
    ['drift', '--journal', '--summary-file'],
    ['apply', '--journal', '--events'],
    ['apply', '--journal', '--summary-file'],
    ['apply', '--events', '--summary-file'],
    ['destroy', '--events', '--summary-file'],
  ])('%s %s %s', async (command, one, other) => {
    writeFileSync(at('note2.txt'), '');
    const consent = command === 'apply' || command === 'destroy' ? ['--auto-approve'] : [];
    for (const way of waysTo(path)) {
      await expectRefused([command, ...consent, one, path, other, way]);
      await expectRefused([command, ...consent, one, way, other, path]);
    }
  });

  test.each(APPLY.slice(0, 2))('the journal has a place without --journal, too: $option', async ({ args }) => {
    const journal = journalOf(new URL(emulator.url), 'shop');
    await expectRefused(args(journal));
    await expectRefused(args(`${journal}.lock`));
  });
});

describe('in a folder that is not there yet', () => {
  // Before a run nothing is there that could be compared; while it runs, the first output makes the folder of the second.
  beforeEach(() => {
    mkdirSync(at('real/deep'), { recursive: true });
    symlinkSync('real', at('link'));
    symlinkSync('deep/../new', at('real/up'));
    symlinkSync('real/new', at('nowhere'));
    symlinkSync('../link/new/j', at('real/leaf'));
  });
  const ways = ['link/new/j', 'real/up/j', 'link/up/j', 'nowhere/j', 'link/leaf', 'real/deep/../new/j'];

  test.each(APPLY.slice(0, 2))('two outputs are two files: $option', async ({ args }) => {
    for (const way of ways) {
      await expectRefused([...args('real/new/j'), '--journal', way]);
      await expectRefused([...args(way), '--journal', 'real/new/j']);
    }
    await expectRefused([...args('link/new/j'), '--metrics-file', 'real/new/j']);
    await expectRefused([...args('link/new/j.lock'), '--journal', 'real/new/j']);
  });

  test('an output is no token', async () => {
    const keys = ['apply', '--auto-approve', '-f', 'keys.yaml', '--token-dir', 'link/new'];
    await expectRefused([...keys, '--summary-file', 'real/new/api_keys.a.token']);
  });
});

describe.each(['tokens/api_keys.a.token', 'tokens/api_keys.gone.token'])('a token: %s', (path) => {
  test.each(APPLY)('is not written over by $option', async ({ args }) => {
    mkdirSync(at('tokens'));
    writeFileSync(at('tokens/api_keys.gone.token'), 'held');
    for (const way of waysTo(path)) await expectRefused([...args(way), '-f', 'keys.yaml', '--token-dir', 'tokens']);
  });
});

test('standard input from a file is a file that is read', async () => {
  expect(await inShell(['plan', '-f', '-', '--out', 'edgeform.yaml'], '< edgeform.yaml')).toBe(64);
  expect(readFileSync(at('edgeform.yaml'), 'utf8')).toBe(MANIFEST);
});

test('all that is wrong is told at once, as a document, too', async () => {
  writeFileSync(at('edgeform.yaml'), `${MANIFEST}nonsense: {}\n`);
  const args = ['plan', '--format', 'json', '--out', 'edgeform.yaml', '--summary-file', 'note.txt'];
  const { code, stdout } = await runIn([...args, '--target', 'x'], { cwd, env: {} });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] };
  const codes = diagnostics.map((one) => one.code).sort();
  expect([code, codes.filter((one) => one === 'same-file')]).toEqual([64, ['same-file', 'same-file']]);
  expect(codes).toEqual(expect.arrayContaining(['bad-usage', 'missing-setting', 'unknown-field']));
  const validated = await here('validate', '--format', 'json', '--summary-file', 'edgeform.yaml');
  const found = JSON.parse(validated.stdout) as { diagnostics: { code: string }[] };
  expect([validated.code, found.diagnostics.map((one) => one.code)]).toEqual([
    64,
    expect.arrayContaining(['same-file', 'unknown-field']),
  ]);
});

describe('what is no such file stays allowed', () => {
  const APPLIED = ['apply', '--auto-approve'];

  test('a plan over an earlier one, and a journal that a run has left', async () => {
    for (const _ of [1, 2]) expect((await here('plan', '--out', 'p.json', '--journal', 'j')).code).toBe(0);
    expect((await here(...APPLIED, 'p.json', '--journal', 'j')).code).toBe(0);
    expect((await here(...APPLIED, '--journal', 'j', '--events', 'e', '--summary-file', 's')).code).toBe(0);
    expect((await here(...APPLIED, '--journal', 'j', '--events', 'e', '--summary-file', 's')).code).toBe(0);
  });

  test('two outputs to a device', async () => {
    expect((await here(...APPLIED, '--events', '/dev/null', '--summary-file', '/dev/null')).code).toBe(0);
  });

  test('a file beside the tokens, and one key that is a token', async () => {
    const tokens = ['-f', 'keys.yaml', '--token-dir', 'tokens'];
    expect((await here(...APPLIED, ...tokens, '--events', 'tokens.log')).code).toBe(0);
    writeFileSync(at('tokens/key.token'), `${emulator.apiKey}\n`);
    const args = [...tokens, '--api-key-file', 'tokens/key.token', '--summary-file', 'tokens/summary.md'];
    expect((await here('plan', ...args)).code).toBe(0);
  });
});

test.each([
  { name: 'that cannot be read', file: 'broken.yaml', text: '{{{ :\nversion: 1\nstack: shop\n' },
  { name: 'that is not there', file: 'none.yaml', text: undefined },
])('beside a manifest $name, no output takes the place of a journal', async ({ file, text }) => {
  const journal = at('.edgeform/any/shop.journal.jsonl');
  mkdirSync(at('.edgeform/any'), { recursive: true });
  writeFileSync(journal, 'what is known\n');
  if (text !== undefined) writeFileSync(at(file), text);
  const { code } = await here('apply', '-f', file, '--auto-approve', '--metrics-file', journal);
  expect([code, readFileSync(journal, 'utf8')]).toEqual([64, 'what is known\n']);
});
