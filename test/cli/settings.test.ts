// Every setting that cannot be used: the right code, where it was given, what is accepted, and how to put it right.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { readSettings } from '../../src/commands/options/settings.ts';
import { run } from '../support/host.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { main: {} }\n';
const SOUND = { EDGEFORM_BASE_URL: 'http://127.0.0.1:9', EDGEFORM_API_KEY: 'key-of-a-test' };

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

interface Given {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

async function problemsOf({ args = ['plan'], env = {}, files = {} }: Given) {
  const cwd = folder({ 'edgeform.yaml': MANIFEST, ...files });
  const { code, stdout, stderr } = await run([...args, ...(args[0] === 'emulator' ? [] : ['--format', 'json'])], {
    cwd,
    env: { ...SOUND, ...env },
  });
  if (args[0] === 'emulator') return { code, text: stdout + stderr, problems: [] };
  return { code, text: stdout, problems: (JSON.parse(stdout) as { diagnostics: Problem[] }).diagnostics };
}

const env = (name: string, value: string) => ({ env: { [name]: value } });

test.each<readonly [string, Given, RegExp]>([
  ['EDGEFORM_TIMEOUT', env('EDGEFORM_TIMEOUT', 'abc'), /1 to 9999/],
  ['EDGEFORM_PAGE_SIZE', env('EDGEFORM_PAGE_SIZE', '0'), /1 to 100/],
  ['EDGEFORM_VERSION_HEADER', env('EDGEFORM_VERSION_HEADER', 'two'), /Name: value/],
  ['EDGEFORM_VERSION_HEADER', env('EDGEFORM_VERSION_HEADER', 'Host: 2'), /Service-Version/],
  ['EDGEFORM_CAPABILITIES', env('EDGEFORM_CAPABILITIES', '-rotues'), /known: https-edge-list, routes/],
  ['EDGEFORM_CAPABILITIES', env('EDGEFORM_CAPABILITIES', 'nothing like it'), /known: .*routes/],
  ['EDGEFORM_BASE_URL', env('EDGEFORM_BASE_URL', 'api.example.com'), /put https:\/\/ in front of it/],
  ['EDGEFORM_BASE_URL', env('EDGEFORM_BASE_URL', 'http://api.example.com'), /use https/],
  ['EDGEFORM_BASE_URL', env('EDGEFORM_BASE_URL', 'https://a.test/?x=1'), /remove/],
  ['EDGEFORM_BASE_URL', env('EDGEFORM_BASE_URL', 'https://u@a.test/'), /remove/],
  ['--base-url', { args: ['plan', '--base-url', 'nonsense'] }, /--base-url/],
  ['--base-url', { args: ['plan', '--base-url', 'ftp://a.test'] }, /https/],
  ['EDGEFORM_API_KEY', env('EDGEFORM_API_KEY', 'Bearer abc'), /bare token/],
  ['--api-key-file', { args: ['plan', '--api-key-file', 'k'], files: { k: '\n' } }, /"k"|--api-key-file/],
  ['--api-key-file', { args: ['plan', '--api-key-file', 'k'], files: { k: 'a b' } }, /bare token/],
  ['HTTPS_PROXY', env('HTTPS_PROXY', 'socks5://a.test:1'), /HTTPS_PROXY/],
  ['https_proxy', env('https_proxy', 'socks5://a.test:1'), /https_proxy/],
  ['NODE_TLS_REJECT_UNAUTHORIZED', env('NODE_TLS_REJECT_UNAUTHORIZED', '0'), /unset/],
  ['NODE_OPTIONS', env('NODE_OPTIONS', '--inspect'), /unset/],
  ['NODE_DEBUG', env('NODE_DEBUG', 'http'), /unset/],
  ['--var-file', { args: ['plan', '--var-file', 'v'], files: { v: '- a\n' } }, /NAME: VALUE/],
  ['--var-file', { args: ['plan', '--var-file', 'v'], files: { v: 'a: { b: c }\n' } }, /NAME: VALUE/],
])('%s: given and wrong (%#)', async (source, given, fix) => {
  const { code, text, problems } = await problemsOf(given);
  expect([code, problems.length], text).toEqual([4, 1]);
  expect(problems[0]).toMatchObject({ code: 'invalid-setting', message: expect.stringContaining(source) as string });
  expect(problems[0]?.fix).toMatch(fix);
});

test.each([
  ['EDGEFORM_BASE_URL', '--base-url'],
  ['EDGEFORM_API_KEY', '--api-key-file'],
])('%s: not given', async (name, option) => {
  const { code, problems } = await problemsOf(env(name, ''));
  expect([code, problems]).toEqual([4, [expect.objectContaining({ code: 'missing-setting' })]]);
  expect(problems[0]?.fix).toContain(name);
  expect(problems[0]?.fix).toContain(option);
});

test.each(['--api-key-file', '--var-file'])('%s: a file that is not there', async (option) => {
  const { code, problems } = await problemsOf({ args: ['plan', option, 'nowhere'] });
  expect([code, problems.length]).toEqual([4, 1]);
  expect(problems[0]).toMatchObject({ code: 'file-unreadable', message: expect.stringContaining(option) as string });
  expect(problems[0]?.fix).toBeTruthy();
});

test.each([
  [['--concurrency', '0'], /for example --concurrency \d/],
  [['--deadline', 'soon'], /for example --deadline \d/],
  [['--settle', '-'], /for example --settle \d/],
  [['--allow-deletes', 'some'], /--allow-deletes 5|all/],
  [['--color', 'red'], /auto, always or never/],
  [['--detail', 'all'], /names, changes or full/],
  [['--var', 'novalue'], /--var \w+=\w+/],
  [['--resolve', 'reserved_addrs.main=nope'], /--resolve reserved_addrs\.main=ra_/],
  [['--resolve', 'reserved_addrs.main'], /--resolve reserved_addrs\.main=/],
  [['--resolve', 'nowhere=absent'], /reserved_addrs\.main|tls_edges\.\w+|ADDRESS/],
])('%s: wrong usage with a fix', async (args, fix) => {
  const { code, problems } = await problemsOf({ args: ['apply', ...args] });
  expect([code, problems.length]).toEqual([64, 1]);
  expect(problems[0]).toMatchObject({ code: 'bad-usage', message: expect.stringContaining(args[0] ?? '') as string });
  expect(problems[0]?.fix).toMatch(fix);
});

test('all options that are wrong are told at once', async () => {
  const { problems } = await problemsOf({ args: ['plan', '--concurrency', '0', '--deadline', 'x', '--color', 'red'] });
  expect(problems).toHaveLength(3);
});

test('all settings that are wrong are told at once', async () => {
  const { problems } = await problemsOf({
    env: { EDGEFORM_TIMEOUT: 'x', EDGEFORM_PAGE_SIZE: 'x', EDGEFORM_CAPABILITIES: 'x', NODE_DEBUG: 'http' },
  });
  expect(problems.map(({ message }) => /\b[A-Z]+_[A-Z_]+/.exec(message)?.[0]).sort()).toEqual([
    'EDGEFORM_CAPABILITIES',
    'EDGEFORM_PAGE_SIZE',
    'EDGEFORM_TIMEOUT',
    'NODE_DEBUG',
  ]);
});

test.each<readonly [readonly string[], number, RegExp]>([
  [['--port', 'x'], 64, /--port takes a number from 0 to 65535[\s\S]*fix: /],
  [['--page-size', '0'], 64, /--page-size takes a number from 1 to 100[\s\S]*fix: /],
  [['--seed', 'nowhere'], 4, /--seed "nowhere" cannot be read[\s\S]*\[file-unreadable\]/],
  [['--seed', 'text'], 4, /--seed "text" is not JSON[\s\S]*fix: /],
  [['--seed', 'list'], 4, /--seed "list" is not a JSON object[\s\S]*fix: /],
  [['--faults', 'object'], 4, /--faults "object"[\s\S]*fix: /],
])('emulator %s', async (args, exitCode, words) => {
  const files = { text: 'x', list: '[]', object: '{}' };
  const { code, text } = await problemsOf({ args: ['emulator', ...args], files });
  expect([code, text]).toEqual([exitCode, expect.stringMatching(words)]);
  expect(text).not.toContain('missing-setting');
});

test('the emulator refuses a version header that is none', async () => {
  const { code, text } = await problemsOf({ args: ['emulator'], env: { EDGEFORM_VERSION_HEADER: 'two' } });
  expect([code, text]).toEqual([4, expect.stringMatching(/EDGEFORM_VERSION_HEADER[\s\S]*invalid-setting/)]);
});

test('a file that cannot be reached says which option named it', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  writeFileSync(join(cwd, 'big'), 'x'.repeat(17 * 1024));
  const { stdout, stderr } = await run(['plan', '--api-key-file', 'big'], { cwd, env: SOUND });
  expect(stdout + stderr).toMatch(/--api-key-file "big" cannot be read: .*16384 bytes/);
});

const PROBE = 'Zq7probeOfSettings';
const CREDENTIALS: Readonly<Record<string, string>> = {
  EDGEFORM_API_KEY: PROBE,
  HTTPS_PROXY: `http://someone:${PROBE}@proxy.test:1`,
  http_proxy: `someone:${PROBE}@proxy.test:1/with/path`,
  ALL_PROXY: `socks5://${PROBE}@proxy.test:1`,
  EDGEFORM_BASE_URL: `https://someone:${PROBE}@api.test`,
  EDGEFORM_VAR_pw: PROBE,
  EDGEFORM_VAR_odd: PROBE,
  EDGEFORM_VAR_lost: PROBE,
};

describe.each(Object.entries(CREDENTIALS))('what %s holds', (name, value) => {
  const manifest = `version: 1
stack: shop
variables: { pw: { sensitive: true }, odd: { sensitive: yess }, lost: [ }
reserved_addrs: { main: { region: ${PROBE}, ${PROBE}: 1 } }
`;

  test.each([
    ['validate'],
    ['validate', '--format', 'json'],
    ['plan'],
    ['apply', '--format', 'markdown'],
    ['destroy', '--format', 'github'],
    ['drift', '--format', 'html'],
    ['output'],
    ['graph'],
  ])('is in no problem of a manifest that repeats it, by %s %s %s', async (...args) => {
    const cwd = folder({ 'edgeform.yaml': manifest });
    const { code, stdout, stderr } = await run(args, { cwd, env: { ...SOUND, [name]: value }, mayHoldBack: true });
    expect(code).toBe(4);
    expect(stdout + stderr).toMatch(/main|region/);
    expect(stdout + stderr).not.toContain(PROBE);
  });
});

test('a key in a file is in no problem of a manifest that repeats it', async () => {
  const text = `version: 1\nstack: shop\nreserved_addrs: { main: { ${PROBE}: 1 } }\n`;
  const cwd = folder({ 'edgeform.yaml': text, key: `${PROBE}\n` });
  const { code, stdout, stderr } = await run(['plan', '--api-key-file', 'key'], { cwd, env: SOUND, mayHoldBack: true });
  expect([code, stdout + stderr]).toEqual([4, expect.not.stringContaining(PROBE)]);
});

test('the path of a base URL holds no password, whatever is in it', async () => {
  const text = 'version: 1\nstack: shop\nreserved_addrs: { main: { "8080/probe": 1 } }\n';
  const { code, stdout, stderr } = await run(['plan'], {
    cwd: folder({ 'edgeform.yaml': text }),
    env: { ...SOUND, EDGEFORM_BASE_URL: 'http://127.0.0.1:8080/probe@acme' },
  });
  expect([code, stdout + stderr]).toEqual([4, expect.stringContaining('8080/probe')]);
});

const COMMIT = '0123456789abcdef'.repeat(4);

test.each([
  { value: COMMIT, shown: COMMIT },
  { value: COMMIT.slice(0, 7), shown: COMMIT.slice(0, 7) },
  { value: COMMIT.slice(0, 6) },
  { value: `${COMMIT}0` },
  { value: 'abcdef0 ' },
  { value: ' abcdef0' },
  { value: 'abcdef0\n' },
  { value: '\nabcdef0' },
  { value: 'ABCDEF0' },
  { value: 'abcdefg' },
  { value: '' },
])('EDGEFORM_COMMIT $value: what is no commit is not shown, and the next variable counts', ({ value, shown }) => {
  expect(readSettings({}, { EDGEFORM_COMMIT: value }).commit).toBe(shown);
  const others = { GITHUB_SHA: 'main', CI_COMMIT_SHA: 'fedcba9876543210' };
  expect(readSettings({}, { EDGEFORM_COMMIT: value, ...others }).commit).toBe(shown ?? others.CI_COMMIT_SHA);
});
