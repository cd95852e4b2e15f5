// How many requests each command sends, as the table in docs/performance.md says; requests are what a service limits.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { applyManifest } from '../../src/reconcile/apply.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import { detectDrift, makePlan } from '../../src/reconcile/plan.ts';
import { folder } from '../support/cli.ts';
import { load } from '../support/world.ts';

const PAGE = 10;
let emulator: Emulator;
let journal: string;
beforeEach(async () => {
  emulator = await startEmulator({ pageSize: PAGE });
  journal = join(folder({}), 'j.jsonl');
});
afterEach(() => emulator.close());

/** A stack with so many addresses, of an edge with routes, and of a description. */
function runOf(addresses: number, description: string, routes: readonly string[] = []) {
  const list = Array.from({ length: addresses }, (_, at) => `  a${at}: { description: ${description} }\n`);
  const of = routes.map((one) => `${one}: { match: /${one}, match_type: path_prefix, description: ${description} }`);
  const edge = routes.length === 0 ? '' : `https_edges: { web: { routes: { ${of.join(', ')} } } }\n`;
  const backends = addresses === 0 ? '' : `failover_backends:\n${list.join('')}`;
  const manifest = load(`version: 1\nstack: shop\n${backends}${edge}`);
  const options = { journal, allowDeletes: 'all' as const };
  return createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options });
}

async function count(work: () => Promise<unknown>): Promise<number> {
  emulator.requests.splice(0);
  await work();
  return emulator.requests.length;
}

const apply = (run: ReturnType<typeof runOf> & { readonly saved?: Plan }) => async () => {
  const report = await applyManifest({ ...run, approve: () => Promise.resolve() });
  expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(report.result).toBe('done');
};

test('each command sends as many requests as the table says', async () => {
  const rows: [string, number][] = [];
  const row = async (name: string, work: () => Promise<unknown>) => void rows.push([name, await count(work)]);
  await row('plan of a service without objects', () => makePlan(runOf(PAGE, 'one')));
  await row('apply that creates 10', apply(runOf(PAGE, 'one')));
  await row('plan without changes', () => makePlan(runOf(PAGE, 'one')));
  await row('drift', () => detectDrift(runOf(PAGE, 'one')));
  await row('apply without changes', apply(runOf(PAGE, 'one')));
  await row('apply that updates 10', apply(runOf(PAGE, 'two')));
  await row('apply that creates 15 more', apply(runOf(25, 'two')));
  await row('plan of 25 objects, 10 on a page', () => makePlan(runOf(25, 'two')));
  const saved = await makePlan(runOf(26, 'two'));
  await row('apply that creates 1 beside them', apply(runOf(26, 'two')));
  await row('apply of a saved plan that was carried out already', apply({ ...runOf(26, 'two'), saved }));
  await row('apply that deletes 16', apply(runOf(PAGE, 'two')));
  await row('apply that creates an edge with 3 routes', apply(runOf(PAGE, 'two', ['a', 'b', 'c'])));
  await row('apply that updates 10 objects and 3 routes', apply(runOf(PAGE, 'three', ['a', 'b', 'c'])));
  expect(topLevelKinds.length).toBe(9);
  expect(tableIn('requests')).toEqual(rows);
});

/** A kind whose block below refers to another one. */
const USER = 'event_subscriptions';

/** A block of each kind that stands by itself. */
const BLOCKS: Readonly<Record<string, string>> = {
  agent_ingresses: '{ domain: a.example.com }',
  api_keys: '{ description: for CI }',
  event_destinations: '{ target: { kinesis: { stream_arn: "arn:s", auth: { role: { role_arn: "arn:r" } } } } }',
  event_subscriptions: '{ sources: [{ type: ip_policy_created.v0 }], destination_ids: ["${event_destinations.a.id}"] }',
  failover_backends: '{ backends: [bkdhr_2a] }',
  https_edges: '{ hostports: [a.example.com:443] }',
  reserved_addrs: '{ region: eu }',
  ssh_credentials: '{ public_key: ssh-ed25519 AAAA1 }',
  tls_edges: '{ hostports: [b.example.com:443] }',
};

test('a deletion costs as many requests as the table of kinds says', async () => {
  const [tokenDir, allowLoss] = [folder({}), Object.keys(BLOCKS).map((key) => `${key}.a`)];
  const having = (keys: readonly string[]) => {
    const blocks = keys.map((key) => `${key}: { a: ${BLOCKS[key] ?? ''} }\n`);
    const manifest = load(`version: 1\nstack: shop\n${blocks.join('')}`);
    const options = { journal, tokenDir, allowDeletes: 'all' as const, allowLoss };
    return createRun({ manifest, baseUrl: emulator.url, apiKey: emulator.apiKey, options });
  };
  // What refers to others goes first.
  const kinds = topLevelKinds.toSorted((a, b) => Number(b.manifestKey === USER) - Number(a.manifestKey === USER));
  const left = kinds.map(({ manifestKey }) => manifestKey);
  await apply(having(left))();
  const rows = new Map<string, number>();
  for (const { title } of kinds) {
    left.shift();
    const lists = await count(() => makePlan(having(left)));
    rows.set(title, (await count(apply(having(left)))) - lists);
  }
  const table = tableIn('deletions').flatMap(([names, requests]) =>
    names.split(', ').map((name) => [name, requests] as const),
  );
  expect(new Map(table)).toEqual(rows);
});

/** The numbers in a table of docs/performance.md. */
function tableIn(name: string): [string, number][] {
  const page = readFileSync('docs/performance.md', 'utf8');
  const [, table = ''] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- end of ${name} -->`).exec(page) ?? [];
  const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.flatMap(([, name = '', requests = '']) => (/^\d+$/.test(requests) ? [[name, Number(requests)]] : []));
}
