// Many stacks applied in one run: what is sent, in which order, and what a stack that fails stops.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { refuse } from '../support/fake-exchange.ts';
import { createDirect } from '../support/in-process.ts';
import { applyFleet, counted, createPlace, destroyFleet, driftFleet, holderOf, outcomes, planFleet } from './place.ts';

const edge = (host: string) => `{ hostports: ["${host}:443"] }`;
const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const site = (name: string, host = `${name}.example.com`) => stack(name, `tls_edges: { web: ${edge(host)} }`);
const addresses = (name: string, count: number, text = 'x') => {
  const blocks = Array.from({ length: count }, (_, at) => `a${at}: { description: "${text} ${at}" }`);
  return stack(name, `reserved_addrs: { ${blocks.join(', ')} }`);
};

describe('requests', () => {
  test('a plan of 200 stacks with 50 resources each sends the lists of one stack, and nothing else', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `s${at}`);
    const stacks = Object.fromEntries(names.map((name) => [name, addresses(name, 50)]));
    const one = createPlace();
    await applyFleet(one.fleet({ s0: addresses('s0', 50) }));
    const copies = names.flatMap((name) =>
      one.direct.store.all().map(({ id, spec, ...rest }) => {
        const marked = JSON.stringify(spec).replaceAll(String.raw`\"s0\"`, String.raw`\"${name}\"`);
        return { ...rest, id: `${id}${name}`, spec: JSON.parse(marked) as JsonObject };
      }),
    );
    const place = createPlace(createDirect({ from: createStore(copies, () => undefined) }));
    expect(outcomes(await planFleet(place.fleet({ s0: addresses('s0', 50) })))).toEqual({ s0: '' });
    const alone = place.asked.splice(0);
    expect(new Set(Object.values(outcomes(await planFleet(place.fleet(stacks)))))).toEqual(new Set(['']));
    expect(place.direct.store.all()).toHaveLength(10_000);
    expect([...place.asked].sort()).toEqual([...alone].sort());
    expect(alone.length).toBeGreaterThanOrEqual(100);
  });

  test('an apply of some changes sends the writes and checks of single applies, and shares their reads', async () => {
    const place = createPlace();
    const before = { a: addresses('a', 3), b: addresses('b', 3), c: addresses('c', 3), d: addresses('d', 3) };
    const after = { ...before, a: addresses('a', 3, 'y'), b: addresses('b', 3, 'y'), c: addresses('c', 3, 'y') };
    await applyFleet(place.fleet(before));
    const copies = Object.entries(after).map(([name, text]) => [name, text] as const);
    place.asked.splice(0);
    await applyFleet(place.fleet(after));
    const together = counted(place.asked.splice(0));
    await applyFleet(place.fleet(before));
    place.asked.splice(0);
    for (const [name, text] of copies) await applyFleet(place.fleet({ [name]: text }));
    const apart = counted(place.asked.splice(0));
    await planFleet(place.fleet(before));
    const { lists } = counted(place.asked);
    // One read for the plans, and one when all of them are done.
    expect(together).toEqual({ ...apart, lists: 2 * lists });
    expect(together.writes).toBe(9);
    expect(apart.lists).toBe(7 * lists);
  });
});

const REMOVED = 'removed: [{ from: tls_edges.web, destroy: true }]';

describe('a unique value that moves between stacks', () => {
  const before = { a: site('a', 'moves.example.com'), b: site('b') };
  const after = { a: site('a', 'other.example.com'), b: site('b', 'moves.example.com') };

  test.each([
    ['in the order of the fleet', after],
    ['against it', { b: after.b, a: after.a }],
    [
      'to a new object',
      { b: stack('b', `tls_edges: { web: ${edge('b.example.com')}, more: ${edge('moves.example.com')} }`), a: after.a },
    ],
    ['from a deleted object', { b: after.b, a: stack('a', `reserved_addrs: { a: {} }, ${REMOVED}`) }],
  ])('is released before it is claimed, %s', async (_, then) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const planned = await planFleet(place.fleet(then));
    expect(planned.flatMap((one) => (one.is === 'planned' ? one.plan.refusals : []))).toEqual([]);
    const held = new Set<number>();
    place.intercept = () => {
      held.add(holderOf(place, 'moves.example.com').length);
      return undefined;
    };
    expect(outcomes(await applyFleet(place.fleet(then)))).toEqual({ a: 'done', b: 'done' });
    expect([...held].sort()).toEqual([0, 1]);
    expect(holderOf(place, 'moves.example.com')).toHaveLength(1);
    expect(outcomes(await planFleet(place.fleet(then)))).toEqual({ a: '', b: '' });
    expect(outcomes(await driftFleet(place.fleet(then)))).toEqual({ a: '0 pending', b: '0 pending' });
  });

  test('is refused without the stack that gives it up', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    expect(outcomes(await planFleet(place.fleet({ b: after.b })))).toEqual({
      b: 'update tls_edges.web, refused: foreign-object',
    });
    expect(outcomes(await applyFleet(place.fleet({ b: after.b, c: site('c') })))).toEqual({
      b: 'refused: foreign-object',
      c: 'done',
    });
  });

  test('in a circle is refused, and each stack is told which object holds the value', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const swapped = { a: site('a', 'b.example.com'), b: site('b', 'moves.example.com') };
    const [first] = await planFleet(place.fleet(swapped));
    expect(first?.is === 'planned' && first.plan.refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^tls_edges.web claims b.example.com:443, but \w+ holds it, which is tls_edges.web of stack b/,
      ),
    ]);
    expect(first?.is === 'planned' && first.plan.refusals.map(({ fix }) => fix)).toEqual([
      'b and a wait for each other, so that two runs are needed: leave b.example.com:443 out of tls_edges.web and apply the fleet, which takes it from b; then put it back into tls_edges.web, and apply again',
    ]);
    place.asked.splice(0);
    expect(outcomes(await applyFleet(place.fleet(swapped)))).toEqual({
      a: 'refused: foreign-object',
      b: 'refused: foreign-object',
    });
    expect(counted(place.asked).writes).toBe(0);
    // What the fix says.
    const without = '{ version: 1, stack: a, tls_edges: { web: {} } }';
    expect(outcomes(await applyFleet(place.fleet({ ...swapped, a: without })))).toEqual({ a: 'done', b: 'done' });
    expect(outcomes(await applyFleet(place.fleet(swapped)))).toEqual({ a: 'done', b: 'done' });
  });
});

describe('a stack that is not done', () => {
  const before = { a: site('a', 'moves.example.com'), b: site('b'), c: site('c') };
  const after = {
    a: site('a', 'other.example.com'),
    b: site('b', 'moves.example.com'),
    c: site('c', 'new.example.com'),
  };
  const failing = async (more = {}) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    place.intercept = ({ method, body }) =>
      method === 'PATCH' && body?.toString().includes('other.example.com') === true ? refuse(400) : undefined;
    return { place, results: await applyFleet(place.fleet(after, more, { concurrency: 1 })) };
  };

  test('blocks those that wait for it, and no others', async () => {
    const { results } = await failing();
    expect(outcomes(results)).toEqual({ a: 'error: ', b: 'blocked by a', c: 'done' });
  });

  test('ends the run with failFast', async () => {
    const { results } = await failing({ failFast: true });
    expect(outcomes(results)).toEqual({ a: 'error: ', b: 'not-attempted', c: 'not-attempted' });
  });

  test('that cannot even be planned is a failure of its own', async () => {
    const place = createPlace();
    const fleet = place.fleet({ a: site('a'), b: site('b') });
    const [first, second] = fleet.stacks;
    const wrong = {
      ...first!,
      run: { ...first!.run, options: { ...first!.run.options, targets: ['tls_edges.none'] } },
    };
    const results = await applyFleet({ ...fleet, stacks: [wrong, second!] });
    expect(outcomes(results)).toEqual({ a: 'failed: bad-usage', b: 'done' });
  });
});

describe('nothing is written', () => {
  test('before all plans were approved at once', async () => {
    const place = createPlace();
    const refused = new Error('not today');
    const shown: string[][] = [];
    const approve = (planned: readonly { readonly name: string }[]) => {
      shown.push(planned.map(({ name }) => name));
      return Promise.reject(refused);
    };
    await expect(applyFleet(place.fleet({ a: site('a'), b: site('b') }, { approve }))).rejects.toBe(refused);
    expect(shown).toEqual([['a', 'b']]);
    expect(counted(place.asked).writes).toBe(0);
  });

  test('after a stop: what had not begun is not attempted, and the next run does it', async () => {
    const place = createPlace();
    const stop = new AbortController();
    const fleet = { a: site('a'), b: site('b'), c: site('c') };
    place.intercept = ({ method }) => {
      if (method === 'POST') stop.abort();
      return undefined;
    };
    const results = await applyFleet(place.fleet(fleet, { signal: stop.signal }, { concurrency: 1 }));
    expect(outcomes(results)).toMatchObject({ b: 'not-attempted', c: 'not-attempted' });
    expect(counted(place.asked).writes).toBe(1);
    place.intercept = () => undefined;
    expect(outcomes(await applyFleet(place.fleet(fleet)))).toEqual({ a: 'done', b: 'done', c: 'done' });
  });

  test('when a read fails: every stack of the service says so', async () => {
    const place = createPlace();
    place.intercept = () => refuse(403);
    const results = await applyFleet(place.fleet({ a: site('a'), b: site('b') }));
    expect(outcomes(results)).toEqual({ a: 'failed: api-key-refused', b: 'failed: api-key-refused' });
  });
});

test('destroy deletes what every stack owns, and nothing else', async () => {
  const place = createPlace();
  await applyFleet(place.fleet({ a: site('a'), b: site('b'), c: site('c') }));
  expect(outcomes(await destroyFleet(place.fleet({ a: site('a'), b: site('b') })))).toEqual({ a: 'done', b: 'done' });
  expect(holderOf(place, 'c.example.com')).toHaveLength(1);
  expect(place.direct.store.all()).toHaveLength(1);
});

test('a journal that learnt something after the plan was made is read again, and nothing is created twice', async () => {
  const place = createPlace();
  const fleet = { a: addresses('a', 1) };
  // While the plan waits for its approval, another run of the same stack creates its object.
  const approve = async () => {
    await applyFleet(place.fleet(fleet));
  };
  const [result] = await applyFleet(place.fleet(fleet, { approve }));
  expect(result).toMatchObject({ is: 'applied', report: { result: 'done', results: [] } });
  expect(place.direct.store.all()).toHaveLength(1);
});
