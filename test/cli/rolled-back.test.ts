// A step whose object was deleted again, because another run had created it first, has not done what the plan said.

import { afterEach, expect, test } from 'vitest';
import type { Exchange } from '../../src/api/exchange.ts';
import { createExchange } from '../../src/api/undici-exchange.ts';
import type { Emulator } from '../../src/emulator/server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

let emulator: Emulator;
afterEach(() => emulator.close());
const network = createExchange({ maxBytes: 1 << 24 });

/** Another run creates the same object a moment before the first creation of this one arrives. */
function outrun(): Exchange {
  let isFirst = true;
  return async (asked) => {
    if (asked.method === 'POST' && isFirst) {
      isFirst = false;
      const body = String(asked.body).replace(/created_by\\":\\"[^\\]+/, 'created_by\\":\\"another-run');
      expect(body).not.toBe(String(asked.body));
      expect((await network({ ...asked, body })).status).toBe(201);
    }
    return network(asked);
  };
}

test('it is failed in the report, and the other object stays', async () => {
  emulator = await startEmulator();
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: shop\nreserved_addrs: { db: {} }\n' });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const args = ['apply', '--auto-approve', '--format', 'json'];
  const { code, stdout } = await run(args, { cwd, env, ports: { exchange: outrun() } });
  const [left, ...more] = emulator.objects('reserved_addrs');
  expect(more).toEqual([]);
  expect(String(left?.['metadata'])).toContain('another-run');
  expect(JSON.parse(stdout)).toMatchObject({
    exit_code: code,
    steps: [{ status: 'failed', error: expect.stringContaining('was deleted again') }],
  });
  expect(code).not.toBe(0);
  expect(stdout).not.toMatch(/still different:\s*"/);
});
