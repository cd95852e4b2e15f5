// What a report says of outputs.

import { afterEach, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

const MANIFEST = `version: 1
stack: shop
failover_backends: { pool: { backends: [bkdhr_1] } }
tls_edges: { e: { hostports: ["a.example.com:443"], backend: { backend_id: "\${failover_backends.pool.id}" } } }
outputs:
  pool: "\${failover_backends.pool.id}"
  edge: "edge \${tls_edges.e.id} of \${failover_backends.pool.id}"
  text: "literal $\${tls_edges.e.id}"
`;

const refusing: Exchange = (asked) =>
  asked.method === 'POST' && asked.url.pathname.includes('tls')
    ? Promise.resolve({
        status: 400,
        headers: { 'content-type': 'application/json' },
        bytes: Buffer.from('{"error_code":"E","status_code":400,"msg":"no","details":{}}'),
      })
    : network(asked);

let emulator: Emulator;
afterEach(() => emulator.close());

function apply(exchange: Exchange, more: readonly string[] = []) {
  return edgeform(['apply', '--auto-approve', '--format', 'json', '--settle', '1', ...more], exchange);
}

function edgeform(args: readonly string[], exchange = network, cwd = folder({ 'edgeform.yaml': MANIFEST })) {
  return run(args, {
    cwd,
    env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey },
    ports: { clock: networkClock, exchange },
  });
}

const POOL = expect.stringMatching(/^bkdfo_/) as unknown;

test.each<[string, Exchange, readonly string[], number]>([
  ['after a run that failed', refusing, [], 3],
  ['after a run of a part', network, ['--target', 'failover_backends.pool'], 0],
])('outputs that are not known yet are left out %s', async (_, exchange, more, exit) => {
  emulator = await startEmulator({});
  const { code, stdout } = await apply(exchange, more);
  const { outputs } = JSON.parse(stdout) as { outputs: unknown };
  expect([code, outputs]).toEqual([exit, { pool: POOL, text: 'literal ${tls_edges.e.id}' }]);
});

test('all outputs are there when all objects are', async () => {
  emulator = await startEmulator({});
  const { outputs } = JSON.parse((await apply(network)).stdout) as { outputs: Record<string, string> };
  expect(Object.keys(outputs)).toEqual(['edge', 'pool', 'text']);
  expect(outputs['edge']).toMatch(/^edge edgtls_\w+ of bkdfo_\w+$/);
});

test('a plan gives null for what is not known yet, and says so in every format', async () => {
  emulator = await startEmulator({});
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const { stdout } = await edgeform(['plan', '--format', 'json', '--out', 'plan.json'], network, cwd);
  const { outputs } = JSON.parse(stdout) as { outputs: unknown };
  expect(outputs).toEqual({ edge: null, pool: null, text: 'literal ${tls_edges.e.id}' });
  for (const format of ['text', 'markdown', 'html', 'github']) {
    const shown = await edgeform(['show', 'plan.json', '--format', format], network, cwd);
    const lines = shown.stdout.split('\n').filter((line) => /\bpool\b/.test(line) && /known after apply/.test(line));
    expect(lines.at(-1), format).toContain('(known after apply)');
  }
});
