// The one rule of presets and overlays: maps are merged key by key at every depth, lists and single values are replaced, and what
// lies on top wins. A value is a stack of layers, from the bottom to the top; a layer may cut paths out of everything below it.
//
// Example: the preset `signin` says `oauth: { provider: { github: { client_id: abc, teams: [acme/ops] } } }`, and a route
//
//   api: { preset: signin, without: [oauth.provider.github.teams], match: /api, oauth: { maximum_duration: 3600 } }
//
// has two layers: the preset, and the block, which cuts `oauth.provider.github.teams` out of what is below it. Merged, they are
// `{ match: /api, oauth: { maximum_duration: 3600, provider: { github: { client_id: abc } } } }`. The `client_id` stands in the
// preset: each value keeps the topmost layer that has it. A layer is visited once, whatever lies below it.

import { isList, isObject, type Json, type Path } from '../../core/json.ts';
import { addTo } from '../../core/group.ts';
import type { ParsedFile } from '../text/parse.ts';
import type { Use } from '../use.ts';
import { cutsBelow, NO_CUTS, type Cuts } from './cuts.ts';

/** One layer of a value. */
export interface Layer {
  /** Undefined for a layer that only cuts. */
  readonly json: Json | undefined;
  readonly file: ParsedFile;
  /** Where the value stands in the file. */
  readonly path: Path;
  /** What it drops from the layers below. */
  readonly cuts: Cuts;
  /** Undefined for what is written in a file of the manifest itself, and for what an overlay adds. */
  readonly use: Use | undefined;
  /** True for a layer that stands under `add` of an overlay, until it is judged (`overlay-rule.ts`). */
  readonly isAdded?: boolean;
}

/** A value of several layers, with the topmost one that has it. */
export interface PlacedValue {
  readonly layer: Layer;
  /** Where it stands in the layer's file. */
  readonly path: Path;
  /** Members with places of their own, where more than one layer has a map. */
  readonly value: Json | PlacedMembers;
}

type PlacedMembers = Map<string, PlacedValue>;

/** A value as it stands in one layer. */
interface LayerValue extends PlacedValue {
  readonly value: Json;
}

/** The value of the layers; undefined if nothing is left of it. */
export function mergeLayers(layers: readonly Layer[]): PlacedValue | undefined {
  let merged: PlacedValue | undefined;
  for (const layer of layers) {
    const left = withoutCuts(merged, layer.cuts);
    merged = layer.json === undefined ? left : layOver(left, { layer, path: layer.path, value: layer.json });
  }
  return merged;
}

function layOver(below: PlacedValue | undefined, above: LayerValue): PlacedValue {
  const { layer, path, value } = above;
  const members = isObject(value) ? membersOf(below) : undefined;
  if (members === undefined || !isObject(value)) return above;
  for (const [key, member] of Object.entries(value))
    members.set(key, layOver(members.get(key), { layer, path: [...path, key], value: member }));
  return { ...above, value: members };
}

function withoutCuts(placed: PlacedValue | undefined, { here, below }: Cuts): PlacedValue | undefined {
  if (placed === undefined) return undefined;
  if (here !== undefined) {
    here.hasDropped = true;
    return undefined;
  }
  const members = below.size === 0 ? undefined : membersOf(placed);
  if (members === undefined) return placed;
  for (const [key, cuts] of below) {
    const left = withoutCuts(members.get(key), cuts);
    if (left === undefined) members.delete(key);
    else members.set(key, left);
  }
  return { ...placed, value: members };
}

/** The members of a map, which the merge may change; undefined for what is no map. */
function membersOf(placed: PlacedValue | undefined): PlacedMembers | undefined {
  if (placed === undefined) return undefined;
  const { layer, path, value } = placed;
  if (value instanceof Map) return value;
  if (!isObject(value)) return undefined;
  return new Map(
    Object.entries(value).map(([key, member]) => [key, { layer, path: [...path, key], value: member }] as const),
  );
}

/** The map with one member more; what is no map is left as it is. */
export function withMember(placed: PlacedValue, key: string, member: PlacedValue): PlacedValue {
  const members = membersOf(placed);
  return members === undefined ? placed : { ...placed, value: members.set(key, member) };
}

export function plainJson({ value }: PlacedValue): Json {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, member]) => [key, plainJson(member)]));
}

/** Where a value inside stands, and its layer; undefined for one that is not there. */
export function placeInside(placed: PlacedValue, path: Path): Pick<PlacedValue, 'layer' | 'path'> | undefined {
  let at = placed;
  for (const [depth, key] of path.entries()) {
    if (!(at.value instanceof Map)) {
      const rest = path.slice(depth);
      return hasValue(at.value, rest) ? { layer: at.layer, path: [...at.path, ...rest] } : undefined;
    }
    const member = at.value.get(key);
    if (member === undefined) return undefined;
    at = member;
  }
  return at;
}

function hasValue(json: Json, path: Path): boolean {
  let value = json;
  for (const key of path) {
    const member: Json | undefined = memberOf(value, key);
    if (member === undefined) return false;
    value = member;
  }
  return true;
}

function memberOf(value: Json, key: string): Json | undefined {
  if (isList(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The layers of a member of a map: those that have it, and those that cut it. */
export function layersOf(layers: readonly Layer[], key: string): Layer[] {
  return layers.flatMap((layer) => memberLayer(layer, key) ?? []);
}

function memberLayer(layer: Layer, key: string): Layer | undefined {
  const json = isObject(layer.json) && Object.hasOwn(layer.json, key) ? layer.json[key] : undefined;
  const cuts = cutsBelow(layer.cuts, key);
  if (json === undefined && cuts === NO_CUTS) return undefined;
  return { ...layer, json, path: [...layer.path, key], cuts };
}

/** The layers of every member that one of them has. */
export function layersByName(layers: readonly Layer[]): ReadonlyMap<string, readonly Layer[]> {
  const byName = new Map<string, [Layer, ...Layer[]]>();
  for (const layer of layers) {
    const names = new Set([...(isObject(layer.json) ? Object.keys(layer.json) : []), ...layer.cuts.below.keys()]);
    for (const name of names) {
      const member = memberLayer(layer, name);
      // What nothing below has cannot be cut.
      if (member !== undefined && (member.json !== undefined || byName.has(name))) addTo(byName, name, member);
    }
  }
  return byName;
}

/** The layers that show: what is no map, or cuts all that is below, hides it. */
export function shownLayers(layers: readonly Layer[]): readonly Layer[] {
  let lowest = 0;
  let hasValueBelow = false;
  for (const [at, { json, cuts }] of layers.entries()) {
    if (cuts.here !== undefined && hasValueBelow) cuts.here.hasDropped = true;
    if (cuts.here !== undefined || (json !== undefined && !isObject(json))) lowest = at;
    hasValueBelow = json !== undefined || (hasValueBelow && cuts.here === undefined);
  }
  return lowest === 0 ? layers : layers.slice(lowest);
}
