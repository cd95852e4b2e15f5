// Saved plans of a fleet whose stacks give objects and values to each other: what the run itself has done was planned.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { applyFleet, counted, createPlace, holderOf, outcomes, planFleet, type Place } from './place.ts';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const edge = (host: string, more = '') => `{ hostports: ["${host}.example.com:443"]${more} }`;
const RELEASE = 'removed: [{ from: tls_edges.it, destroy: false }]';
const KEPT = 'reserved_addrs: { kept: {} }';

interface Member {
  readonly text: string;
  readonly wave?: number;
}

type Members = Readonly<Record<string, Member>>;

/** The fleet, with the plans that were saved. */
function fleetOf(place: Place, members: Members, plans: ReadonlyMap<string, Plan> = new Map()) {
  const run = place.fleet(Object.fromEntries(Object.entries(members).map(([name, { text }]) => [name, text])));
  return {
    ...run,
    stacks: run.stacks.map((one) => ({ ...one, wave: members[one.name]?.wave, saved: plans.get(one.name) })),
  };
}

/** Plans, and gives them back as they are read from files. */
async function savedPlans(place: Place, members: Members): Promise<ReadonlyMap<string, Plan>> {
  const planned = await planFleet(fleetOf(place, members));
  return new Map(
    planned.flatMap((one) =>
      one.is === 'planned' ? [[one.name, JSON.parse(JSON.stringify(one.plan)) as Plan] as const] : [],
    ),
  );
}

const ownersOf = ({ direct }: Place, host: string) =>
  direct.store.all().flatMap(({ spec }) => {
    if (!JSON.stringify(spec['hostports'] ?? []).includes(host)) return [];
    const { marker } = readMarker(String(spec['metadata'] ?? ''));
    return [`${marker?.stack ?? ''}:${marker?.address ?? ''}`];
  });

const byAnother = (place: Place, id: string) => {
  expect(place.direct.ask('PATCH', `/edges/tls/${id}`, { description: 'theirs' }).status).toBe(200);
};

/** In both orders of the file, in one wave, and in two. */
const ORDERS: readonly [string, (a: string, b: string) => Members][] = [
  ['the giver first', (a, b) => ({ a: { text: a }, b: { text: b } })],
  ['the taker first', (a, b) => ({ b: { text: b }, a: { text: a } })],
  ['the giver first, in two waves', (a, b) => ({ a: { text: a, wave: 1 }, b: { text: b, wave: 2 } })],
  ['the taker first, in two waves', (a, b) => ({ b: { text: b, wave: 2 }, a: { text: a, wave: 1 } })],
];

describe.each(ORDERS)('an object that is released and adopted, %s', (_, inOrder) => {
  const given = async () => {
    const place = createPlace();
    const before = inOrder(stack('a', `${KEPT}, tls_edges: { it: ${edge('it')} }`), stack('b', KEPT));
    await applyFleet(fleetOf(place, before));
    const [id = ''] = holderOf(place, 'it.example.com');
    const adopts = `tls_edges: { mine: ${edge('it', `, description: ours, lifecycle: { adopt: ${id} }`)} }`;
    const after = inOrder(stack('a', `${KEPT}, ${RELEASE}`), stack('b', `${KEPT}, ${adopts}`));
    return { place, id, after, plans: await savedPlans(place, after) };
  };

  test('goes over in one run, and the same command again finds it done', async () => {
    const { place, after, plans } = await given();
    expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ a: 'done', b: 'done' });
    expect(ownersOf(place, 'it.example.com')).toEqual(['b:tls_edges.mine']);
    place.asked.splice(0);
    expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ a: 'done', b: 'done' });
    expect(counted(place.asked).writes).toBe(0);
  });

  test('is refused whole after a change by somebody else', async () => {
    const { place, id, after, plans } = await given();
    byAnother(place, id);
    place.asked.splice(0);
    expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({
      a: 'failed: stale-plan',
      b: 'failed: stale-plan',
    });
    expect(counted(place.asked).writes).toBe(0);
    expect(ownersOf(place, 'it.example.com')).toEqual(['a:tls_edges.it']);
  });

  test('stays free after a change by somebody else between the release and the adoption', async () => {
    const { place, id, after, plans } = await given();
    place.intercept = (request) => {
      const answer = place.answer(request);
      if (request.method === 'PATCH') byAnother(place, id);
      return answer;
    };
    expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ a: 'done', b: 'failed: stale-plan' });
    expect(ownersOf(place, 'it.example.com')).toEqual([':']);
  });
});

test('of two stacks, the taker waits for a giver whose own plan is out of date', async () => {
  const place = createPlace();
  const web = (description: string) => `web: ${edge('web', `, description: ${description}`)}`;
  const a = stack('a', `tls_edges: { it: ${edge('it')}, ${web('old')} }`);
  await applyFleet(fleetOf(place, { a: { text: a }, b: { text: stack('b', KEPT) } }));
  const [id = ''] = holderOf(place, 'it.example.com');
  const adopts = `tls_edges: { mine: ${edge('it', `, lifecycle: { adopt: ${id} }`)} }`;
  const after = {
    b: { text: stack('b', `${KEPT}, ${adopts}`) },
    a: { text: stack('a', `tls_edges: { ${web('new')} }, ${RELEASE}`) },
  };
  const plans = await savedPlans(place, after);
  byAnother(place, holderOf(place, 'web.example.com')[0] ?? '');
  place.asked.splice(0);
  expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({
    a: 'failed: stale-plan',
    b: 'blocked by a',
  });
  expect(counted(place.asked).writes).toBe(0);
});

test('what a saved plan does not release is not planned as if it were free', async () => {
  const place = createPlace();
  await applyFleet(fleetOf(place, { a: { text: stack('a', `${KEPT}, tls_edges: { it: ${edge('it')} }`) } }));
  const [id = ''] = holderOf(place, 'it.example.com');
  const marked = place.direct.store.all().find((one) => one.id === id)?.spec['metadata'] ?? '';
  const mark = (metadata: Json) => place.direct.ask('PATCH', `/edges/tls/${id}`, { metadata });
  mark('');
  const adopts = `tls_edges: { mine: ${edge('it', `, lifecycle: { adopt: ${id} }`)} }`;
  const after = { a: { text: stack('a', `${KEPT}, ${RELEASE}`) }, b: { text: stack('b', `${KEPT}, ${adopts}`) } };
  const plans = await savedPlans(place, after);
  mark(marked);
  // Nobody has reviewed the release, either.
  expect(outcomes(await planFleet(fleetOf(place, after, plans)))).toEqual({
    a: 'failed: stale-plan',
    b: 'failed: stale-plan',
  });
});

test('a saved plan without steps is done when nothing is pending, and no review of anything else', async () => {
  const place = createPlace();
  const members = { a: { text: stack('a', `tls_edges: { it: ${edge('it')} }`) }, b: { text: stack('b', KEPT) } };
  await applyFleet(fleetOf(place, members));
  const plans = await savedPlans(place, members);
  const other = { ...members, b: { text: stack('b', `${KEPT}, variables: { unused: { default: x } }`) } };
  expect(outcomes(await applyFleet(fleetOf(place, other, plans)))).toEqual({ a: 'done', b: 'done' });
  const more = { ...members, b: { text: stack('b', 'reserved_addrs: { kept: {}, more: {} }') } };
  expect(outcomes(await planFleet(fleetOf(place, more, plans)))).toEqual({ a: '', b: 'failed: stale-plan' });
});

describe.each(ORDERS)('an object that moves, %s', (_, inOrder) => {
  test('goes over with the plans that were saved', async () => {
    const place = createPlace();
    await applyFleet(
      fleetOf(place, inOrder(stack('a', `${KEPT}, tls_edges: { it: ${edge('it')} }`), stack('b', KEPT))),
    );
    const take = 'moved: [{ from: { stack: a, address: tls_edges.it }, to: tls_edges.mine }]';
    const after = inOrder(stack('a', KEPT), stack('b', `${KEPT}, tls_edges: { mine: ${edge('it')} }, ${take}`));
    const plans = await savedPlans(place, after);
    for (const _once of ['first', 'again'])
      expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ a: 'done', b: 'done' });
    expect(ownersOf(place, 'it.example.com')).toEqual(['b:tls_edges.mine']);
  });
});

test.each([1, 2, 3, 4])(
  'objects that move and change places go on after write %i with the plan that was saved',
  async (last) => {
    const place = createPlace();
    const edges = (x: string, y: string) => `tls_edges: { x: ${edge(x)}, y: ${edge(y)} }`;
    await applyFleet(fleetOf(place, { a: { text: stack('a', edges('one', 'two')) } }));
    const after = { b: { text: stack('b', `${edges('two', 'one')}, moved: [{ from: { stack: a } }]`) } };
    const plans = await savedPlans(place, after);
    let writes = 0;
    const stopped = new Promise<void>((resolve) => {
      place.intercept = (request) => {
        const answer = place.answer(request);
        if (request.method !== 'GET') writes += 1;
        if (request.method === 'GET' || writes < last) return answer;
        place.crash();
        resolve();
        return new Promise<never>(() => undefined);
      };
    });
    await Promise.race([stopped, applyFleet(fleetOf(place, after, plans))]);
    place.intercept = () => undefined;
    expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ b: 'done' });
    expect([ownersOf(place, 'one.example.com'), ownersOf(place, 'two.example.com')]).toEqual([
      ['b:tls_edges.y'],
      ['b:tls_edges.x'],
    ]);
  },
);

describe.each(ORDERS)('a value that one object gives up and another claims, %s', (_, inOrder) => {
  test('goes over with the plans that were saved, beside an object that is released and adopted', async () => {
    const place = createPlace();
    const before = inOrder(
      stack('a', `tls_edges: { it: ${edge('it')}, web: ${edge('moves')} }`),
      stack('b', `tls_edges: { web: ${edge('web')} }`),
    );
    await applyFleet(fleetOf(place, before));
    const [id = ''] = holderOf(place, 'it.example.com');
    const after = inOrder(
      stack('a', `tls_edges: { web: ${edge('new')} }, ${RELEASE}`),
      stack('b', `tls_edges: { web: ${edge('moves')}, mine: ${edge('it', `, lifecycle: { adopt: ${id} }`)} }`),
    );
    const plans = await savedPlans(place, after);
    for (const _once of ['first', 'again'])
      expect(outcomes(await applyFleet(fleetOf(place, after, plans)))).toEqual({ a: 'done', b: 'done' });
    expect(ownersOf(place, 'it.example.com')).toEqual(['b:tls_edges.mine']);
    expect(ownersOf(place, 'moves.example.com')).toEqual(['b:tls_edges.web']);
  });
});
