// What the manifest asks to be released is never deleted, whatever moves and pins call it.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

const HEAD = 'version: 1\nstack: shop\n';
const KEEP = 'failover_backends: { keep: { backends: [bkdhr_1] } }\n';
const route = (match: string) => `{ match_type: path_prefix, match: ${match} }`;
const edge = (name: string, more = '') =>
  `https_edges: { ${name}: { hostports: ["a.example.com:443"], ${more}routes: { q: ${route('/q')} } } }\n`;
const both = (name: string) =>
  `https_edges: { ${name}: { hostports: ["a.example.com:443"], routes: { r: ${route('/')}, q: ${route('/q')} } } }\n`;

let emulator: Emulator;
let cwd: string;
beforeEach(async () => {
  emulator = await startEmulator({});
  cwd = folder({});
});
afterEach(() => emulator.close());

async function given(text: string) {
  cwd = folder({ 'edgeform.yaml': HEAD + text });
  return go('apply', '--auto-approve');
}

function go(...args: string[]) {
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return run([...args, '--settle', '1'], { cwd, env, ports: { clock: networkClock, exchange: network } });
}

async function actions(text: string) {
  cwd = folder({ 'edgeform.yaml': HEAD + text });
  const { stdout } = await go('plan', '--format', 'json');
  const { steps } = JSON.parse(stdout) as { steps: { action: string; address: string }[] };
  return steps.map(({ action, address }) => `${action} ${address}`).sort();
}

const BACKENDS = 'failover_backends: { a: { backends: [bkdhr_1] }, keep: { backends: [bkdhr_1] } }\n';
const moved = (from: string, to: string) => `moved: [{ from: ${from}, to: ${to} }]\n`;
const removed = (from: string) => `removed: [{ from: ${from}, destroy: false }]\n`;

test.each([
  [
    'by the name that a move gives it',
    BACKENDS,
    KEEP + moved('failover_backends.a', 'failover_backends.b') + removed('failover_backends.b'),
    ['release failover_backends.a'],
  ],
  [
    'a route under the new name of its edge',
    both('old'),
    edge('new') + moved('https_edges.old', 'https_edges.new') + removed('https_edges.new.routes.r'),
    ['release https_edges.old.routes.r', 'update https_edges.new', 'update https_edges.new.routes.q'],
  ],
  [
    'an edge with its routes by the name that a move gives it',
    BACKENDS + both('old'),
    BACKENDS + moved('https_edges.old', 'https_edges.new') + removed('https_edges.new'),
    ['release https_edges.old', 'release https_edges.old.routes.q', 'release https_edges.old.routes.r'],
  ],
])('%s', async (_, before, after, expected) => {
  expect((await given(before)).code).toBe(0);
  expect(await actions(after)).toEqual(expected);
});

test('a route in the block that pins its edge, and one whose marker has its new name already', async () => {
  expect((await given(both('old'))).code).toBe(0);
  const id = String(emulator.objects('https_edges')[0]?.['id']);
  const pinned = edge('pin', `lifecycle: { id: ${id} }, `);
  expect(await actions(pinned + removed('https_edges.pin.routes.r'))).toContain('release https_edges.old.routes.r');
  const move = moved('https_edges.old', 'https_edges.new');
  expect((await given(both('new') + move)).code).toBe(0);
  const late = edge('new') + move + removed('https_edges.old.routes.r');
  expect(await actions(late)).toEqual(['release https_edges.new.routes.r']);
});

test('what is removed and not released is deleted', async () => {
  expect((await given(BACKENDS)).code).toBe(0);
  expect(await actions(`${KEEP}removed: [{ from: failover_backends.a, destroy: true }]\n`)).toEqual([
    'delete failover_backends.a',
  ]);
});
