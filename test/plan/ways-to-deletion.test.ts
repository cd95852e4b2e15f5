// Every way by which a plan takes an object away, against everything that must keep it, for every kind of the catalogue.
// Live objects are made up as values; nothing is sent.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Field } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { childKinds, kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../src/resource/snapshot.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { isRemoval } from '../../src/plan/fingerprint.ts';
import type { FieldPath } from '../support/samples.ts';
import { fieldPaths, sample, smallest } from '../support/samples.ts';
import { load } from '../support/world.ts';

const STACK = 'shop';
type Block = { [key: string]: Json };

/** A made-up world: what the manifest says, what is there, and the object that is about to go. */
interface World {
  readonly kind: Kind;
  readonly blocks: Map<string, Block>;
  readonly live: Map<string, LiveResource>;
  readonly moved: JsonObject[];
  readonly removed: JsonObject[];
  options: Partial<PlanOptions>;
  /** Id of the object that the plan would take away. */
  readonly victim: string;
  /** Addresses of blocks by which it is known. */
  readonly names: string[];
}

const parentOf = (kind: Kind) => (kind.parent === undefined ? undefined : kindByName(kind.parent.kind));
const idOf = (kind: Kind, name: string) => `${kind.idPrefix}2${name}`;
function addressOf(kind: Kind, name: string): string {
  const parent = parentOf(kind);
  return parent === undefined
    ? `${kind.manifestKey}.${name}`
    : `${parent.manifestKey}.home.${kind.manifestKey}.${name}`;
}

/** The value that a creation fixes, if the kind has one. */
const fixed = (kind: Kind): FieldPath | undefined =>
  fieldPaths(kind.fields).find(
    ({ field }) => field.write === 'create' || (field.type === 'object' && field.fixedChoice === true),
  );

function specOf(kind: Kind, tag: string, variant: number): JsonObject {
  const [name = ''] = fixed(kind)?.path ?? [];
  const field = kind.fields[name];
  return { ...smallest(kind, tag), ...(field !== undefined && { [name]: choose(field, variant, tag) }) };
}

/** A value that cannot be changed into that of another variant. */
function choose(field: Field, variant: number, tag: string): Json {
  if (field.type !== 'object') return sample(field, variant, tag);
  const [name, choice] = Object.entries(field.fields)[variant] ?? [];
  return name === undefined || choice === undefined ? {} : { [name]: sample(choice, 0, tag) };
}

interface Made {
  readonly spec?: JsonObject;
  readonly marker?: Partial<Marker>;
  readonly parentId?: string;
}

function liveOf(kind: Kind, id: string, { spec = {}, marker, parentId }: Made): LiveResource {
  const full = marker && ({ v: 1, stack: STACK, address: '', applied: {}, ...marker } as const);
  const metadata = full === undefined ? '' : writeMarker('', full);
  const assigned = Object.entries(kind.fields).filter(([, field]) => field.serves === true);
  return {
    kind: kind.name,
    id,
    parentId,
    spec,
    computed: { id, ...Object.fromEntries(assigned.map(([name]) => [name, `${id}.example.test:20001`])) },
    writeOnly: [],
    metadata,
    userMetadata: '',
    marker: full,
  };
}

/** One object that its block asks for; the parent of a child is there, too. */
function worldOf(kind: Kind, made: Partial<Made> = {}): World {
  const address = addressOf(kind, 'main');
  const parent = parentOf(kind);
  const victim = idOf(kind, 'main');
  const world: World = {
    kind,
    blocks: new Map([[address, { ...specOf(kind, 'main', 0) }]]),
    live: new Map(),
    moved: [],
    removed: [],
    options: {},
    victim,
    names: [address],
  };
  if (parent !== undefined) {
    const home = idOf(parent, 'home');
    world.live.set(home, liveOf(parent, home, { marker: { address: `${parent.manifestKey}.home` } }));
  }
  put(world, 'main', { marker: { address }, ...made });
  return world;
}

function put(world: World, name: string, made: Made): string {
  const { kind } = world;
  const parent = parentOf(kind);
  const id = idOf(kind, name);
  const inside = parent === undefined ? {} : { parentId: idOf(parent, 'home') };
  world.live.set(id, liveOf(kind, id, { spec: specOf(kind, name, 0), ...inside, ...made }));
  return id;
}

function edit(world: World, id: string, change: (live: LiveResource) => Made): void {
  const live = world.live.get(id)!;
  const kept = { spec: live.spec as JsonObject, ...(live.parentId !== undefined && { parentId: live.parentId }) };
  world.live.set(
    id,
    liveOf(kindByName(live.kind), id, { ...kept, ...(live.marker && { marker: live.marker }), ...change(live) }),
  );
}

function documentOf({ kind, blocks, moved, removed }: World): JsonObject {
  const doc: { [key: string]: Block } = {};
  const parent = parentOf(kind);
  // Something else is always asked for, so that the manifest is not empty.
  const other = managedKinds.find((one) => one.parent === undefined && one !== kind && one !== parent)!;
  doc[other.manifestKey] = { keep: smallest(other, 'keep') };
  if (parent !== undefined) doc[parent.manifestKey] = {};
  for (const [address, block] of blocks) {
    const path = address.split('.');
    let at: Block = doc;
    for (const segment of path.slice(0, -1)) at = (at[segment] ??= {}) as Block;
    at[path.at(-1)!] = block;
  }
  return {
    version: 1,
    stack: STACK,
    ...doc,
    ...(moved.length > 0 && { moved }),
    ...(removed.length > 0 && { removed }),
  };
}

/** Every address that a block asks for or that an object has. */
function addressesOf(world: World): string[] {
  const asked = load(documentOf(world)).resources.map((resource) => resource.address);
  return [...asked, ...[...world.live.values()].flatMap(({ marker }) => marker?.address ?? [])];
}

function plan(world: World): Plan {
  const manifest = load(documentOf(world));
  const options: PlanOptions = {
    destroy: false,
    allowDeletes: 'all',
    allowLoss: addressesOf(world),
    targets: [],
    capabilities: new Set(CAPABILITIES),
    ...world.options,
  };
  const snapshot = { resources: [...world.live.values()], unread: [], requests: 0 };
  return buildPlan({ manifest, snapshot, service: 'https://service.test/', options });
}

const lifecycle = (world: World, address: string, more: JsonObject) => {
  const block = world.blocks.get(address)!;
  block['lifecycle'] = { ...(isObject(block['lifecycle'] ?? null) ? (block['lifecycle'] as JsonObject) : {}), ...more };
};

/** The block asks for another value than the one that the creation fixed. */
function change(world: World, address = world.names[0]!): World {
  const before = world.blocks.get(address);
  world.blocks.set(address, { ...before, ...specOf(world.kind, 'main', 1) });
  return world;
}

interface Way {
  readonly name: string;
  readonly fits: (kind: Kind) => boolean;
  readonly make: (kind: Kind) => World;
  /** It takes over what no stack owns. */
  readonly adopts?: true;
  /** It has no way with an object that a block of its own names by its id. */
  readonly stopsAtPins?: true;
  readonly replaces?: true;
  /** Whoever goes it has consented to every loss. */
  readonly isConsent?: true;
}

const always = () => true;
const canReplace = (kind: Kind) => fixed(kind) !== undefined;
const isTop = (kind: Kind) => kind.parent === undefined;

const WAYS: readonly Way[] = [
  {
    name: 'its block is gone',
    stopsAtPins: true,
    fits: always,
    make: (kind) => {
      const world = worldOf(kind);
      world.blocks.clear();
      world.names.length = 0;
      if (!isTop(kind)) world.blocks.set(`${parentOf(kind)!.manifestKey}.home`, {});
      return world;
    },
  },
  {
    name: 'everything is destroyed',
    isConsent: true,
    fits: always,
    make: (kind) => {
      const world = worldOf(kind);
      world.options = { destroy: true };
      return world;
    },
  },
  {
    name: 'its parent goes',
    fits: (kind) => !isTop(kind),
    make: (kind) => {
      const world = worldOf(kind);
      world.blocks.clear();
      world.names.length = 0;
      return world;
    },
  },
  {
    name: 'a fixed value changes',
    stopsAtPins: true,
    fits: canReplace,
    replaces: true,
    make: (kind) => change(worldOf(kind)),
  },
  {
    name: 'a fixed value changes, as a target',
    stopsAtPins: true,
    fits: canReplace,
    replaces: true,
    make: (kind) => {
      const world = change(worldOf(kind));
      world.options = { targets: [...world.names] };
      return world;
    },
  },
  {
    name: 'it is renamed, and a fixed value changes',
    stopsAtPins: true,
    fits: canReplace,
    replaces: true,
    make: (kind) => {
      const old = addressOf(kind, 'old');
      const world = change(worldOf(kind, { marker: { address: old } }));
      world.moved.push({ from: old, to: world.names[0]! });
      return world;
    },
  },
  {
    name: 'it is pinned under another address, and a fixed value changes',
    fits: canReplace,
    replaces: true,
    make: (kind) => {
      const world = change(worldOf(kind, { marker: { address: addressOf(kind, 'old') } }));
      lifecycle(world, world.names[0]!, { id: world.victim });
      return world;
    },
  },
  ...(['adopt', 'id'] as const).map((how): Way => ({
    name: `it is taken over by \`${how}\`, and a fixed value differs`,
    fits: canReplace,
    replaces: true,
    adopts: true,
    make: (kind) => {
      const world = worldOf(kind);
      world.live.set(world.victim, liveOf(kind, world.victim, { spec: specOf(kind, 'main', 0) }));
      lifecycle(world, world.names[0]!, { [how]: world.victim });
      return change(world);
    },
  })),
  {
    name: 'its value shown once was lost',
    fits: (kind) => onceOf(kind) !== undefined,
    replaces: true,
    make: (kind) => {
      const address = addressOf(kind, 'main');
      return worldOf(kind, { marker: { address, applied: { [onceOf(kind)!]: 'pending' } } });
    },
  },
  {
    name: 'another object is pinned for its address',
    stopsAtPins: true,
    fits: always,
    make: (kind) => {
      const world = worldOf(kind);
      const right = put(world, 'right', { spec: specOf(kind, 'right', 0), marker: { address: world.names[0]! } });
      world.blocks.set(world.names[0]!, { ...specOf(kind, 'right', 0) });
      lifecycle(world, world.names[0]!, { id: right });
      return world;
    },
  },
  {
    name: 'another object has replaced it',
    stopsAtPins: true,
    fits: always,
    make: (kind) => {
      const world = worldOf(kind);
      world.blocks.set(world.names[0]!, { ...specOf(kind, 'heir', 0) });
      put(world, 'heir', { marker: { address: world.names[0]!, replaces: world.victim } });
      return world;
    },
  },
];

function onceOf(kind: Kind): string | undefined {
  return Object.keys(kind.fields).find((name) => kind.fields[name]?.read === 'once');
}

interface Keeper {
  readonly name: string;
  readonly fits: (kind: Kind, way: Way) => boolean;
  /** Puts what keeps the object into the world. */
  readonly keep: (world: World) => void;
  readonly rule: string;
}

/** A field of another kind that holds ids of this kind. */
function referrer(kind: Kind): { readonly by: Kind; readonly at: FieldPath } | undefined {
  for (const by of managedKinds) {
    const at = fieldPaths(by.fields).find(({ field }) => refers(field, kind));
    if (at !== undefined) return { by, at };
  }
  return undefined;
}

function refers(field: Field, kind: Kind): boolean {
  if (field.type === 'list') return refers(field.items, kind);
  return field.type === 'string' && field.ref?.kinds.includes(kind.name) === true;
}

function nested([head = '', ...rest]: readonly string[], value: Json): JsonObject {
  return { [head]: rest.length === 0 ? value : nested(rest, value) };
}

/** Another object of a stack of somebody else, or of nobody. */
function foreign(world: World, kind: Kind, made: Made): void {
  const parent = parentOf(kind);
  const home = parent && `${parent.idPrefix}2elsewhere`;
  if (parent !== undefined && home !== undefined) world.live.set(home, liveOf(parent, home, {}));
  const id = idOf(kind, 'foreign');
  world.live.set(id, liveOf(kind, id, { ...(home !== undefined && { parentId: home }), ...made }));
}

const servedField = (kind: Kind) => Object.keys(kind.fields).find((name) => kind.fields[name]?.serves === true);
const server = managedKinds.find((kind) => {
  return Object.values(kind.fields).some((field) => field.type === 'list' && field.unique === 'service');
})!;
const serving = Object.keys(server.fields).find((name) => server.fields[name]?.unique === 'service')!;

const KEEPERS: readonly Keeper[] = [
  {
    name: 'its block protects it',
    fits: (kind, way) => way.make(kind).names.length > 0,
    keep: (world) => {
      for (const address of world.names) lifecycle(world, address, { prevent_destroy: true });
    },
    rule: 'protected',
  },
  {
    name: 'its marker protects it',
    fits: (_, way) => way.adopts !== true,
    keep: (world) => {
      edit(world, world.victim, ({ marker }) => ({ marker: { ...marker, protect: true } }));
    },
    rule: 'protected',
  },
  {
    name: 'its marker protects it, and the plan takes that off',
    fits: (kind, way) => way.adopts !== true && way.make(kind).names.length > 0,
    keep: (world) => {
      edit(world, world.victim, ({ marker }) => ({ marker: { ...marker, protect: true } }));
      for (const address of world.names) lifecycle(world, address, { prevent_destroy: false });
    },
    rule: 'protected',
  },
  {
    name: 'no consent was given',
    fits: (kind, way) =>
      way.isConsent !== true &&
      (way.adopts === true || (kind.irreplaceable !== undefined && !way.name.includes('lost'))),
    keep: (world) => {
      world.options = { ...world.options, allowLoss: [] };
    },
    rule: 'irreplaceable|adoption-replaces',
  },
  {
    name: 'its block forbids replacements',
    fits: (_, way) => way.replaces === true,
    keep: (world) => {
      lifecycle(world, world.names[0]!, { on_immutable_change: 'refuse' });
    },
    rule: 'immutable-change',
  },
  {
    name: 'another stack owns it',
    fits: (_, way) => way.adopts === true,
    keep: (world) => {
      const address = addressOf(world.kind, 'theirs');
      edit(world, world.victim, () => ({ marker: { stack: 'other', address } }));
    },
    rule: 'foreign-object',
  },
  {
    name: 'something of somebody else lies in it',
    fits: (kind) => childKinds(kind).length > 0,
    keep: (world) => {
      const [child] = childKinds(world.kind);
      const id = idOf(child!, 'theirs');
      world.live.set(id, liveOf(child!, id, { spec: smallest(child!, 'theirs'), parentId: world.victim }));
    },
    rule: 'foreign-object',
  },
  {
    name: 'somebody else refers to it',
    fits: (kind) => referrer(kind) !== undefined,
    keep: (world) => {
      const { by, at } = referrer(world.kind)!;
      const value = at.field.type === 'list' ? [world.victim] : world.victim;
      foreign(world, by, { spec: nested(at.path, value) });
    },
    rule: 'still-referenced',
  },
  {
    name: 'somebody else serves a value of it',
    fits: (kind) => servedField(kind) !== undefined,
    keep: (world) => {
      const value = String(world.live.get(world.victim)?.computed[servedField(world.kind)!]);
      foreign(world, server, { spec: { [serving]: [value.toUpperCase()] } });
    },
    rule: 'still-referenced',
  },
];

/** True when the plan has a step that takes the object away, itself or with what it lies in. */
function takesAway(made: Plan, world: World): boolean {
  const parentId = world.live.get(world.victim)?.parentId;
  return made.steps.some((step) => isRemoval(step) && (step.live_id === world.victim || step.live_id === parentId));
}

const rulesOf = (made: Plan) => made.refusals.map((refusal) => refusal.rule);

describe.each(managedKinds.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  describe.each(WAYS.filter((way) => way.fits(kind)).map((way) => [way.name, way] as const))('%s', (__, way) => {
    test('with all consent, and nothing that keeps it: it goes', () => {
      const world = way.make(kind);
      const made = plan(world);
      expect([rulesOf(made), made.diagnostics.filter((one) => one.severity === 'error')]).toEqual([[], []]);
      expect(takesAway(made, world)).toBe(true);
    });

    const keepers = KEEPERS.filter((keeper) => keeper.fits(kind, way));
    test.each(keepers.map((keeper) => [keeper.name, keeper] as const))('%s: refused', (___, keeper) => {
      const world = way.make(kind);
      keeper.keep(world);
      const made = plan(world);
      expect(takesAway(made, world)).toBe(true);
      expect(rulesOf(made).filter((rule) => keeper.rule.split('|').includes(rule))).toHaveLength(1);
      // A flag that a refusal names is one that can be given, and lifts it; so does the entry.
      for (const { rule, flag, entry } of made.refusals) {
        const [, address] = /^--allow-loss (.+)$/.exec(flag ?? '') ?? [];
        if (address === undefined) continue;
        expect(addressesOf(world)).toContain(address);
        const allowed = plan({ ...world, options: { ...world.options, allowLoss: [address] } });
        expect([rulesOf(allowed).includes(rule), takesAway(allowed, world)]).toEqual([false, true]);
        if (entry === undefined) continue;
        expect(entry).toBe(`removed: [{ from: ${address}, destroy: true }]`);
        const agreed = plan({ ...world, removed: [{ from: address, destroy: true }] });
        expect([rulesOf(agreed).includes(rule), takesAway(agreed, world)]).toEqual([false, true]);
      }
    });

    if (way.stopsAtPins !== true) return;
    test('another block names it by its id: it stays', () => {
      const world = way.make(kind);
      world.blocks.set(addressOf(kind, 'pinned'), { ...specOf(kind, 'main', 0), lifecycle: { id: world.victim } });
      const made = plan(world);
      expect([takesAway(made, world), made.diagnostics.filter((one) => one.severity === 'error')]).toEqual([false, []]);
    });
  });
});

test('the table has a row for every kind and way that fits', () => {
  const rows = managedKinds.flatMap((kind) =>
    WAYS.filter((way) => way.fits(kind)).flatMap((way) => KEEPERS.filter((keeper) => keeper.fits(kind, way))),
  );
  expect(rows.length).toBeGreaterThan(150);
});
