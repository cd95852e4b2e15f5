// A block that is cut out of one stack and pasted into another: the run that sees both sides tells it, with the entry that keeps the
// object, and whoever follows that line loses nothing.

import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { applyFleet, createPlace, outcomes, planFleet, type Place } from './place.ts';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const KEPT = 'failover_backends: { kept: { backends: [bkdhr_2abc] } }';
const EDGE =
  'https_edges: { e: { hostports: ["e.example.com:443"], routes: { r: { match_type: path_prefix, match: /api, compression: {} } } } }';
const DB = 'reserved_addrs: { db: { region: eu } }';
const both = (net: string, app: string) => ({ net: stack('net', net), app: stack('app', app) });

async function settled(place: Place, stacks: Readonly<Record<string, string>>): Promise<void> {
  const ended = outcomes(await applyFleet(place.fleet(stacks, {}, { allowDeletes: 'all' })));
  expect(new Set(Object.values(ended))).toEqual(new Set(['done']));
}

/** The plans of a fleet, by name. */
async function plansOf(
  place: Place,
  stacks: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Plan>>> {
  const planned = await planFleet(place.fleet(stacks, {}, { allowDeletes: 'all' }));
  return Object.fromEntries(planned.flatMap((one) => (one.is === 'planned' ? [[one.name, one.plan]] : [])));
}

const warnings = (plan: Plan | undefined) =>
  (plan?.diagnostics ?? []).filter(({ code }) => code === 'forgotten-move').map(({ message, fix }) => [message, fix]);

/** The part of a fix between back quotes. */
const lineIn = (fix = '') => /`([^`]*)`/.exec(fix)?.[1] ?? '';

const idsOf = ({ direct }: Place) =>
  direct.store
    .all()
    .map(({ id }) => id)
    .sort();

describe.each([
  ['the giver first', (net: string, app: string) => both(net, app)],
  [
    'the taker first',
    (net: string, app: string) => {
      const { net: giver, app: taker } = both(net, app);
      return { app: taker, net: giver };
    },
  ],
])('an edge that is cut and pasted, %s', (_, inOrder) => {
  test('is told with the line that keeps it, and with that line nothing is lost', async () => {
    const place = createPlace();
    await settled(place, inOrder(`${KEPT}, ${EDGE}`, KEPT));
    const ids = idsOf(place);
    const plans = await plansOf(place, inOrder(KEPT, `${KEPT}, ${EDGE}`));
    const [id] = place.direct.store.all().flatMap((one) => (one.kind === 'https_edge' ? [one.id] : []));
    expect(warnings(plans['app'])).toEqual([
      [
        `https_edges.e (${id}) is no longer in the manifest of stack net, and https_edges.e, which would be created, has the same hostports, e.example.com:443: without an entry of \`moved\`, the object is lost`,
        'if it moves here, add `moved: [{ from: { stack: net, address: https_edges.e }, to: https_edges.e }]` to the manifest',
      ],
    ]);
    expect(warnings(plans['net'])).toEqual([]);
    const moved = lineIn(warnings(plans['app'])[0]?.[1]);
    await settled(place, inOrder(KEPT, `${KEPT}, ${EDGE}, ${moved}`));
    expect(idsOf(place)).toEqual(ids);
    expect(await plansOf(place, inOrder(KEPT, `${KEPT}, ${EDGE}, ${moved}`))).toMatchObject({
      net: { steps: [] },
      app: { steps: [] },
    });
  });
});

describe('a reserved address that is cut and pasted', () => {
  test('is refused with the line that keeps it first, also as data', async () => {
    const place = createPlace();
    await settled(place, both(`${KEPT}, ${DB}`, KEPT));
    const ids = idsOf(place);
    const [refusal] = (await plansOf(place, both(KEPT, `${KEPT}, ${DB}`)))['net']?.refusals ?? [];
    expect(refusal).toMatchObject({
      rule: 'irreplaceable',
      fix: 'to keep it, add `moved: [{ from: { stack: net, address: reserved_addrs.db }, to: reserved_addrs.db }]` to the manifest of stack app',
      moved: { stack: 'app', from: { stack: 'net', address: 'reserved_addrs.db' }, to: 'reserved_addrs.db' },
      flag: '--allow-loss net:reserved_addrs.db',
      entry: 'removed: [{ from: reserved_addrs.db, destroy: true }]',
    });
    await settled(place, both(KEPT, `${KEPT}, ${DB}, ${lineIn(refusal?.fix)}`));
    expect(idsOf(place)).toEqual(ids);
    const db = place.direct.store.all().find(({ kind }) => kind === 'reserved_addr');
    expect(readMarker(String(db?.spec['metadata'])).marker).toMatchObject({ stack: 'app' });
  });

  test('with an edge that refers to it, both are told in one line', async () => {
    const place = createPlace();
    const served = `${DB}, tls_edges: { db: { hostports: ["\${reserved_addrs.db.addr}"] } }`;
    await settled(place, both(`${KEPT}, ${served}`, KEPT));
    const [[, fix] = []] = warnings((await plansOf(place, both(KEPT, `${KEPT}, ${served}`)))['app']);
    expect(lineIn(fix)).toContain('address: reserved_addrs.db');
    expect(lineIn(fix)).toContain('address: tls_edges.db');
    const ids = idsOf(place);
    await settled(place, both(KEPT, `${KEPT}, ${served}, ${lineIn(fix)}`));
    expect(idsOf(place)).toEqual(ids);
  });

  test('of several with the same fields, the same address is meant', async () => {
    const place = createPlace();
    await settled(place, both(`${KEPT}, ${DB}`, KEPT));
    const two = 'reserved_addrs: { other: { region: eu }, db: { region: eu } }';
    const plans = await plansOf(place, both(KEPT, `${KEPT}, ${two}`));
    expect(plans['net']?.refusals[0]?.moved?.to).toBe('reserved_addrs.db');
  });

  test('renamed within its stack: the refusal names that entry, too', async () => {
    const place = createPlace();
    await settled(place, both(`${KEPT}, ${DB}`, KEPT));
    const renamed = 'reserved_addrs: { database: { region: eu } }';
    const plans = await plansOf(place, both(`${KEPT}, ${renamed}`, KEPT));
    expect(plans['net']?.refusals[0]).toMatchObject({
      fix: 'to keep it, add `moved: [{ from: reserved_addrs.db, to: reserved_addrs.database }]` to the manifest',
      moved: { stack: 'net', from: 'reserved_addrs.db', to: 'reserved_addrs.database' },
    });
  });
});

test('what `removed` gives up on purpose, and another service, are no moves', async () => {
  const place = createPlace();
  await settled(place, both(`${KEPT}, ${EDGE}`, KEPT));
  const removed = 'removed: [{ from: https_edges.e, destroy: true }]';
  expect(warnings((await plansOf(place, both(`${KEPT}, ${removed}`, `${KEPT}, ${EDGE}`)))['app'])).toEqual([]);
});
