// Fleets from the command line: three stacks at one service, one importing from another, two of one manifest.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { startEmulator, type Fault } from '../../src/emulator/http/server.ts';
import { run as runAs } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const FLEET = `version: 1
stacks:
  - { name: network, path: network.yaml }
  - { name: shop-prod, path: shop.yaml, variables: { env: prod } }
  - { name: shop-staging, path: shop.yaml, variables: { env: staging } }
`;
const NETWORK = `version: 1
stack: network
reserved_addrs:
  db: { region: eu }
`;
const SHOP = `version: 1
stack: "shop-\${var.env}"
variables: { env: {} }
imports:
  db: { stack: network, address: reserved_addrs.db }
tls_edges:
  web: { hostports: ["\${var.env}.example.com:443"], description: "at \${imports.db.addr}" }
`;

const place = usePlace({ 'edgeform.fleet.yaml': FLEET, 'network.yaml': NETWORK, 'shop.yaml': SHOP });
const { run, writes, write } = place;

interface Stack extends JsonObject {
  readonly name: string;
  readonly exit_code: number;
  readonly result: string;
}

const fleet = (...args: string[]) => run('fleet', ...args);
const apply = (...more: string[]) => fleet('apply', ...more, '--auto-approve');
/** Each stack's result in a JSON document. */
const results = ({ stdout }: { readonly stdout: string }) => {
  const { stacks } = JSON.parse(stdout) as { readonly stacks: readonly Stack[] };
  return Object.fromEntries(stacks.map(({ name, result, exit_code }) => [name, `${result} ${exit_code}`]));
};
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');
const lists = () => place.emulator.requests.filter(({ method }) => method === 'GET').length;

test('from nothing to an empty plan: one consent, importers after what they import, one read for all', async () => {
  const planned = await fleet('plan', '--detailed-exitcode', '--format', 'json');
  expect([planned.code, results(planned)]).toEqual([
    2,
    { network: 'pending 2', 'shop-prod': 'pending 2', 'shop-staging': 'pending 2' },
  ]);
  expect(writes()).toEqual([]);
  const reads = lists();
  expect((await fleet('apply')).code).toBe(5);
  expect(writes()).toEqual([]);
  const applied = await runAs(['fleet', 'apply'], { ...place, answer: 'yes' });
  expect([applied.code, applied.stderr, applied.asked]).toEqual([
    0,
    expect.stringMatching(/^ *network: 1 of 1 step done after /m),
    [expect.stringContaining('Run these 3 steps of 3 stacks against')],
  ]);
  expect(writes().map(({ path }) => path)).toEqual(['/reserved_addrs', '/edges/tls', '/edges/tls']);
  expect(
    readdirSync(dirname(place.journal()))
      .filter((one) => one.endsWith('.journal.jsonl'))
      .sort(),
  ).toEqual(['network.journal.jsonl', 'shop-prod.journal.jsonl', 'shop-staging.journal.jsonl']);
  const before = lists();
  expect((await fleet('plan', '--detailed-exitcode')).code).toBe(0);
  expect(lists() - before).toBe(reads);
  expect((await run('plan', '-f', 'network.yaml', '--detailed-exitcode')).code).toBe(0);
});

test('list, validate and graph need neither credentials nor network', async () => {
  place.env = {};
  expect((await fleet('list')).stdout.split('\n')).toEqual([
    '3 stacks:',
    '  network       stack network',
    '  shop-prod     stack shop-prod',
    '  shop-staging  stack shop-staging',
    '',
  ]);
  expect(results(await fleet('list', '--format', 'json'))).toEqual({
    network: 'ok 0',
    'shop-prod': 'ok 0',
    'shop-staging': 'ok 0',
  });
  const { include } = JSON.parse((await fleet('list', '--format', 'github-matrix')).stdout) as {
    readonly include: readonly { readonly name: string }[];
  };
  expect(include.map(({ name }) => name)).toEqual(['network', 'shop-prod', 'shop-staging']);
  expect((await fleet('validate')).code).toBe(0);
  const { stdout } = await fleet('graph', '--format', 'dot');
  expect(stdout).toContain('"shop-prod" -> "network" [label="reserved_addrs.db"];');
  expect(place.emulator.requests).toEqual([]);
});

test('drift names the stack that somebody changed', async () => {
  await apply();
  const [edge] = place.emulator.objects('tls_edges');
  place.emulator.mutate('tls_edges', String(edge?.['id']), { description: 'by hand' });
  const found = await fleet('drift', '--format', 'json', '--metrics-file', 'm.prom', '--summary-file', 's.md');
  expect([found.code, Object.values(results(found)).sort()]).toEqual([2, ['drift 2', 'ok 0', 'ok 0']]);
  const metrics = readFileSync(join(place.cwd, 'm.prom'), 'utf8');
  expect(metrics).toMatch(/edgeform_drifted\{stack="shop-\w+",service="[^"]+"\} 1/);
  expect(metrics).toContain(`edgeform_drifted{stack="network",service="${place.emulator.url}/"} 0`);
  expect(readFileSync(join(place.cwd, 's.md'), 'utf8').match(/^\|/gm)?.length).toBeGreaterThan(3);
});

test('apply DIR carries out exactly the reviewed plans, and nothing when they are stale', async () => {
  const made = await fleet('plan', '--out', 'plans', '--only', 'network', '--only', 'shop-prod');
  expect([made.code, said(made)]).toEqual([0, expect.stringContaining('run: edgeform fleet apply plans')]);
  expect(readdirSync(join(place.cwd, 'plans')).sort()).toEqual(['network.plan.json', 'shop-prod.plan.json']);
  const applied = await apply('plans', '--format', 'json');
  expect([applied.code, results(applied)]).toEqual([0, { network: 'ok 0', 'shop-prod': 'ok 0' }]);
  expect(writes()).toHaveLength(2);
  write(SHOP.replace('at $', 'now at $'), 'shop.yaml');
  rmSync(join(place.cwd, 'plans'), { recursive: true });
  expect((await fleet('plan', '--out', 'plans')).code).toBe(0);
  write(SHOP.replace('at $', 'later at $'), 'shop.yaml');
  const stale = await apply('plans', '--format', 'json');
  expect([stale.code, results(stale)]).toEqual([
    6,
    { network: 'ok 0', 'shop-prod': 'stale 6', 'shop-staging': 'stale 6' },
  ]);
  expect(writes()).toHaveLength(2);
});

test.each([
  ['a canary that was applied from them', ['plans', '--only', 'network']],
  ['a canary with a plan of its own', ['--only', 'network']],
])('after %s, the same plans do the rest, and then nothing', async (_, canary) => {
  expect((await fleet('plan', '--out', 'plans')).code).toBe(0);
  expect((await apply(...canary)).code).toBe(0);
  expect(writes()).toHaveLength(1);
  const rest = await apply('plans', '--format', 'json');
  expect([rest.code, results(rest)]).toEqual([0, { network: 'ok 0', 'shop-prod': 'ok 0', 'shop-staging': 'ok 0' }]);
  expect(writes()).toHaveLength(3);
  // Nothing is left to agree to.
  const again = await fleet('apply', 'plans');
  expect([again.code, said(again)]).toEqual([0, expect.stringMatching(/done before.*network[^=]* ok 3?/)]);
  expect(writes()).toHaveLength(3);
});

test('after a failure in the middle, the same plans go on', async () => {
  const faults: Fault[] = [{ match: { method: 'POST', path: '^/edges/tls', nth: 2 }, action: 'status', status: 400 }];
  await place.restart({ faults });
  expect((await fleet('plan', '--out', 'plans')).code).toBe(0);
  expect((await apply('plans')).code).toBe(3);
  const made = writes().length;
  expect((await apply('plans')).code).toBe(0);
  expect(writes()).toHaveLength(made + 1);
  expect((await fleet('plan', '--detailed-exitcode')).code).toBe(0);
});

test('two services have stacks of one name, each with its journal, its plan and its metrics', async () => {
  const other = await startEmulator();
  const key = { CANARY_URL: other.url, CANARY_KEY: other.apiKey, EDGEFORM_FLEET_CREDENTIALS: 'CANARY_URL,CANARY_KEY' };
  Object.assign(place.env, key);
  const far = 'base_url_env: CANARY_URL, api_key_env: CANARY_KEY';
  write(
    `version: 1\nstacks:\n  - { name: here, path: network.yaml }\n  - { name: there, path: network.yaml, ${far} }\n`,
    'edgeform.fleet.yaml',
  );
  expect((await fleet('plan', '--out', 'plans')).code).toBe(0);
  expect(readdirSync(join(place.cwd, 'plans')).sort()).toEqual(['here.plan.json', 'there.plan.json']);
  const outputs = ['--events', 'events.jsonl', '--metrics-file', 'run.prom'];
  expect((await fleet('apply', 'plans', '--auto-approve', ...outputs)).code).toBe(0);
  expect([place.emulator, other].map((one) => one.objects('reserved_addrs').length)).toEqual([1, 1]);
  const services = [place.emulator.url, other.url].map((url) => `${url}/`);
  const read = (name: string) => readFileSync(join(place.cwd, name), 'utf8');
  expect(services.map((one) => read('events.jsonl').includes(`"stack":"network","service":"${one}"`))).toEqual([
    true,
    true,
  ]);
  expect(services.map((one) => read('run.prom').includes(`{stack="network",service="${one}"`))).toEqual([true, true]);
  const shown = await fleet('plan', '--format', 'json');
  const { stacks } = JSON.parse(shown.stdout) as { stacks: readonly Stack[] };
  expect(stacks.map(({ name, service, result }) => [name, service, result])).toEqual([
    ['here', services[0], 'ok'],
    ['there', services[1], 'ok'],
  ]);
  expect((await fleet('plan')).stdout).toContain(other.url);
  await other.close();
});

test('the saved plan of a stack that fails now is gone, so that it cannot be applied', async () => {
  await fleet('plan', '--out', 'plans');
  mkdirSync(place.journal('shop-staging'), { recursive: true });
  expect((await fleet('plan', '--out', 'plans')).code).not.toBe(0);
  expect(readdirSync(join(place.cwd, 'plans')).sort()).toEqual(['network.plan.json', 'shop-prod.plan.json']);
});

test('an unknown file among the plans is an error, and a directory that cannot be written one before any request', async () => {
  mkdirSync(join(place.cwd, 'plans'));
  write('{}', 'plans/shop-prd.plan.json');
  write('{}', 'plans/network.plan.json');
  const unknown = await apply('plans');
  expect([unknown.code, said(unknown)]).toEqual([4, expect.stringContaining('did you mean "shop-prod"?')]);
  rmSync(join(place.cwd, 'plans', 'shop-prd.plan.json'));
  expect((await apply('plans')).code).toBe(4);
  expect((await apply('nowhere')).code).toBe(4);
  expect((await fleet('plan', '--out', 'network.yaml')).code).toBe(74);
  expect(place.emulator.requests).toEqual([]);
});

test('--only, --shard and --changed-since select stacks; all shards together are the fleet', async () => {
  const names = async (...args: string[]) => Object.keys(results(await fleet('list', '--format', 'json', ...args)));
  expect(await names('--only', 'shop-*')).toEqual(['shop-prod', 'shop-staging']);
  const shards = await Promise.all([1, 2, 3].map((index) => names('--shard', `${index}/3`)));
  expect(shards.map(({ length }) => length).sort()).toEqual([0, 0, 3]);
  expect(shards.flat().sort()).toEqual(['network', 'shop-prod', 'shop-staging']);
  place.env = { ...place.env, CI_NODE_INDEX: '1', CI_NODE_TOTAL: '1', PATH: process.env['PATH'] ?? '' };
  expect(await names('--shard', 'auto')).toHaveLength(3);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: place.cwd });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  expect(await names('--changed-since', 'HEAD')).toEqual([]);
  place.env = { ...place.env, EDGEFORM_POLICY: '' };
  const nothing = await fleet('plan', '--changed-since', 'HEAD');
  expect([nothing.code, place.emulator.requests]).toEqual([0, []]);
  write(`${SHOP}# more\n`, 'shop.yaml');
  expect(await names('--changed-since', 'HEAD')).toEqual(['shop-prod', 'shop-staging']);
  write(`${NETWORK}# more\n`, 'network.yaml');
  expect(await names('--changed-since', 'HEAD')).toHaveLength(3);
  place.env = { ...place.env, CI_NODE_INDEX: '4', CI_NODE_TOTAL: '3' };
  const wrong = await fleet('list', '--changed-since', 'nothing', '--only', 'x', '--shard', 'auto');
  expect([wrong.code, said(wrong)]).toEqual([
    4,
    expect.stringMatching(/(?=.*--changed-since)(?=.*--only "x" matches)(?=.*--shard "auto" is not of the form)/),
  ]);
});

test('a stack that is left out keeps what it imports', async () => {
  await apply();
  write('version: 1\nstack: network\n', 'network.yaml');
  expect((await apply('--only', 'network', '--allow-deletes', 'all')).code).toBe(4);
  const destroyed = await fleet('destroy', '--only', 'network', '--auto-approve');
  expect(destroyed.code).toBe(4);
  write(NETWORK, 'network.yaml');
  const kept = await fleet('destroy', '--only', 'network', '--auto-approve');
  expect([kept.code, said(kept)]).toEqual([5, expect.stringMatching(/but shop-\w+ imports it/)]);
  expect(place.emulator.objects('reserved_addrs')).toHaveLength(1);
  expect((await fleet('destroy', '--auto-approve')).code).toBe(0);
  expect(place.emulator.objects('reserved_addrs')).toEqual([]);
});

test('mistakes of the fleet file hide none of its stacks, and no other mistake follows from them', async () => {
  const more = [
    '{ name: Other, path: other.yaml }',
    '{ name: x, path: shop.yaml, variabels: { env: x } }',
    '{ name: y }',
  ];
  write(`${FLEET}${more.map((one) => `  - ${one}\n`).join('')}`, 'edgeform.fleet.yaml');
  write(NETWORK.replace('region: eu', 'regoin: eu'), 'network.yaml');
  for (const args of [['validate'], ['plan', '--only', 'x', '--var', 'other=1']]) {
    const { code, stderr, stdout } = await fleet(...args, '--format', 'json');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; file: string }[] };
    expect([code, stderr, diagnostics.map((one) => `${one.code} ${one.file}`)]).toEqual([
      4,
      '',
      [
        'wrong-value edgeform.fleet.yaml',
        'unknown-field edgeform.fleet.yaml',
        'missing-field edgeform.fleet.yaml',
        'unknown-field network.yaml',
      ],
    ]);
  }
  expect(place.emulator.requests).toEqual([]);
});

test('every error of every stack at once, and no request', async () => {
  write(`${FLEET}  - { name: other, path: other.yaml }\n`, 'edgeform.fleet.yaml');
  write(NETWORK.replace('region: eu', 'regoin: eu'), 'network.yaml');
  write('version: 1\nstack: network\nreserved_addrs: { a: { region: 5 } }\n', 'other.yaml');
  place.env = {};
  for (const command of ['plan', 'apply', 'drift', 'destroy']) {
    const { code, stderr } = await fleet(command, '--only', 'nothing', '--var', 'unknown=1');
    const text = stderr.replace(/\s+/g, ' ');
    expect(code).toBe(4);
    for (const part of ['regoin', 'the entry network', 'the entry other', '--only "nothing"', '"unknown"'])
      expect(text, command).toContain(part);
    expect(text).toContain('network and other have the same stack, network');
  }
  const checked = await fleet('validate', '--format', 'json');
  expect(checked.code).toBe(4);
  expect((await fleet('plan', '--fleet', 'missing.yaml')).code).toBe(4);
  expect(place.emulator.requests).toEqual([]);
});

test('a stack that fails stops only those that import from it', async () => {
  const match = { method: 'POST', path: '/reserved_addrs' };
  await place.restart({ faults: [{ match, action: 'status', status: 422 }] });
  write(`${FLEET}  - { name: alone, path: alone.yaml }\n`, 'edgeform.fleet.yaml');
  write('version: 1\nstack: alone\ntls_edges:\n  x: { hostports: ["a.example.com:443"] }\n', 'alone.yaml');
  const ended = await apply('--format', 'json');
  expect([ended.code, results(ended)]).toEqual([
    3,
    { network: 'error 1', 'shop-prod': 'blocked 1', 'shop-staging': 'blocked 1', alone: 'ok 0' },
  ]);
});

test('options that name addresses need one stack', async () => {
  await apply();
  const several = await fleet('plan', '--target', 'tls_edges.web');
  expect([several.code, said(several)]).toEqual([64, expect.stringContaining('select it with --only NAME')]);
  expect((await fleet('plan', '--target', 'tls_edges.web', '--only', 'shop-prod')).code).toBe(0);
  const unknown = await fleet('plan', '--target', 'tls_edges.wbe', '--only', 'shop-prod');
  expect([unknown.code, said(unknown)]).toEqual([64, expect.stringContaining('did you mean')]);
});

test('events name the stack, and steps of several stacks take turns', async () => {
  const { code, stdout } = await apply('--events', '-');
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  expect([code, new Set(events.map(({ stack }) => stack))]).toEqual([
    0,
    new Set(['network', 'shop-prod', 'shop-staging']),
  ]);
  expect(events.filter(({ type }) => type === 'finished')).toHaveLength(3);
});
