// Two stacks at one service, one importing from the other: every command, its exit code, and what is written.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const NETWORK = `version: 1
stack: network
reserved_addrs:
  db: { region: eu }
`;
const SHOP = `version: 1
stack: "shop-\${var.env}"
variables: { env: { default: prod } }
imports:
  db: { stack: network, address: reserved_addrs.db }
tls_edges:
  web: { hostports: ["\${imports.db.addr}"] }
outputs: { address: "\${imports.db.addr}" }
`;

const place = usePlace({ 'network.yaml': NETWORK, 'edgeform.yaml': SHOP });
const { run, writes } = place;

/** What was said, on one line. */
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');
const applyNetwork = async () => {
  expect((await run('apply', '-f', 'network.yaml', '--auto-approve')).code).toBe(0);
};
const applyShop = (...more: string[]) => run('apply', ...more, '--auto-approve');
const addr = () => String(place.emulator.objects('reserved_addrs')[0]?.['addr']);
const idOfAddr = () => String(place.emulator.objects('reserved_addrs')[0]?.['id']);
const planIn = (name: string) => JSON.parse(readFileSync(join(place.cwd, name), 'utf8')) as JsonObject;

test('offline, nothing needs to exist', async () => {
  expect((await run('validate')).code).toBe(0);
  const { stdout } = await run('graph', '--format', 'dot');
  expect(stdout).toContain('"imports.db";');
  expect(stdout).toContain('"tls_edges.web" -> "imports.db" [label="addr"];');
  expect(place.emulator.requests).toEqual([]);
});

test('from nothing to an empty plan; the imported object is never written, and not in the export', async () => {
  await applyNetwork();
  const before = place.emulator.objects('reserved_addrs');
  const network = writes().length;
  expect((await applyShop()).code).toBe(0);
  expect(
    writes()
      .slice(network)
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual(['POST /edges/tls']);
  expect(place.emulator.objects('reserved_addrs')).toEqual(before);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
  expect((await run('output', 'address')).stdout.trim()).toBe(addr());
  const { stdout } = await run('export', '--stack', 'shop-prod');
  expect(stdout).toContain(addr());
  expect(stdout).not.toContain('reserved_addrs');
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  expect(place.emulator.objects('reserved_addrs')).toEqual(before);
  expect(place.emulator.objects('tls_edges')).toEqual([]);
});

test('what is missing is refused with its place and the way out, before any write', async () => {
  const refused = await applyShop();
  expect(refused.code).toBe(5);
  expect(said(refused)).toContain(
    'imports.db: no reserved address carries the marker of reserved_addrs.db of stack network [import-missing] --> edgeform.yaml:5:3',
  );
  expect(said(refused)).toContain('fix: apply stack network first, or correct the stack or the address');
  const drift = await run('drift', '--format', 'json');
  expect(drift.code).toBe(5);
  expect(JSON.parse(drift.stdout)).toMatchObject({
    exit_code: 5,
    diagnostics: [{ code: 'import-missing', file: 'edgeform.yaml', line: 5, column: 3, address: 'imports.db' }],
  });
  expect(said(await run('output', 'address'))).toContain('apply stack network first');
  expect(writes()).toEqual([]);
});

test.each([['plan'], ['drift'], ['output', 'address'], ['eval', 'imports.db.addr']])(
  '%s lists the exit code that an import which is missing gives it',
  async (command, ...words) => {
    const { code } = await run(command, ...words);
    const { stdout } = await run(command, '--help');
    expect([code, stdout]).toEqual([expect.any(Number), expect.stringMatching(new RegExp(`^  ${code} `, 'm'))]);
    expect(code).not.toBe(0);
  },
);

test('a saved plan holds what was imported, and is stale once that has changed', async () => {
  await applyNetwork();
  expect((await run('plan', '--out', 'p.json')).code).toBe(0);
  const [old, oldAddr] = [idOfAddr(), addr()];
  expect(planIn('p.json')['imports']).toEqual([
    {
      name: 'db',
      kind: 'reserved_addr',
      stack: 'network',
      address: 'reserved_addrs.db',
      live_id: old,
      values: { addr: oldAddr },
    },
  ]);
  place.emulator.remove('reserved_addrs', old);
  await applyNetwork();
  const before = writes().length;
  const stale = await applyShop('p.json');
  expect(stale.code).toBe(6);
  expect(said(stale)).toContain(`imports.db is another object now, ${idOfAddr()} in place of ${old}`);
  expect(said(stale)).toContain(`addr was ${JSON.stringify(oldAddr)}, and is ${JSON.stringify(addr())}`);
  expect(writes()).toHaveLength(before);
});

test('it is stale when what was imported is gone, even without any step', async () => {
  await applyNetwork();
  await applyShop();
  await run('plan', '--out', 'empty.json');
  expect((await applyShop('empty.json')).code).toBe(0);
  place.emulator.remove('reserved_addrs', idOfAddr());
  const { code, stderr } = await applyShop('empty.json');
  expect(code).toBe(6);
  expect(stderr).toContain('imports.db');
});

test('a plan made before the import existed is carried out once it does, with its value filled in', async () => {
  expect((await run('plan', '--out', 'early.json')).code).toBe(5);
  expect(planIn('early.json')).toMatchObject({ imports: [{ live_id: null, values: { addr: null } }] });
  expect((await applyShop('early.json')).code).toBe(5);
  expect(writes()).toEqual([]);
  await applyNetwork();
  const { code, stdout, stderr } = await applyShop('early.json');
  expect(code, stdout + stderr).toBe(0);
  expect(place.emulator.objects('tls_edges')).toMatchObject([{ hostports: [addr()] }]);
});
