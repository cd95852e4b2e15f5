// Waves: a stack begins when every stack of the waves before its own ended well, and nothing of a later wave is sent after a failure.

import { describe, expect, test } from 'vitest';
import type { ApplyFleetRun } from '../../src/fleet/apply.ts';
import { createFleetRun, type FleetEvent, type FleetStack } from '../../src/fleet/fleet.ts';
import { linkStacks } from '../../src/fleet/order.ts';
import type { Member } from '../../src/fleet/member.ts';
import type { RunOptions } from '../../src/reconcile/run.ts';
import { refuse } from '../support/fake-exchange.ts';
import { load } from '../support/world.ts';
import { applyFleet, counted, createPlace, destroyFleet, holderOf, outcomes, planFleet, type Place } from './place.ts';
import { fleetOf, placed } from './sample.ts';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const site = (name: string, host = name) =>
  stack(name, `tls_edges: { web: { hostports: ["${host}.example.com:443"] } }`);
const imports = (source: string) =>
  `imports: { it: { stack: ${source}, address: reserved_addrs.db } }, tls_edges: { web: { hostports: ["\${imports.it.addr}"] } }`;

type Stacks = Readonly<Record<string, readonly [wave: number, text: string]>>;

/** The fleet, each stack in its wave. */
function waved(place: Place, stacks: Stacks, more: Partial<ApplyFleetRun> = {}, options?: Partial<RunOptions>) {
  const texts = Object.fromEntries(Object.entries(stacks).map(([name, [, text]]) => [name, text]));
  const run = place.fleet(texts, more, options);
  const inWave = (one: FleetStack) => ({ ...one, wave: stacks[one.name]?.[0] });
  return { ...run, stacks: run.stacks.map(inWave) };
}

/** The stacks whose hosts are written to, in the order of their first request. */
function writtenTo(place: Place): string[] {
  const written: string[] = [];
  place.intercept = ({ method, body }) => {
    const [, name] = /(\w+)\.example\.com/.exec(body?.toString() ?? '') ?? [];
    if (method !== 'GET' && name !== undefined) written.push(name);
    return undefined;
  };
  return written;
}

const THREE: Stacks = { c: [3, site('c')], a: [1, site('a')], b: [2, site('b')], d: [2, site('d')] };

describe('an apply', () => {
  test('goes wave by wave, whatever the order of the file, and says so', async () => {
    const place = createPlace();
    const written = writtenTo(place);
    const events: FleetEvent[] = [];
    const results = await applyFleet(waved(place, THREE, { emit: (event) => events.push(event) }));
    expect(outcomes(results)).toEqual({ a: 'done', b: 'done', c: 'done', d: 'done' });
    expect(results.map(({ name, wave }) => [name, wave])).toEqual([
      ['c', 3],
      ['a', 1],
      ['b', 2],
      ['d', 2],
    ]);
    expect(written).toEqual(['a', 'b', 'd', 'c']);
    expect(events.filter(({ type }) => type === 'wave-started')).toEqual([
      { type: 'wave-started', wave: 1, stacks: ['a'] },
      { type: 'wave-started', wave: 2, stacks: ['b', 'd'] },
      { type: 'wave-started', wave: 3, stacks: ['c'] },
    ]);
  });

  test('begins no later wave after a stack that was not done; the others of its wave are carried out', async () => {
    const place = createPlace();
    place.intercept = ({ method, body }) =>
      method === 'POST' && body?.toString().includes('b.example.com') === true ? refuse(400) : undefined;
    const results = await applyFleet(waved(place, THREE));
    expect(outcomes(results)).toEqual({ a: 'done', b: 'error: ', c: 'not-attempted', d: 'done' });
    expect(results.find(({ name }) => name === 'c')).toMatchObject({ is: 'not-attempted', after: 2 });
    expect(holderOf(place, 'c.example.com')).toEqual([]);
    place.intercept = () => undefined;
    place.asked.splice(0);
    expect(outcomes(await applyFleet(waved(place, THREE)))).toEqual({ a: 'done', b: 'done', c: 'done', d: 'done' });
    expect(counted(place.asked).writes).toBe(2);
  });

  test('begins no later wave after a plan that is refused, or cannot be made', async () => {
    const place = createPlace();
    await applyFleet(place.fleet({ others: site('others', 'a') }));
    expect(outcomes(await applyFleet(waved(place, THREE)))).toEqual({
      a: 'refused: stack-renamed, foreign-object',
      b: 'not-attempted',
      c: 'not-attempted',
      d: 'not-attempted',
    });
    const fleet = waved(place, { ...THREE, a: [1, site('a')] });
    const wrong = fleet.stacks.map((one) => {
      const options = { ...one.run.options, targets: one.name === 'a' ? ['tls_edges.none'] : [] };
      return { ...one, run: { ...one.run, options } };
    });
    expect(outcomes(await applyFleet({ ...fleet, stacks: wrong }))).toMatchObject({
      a: 'failed: bad-usage',
      b: 'not-attempted',
    });
  });

  test('stops with its signal between two waves', async () => {
    const place = createPlace();
    const stop = new AbortController();
    const emit = (event: FleetEvent) => {
      if (event.type === 'wave-started' && event.wave === 2) stop.abort();
    };
    const results = await applyFleet(waved(place, THREE, { emit, signal: stop.signal }));
    expect(outcomes(results)).toEqual({ a: 'done', b: 'not-attempted', c: 'not-attempted', d: 'not-attempted' });
  });

  test('fills in what an earlier wave created', async () => {
    const place = createPlace();
    const fleet: Stacks = {
      shop: [2, stack('shop', imports('network'))],
      network: [1, stack('network', 'reserved_addrs: { db: {} }')],
    };
    expect(outcomes(await applyFleet(waved(place, fleet)))).toEqual({ network: 'done', shop: 'done' });
    expect(outcomes(await planFleet(waved(place, fleet)))).toEqual({ network: '', shop: '' });
  });

  test('of saved plans goes on where it stopped: what is done is not sent again', async () => {
    const place = createPlace();
    const planned = await planFleet(waved(place, THREE));
    const plans = new Map(planned.flatMap((one) => (one.is === 'planned' ? [[one.name, one.plan] as const] : [])));
    const saved = () => {
      const fleet = waved(place, THREE);
      return { ...fleet, stacks: fleet.stacks.map((one) => ({ ...one, saved: plans.get(one.name) })) };
    };
    place.intercept = ({ method, body }) =>
      method === 'POST' && body?.toString().includes('b.example.com') === true ? refuse(400) : undefined;
    expect(outcomes(await applyFleet(saved()))).toEqual({ a: 'done', b: 'error: ', c: 'not-attempted', d: 'done' });
    place.intercept = () => undefined;
    place.asked.splice(0);
    const results = await applyFleet(saved());
    expect(outcomes(results)).toEqual({ a: 'done', b: 'done', c: 'done', d: 'done' });
    expect(counted(place.asked).writes).toBe(2);
    const before = results.flatMap((one) =>
      one.is === 'applied' ? [[one.name, one.report.plan.already_done?.length]] : [],
    );
    expect(before).toEqual([
      ['c', undefined],
      ['a', 1],
      ['b', undefined],
      ['d', 1],
    ]);
  });

  test('deletes API keys at the end of their wave, not of the run', async () => {
    const place = createPlace();
    const keys = { tokenDir: '/tokens', allowLoss: ['api_keys.ci'] };
    const withKey = stack('a', 'api_keys: { ci: {} }, reserved_addrs: { a: {} }');
    await applyFleet(waved(place, { a: [1, withKey] }, {}, keys));
    const written: string[] = [];
    place.intercept = ({ method, url }) => {
      if (method !== 'GET') written.push(`${method} ${url.pathname.split('/')[1] ?? ''}`);
      return undefined;
    };
    const after: Stacks = { c: [2, site('c')], b: [1, site('b')], a: [1, stack('a', 'reserved_addrs: { a: {} }')] };
    const options = { tokenDir: '/tokens', allowLoss: [] };
    const fleet = waved(place, after, {}, options);
    const stacks = fleet.stacks.map((one) => {
      const allowLoss = one.name === 'a' ? ['api_keys.ci'] : [];
      return { ...one, run: { ...one.run, options: { ...one.run.options, allowLoss } } };
    });
    expect(outcomes(await applyFleet({ ...fleet, stacks }))).toEqual({ a: 'done', b: 'done', c: 'done' });
    expect(written).toEqual(['POST edges', 'DELETE api_keys', 'POST edges']);
  });
});

describe('a value that moves', () => {
  const before = { a: site('a', 'moves'), b: site('b') };
  const after = (ofA: number, ofB: number): Stacks => ({ b: [ofB, site('b', 'moves')], a: [ofA, site('a', 'other')] });

  test('from an earlier wave to a later one is released before it is claimed', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    expect(outcomes(await applyFleet(waved(place, after(1, 2))))).toEqual({ a: 'done', b: 'done' });
  });

  test('from a later wave to an earlier one is refused, and nothing of either is sent', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    expect(outcomes(await planFleet(waved(place, after(2, 1))))).toMatchObject({
      b: 'update tls_edges.web, refused: later-wave',
    });
    const [refused] = await planFleet(waved(place, after(2, 1)));
    expect(refused?.is === 'planned' && refused.plan.refusals[0]?.message).toBe(
      'tls_edges.web needs moves.example.com:443, which a gives up in wave 2, but b is in wave 1',
    );
    place.asked.splice(0);
    expect(outcomes(await applyFleet(waved(place, after(2, 1))))).toEqual({
      a: 'not-attempted',
      b: 'refused: later-wave',
    });
    expect(counted(place.asked).writes).toBe(0);
  });

  test('goes over once a wave is changed as the fix says', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    expect(outcomes(await applyFleet(waved(place, after(1, 1))))).toEqual({ a: 'done', b: 'done' });
    expect(holderOf(place, 'moves.example.com')).toHaveLength(1);
  });

  test('by an entry of `moved` needs no order: the object is taken from a later wave', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const takes = 'moved: [{ from: { stack: a, address: tls_edges.web }, to: tls_edges.it }]';
    const fleet: Stacks = {
      a: [2, stack('a', 'tls_edges: {}')],
      b: [
        1,
        stack(
          'b',
          `tls_edges: { web: { hostports: ["b.example.com:443"] }, it: { hostports: ["moves.example.com:443"] } }, ${takes}`,
        ),
      ],
    };
    expect(outcomes(await applyFleet(waved(place, fleet)))).toEqual({ a: 'done', b: 'done' });
  });
});

test('destroy goes by imports alone', async () => {
  const place = createPlace();
  const fleet: Stacks = {
    network: [1, stack('network', 'reserved_addrs: { db: {} }')],
    shop: [2, stack('shop', imports('network'))],
  };
  await applyFleet(waved(place, fleet));
  const run = waved(place, fleet, {}, { allowLoss: ['reserved_addrs.db'] });
  const stacks = run.stacks.map((one) => {
    const allowLoss = one.name === 'network' ? ['reserved_addrs.db'] : [];
    return { ...one, run: { ...one.run, options: { ...one.run.options, allowLoss } } };
  });
  expect(outcomes(await destroyFleet({ ...run, stacks }))).toEqual({ network: 'done', shop: 'done' });
  expect(place.direct.store.all()).toEqual([]);
});

describe('an import from a later wave', () => {
  const range = (line: number) => ({ file: 'edgeform.fleet.yaml', line, column: 1, endLine: line, endColumn: 2 });
  const member = (name: string, wave: number | undefined, text: string, line: number): Member => {
    const at = { service: 'https://a.example', journal: name, range: range(line), waveRange: range(line) };
    return { name, wave, stack: name, manifest: load(text), ...at };
  };
  const network = stack('network', 'reserved_addrs: { db: {} }');
  const shop = stack('shop', imports('network'));

  test.each([
    [2, 1, ['later-wave 1:52']],
    [2, undefined, ['later-wave 1:52']],
    [2, 2, []],
    [1, 2, []],
    [undefined, 1, []],
  ])('%s before %s', (ofNetwork, ofShop, found) => {
    const { diagnostics } = linkStacks([member('shop', ofShop, shop, 3), member('network', ofNetwork, network, 4)]);
    expect(diagnostics.map((one) => placed(one).replace(/:\d+$/, ''))).toEqual(
      found.map((one) => one.replace(/:\d+$/, '')),
    );
    const related = diagnostics.flatMap((one) => one.related ?? []);
    expect(related.map(({ message, range: { line } }) => `${message} ${line}`)).toEqual(
      found.length === 0 ? [] : ['network is in wave 2 4', 'shop is in wave 1 3'],
    );
  });

  test('is an error for programs, too, before any request', async () => {
    const place = createPlace();
    const fleet = waved(place, { shop: [1, shop], network: [2, network] });
    await expect(applyFleet(fleet)).rejects.toMatchObject({ diagnostics: [{ code: 'later-wave' }] });
    expect(place.asked).toEqual([]);
  });
});

describe('a fleet file', () => {
  const waves = (text: string) =>
    fleetOf(`version: 1\nstacks:\n${text}`).value?.entries.map(({ wave, waveRange }) => [
      wave,
      waveRange.line,
      waveRange.column,
    ]);

  test('gives each stack a wave, the first one where it names none', () => {
    expect(waves('  - { name: a, path: a }\n  - { name: b, path: b, wave: 2 }\n')).toEqual([
      [1, 3, 13],
      [2, 4, 31],
    ]);
  });

  test('has no waves unless an entry names one', () => {
    expect(waves('  - { name: a, path: a }\n')).toEqual([[undefined, 3, 13]]);
  });

  test('all stacks of a pattern are in one wave', () => {
    const matches = { 'teams/*': ['teams/a', 'teams/b'] };
    const { value } = fleetOf('version: 1\nstacks:\n  - { each: teams/*, wave: 3 }\n', { matches });
    expect(value?.entries.map(({ name, wave }) => [name, wave])).toEqual([
      ['a', 3],
      ['b', 3],
    ]);
  });

  test.each([['0'], ['-1'], ['1.5'], ['"2"'], ['1000'], ['[1]'], ['null'], ['two']])('wave: %s is wrong', (wave) => {
    const { diagnostics } = fleetOf(`version: 1\nstacks:\n  - { name: a, path: a, wave: ${wave} }\n`);
    expect(diagnostics.map(placed)).toEqual([expect.stringMatching(/^(?:wrong-type|out-of-range) 3:(?:25|31)$/)]);
  });
});

test('programs give a stack its wave', () => {
  const manifest = load(site('a'));
  const { stacks } = createFleetRun({
    stacks: [{ name: 'a', wave: 4, manifest, baseUrl: 'http://localhost', apiKey: 'x'.repeat(20) }],
  });
  expect(stacks.map(({ wave }) => wave)).toEqual([4]);
});
