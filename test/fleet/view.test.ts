// The part of a live state that one stack sees has the plan and the drift of the whole.

import { expect, test } from 'vitest';
import { groupBy } from '../../src/core/group.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { findDrift } from '../../src/drift/drift.ts';
import { viewsOf } from '../../src/fleet/view.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { PlanInput } from '../../src/plan/build.ts';
import type { Snapshot } from '../../src/resource/snapshot.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { chanceOf } from '../support/chance.ts';
import { actOutside, ALL_DEEDS } from '../support/concurrent-edits.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect, snapshotOf } from '../support/in-process.ts';
import { settle, settleFirst } from '../support/apply-until-done.ts';
import { checkWorlds } from '../support/tally.ts';
import { STACK, worlds } from '../support/worlds.ts';
import { load } from '../support/world.ts';

function inputOf(direct: Direct, manifest: Manifest, snapshot: Snapshot, destroy = false): PlanInput {
  const options = {
    destroy,
    allowDeletes: 'all' as const,
    allowLoss: [],
    targets: [],
    capabilities: direct.capabilities,
  };
  return { manifest, snapshot, service: 'http://service.test', options };
}

/** The whole live state, as one of which nothing is left out. */
function wholeOf(snapshot: Snapshot): Snapshot {
  const { resources } = snapshot;
  const kinds = new Set(resources.map(({ kind }) => kind));
  const byAddress = () => groupBy(resources, ({ marker }) => marker?.address);
  return { ...snapshot, whole: { byId: new Map(resources.map((live) => [live.id, live])), kinds, byAddress } };
}

const sizes = { seen: 0, all: 0 };

function compare(direct: Direct, manifest: Manifest, snapshot: Snapshot): void {
  const seen = viewsOf(snapshot).viewOf(manifest, []);
  sizes.seen += seen.resources.length;
  sizes.all += snapshot.resources.length;
  for (const destroy of [false, true]) {
    const [part, whole] = [seen, wholeOf(snapshot)].map((one) => inputOf(direct, manifest, one, destroy));
    const [found, wanted] = [findDrift(part!), findDrift(whole!)];
    expect(found.plan).toEqual(wanted.plan);
    expect(found.drift).toEqual(wanted.drift);
  }
}

/** Gives some objects to another stack: as many owners as an account with several stacks has. */
function scatter(direct: Direct, seed: number): void {
  const chance = chanceOf(seed);
  for (const one of direct.store.all()) {
    const { marker, user } = readMarker(String(one.spec[METADATA] ?? ''));
    if (marker === undefined || chance(10) > 4) continue;
    const text = writeMarker(user, { ...marker, stack: chance(2) === 0 ? 'first' : 'second' });
    direct.store.put({ ...one, spec: { ...one.spec, [METADATA]: text } });
  }
}

test('on random worlds, for each of the stacks that own parts of it', { timeout: 1_800_000 }, async () => {
  await checkWorlds('view', worlds({ edits: true, outside: true, foreign: true }), async (world, trail) => {
    const settled = await settleFirst(world, trail);
    if (typeof settled === 'string') return settled;
    const { direct, second } = settled;
    actOutside(direct, STACK, world.outside, ALL_DEEDS);
    scatter(direct, world.seed);
    const snapshot = await snapshotOf(direct);
    const other = ['first', 'second', 'other'][world.seed % 3]!;
    for (const stack of [STACK, other]) compare(direct, { ...second, stack }, snapshot);
    return 'run';
  });
  // It leaves something out, or it would prove nothing.
  expect(sizes.seen).toBeLessThan(0.9 * sizes.all);
});

test('a view leaves out what belongs to others, and holds who claims, uses and contains', async () => {
  const direct = createDirect();
  const apply = async (text: string) => {
    expect(await settle(direct, load(text), { note: () => undefined, refuse: () => 'refused' }, false)).toBe(undefined);
  };
  const site = (host: string) => `{ hostports: ["${host}:443"] }`;
  await apply(`{ version: 1, stack: a, reserved_addrs: { mine: {} }, tls_edges: { mine: ${site('a.example.com')} } }`);
  await apply(`{ version: 1, stack: b, reserved_addrs: { db: {} }, https_edges: { b: ${site('b.example.com')} } }`);
  await apply(`{ version: 1, stack: c, https_edges: { c: ${site('c.example.com')} } }`);
  const snapshot = await snapshotOf(direct);
  const view = viewsOf(snapshot).viewOf;
  const names = (text: string) =>
    view(load(text), []).resources.map(({ marker }) => `${marker?.stack ?? ''} ${marker?.address ?? ''}`);
  expect(names('{ version: 1, stack: a, reserved_addrs: { mine: {} } }')).toEqual([
    'a reserved_addrs.mine',
    'a tls_edges.mine',
  ]);
  expect(names(`{ version: 1, stack: new, tls_edges: { x: ${site('C.example.com')} } }`)).toEqual(['c https_edges.c']);
});
