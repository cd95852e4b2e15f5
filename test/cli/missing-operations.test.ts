// A service that does not have an operation says that something is not there: no run takes that for success.

import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

/** The network, in which requests to some paths are answered by a status in the API's form, or by a page. */
function without(paths: RegExp, status: number, isPage: boolean): Exchange {
  return (asked) => {
    if (!paths.test(`${asked.method} ${asked.url.pathname}`)) return network(asked);
    const body = { error_code: 'ERR_EDGE_404', status_code: status, msg: 'nothing here', details: {} };
    const [type, text] = isPage ? ['text/html', '<html>'] : ['application/json', JSON.stringify(body)];
    return Promise.resolve({ status, headers: { 'content-type': type }, bytes: Buffer.from(text) });
  };
}

const HEAD = 'version: 1\nstack: shop\n';
const MODULE = `${HEAD}tls_edges: { e: { hostports: ["a.example.com:443"], tls_termination: { terminate_at: edge } } }\n`;
const NO_MODULE = `${HEAD}tls_edges: { e: { hostports: ["a.example.com:443"] } }\n`;
const ROUTE = `${HEAD}https_edges: { e: { hostports: ["b.example.com:443"], routes: { r: { match_type: path_prefix, match: / } } } }\n`;
const NO_ROUTE = `${HEAD}https_edges: { e: { hostports: ["b.example.com:443"] } }\n`;

let emulator: Emulator;
afterEach(() => emulator.close());

function apply(text: string, exchange: Exchange = network, given: Record<string, string> = {}) {
  return run(['apply', '--auto-approve', '--format', 'json', '--settle', '1'], {
    cwd: folder({ 'edgeform.yaml': text }),
    env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, ...given },
    ports: { clock: networkClock, exchange },
  });
}

const CASES: readonly [string, string, string, RegExp, RegExp, RegExp][] = [
  ['a module', MODULE, NO_MODULE, /DELETE .*tls_termination/, /tls_termination still exists/, /-module-delete/],
  ['a route that goes', ROUTE, NO_ROUTE, /DELETE .*routes/, /the object still exists/, /-routes/],
];

describe.each(CASES)('DELETE of %s that the service does not know', (_, before, after, paths, still, way) => {
  test.each([
    ['404 in its own form', 404, false],
    ['404 as a page', 404, true],
    ['405', 405, false],
    ['501', 501, false],
  ])('is no success: %s', async (__, status, isPage) => {
    emulator = await startEmulator({});
    expect((await apply(before)).code).toBe(0);
    const { code, stdout } = await apply(after, without(paths, status, isPage));
    const { steps } = JSON.parse(stdout) as { steps: { status: string; error: string }[] };
    expect(code).not.toBe(0);
    expect(steps.map((step) => step.status)).not.toContain('done');
    expect(steps[0]?.error).toMatch(way);
    if (status !== 405 && !isPage) expect(steps[0]?.error).toMatch(still);
    if (!isPage) expect([code, steps[0]?.status]).toEqual([1, 'failed']);
    expect((await apply(after)).code).toBe(0);
  });
});

const CHANGED = ROUTE.replace('path_prefix', 'exact_path');

test.each([404, 405, 501])(
  'POST of a route that the service does not know names the capability: %i',
  async (status) => {
    emulator = await startEmulator({});
    const { code, stdout } = await apply(ROUTE, without(/POST .*routes/, status, false));
    expect(code).toBe(3);
    expect(stdout).toMatch(/EDGEFORM_CAPABILITIES=-routes/);
  },
);

test.each([404, 405, 501])(
  'PATCH of a route that the service does not know names the capability: %i',
  async (status) => {
    emulator = await startEmulator({});
    await apply(ROUTE);
    const { code, stdout } = await apply(CHANGED, without(/PATCH .*routes/, status, false));
    expect([code, stdout]).toEqual([1, expect.stringContaining('EDGEFORM_CAPABILITIES=-routes')]);
  },
);

test('an operation that answers 501 and was carried out is done', async () => {
  emulator = await startEmulator({});
  await apply(ROUTE);
  const absent = without(/PATCH .*routes/, 501, false);
  const { code, stdout } = await apply(CHANGED, async (asked) => {
    if (asked.method === 'PATCH') await network(asked);
    return absent(asked);
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining('"status": "done"')]);
});

test('the report of an apply says what is switched off, as the plan does', async () => {
  emulator = await startEmulator({});
  const { code, stdout } = await apply(ROUTE, network, { EDGEFORM_CAPABILITIES: '-routes' });
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/"message": ".*still differ from the manifest: .*EDGEFORM_CAPABILITIES=-routes/),
  ]);
});

test('what is gone already is done', async () => {
  emulator = await startEmulator({});
  await apply(ROUTE);
  // Somebody is quicker: the DELETE arrives when there is nothing any more.
  const quicker: Exchange = async (asked) => {
    if (asked.method === 'DELETE') await network(asked);
    return network(asked);
  };
  const { code, stdout } = await apply(NO_ROUTE, quicker);
  expect([code, stdout]).toEqual([0, expect.stringContaining('"status": "done"')]);
});
