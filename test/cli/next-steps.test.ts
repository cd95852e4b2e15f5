// What a run leaves behind is said at its end: outputs, tokens, a saved plan and how to apply it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

let server: Emulator;
beforeAll(async () => {
  server = await startEmulator();
});
afterAll(() => server.close());

const MANIFEST = `version: 1
stack: next
variables: { hush: { sensitive: true } }
api_keys: { ci: {} }
reserved_addrs: { db: { region: eu, description: "\${var.hush}" } }
outputs: { db_address: "\${reserved_addrs.db.addr}", quiet: "\${var.hush}", key: "\${api_keys.ci.id}" }
`;

const environment = () => ({
  EDGEFORM_BASE_URL: server.url,
  EDGEFORM_API_KEY: server.apiKey,
  EDGEFORM_VAR_hush: 'a-value-nobody-sees',
});

test('a saved plan says how to apply it, and apply ends with outputs and the places of tokens', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const env = environment();
  const planned = await run(['plan', '--out', 'p.json'], { cwd, env });
  expect(planned.code).toBe(0);
  expect(planned.stderr).toContain('saved to p.json');
  expect(planned.stderr).toContain('edgeform apply p.json');
  const asDocument = await run(['plan', '--out', 'q.json', '--format', 'json'], { cwd, env });
  expect(asDocument.stderr).toBe('');
  const { code, stdout } = await run(['apply', 'p.json', '--auto-approve', '--token-dir', 'tokens'], { cwd, env });
  expect(code).toBe(0);
  const end = stdout.slice(stdout.lastIndexOf('Applied '));
  expect(end).toMatch(/^Outputs:\n {2}db_address {2}\S+:\d+\n {2}key +\S+\n {2}quiet +\(sensitive\)$/m);
  expect(end).toMatch(/^Tokens, .*:\n {2}api_keys\.ci {2}tokens\/api_keys\.ci\.token$/m);
  expect(end).not.toContain(readFileSync(join(cwd, 'tokens', 'api_keys.ci.token'), 'utf8').trim());
  expect(end).not.toContain('a-value-nobody-sees');
  // Nothing to do: what there is, is still said; no token is new.
  const again = await run(['apply', '--auto-approve', '--token-dir', 'tokens'], { cwd, env });
  expect(again.stdout).toContain('Outputs:');
  expect(again.stdout).not.toContain('Tokens');
});

test('destroy of nothing says that there is nothing', async () => {
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: empty\nreserved_addrs: { a: {} }\n' });
  const { code, stdout } = await run(['destroy', '--auto-approve'], { cwd, env: environment() });
  expect(code).toBe(0);
  expect(stdout).toContain('Nothing to destroy: stack empty owns no objects at ');
  expect(stdout).not.toContain('matches the manifest');
});

test('the way to apply a saved plan has the options that this run had, and values of variables are not repeated', async () => {
  const cwd = folder({ 'my stack.yaml': MANIFEST, 'v.yaml': '{}' });
  const given = ['-f', 'my stack.yaml', '--token-dir', 'tokens', '--journal', 'j.jsonl', '--var-file', 'v.yaml'];
  const only = ['--var', 'hush=a-value-nobody-sees', '--detail', 'names'];
  const { stderr } = await run(['plan', '--out', 'p.json', ...given, ...only], { cwd, env: environment() });
  expect(stderr).toContain(
    "edgeform apply p.json -f 'my stack.yaml' --var-file v.yaml --journal j.jsonl --token-dir tokens --var hush=VALUE\n",
  );
});

test('nothing is said of progress any more while standard output waits for its reader', async () => {
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: slow\nreserved_addrs: { a: {} }\n' });
  const running = new Set<object>();
  let most = 0;
  const whileWaiting: number[] = [];
  const { code } = await run(['apply', '--auto-approve', '--format', 'json'], {
    cwd,
    env: environment(),
    every: () => {
      const timer = {};
      running.add(timer);
      most = Math.max(most, running.size);
      return () => running.delete(timer);
    },
    flushed: () => {
      whileWaiting.push(running.size);
      return Promise.resolve('ok');
    },
  });
  expect([code, most]).toEqual([0, 1]);
  expect(new Set(whileWaiting)).toEqual(new Set([0]));
});

test('after a part of the steps, the advice is what continues: the same command, also with a saved plan', async () => {
  const faults = [1, 3].map((nth) => ({ match: { method: 'POST', nth }, action: 'status', status: 400 }) as const);
  const emulator = await startEmulator({ faults });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: part\nreserved_addrs: { a: {}, b: {} }\n' });
  const begun = await run(['apply', '--auto-approve'], { cwd, env });
  expect([begun.code, begun.stdout]).toEqual([3, expect.stringContaining('then run the same command again.')]);
  expect((await run(['destroy', '--auto-approve'], { cwd, env })).code).toBe(0);
  await run(['plan', '--out', 'p.json'], { cwd, env });
  const saved = await run(['apply', 'p.json', '--auto-approve'], { cwd, env });
  expect([saved.code, saved.stdout]).toEqual([3, expect.stringContaining('then run the same command again.')]);
  expect((await run(['apply', 'p.json', '--auto-approve'], { cwd, env })).code).toBe(0);
  await emulator.close();
});
