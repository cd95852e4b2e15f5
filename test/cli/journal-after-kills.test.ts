// What a run that was killed had begun is settled by the next one that comes to a good end: what it saw counts from then on,
// however many runs follow.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const B = 'version: 1\nstack: shop\nreserved_addrs:\n  b: { region: us }\n';
const AB = `${B}  a: { region: eu }\n`;
const RELEASED = `${B}removed: [{ from: reserved_addrs.a, destroy: false }]\n`;

const network = createExchange({ maxBytes: 1 << 24 });

const place = usePlace();

const { run } = place;
const { write: manifest } = place;
const apply = async (text: string, ...args: string[]) => {
  manifest(text);
  expect((await run('apply', '--auto-approve', '--allow-loss', 'reserved_addrs.a', ...args)).code).toBe(0);
};
/** Takes from the journal what follows the last write that was sent: the run was killed before its answer. */
const forgetOutcome = () => {
  const lines = readFileSync(place.journal(), 'utf8').split('\n');
  const at = lines.findLastIndex((line) => line.includes('"intent"'));
  writeFileSync(place.journal(), `${lines.slice(0, at + 1).join('\n')}\n`);
};
async function drift() {
  const { code, stdout } = await run('drift', '--format', 'json');
  const { findings, pending } = JSON.parse(stdout) as Record<
    'findings' | 'pending',
    { address: string; type?: string }[]
  >;
  return {
    code,
    findings: findings.map(({ address, type }) => `${address} ${type}`),
    pending: pending.map((one) => one.address),
  };
}

const AGAIN = { code: 0, findings: [], pending: ['reserved_addrs.a'] };

test.each([0, 1, 2])('a deletion is this stack’s own, %i good runs later', async (good) => {
  await apply(AB);
  await apply(B);
  forgetOutcome();
  for (let count = 0; count < good; count++) await apply(B);
  manifest(AB);
  expect(await drift()).toEqual(AGAIN);
  expect((await run('plan')).stdout).not.toContain('deleted outside');
  await apply(AB);
  await apply(AB);
  const [a] = place.emulator.objects('reserved_addrs').filter(({ region }) => region === 'eu');
  place.emulator.remove('reserved_addrs', String(a?.['id']));
  expect(await drift()).toMatchObject({ code: 2, findings: ['reserved_addrs.a missing'] });
});

test.each([0, 1, 2])('what was released is nobody’s, %i good runs later', async (good) => {
  await apply(AB);
  await apply(RELEASED);
  forgetOutcome();
  for (let count = 0; count < good; count++) await apply(RELEASED);
  if (good > 0) {
    const { stdout, stderr } = await run('plan');
    expect(`${stdout}${stderr}`).not.toContain('was removed');
  }
  manifest(AB);
  expect(await drift()).toMatchObject({ code: 0, pending: ['reserved_addrs.a'] });
  await apply(AB);
  expect(place.emulator.objects('reserved_addrs')).toHaveLength(3);
});

test('a run of targets looked at nothing else, and settles nothing', async () => {
  await apply(AB);
  await apply(B);
  forgetOutcome();
  await apply(`${B}  c: {}\n`, '--target', 'reserved_addrs.c');
  expect(readFileSync(place.journal(), 'utf8').trimEnd().split('\n').at(-1)).not.toContain('"objects"');
  manifest(`${AB}  c: {}\n`);
  expect(await drift()).toEqual(AGAIN);
});

test('one answer does not prove that what cannot be listed is gone', async () => {
  const unlisted = { EDGEFORM_CAPABILITIES: '-https-edge-list' };
  const edged = `${B}https_edges: { web: { hostports: [w.test:443] } }\n`;
  const go = (args: readonly string[], exchange: Exchange = network) =>
    runIn(args, { cwd: place.cwd, env: { ...place.env, ...unlisted }, ports: { exchange } });
  manifest(edged);
  expect((await go(['apply', '--auto-approve'])).code).toBe(0);
  manifest(B);
  await go(['apply', '--auto-approve', '--settle', '0'], async (asked) => {
    if (asked.method === 'DELETE') throw new Error('cut off');
    return network(asked);
  });
  forgetOutcome();
  const [edge] = place.emulator.objects('https_edges');
  const late = await go(['apply', '--auto-approve'], async (asked) =>
    network(
      asked.url.pathname.endsWith(String(edge?.['id']))
        ? { ...asked, url: new URL('/edges/https/none', asked.url) }
        : asked,
    ),
  );
  expect([late.code, place.emulator.objects('https_edges')]).toMatchObject([0, [{}]]);
  expect((await go(['destroy', '--auto-approve', '--allow-deletes', 'all'])).code).toBe(0);
  expect(place.emulator.objects('https_edges')).toEqual([]);
});

test('what another machine released is released here, too', async () => {
  await apply(AB);
  place.write(readFileSync(place.journal(), 'utf8'), 'ci.jsonl');
  await apply(RELEASED, '--journal', 'ci.jsonl');
  await apply(RELEASED);
  manifest(B);
  expect(await drift()).toEqual({ code: 0, findings: ['null unmanaged'], pending: [] });
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
});
