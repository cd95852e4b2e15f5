// What the command is given at the start: checked whole before it listens, and every failure ends the process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { edgeform, folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

interface Told {
  readonly code: number | null;
  readonly text: string;
}

async function startWith(option: string, json: unknown): Promise<Told> {
  const cwd = folder({ 'given.json': typeof json === 'string' ? json : JSON.stringify(json) });
  const { code, stdout, stderr } = await run(['emulator', option, 'given.json'], { cwd, env: {} });
  expect(stdout).toBe('');
  return { code, text: stderr };
}

describe('a start that fails ends the process', () => {
  test.each<readonly [string, readonly string[], Readonly<Record<string, string>>]>([
    ['faults that make no sense', ['--faults', 'f'], { f: '[{"match":{"path":"("},"action":"dropBefore"}]' }],
    ['a seed that makes no sense', ['--seed', 'f'], { f: '{"tls_edges":7}' }],
    ['a state file that is none', ['--state', 'f'], { f: 'x' }],
    ['a state file in no folder', ['--state', 'no/state.json'], {}],
  ])('%s', async (_, args, files) => {
    const { code, stdout } = await edgeform(['emulator', ...args], { cwd: folder(files) });
    expect([code, stdout]).toEqual([4, '']);
  });

  test('a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await edgeform(['emulator', '--port', String(port)], { cwd: folder({}) });
    taken.close();
    expect([code, stderr]).toEqual([4, expect.stringContaining('EADDRINUSE')]);
  });
});

test('the key that it prints is no secret of its run', async () => {
  const env = { ...process.env, EDGEFORM_API_KEY: 'key-of-both' };
  const child = spawn(process.execPath, ['dist/cli.js', 'emulator', '--api-key', 'key-of-both'], { env });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  expect(JSON.parse(line.toString())).toMatchObject({ api_key: 'key-of-both' });
});

describe('faults are checked whole', () => {
  test.each<readonly [string, unknown, string]>([
    ['no list', {}, 'a list'],
    ['an item that is no object', [1], '[0]'],
    ['no action', [{ match: {} }], '[0].action'],
    ['an unknown action', [{ action: 'dropbefore' }], 'dropBefore'],
    ['an unknown key', [{ action: 'dropAfter', macth: {} }], '[0].macth'],
    ['an unknown key of match', [{ action: 'dropAfter', match: { methode: 'GET' } }], '[0].match.methode'],
    ['a key of another action', [{ action: 'dropAfter', status: 500 }], '[0].status'],
    ['no method of HTTP', [{ action: 'dropAfter', match: { method: 'GOT' } }], '[0].match.method'],
    ['a path that is no regular expression', [{ action: 'dropAfter', match: { path: '(' } }], '[0].match.path'],
    ['the place zero', [{ action: 'dropAfter', match: { nth: 0 } }], '[0].match.nth'],
    ['no status', [{ action: 'status' }], '[0].status'],
    ['a status that nothing can answer', [{ action: 'status', status: 9999 }], '[0].status'],
    ['a status that is no last answer', [{ action: 'status', status: 100 }], '[0].status'],
    ['a body that is a number', [{ action: 'status', status: 500, body: 1 }], '[0].body'],
    ['a header with a line break', [{ action: 'status', status: 500, headers: { a: 'b\nc' } }], '[0].headers'],
    ['a header without a name', [{ action: 'status', status: 500, headers: { '': 'b' } }], '[0].headers'],
    ['a header of the framing', [{ action: 'status', status: 500, headers: { 'Content-Length': '1' } }], '[0].headers'],
    ['an effect in words', [{ action: 'status', status: 500, effect: 'yes' }], '[0].effect'],
    ['a delay without its length', [{ action: 'delay' }], '[0].ms'],
    ['a delay below zero', [{ action: 'delay', ms: -1 }], '[0].ms'],
    ['bytes below zero', [{ action: 'truncate', bytes: -1 }], '[0].bytes'],
    ['no writes', [{ action: 'staleList', writes: 0 }], '[0].writes'],
  ])('%s', async (_, faults, words) => {
    const { code, text } = await startWith('--faults', faults);
    expect([code, text]).toEqual([4, expect.stringContaining(words)]);
    expect(text).toContain('given.json');
  });

  test('all that is wrong is told at once', async () => {
    const faults = [{ action: 'status', status: 9999, match: { methode: 'GET', path: '(' } }, { action: 'delay' }];
    const { text } = await startWith('--faults', faults);
    for (const place of ['[0].status', '[0].match.methode', '[0].match.path', '[1].ms']) expect(text).toContain(place);
  });
});

describe('a seed is checked whole', () => {
  const edge = { id: 'edgtls_1', hostports: ['a.example.com:443'] };
  test.each<readonly [string, unknown, readonly string[]]>([
    ['a value of another type', { tls_edges: [{ hostports: 'x' }] }, ['hostports must be a list']],
    ['an id of another kind', { reserved_addrs: [{ id: 'edgtls_1' }] }, ['reserved_addrs.0: id must be', 'ra_']],
    [
      'what is no field',
      { reserved_addrs: [{ id: 'ra_1', description: 5, foo: 1 }] },
      ['reserved_addrs.0: foo is not'],
    ],
    ['a field of another type', { reserved_addrs: [{ id: 'ra_1', description: 5 }] }, ['ra_1: description must be']],
    [
      'two with one hostport',
      { tls_edges: [edge, { ...edge, id: 'edgtls_2' }] },
      ['edgtls_2: hostports: a.example.com'],
    ],
    ['a reference to nothing', { tls_edges: [{ backend: { backend_id: 'bkdfo_9' } }] }, ['no object bkdfo_9']],
    ['a time that is none', { tls_edges: [{ ...edge, created_at: 'once' }] }, ['created_at must be a time']],
    ['a module with what it lacks', { https_edges: [{ routes: [{ match: '/' }] }] }, ['match_type is required']],
    ['an unknown list', { edges: [] }, ['no list has the key edges']],
    [
      'several at once',
      { tls_edges: [{ x: 1 }, { tls_termination: { y: 1 } }] },
      ['tls_edges.0: x is not', 'tls_edges.1: tls_termination.y is not'],
    ],
  ])('%s', async (_, seed, parts) => {
    const { code, text } = await startWith('--seed', seed);
    expect(code, text).toBe(4);
    for (const part of parts) expect(text.replaceAll(/\s+/g, ' ')).toContain(part);
  });
});
