// Proxies of the environment, with the built program and real sockets: what is on this machine is never asked through one.

import type { Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { edgeform, folder } from '../support/cli.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { db: { region: eu } }\n';

let emulator: Emulator;
let proxy: Server;
let seen: { connections: number; text: string };
let proxyUrl: string;

beforeEach(async () => {
  emulator = await startEmulator();
  seen = { connections: 0, text: '' };
  proxy = createServer((socket: Socket) => {
    seen.connections += 1;
    socket.on('data', (chunk: Buffer) => (seen.text += chunk.toString()));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready));
  const address = proxy.address();
  proxyUrl = `http://u:pass-word@127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
});
afterEach(async () => {
  await emulator.close();
  proxy.close();
});

test('plain http on this machine never goes through a proxy, whatever the environment says', async () => {
  const cwd = folder({ 'edgeform.yaml': MANIFEST });
  const proxies = { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, HTTPS_PROXY: proxyUrl, https_proxy: proxyUrl };
  for (const host of ['127.0.0.1', 'localhost']) {
    const env = {
      EDGEFORM_BASE_URL: emulator.url.replace('127.0.0.1', host),
      EDGEFORM_API_KEY: emulator.apiKey,
      ...proxies,
      NO_PROXY: 'example.com',
    };
    const { code, stderr } = await edgeform(['plan', '--debug'], { cwd, env });
    expect([code, seen], stderr).toEqual([0, { connections: 0, text: '' }]);
  }
});

test.each(['::', 'socks5://127.0.0.1:1', 'http://u:hunter22%@127.0.0.1:1', 'http://127.0.0.1:99999'])(
  'HTTPS_PROXY=%s is a setting that is wrong, and is not repeated',
  async (text) => {
    const cwd = folder({ 'edgeform.yaml': MANIFEST });
    const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, HTTPS_PROXY: text };
    const { code, stdout, stderr } = await edgeform(['plan'], { cwd, env });
    expect([code, `${stdout}${stderr}`]).toEqual([4, expect.stringMatching(/HTTPS_PROXY .*\[invalid-setting\]/s)]);
    expect(`${stdout}${stderr}`).not.toContain(text);
    expect(emulator.requests).toEqual([]);
  },
);
