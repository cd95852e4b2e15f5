// What other people do to the service: objects that are not ours, and changes of ours behind our back.
// Everything goes through the service's own requests; what it refuses does not happen.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { parseAddress } from '../../src/catalog/address.ts';
import { ID, METADATA } from '../../src/catalog/fields/common.ts';
import type { Field } from '../../src/catalog/field.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { childKinds, kindByName, managedKinds, topLevelKinds } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { createPath, objectPath } from '../../src/catalog/path.ts';
import type { Direct } from './in-process.ts';
import type { Block, Values } from './document.ts';
import { choosePath, makeBlock, poolText, setField } from './document.ts';
import type { EditRecipe } from './edits.ts';
import { DAMAGES, LINE_EDITS, OBJECT_EDITS } from './metadata-edits.ts';

export interface ForeignRecipe {
  readonly kind: number;
  /** 19: it holds a value that we may want, too. */
  readonly style: number;
  readonly variant: number;
}

/** One thing that somebody else does to our objects. */
export type OutsideRecipe = EditRecipe;

const OURS = 'world';
const OTHER = { v: 1, stack: 'other', address: 'tls_edges.theirs', applied: {} } as const;

/** Somebody copied the metadata of one of ours, which says nothing of an object of another kind. */
function copiedText(kind: Kind): string {
  const address = kind.name === kindOf(OTHER.address) ? 'api_keys.theirs' : OTHER.address;
  return writeMarker('', { ...OTHER, stack: OURS, address });
}

function kindOf(address: string): string | undefined {
  return parseAddress(address)?.kind.name;
}

/** Metadata of an object that is not ours: nothing, a note, another stack's marker, a later one, or one of ours. */
function foreignText(kind: Kind, variant: number): string {
  if (variant === 11) return copiedText(kind);
  const other = writeMarker('', OTHER);
  return ['', 'a note', other, other.replace('"v":1', '"v":2')][variant % 4]!;
}

/** Makes objects that are not ours; `home` puts those with a parent into one of ours. */
export function addForeign(direct: Direct, recipes: readonly ForeignRecipe[]): string[] {
  return recipes.flatMap(({ kind: number, style, variant }, index) => {
    const kind = managedKinds[number % managedKinds.length]!;
    const base = style === 19 ? 0 : 100 + 20 * index;
    if (kind.parent === undefined) return makeForeign(direct, { kind, variant, base });
    const parent = makeForeign(direct, { kind: kindByName(kind.parent.kind), variant, base });
    return [...parent, ...parent.flatMap((id) => makeForeign(direct, { kind, variant, base, parentId: id }))];
  });
}

interface Making {
  readonly kind: Kind;
  readonly variant: number;
  /** Where in the pool of unique texts it looks. */
  readonly base: number;
  readonly parentId?: string;
  /** Metadata that somebody copied. */
  readonly copied?: string;
}

function makeForeign(direct: Direct, { kind, variant, base, parentId, copied }: Making): string[] {
  const values = { ...liveValues(direct, kind), unique: pooled(base + variant) };
  const block = makeBlock(kind, variant, values);
  if (block === undefined) return [];
  for (const [name, field] of Object.entries(kind.fields)) {
    if (field.unique !== undefined) block[name] ??= values.unique(field)!;
  }
  const body = { ...block, [METADATA]: copied ?? foreignText(kind, variant) };
  const { status, body: made } = direct.ask('POST', createPath(kind, parentId), body);
  return status === 201 && isObject(made) ? [String(made[ID])] : [];
}

function pooled(index: number) {
  return (field: Field): Json => (field.type === 'list' ? [poolText(field, index)] : poolText(field, index));
}

/** What values are made from when somebody uses the service directly: ids of live objects. */
function liveValues(direct: Direct, kind: Kind): Values {
  return {
    secret: (variant) => `changed-${variant % 3}`,
    mention: () => 'changed outside',
    unique: (field, _, variant) => pooled(40 + variant)(field),
    ref: (field, variant) => {
      const live = direct.store.all().filter((one) => field.ref?.kinds.includes(one.kind) && one.kind !== kind.name);
      const prefix = field.ref?.prefixes.find((one) => !topLevelKinds.some((known) => known.idPrefix === one));
      const chosen = [...live.map((one) => one.id), ...(prefix === undefined ? [] : [`${prefix}outside`])];
      return chosen[variant % Math.max(1, chosen.length)];
    },
  };
}

export interface OwnedObject {
  readonly stored: Stored;
  readonly address: string;
}

/**
 * The objects of the stack, in the order of their addresses: the marker fits the kind, and what lies inside another object
 * fits that one. `adopted` are ids that the manifest takes over whatever their marker says.
 */
export function ownedBy(direct: Direct, stack: string, adopted: readonly string[] = []): OwnedObject[] {
  return direct.store
    .all()
    .flatMap((stored) => {
      const address = addressOf(stored, stack);
      const above = direct.store.get(stored.parentId ?? '');
      const isInside =
        above === undefined ||
        adopted.includes(above.id) ||
        addressOf(above, stack) === parseAddress(address ?? '')?.parent;
      return address !== undefined && isInside ? [{ stored, address }] : [];
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function addressOf({ kind, spec }: Stored, stack: string): string | undefined {
  const { marker } = readMarker(String(spec[METADATA] ?? ''));
  return marker?.stack === stack && kindOf(marker.address) === kind ? marker.address : undefined;
}

type Deed = (direct: Direct, stored: Stored, recipe: OutsideRecipe) => void;

const DEEDS = {
  change: (direct, stored, { path, variant }) => {
    const kind = kindByName(stored.kind);
    const target = choosePath(kind, path);
    if (target.path[0] === METADATA || target.chain.some((field) => field.write === 'create')) return;
    const block: Block = structuredClone({ ...stored.spec });
    if (!setField(kind, block, target, variant, liveValues(direct, kind))) return;
    const dropped = Object.keys(stored.spec).filter((name) => block[name] === undefined);
    for (const name of dropped) removeModule(direct, stored, kind.fields[name]?.remove);
    const top = target.path[0] ?? '';
    direct.ask('PATCH', pathOf(stored), { ...alwaysSent(kind, block), [top]: block[top] ?? null });
  },
  removeModule: (direct, stored, { path }) => {
    const { fields } = kindByName(stored.kind);
    const removable = Object.keys(stored.spec).filter((name) => fields[name]?.remove !== undefined);
    const name = removable[path % Math.max(1, removable.length)];
    if (name !== undefined) removeModule(direct, stored, fields[name]?.remove);
  },
  note: (direct, stored, { variant }) => {
    const { marker } = readMarker(String(stored.spec[METADATA] ?? ''));
    if (marker === undefined) return;
    const text = writeMarker(['', 'their note', '{"theirs":true}'][variant % 3]!, marker);
    direct.ask('PATCH', pathOf(stored), { ...alwaysSent(kindByName(stored.kind), stored.spec), [METADATA]: text });
  },
  reformat: (direct, stored, { variant, path }) => {
    edit(direct, stored, (text) => {
      const edits = Object.values(text.includes('edgeform/v1 {') ? LINE_EDITS : OBJECT_EDITS);
      return edits[(path + variant) % edits.length]!(text);
    });
  },
  /** Rarely: such a world is refused as a whole. */
  damage: (direct, stored, { variant, path }) => {
    if (variant > 1) return;
    edit(direct, stored, Object.values(DAMAGES)[path % Object.keys(DAMAGES).length]!);
  },
  copy: (direct, stored, { variant, path }) => {
    const kind = topLevelKinds[path % topLevelKinds.length]!;
    const copied = String(stored.spec[METADATA] ?? '');
    if (kind.name === kindByName(stored.kind).parent?.kind) {
      const making = { kind, variant, base: 300 };
      for (const parentId of makeForeign(direct, making))
        makeForeign(direct, { ...making, kind: kindByName(stored.kind), parentId, copied });
    } else if (kind.name !== stored.kind) makeForeign(direct, { kind, variant, base: 300, copied });
  },
  delete: (direct, stored) => void direct.ask('DELETE', pathOf(stored)),
  unmark: (direct, stored) => {
    const body = { ...alwaysSent(kindByName(stored.kind), stored.spec), [METADATA]: 'mine now' };
    direct.ask('PATCH', pathOf(stored), body);
  },
  child: (direct, stored, { variant }) => {
    for (const kind of childKinds(kindByName(stored.kind))) {
      makeForeign(direct, { kind, variant, base: 60, parentId: stored.id });
    }
  },
} as const satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof DEEDS;

/** Everything that others may do, and what only changes values of objects that stay. */
export const ALL_DEEDS = Object.keys(DEEDS) as DeedName[];
export const CHANGES: readonly DeedName[] = ['change', 'removeModule', 'reformat'];

/** Carries out what others do to the objects of the stack; says what happened. */
export function actOutside(
  direct: Direct,
  stack: string,
  recipes: readonly OutsideRecipe[],
  deeds: readonly DeedName[],
): string[] {
  return recipes.flatMap((recipe) => {
    const owned = ownedBy(direct, stack);
    const found = owned[recipe.at % Math.max(1, owned.length)];
    const deed = deeds[recipe.op % Math.max(1, deeds.length)];
    if (found === undefined || deed === undefined) return [];
    DEEDS[deed](direct, found.stored, recipe);
    return [`${deed} ${found.address} (path ${recipe.path}, variant ${recipe.variant})`];
  });
}

/** Changes the metadata and nothing else. */
function edit(direct: Direct, stored: Stored, how: (text: string) => string): void {
  const text = how(String(stored.spec[METADATA] ?? ''));
  direct.ask('PATCH', pathOf(stored), { ...alwaysSent(kindByName(stored.kind), stored.spec), [METADATA]: text });
}

function pathOf({ kind, id, parentId }: Stored): string {
  return objectPath(kindByName(kind), id, parentId);
}

function removeModule(direct: Direct, stored: Stored, remove: string | undefined): void {
  if (remove !== undefined) direct.ask('DELETE', `${pathOf(stored)}/${remove}`);
}

function alwaysSent(kind: Kind, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(kind.fields).flatMap(([name, field]) => (field.alwaysSend ? [[name, spec[name] ?? []]] : [])),
  );
}
