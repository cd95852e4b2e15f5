// Kinds that cannot be listed: the plan says what it did not see.

import { afterEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { keep: {} }\nhttps_edges: { site: { description: x } }\n';

let emulator: Emulator;
afterEach(() => emulator.close());

/** A machine of its own, to which HTTPS edges cannot be listed. */
function machine() {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const env = {
    EDGEFORM_BASE_URL: emulator.url,
    EDGEFORM_API_KEY: emulator.apiKey,
    EDGEFORM_CAPABILITIES: '-https-edge-list',
  };
  return (...args: string[]) =>
    run([...args, '--settle', '1'], { cwd, env, ports: { clock: networkClock, exchange: network } });
}

const codes = (stdout: string) =>
  (JSON.parse(stdout) as { diagnostics: { code: string; address: string | null }[] }).diagnostics.map(
    ({ code, address }) => [code, address],
  );

describe('with HTTPS edges that cannot be listed', () => {
  test('a creation that may be the second one is told, one that the journal knows is not', async () => {
    emulator = await startEmulator({});
    const [here, elsewhere] = [machine(), machine()];
    expect((await here('apply', '--auto-approve')).code).toBe(0);
    expect(codes((await here('plan', '--format', 'json')).stdout)).toEqual([]);
    const found = codes((await elsewhere('plan', '--format', 'json')).stdout);
    expect(found).toEqual([['kind-not-read', 'https_edges.site']]);
  });
  test('destroy says what it does not see', async () => {
    emulator = await startEmulator({});
    await machine()('apply', '--auto-approve');
    const { stdout, stderr } = await machine()('destroy', '--auto-approve', '--allow-deletes', 'all');
    expect(stdout + stderr).toContain('they are not deleted');
  });
});
