// Values that go around in a circle, whoever owns their holders and whatever becomes of them: every plan can be made, none is carried
// out but whole, and a run that stops half-way goes on.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { applyOn, createDirect, planOn, refusalOf, type Direct } from '../support/in-process.ts';
import { loadTexts } from '../support/loading.ts';
import { worldsOf } from '../support/tally.ts';

const WORLDS = worldsOf('circles');

/** The kinds whose objects hold values that only one can have, by how a value is written. */
const KINDS = {
  tls_edges: (value: number) => ({ hostports: [host(value), `own${value}.test:443`] }),
  https_edges: (value: number) => ({ hostports: [host(value)] }),
  ssh_credentials: (value: number) => ({ public_key: `ssh-ed25519 AAAA${value}` }),
  agent_ingresses: (value: number) => ({ domain: `d${value}.test` }),
} as const;
type Section = keyof typeof KINDS;
const host = (value: number) => `h${value}.test:443`;

/** Who has an object before, and how the manifest comes to it. */
const OWNERS = ['shop', 'renamed', 'acme', 'adopt', 'id', 'none'] as const;
/** What the manifest asks of it. */
const ACTIONS = ['keep', 'describe', 'ignore', 'delete', 'release'] as const;

interface Slot {
  readonly owner: (typeof OWNERS)[number];
  readonly action: (typeof ACTIONS)[number];
}

interface Circle {
  readonly sections: readonly Section[];
  readonly slots: readonly Slot[];
  /** The value that each is to have: its own or that of another. */
  readonly wanted: readonly number[];
}

const SECTIONS: fc.Arbitrary<readonly Section[]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom<Section>('tls_edges', 'https_edges'), { minLength: 5, maxLength: 5 }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Section>('ssh_credentials', 'agent_ingresses').map((one) => Array<Section>(5).fill(one)),
  },
);
const slot = fc.record<Slot>({
  owner: fc.constantFrom(...OWNERS),
  action: fc.oneof({ weight: 4, arbitrary: fc.constant('keep' as const) }, fc.constantFrom(...ACTIONS)),
});
const circles = fc.integer({ min: 2, max: 5 }).chain((size) =>
  fc.record<Circle>({
    sections: SECTIONS,
    slots: fc.oneof(
      fc.array(slot, { minLength: size, maxLength: size }),
      slot.map((one) => Array<Slot>(size).fill(one)),
    ),
    wanted: fc.shuffledSubarray(
      Array.from({ length: size }, (_, at) => at),
      { minLength: size, maxLength: size },
    ),
  }),
);

function load(stack: string, content: JsonObject): Manifest {
  const { value, diagnostics } = loadTexts(JSON.stringify({ version: 1, stack, ...content }), {});
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function bySection(blocks: readonly (readonly [Section, string, JsonObject])[]): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const [section, name, block] of blocks) found[section] = { ...found[section], [name]: block };
  return found;
}

async function done(direct: Direct, manifest: Manifest): Promise<void> {
  const planned = await planOn(direct, manifest);
  expect(refusalOf(planned)).toBeUndefined();
  const results = await applyOn(direct, planned);
  expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
}

const nameOf = (at: number) => `x${at}`;
const isKept = ({ action }: Slot) => action !== 'delete' && action !== 'release';
const isOurs = ({ owner }: Slot) => owner === 'shop' || owner === 'renamed';

/** The objects as they are before: those of the stack, of another one, and of none. */
async function before({
  sections,
  slots,
}: Circle): Promise<{ readonly direct: Direct; readonly ids: readonly string[] }> {
  const direct = createDirect();
  const blocksOf = (stack: string, isIn: (slot: Slot) => boolean) =>
    load(
      stack,
      bySection(
        slots.flatMap((one, at) => {
          const section = sections[at] ?? 'tls_edges';
          const name = one.owner === 'renamed' ? `old-${nameOf(at)}` : nameOf(at);
          return isIn(one) && one.owner !== 'none' ? [[section, name, KINDS[section](at)] as const] : [];
        }),
      ),
    );
  await done(direct, blocksOf('shop', isOurs));
  await done(
    direct,
    blocksOf('acme', (one) => !isOurs(one)),
  );
  const ids = slots.map(({ owner }, at) => {
    const held = direct.store.all().find(({ spec }) => {
      const { marker } = readMarker(String(spec['metadata']));
      return (
        marker?.address.endsWith(`.${nameOf(at)}`) === true || marker?.address.endsWith(`.old-${nameOf(at)}`) === true
      );
    });
    if (held !== undefined && (owner === 'adopt' || owner === 'id')) {
      const path = {
        tls_edges: '/edges/tls/',
        https_edges: '/edges/https/',
        ssh_credentials: '/ssh_credentials/',
        agent_ingresses: '/agent_ingresses/',
      };
      expect(direct.ask('PATCH', `${path[sections[at] ?? 'tls_edges']}${held.id}`, { metadata: '' }).status).toBe(200);
    }
    return held?.id ?? '';
  });
  return { direct, ids };
}

/** The manifest that sends the values around. */
function after({ sections, slots, wanted }: Circle, ids: readonly string[]): Manifest {
  const address = (at: number, prefix = '') => `${sections[at]}.${prefix}${nameOf(at)}`;
  const blocks = slots.flatMap((one, at): (readonly [Section, string, JsonObject])[] => {
    const section = sections[at] ?? 'tls_edges';
    if (!isKept(one)) return [];
    const block: JsonObject = { ...KINDS[section](wanted[at] ?? at) };
    const [field = ''] = Object.keys(block);
    const lifecycle = {
      ...(one.action === 'ignore' && { ignore_changes: [field] }),
      ...((one.owner === 'adopt' || one.owner === 'id') && { [one.owner]: ids[at] ?? '' }),
    };
    return [[section, nameOf(at), { ...block, ...(one.action === 'describe' && { description: 'new' }), lifecycle }]];
  });
  const moved = slots.flatMap((one, at): JsonObject[] => {
    if (!isKept(one)) return [];
    if (one.owner === 'renamed') return [{ from: address(at, 'old-'), to: address(at) }];
    return one.owner === 'acme' ? [{ from: { stack: 'acme', address: address(at) }, to: address(at) }] : [];
  });
  const removed = slots.flatMap((one, at): JsonObject[] => {
    if (!isOurs(one) || isKept(one)) return [];
    return [{ from: address(at, one.owner === 'renamed' ? 'old-' : ''), destroy: one.action === 'delete' }];
  });
  return load('shop', { ...bySection(blocks), moved, removed });
}

/** What a plan says of an object that was named by its id and has been replaced. */
const PIN_REPLACED = ['pinned-not-found', 'pin-outdated'];

/** Plans and applies until nothing is left; gives why a plan is refused. */
async function settled(direct: Direct, manifest: Manifest): Promise<string | undefined> {
  for (let times = 0; times < 4; times++) {
    const planned = await planOn(direct, manifest);
    const isPinGone = planned.plan.diagnostics.some(({ code }) => PIN_REPLACED.includes(code));
    const refusal = refusalOf(planned);
    if (refusal !== undefined && isPinGone) return 'pin-replaced';
    if (refusal !== undefined || planned.plan.steps.length === 0) return refusal;
    await applyOn(direct, planned);
  }
  const left = await planOn(direct, manifest);
  throw new Error(
    `it does not converge: ${JSON.stringify(left.plan.steps)} ${JSON.stringify(await applyOn(direct, left))}`,
  );
}

/** The values that each object of the manifest has at the end. */
function held({ store }: Direct, { sections, slots, wanted }: Circle) {
  return slots.flatMap((one, at) => {
    if (!isKept(one) || one.action === 'ignore') return [];
    const section = sections[at] ?? 'tls_edges';
    const found = store
      .all()
      .find(({ spec }) => readMarker(String(spec['metadata'])).marker?.address === `${section}.${nameOf(at)}`);
    const values = Object.entries(KINDS[section](wanted[at] ?? at));
    return values.map(([field, value]) => [found?.spec[field], value] as const);
  });
}

test('a plan can be made of every circle, and is carried out whole, also after a stop at any write', async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(circles, fc.nat({ max: 12 }), async (circle, stopAt) => {
      const world = await before(circle);
      const manifest = after(circle, world.ids);
      const planned = await planOn(world.direct, manifest);
      expect(planned.plan.diagnostics.filter(({ code }) => code === 'would-not-converge')).toEqual([]);
      if (refusalOf(planned) !== undefined) return;
      applied += 1;
      const { direct } = world;
      let writes = 0;
      direct.onWrite = ({ status }) => {
        expect(status).toBeLessThan(400);
        writes += 1;
        if (writes === stopAt) throw new Error('stopped');
      };
      await applyOn(direct, planned).catch(() => undefined);
      direct.onWrite = () => undefined;
      const refusal = await settled(direct, manifest);
      // After a stop within the replacement of an object that a block names by its id, a person has to look: it is gone, or nobody's.
      if (refusal === 'pin-replaced') return;
      expect(refusal).toBeUndefined();
      for (const [now, value] of held(direct, circle)) expect(now).toEqual(value);
    }),
    WORLDS,
  );
  expect(applied).toBeGreaterThan(WORLDS.numRuns / 10);
});

/** The edge of a world of routes, and how the manifest comes to it. */
type Edge = Exclude<Slot['owner'], 'none'>;

function routesOf(matches: readonly number[], ids?: readonly string[]): JsonObject {
  const route = (match: number, at: number) => ({
    match_type: 'path_prefix',
    match: `/${match}`,
    ...(ids && { lifecycle: { adopt: ids[at] ?? '' } }),
  });
  return Object.fromEntries(matches.map((match, at) => [nameOf(at), route(match, at)]));
}

test.each<[Edge, readonly number[]]>([
  ['shop', [1, 0]],
  ['renamed', [1, 0]],
  ['acme', [1, 0]],
  ['acme', [1, 2, 0]],
  ['acme', [1, 0, 3, 2]],
  ['adopt', [1, 2, 0]],
  ['id', [1, 0]],
])('the routes of an edge (%s) change places: %j', async (owner, matches) => {
  const isForeign = owner !== 'shop' && owner !== 'renamed';
  const from = owner === 'renamed' ? 'old' : 'e';
  for (let stopAt = 0; stopAt < 3 * matches.length; stopAt++) {
    const direct = createDirect();
    const edge = { hostports: ['e.test:443'] };
    const routes = matches.map((_, at) => at);
    await done(
      direct,
      load(isForeign ? 'acme' : 'shop', { https_edges: { [from]: { ...edge, routes: routesOf(routes) } } }),
    );
    const ids = direct.store.all().map(({ id }) => id);
    const isPinned = owner === 'adopt' || owner === 'id';
    if (isPinned)
      for (const { id, parentId } of direct.store.all()) {
        const path = parentId === undefined ? `/edges/https/${id}` : `/edges/https/${parentId}/routes/${id}`;
        expect(direct.ask('PATCH', path, { metadata: '' }).status).toBe(200);
      }
    const own = isPinned ? { lifecycle: { [owner]: ids[0] ?? '' } } : {};
    const block = { ...edge, ...own, routes: routesOf(matches, isPinned ? ids.slice(1) : undefined) };
    const source = owner === 'acme' ? { stack: 'acme', address: 'https_edges.e' } : 'https_edges.old';
    const moved = owner === 'acme' || owner === 'renamed' ? [{ from: source, to: 'https_edges.e' }] : [];
    const manifest = load('shop', { https_edges: { e: block }, moved });
    let writes = 0;
    direct.onWrite = ({ status }) => {
      expect(status).toBeLessThan(400);
      writes += 1;
      if (writes === stopAt) throw new Error('stopped');
    };
    const planned = await planOn(direct, manifest);
    expect(refusalOf(planned)).toBeUndefined();
    await applyOn(direct, planned);
    direct.onWrite = () => undefined;
    expect(await settled(direct, manifest)).toBeUndefined();
    expect(direct.store.all().map(({ id }) => id)).toEqual(ids);
    expect(
      direct.store
        .all()
        .slice(1)
        .map(({ spec }) => spec['match']),
    ).toEqual(matches.map((match) => `/${match}`));
  }
});
