// Done is judged by identity: what an address had is never created again while it exists at another address or in another stack, by
// a saved plan that goes on, by a new plan, or in a fleet.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { usePlace } from '../support/place.ts';

const stack = (name: string, addresses: string, more = '') =>
  `version: 1\nstack: ${name}\nreserved_addrs: { ${addresses} }\n${more}`;
const N = stack('a', 'n: { description: one }, m: { description: two }');
const K = stack(
  'a',
  'k: { description: one }, m: { description: two }',
  'moved: [{ from: reserved_addrs.n, to: reserved_addrs.k }]\n',
);
const WITHOUT_N = stack('a', 'm: { description: two }');
const TAKEN = 'moved: [{ from: { stack: a, address: reserved_addrs.n }, to: reserved_addrs.y }]\n';
const B = stack('b', 'y: { description: one }', TAKEN);

const place = usePlace({ 'a.yaml': N, 'b.yaml': B });
const { run, write } = place;
const a = (...args: string[]) => run(...args, '-f', 'a.yaml');
const b = (...args: string[]) => run(...args, '-f', 'b.yaml');
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');
const addrs = () => place.emulator.objects('reserved_addrs');
const owners = () =>
  addrs()
    .map(({ metadata }) => readMarker(String(metadata)).marker)
    .map((marker) => `${marker?.stack ?? ''}:${marker?.address ?? ''}`)
    .sort();
const idOf = (description: string) => String(addrs().find((one) => one['description'] === description)?.['id']);

/** The first is planned and applied, and something else happens to what it made. */
async function afterwards(happen: () => Promise<void>): Promise<string> {
  expect((await a('plan', '--out', 'p.json')).code).toBe(0);
  expect((await a('apply', 'p.json', '--auto-approve')).code).toBe(0);
  const id = idOf('one');
  await happen();
  place.emulator.requests.length = 0;
  return id;
}

async function renamed(): Promise<void> {
  write(K, 'k.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'k.yaml')).code).toBe(0);
}

async function handedOver(): Promise<void> {
  expect((await b('apply', '--auto-approve')).code).toBe(0);
}

/** The first stack sees it, too, and goes on without the block. */
async function handedOverAndSeen(): Promise<void> {
  await handedOver();
  write(WITHOUT_N, 'new.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'new.yaml')).code).toBe(0);
}

/** Released by one and adopted by the other, each in a run of its own. */
async function releasedAndAdopted(): Promise<void> {
  const id = idOf('one');
  const released = 'removed: [{ from: reserved_addrs.n, destroy: false }]\n';
  write(stack('a', 'm: { description: two }', released), 'new.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'new.yaml')).code).toBe(0);
  expect((await run('apply', '--auto-approve', '-f', 'new.yaml')).code).toBe(0);
  write(stack('b', `y: { description: one, lifecycle: { adopt: ${id} } }`), 'b.yaml');
  expect((await b('apply', '--auto-approve')).code).toBe(0);
  // A run that writes says at its end what there is.
  write(stack('a', 'm: { description: three }', released), 'new.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'new.yaml')).code).toBe(0);
}

const WAYS = [
  ['a rename by another branch', renamed, 'reserved_addrs.k'],
  ['a move to another stack', handedOver, 'reserved_addrs.y of stack b'],
  ['a move that the stack has seen', handedOverAndSeen, 'reserved_addrs.y of stack b'],
  ['a release and an adoption', releasedAndAdopted, 'reserved_addrs.y of stack b'],
] as const;

describe.each(WAYS)('after %s', (_, happen, now) => {
  test('a saved plan that is applied again is out of date', async () => {
    const id = await afterwards(happen);
    const again = await a('apply', 'p.json', '--auto-approve');
    expect([again.code, said(again)]).toEqual([
      6,
      expect.stringContaining(`reserved_addrs.n was created as ${id}, which is ${now} now`),
    ]);
    expect(place.writes()).toEqual([]);
  });

  test.each([
    [[], 5],
    [['--target', 'reserved_addrs.n'], 5],
  ])('a plan of the old manifest is refused, %j', async (more, code) => {
    const id = await afterwards(happen);
    const planned = await a('plan', ...more);
    const text = `reserved_addrs.n would be created a second time: its object (${id}) is ${now} now [moved-away]`;
    expect([planned.code, said(planned)]).toEqual([code, expect.stringContaining(text)]);
    const applied = await a('apply', '--auto-approve', '--allow-deletes', 'all', ...more);
    expect([applied.code, said(applied)]).toEqual([code, expect.stringContaining('moved-away')]);
    expect(place.writes()).toEqual([]);
  });

  test('drift names where it is', async () => {
    const id = await afterwards(happen);
    const drift = await a('drift');
    expect([drift.code, said(drift)]).toEqual([
      2,
      expect.stringContaining(`the journal knows it as ${id}, which is ${now} now`),
    ]);
    expect(said(drift)).not.toContain('creates it again');
  });

  test('a person may say that a second one is meant', async () => {
    await afterwards(happen);
    const before = owners();
    const rest = now === 'reserved_addrs.k' ? ['--allow-loss', 'reserved_addrs.k'] : [];
    const applied = await a('apply', '--auto-approve', '--resolve', 'reserved_addrs.n=absent', ...rest);
    expect(applied.code, said(applied)).toBe(0);
    const kept = before.filter((one) => one !== 'a:reserved_addrs.k');
    expect(owners()).toEqual([...kept, 'a:reserved_addrs.n'].sort());
    expect((await a('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('the entry that is named brings it back', async () => {
    await afterwards(happen);
    const [, , entry = ''] = /(add `(moved: \[.*?\])`)/.exec(said(await a('plan'))) ?? [];
    write(`${N}${entry}\n`, 'a.yaml');
    rmSync(join(place.cwd, 'b.yaml'));
    const applied = await a('apply', '--auto-approve');
    expect(applied.code, said(applied)).toBe(0);
    expect(owners()).toEqual(['a:reserved_addrs.m', 'a:reserved_addrs.n']);
  });
});

test('a plan that goes on after a failure creates nothing twice', async () => {
  await place.restart({
    faults: [{ match: { method: 'POST', path: '^/edges/tls', nth: 1 }, action: 'status', status: 400 }],
  });
  write(`${stack('a', 'n: {}')}tls_edges: { m: {} }\n`, 'a.yaml');
  await a('plan', '--out', 'p.json');
  expect((await a('apply', 'p.json', '--auto-approve')).code).toBe(3);
  write(stack('a', 'k: {}', 'moved: [{ from: reserved_addrs.n, to: reserved_addrs.k }]\n'), 'k.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'k.yaml')).code).toBe(0);
  const again = await a('apply', 'p.json', '--auto-approve');
  expect([again.code, said(again)]).toEqual([6, expect.stringContaining('which is reserved_addrs.k now')]);
  expect(owners()).toEqual(['a:reserved_addrs.k']);
});

describe('on a new machine, without a journal', () => {
  const forget = () => rmSync(join(place.cwd, '.edgeform'), { recursive: true });

  test('a saved plan is out of date when what it made seems to have been renamed', async () => {
    await afterwards(renamed);
    forget();
    const again = await a('apply', 'p.json', '--auto-approve');
    expect([again.code, said(again)]).toEqual([6, expect.stringContaining('it seems to have been renamed')]);
    expect(place.writes()).toEqual([]);
  });

  test('another stack that has an equal object at the same address is named, and makes a saved plan out of date', async () => {
    write(B.replaceAll('y', 'n'), 'b.yaml');
    await afterwards(handedOver);
    forget();
    const planned = await a('plan');
    const text = `stack b has reserved_addrs.n (${idOf('one')}) with the same fields`;
    expect([planned.code, said(planned)]).toEqual([0, expect.stringContaining(text)]);
    const again = await a('apply', 'p.json', '--auto-approve');
    expect([again.code, said(again)]).toEqual([6, expect.stringContaining(text)]);
    expect(place.writes()).toEqual([]);
    // Whoever has read that makes a new plan.
    expect((await a('plan', '--out', 'p.json')).code).toBe(0);
    expect((await a('apply', 'p.json', '--auto-approve')).code).toBe(0);
    // With a journal, there is no doubt.
    expect(said(await a('plan'))).not.toContain('same-elsewhere');
  });

  test('a new environment with the same blocks is not in doubt, and neither is what has other fields', async () => {
    write(stack('b', 'n: { description: one }'), 'b.yaml');
    await afterwards(() => Promise.resolve());
    expect(said(await b('plan'))).not.toContain('same-elsewhere');
    await b('apply', '--auto-approve');
    forget();
    write(stack('b', 'n: { description: one }, m: { description: mine }'), 'b.yaml');
    expect(said(await b('plan'))).not.toContain('same-elsewhere');
  });
});

test('an old name is free where the manifest has its former object, or lists it under `removed`', async () => {
  await afterwards(renamed);
  write(K.replace('k: {', 'n: { description: new }, k: {').replace(/moved.*\n/, ''), 'k.yaml');
  expect((await run('plan', '-f', 'k.yaml')).code).toBe(0);
  write(`${N}removed: [{ from: reserved_addrs.k, destroy: true }]\n`, 'a.yaml');
  expect((await a('apply', '--auto-approve')).code).toBe(0);
  expect(owners()).toEqual(['a:reserved_addrs.m', 'a:reserved_addrs.n']);
});

test('what was released and belongs to nobody may be created again', async () => {
  expect((await a('apply', '--auto-approve')).code).toBe(0);
  const released = 'removed: [{ from: reserved_addrs.n, destroy: false }]\n';
  write(stack('a', 'm: { description: two }', released), 'new.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'new.yaml')).code).toBe(0);
  expect((await a('apply', '--auto-approve')).code).toBe(0);
  expect(addrs()).toHaveLength(3);
});

test('a fleet, and its saved plans, refuse it as well, and the other stacks go on', async () => {
  write('version: 1\nstacks: [{ name: a, path: a.yaml }, { name: b, path: b.yaml }]\n', 'edgeform.fleet.yaml');
  write(stack('b', 'other: {}'), 'b.yaml');
  expect((await run('fleet', 'plan', '--out', 'plans')).code).toBe(0);
  expect((await run('fleet', 'apply', 'plans', '--auto-approve')).code).toBe(0);
  const own = 'c: { description: one }';
  write(stack('c', own, TAKEN.replace('.y', '.c')), 'c.yaml');
  expect((await run('apply', '--auto-approve', '-f', 'c.yaml')).code).toBe(0);
  const again = await run('fleet', 'apply', 'plans', '--auto-approve');
  expect([again.code, said(again)]).toEqual([6, expect.stringContaining('reserved_addrs.c of stack c now')]);
  const planned = await run('fleet', 'plan');
  expect([planned.code, said(planned)]).toEqual([5, expect.stringContaining('moved-away')]);
  expect(addrs()).toHaveLength(3);
  // The flag that the fix names, as it stands.
  const [, flags = ''] = /apply with `(.*?)`/.exec(said(planned)) ?? [];
  expect(flags).toBe('--resolve reserved_addrs.n=absent --only a');
  const applied = await run('fleet', 'apply', '--auto-approve', ...flags.split(' '));
  expect(applied.code, said(applied)).toBe(0);
  expect(addrs()).toHaveLength(4);
});

test('routes move with their edge, and are told once', async () => {
  const site = '{ hostports: ["www.example.com:443"], routes: { r: { match_type: path_prefix, match: /r } } }';
  write(`version: 1\nstack: a\nhttps_edges: { site: ${site} }\n`, 'a.yaml');
  expect((await a('apply', '--auto-approve')).code).toBe(0);
  const from = '{ stack: a, address: https_edges.site }';
  write(
    `version: 1\nstack: b\nhttps_edges: { shop: ${site} }\nmoved: [{ from: ${from}, to: https_edges.shop }]\n`,
    'b.yaml',
  );
  expect((await b('apply', '--auto-approve')).code).toBe(0);
  const planned = await a('plan', '--format', 'json');
  const { refusals } = JSON.parse(planned.stdout) as { refusals: { rule: string; addresses: string[] }[] };
  expect([planned.code, refusals.map(({ rule, addresses }) => [rule, addresses])]).toEqual([
    5,
    [['moved-away', ['https_edges.site']]],
  ]);
});

test('the journal keeps what was released while it exists, without a line for each run', async () => {
  await afterwards(releasedAndAdopted);
  const lines = () => readFileSync(place.journal('a'), 'utf8').split('\n').length;
  write(WITHOUT_N, 'a.yaml');
  await a('apply', '--auto-approve');
  const before = lines();
  place.emulator.requests.length = 0;
  await a('apply', '--auto-approve');
  expect(lines() - before).toBeLessThanOrEqual(2);
  // What another stack has is not asked for again.
  expect(place.emulator.requests.filter(({ path }) => path.includes('/ra_'))).toEqual([]);
});
