// `fleet plan --base REV` in repositories of git.

import { beforeEach, expect, test } from 'vitest';
import { run } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { commit, git, GIT_ENV, put, startRepository } from '../support/repository.ts';

const fleetFile = (...entries: string[]) => `version: 1\nstacks:\n${entries.map((one) => `  - ${one}\n`).join('')}`;
const NETWORK = '{ name: network, path: network.yaml }';
const shop = (env: string, name = `shop-${env}`) =>
  `{ name: ${name}, path: shop, variables: { env: ${env} }, var_files: [vars.yaml] }`;
const FILES = {
  'edgeform.fleet.yaml': fleetFile(NETWORK, shop('prod'), shop('test')),
  'network.yaml': 'version: 1\nstack: network\nreserved_addrs:\n  db: { region: eu }\n',
  'vars.yaml': 'level: low\n',
  'shop/m.yaml': `version: 1
stack: "shop-\${var.env}"
variables: { env: {}, level: {} }
imports:
  db: { stack: network, address: reserved_addrs.db }
tls_edges:
  web: { hostports: ["\${var.env}.example.com:443"], description: "\${var.level} at \${imports.db.addr}" }
`,
};

const place = usePlace();
const fleet = (...args: string[]) => run(['fleet', ...args], { cwd: place.cwd, env: { ...GIT_ENV, ...place.env } });

interface FleetDocument {
  readonly base: { readonly gone_stacks: readonly string[]; readonly commit: string };
  readonly stacks: readonly {
    readonly name: string;
    readonly plan: {
      readonly base: { readonly status: string };
      readonly steps: readonly { readonly action: string; readonly origin?: string }[];
      readonly diagnostics: readonly { readonly message: string }[];
    };
  }[];
}

async function compared(...args: string[]) {
  const { code, stdout, stderr } = await fleet('plan', '--base', 'HEAD', '--format', 'json', ...args);
  expect(code, stdout + stderr).toBe(0);
  const { base, stacks } = JSON.parse(stdout) as FleetDocument;
  const said = ({ plan }: FleetDocument['stacks'][number]) =>
    [plan.base.status, ...plan.steps.map(({ action, origin }) => `${action} ${String(origin)}`)].join(', ');
  return { base, stacks: Object.fromEntries(stacks.map((one) => [one.name, said(one)])), document: stacks };
}

const requests = async (work: () => Promise<unknown>) => {
  const before = place.emulator.requests.length;
  await work();
  return place.emulator.requests
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();
};

beforeEach(() => {
  startRepository(place.cwd, FILES);
});

test('what is pending already, a stack that changes, and no request more', async () => {
  put(place.cwd, { 'network.yaml': `${FILES['network.yaml']}  more: {}\n` });
  const with_ = await requests(() => fleet('plan', '--base', 'HEAD'));
  expect(with_).toEqual(await requests(() => fleet('plan')));
  expect((await compared()).stacks).toEqual({
    network: 'compared, create already-pending, create this-change',
    'shop-prod': 'compared, create already-pending',
    'shop-test': 'compared, create already-pending',
  });
  const { stdout } = await fleet('plan', '--base', 'HEAD', '--format', 'markdown');
  expect(stdout).toContain('### This change: 1 to create.');
  expect(stdout).toContain('Already pending: 3 to create.');
  // The stack of this change is open, and the others are folded below it.
  expect(stdout).toMatch(/<details open>\n<summary><b>[^\n]*network[\s\S]*<details>\n<summary><b>[^\n]*shop-prod/);
});

test('variables, overlays and the fleet file are those of the revision', async () => {
  expect((await fleet('apply', '--auto-approve')).code).toBe(0);
  put(place.cwd, { 'vars.yaml': 'level: high\n' });
  expect((await compared()).stacks).toEqual({
    network: 'compared',
    'shop-prod': 'compared, update this-change',
    'shop-test': 'compared, update this-change',
  });
  commit(place.cwd);
  put(place.cwd, {
    'over.yaml': 'tls_edges: { web: { description: over } }\n',
    'edgeform.fleet.yaml': fleetFile(NETWORK, shop('prod').replace(' }', ' }, overlays: [over.yaml]'), shop('test')),
  });
  expect((await compared('--only', 'shop-*')).stacks).toEqual({
    'shop-prod': 'compared, update this-change',
    'shop-test': 'compared, update already-pending',
  });
});

test('a new entry, one that is gone, and a renamed one', async () => {
  put(place.cwd, { 'edgeform.fleet.yaml': fleetFile(NETWORK, shop('prod', 'renamed'), shop('new')) });
  const { stacks, base } = await compared();
  expect(stacks).toEqual({
    network: 'compared, create already-pending',
    renamed: 'compared, create already-pending',
    'shop-new': 'no-manifest, create this-change',
  });
  expect(base).toMatchObject({ commit: git(place.cwd, 'rev-parse', 'HEAD'), gone_stacks: ['shop-test'] });
  const { stdout } = await fleet('plan', '--base', 'HEAD');
  expect(stdout).toMatch(/takes out of the fleet; what their stacks own stays:\n +shop-test/);
});

test('without a fleet file there, everything is this change; a wrong one, or a wrong entry, is a warning', async () => {
  const now = FILES['edgeform.fleet.yaml'];
  commit(place.cwd, { 'edgeform.fleet.yaml': undefined });
  put(place.cwd, { 'edgeform.fleet.yaml': now });
  expect((await compared('--only', 'network')).stacks).toEqual({ network: 'no-manifest, create this-change' });
  commit(place.cwd, { 'edgeform.fleet.yaml': 'version: 1\nstacks: [{}]\n' });
  put(place.cwd, { 'edgeform.fleet.yaml': now });
  const wrong = await compared('--only', 'network');
  expect(wrong.stacks).toEqual({ network: 'unreadable, create undefined' });
  expect(wrong.document[0]?.plan.diagnostics[0]?.message).toMatch(
    /not compared with "HEAD".*\(edgeform\.fleet\.yaml:2:/,
  );
  commit(place.cwd, { 'edgeform.fleet.yaml': now, 'network.yaml': 'version: 1\nstack: network\nwhat: 1\n' });
  put(place.cwd, { 'network.yaml': FILES['network.yaml'] });
  expect((await compared()).stacks).toMatchObject({
    network: 'unreadable, create undefined',
    'shop-prod': expect.stringMatching(/^compared|^unreadable/),
  });
});

test('plans that were compared are applied like any others', async () => {
  put(place.cwd, { 'network.yaml': `${FILES['network.yaml']}  more: {}\n` });
  expect((await fleet('plan', '--base', 'HEAD', '--out', 'plans')).code).toBe(0);
  const applied = await fleet('apply', 'plans', '--auto-approve');
  expect([applied.code, applied.stdout]).toEqual([0, expect.not.stringContaining('This change')]);
  expect((await fleet('plan', '--detailed-exitcode')).code).toBe(0);
});

test('shards compare what they take', async () => {
  const shards = await Promise.all([1, 2].map((index) => compared('--shard', `${index}/2`)));
  expect(Object.assign({}, ...shards.map(({ stacks }) => stacks))).toEqual({
    network: 'compared, create already-pending',
    'shop-prod': 'compared, create already-pending',
    'shop-test': 'compared, create already-pending',
  });
});

test('a revision that is none fails before any request', async () => {
  const { code, stderr } = await fleet('plan', '--base', 'nothing');
  expect([code, stderr]).toEqual([4, expect.stringContaining('git does not know the revision "nothing"')]);
  expect(place.emulator.requests).toEqual([]);
});
