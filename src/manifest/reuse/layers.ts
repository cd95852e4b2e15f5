// The one rule of presets and overlays: maps are merged key by key at every depth, lists and single values are replaced, and what
// lies on top wins. A value is a stack of layers, from the bottom to the top; a layer may cut paths out of everything below it.
//
// Example: the preset `signin` says `oauth: { provider: { github: { client_id: abc, teams: [acme/ops] } } }`, and a route
//
//   api: { preset: signin, without: [oauth.provider.github.teams], match: /api, oauth: { maximum_duration: 3600 } }
//
// has two layers: the preset, and the block, which cuts `oauth.provider.github.teams` out of what is below it. Merged, they are
// `{ match: /api, oauth: { maximum_duration: 3600, provider: { github: { client_id: abc } } } }`. The `client_id` stands in the
// preset: asked for `oauth.provider.github.client_id`, the layers answer with the topmost one that has it.

import { isList, isObject, type Json, type Path } from '../../core/json.ts';
import type { ParsedFile } from '../text/parse.ts';
import type { Use } from '../use.ts';

/** A path that a `without` drops from the layers below. */
export interface Cut {
  /** From the layer's value. */
  readonly path: Path;
  /** The entry of `without`. */
  readonly entry: DroppedBy;
}

/** An entry of `without`, which must drop something. */
export interface DroppedBy {
  readonly file: ParsedFile;
  /** Path of the entry in the file. */
  readonly path: Path;
  /** As written. */
  readonly text: string;
  hasDropped: boolean;
}

/** One layer of a value. */
export interface Layer {
  /** Undefined for a layer that only cuts. */
  readonly json: Json | undefined;
  readonly file: ParsedFile;
  /** Where the value stands in the file. */
  readonly path: Path;
  /** What it drops from the layers below. */
  readonly cuts: readonly Cut[];
  /** Undefined for what is written in a file of the manifest itself. */
  readonly use: Use | undefined;
}

/** The value of the layers; undefined if nothing is left of it. */
export function mergeLayers(layers: readonly Layer[]): Json | undefined {
  let merged: Json | undefined;
  for (const layer of layers) {
    for (const cut of layer.cuts) merged = withoutPath(merged, cut.path, cut.entry);
    if (layer.json !== undefined) merged = merge(merged, layer.json);
  }
  return merged;
}

function merge(below: Json | undefined, above: Json): Json {
  if (!isObject(below) || !isObject(above)) return above;
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) merged.set(key, merge(merged.get(key), value));
  return Object.fromEntries(merged);
}

function withoutPath(value: Json | undefined, path: Path, entry: DroppedBy): Json | undefined {
  const [key, ...rest] = path;
  if (value === undefined) return value;
  if (key === undefined) {
    entry.hasDropped = true;
    return undefined;
  }
  const member = memberOf(value, key);
  if (!isObject(value) || member === undefined) return value;
  const kept = withoutPath(member, rest, entry);
  if (kept === member) return value;
  const { [key]: _, ...others } = value;
  return kept === undefined ? others : { ...others, [key]: kept };
}

/** The topmost layer that has the value at the path below the layers' place. */
export function layerAt(layers: readonly Layer[], path: Path): Layer | undefined {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const layer = layers[at];
    if (layer === undefined) return undefined;
    const found = lookUp(layer.json, path);
    if (found === 'there') return layer;
    if (found === 'hidden' || layer.cuts.some((cut) => isPrefix(cut.path, path))) return undefined;
  }
  return undefined;
}

/** Whether a value is there; `hidden`: something that is no map stands above it, so that no lower layer shows. */
function lookUp(json: Json | undefined, path: Path): 'there' | 'absent' | 'hidden' {
  let value = json;
  if (value === undefined) return 'absent';
  for (const key of path) {
    const member: Json | undefined = memberOf(value, key);
    if (member === undefined) return isObject(value) ? 'absent' : 'hidden';
    value = member;
  }
  return 'there';
}

function memberOf(value: Json, key: string): Json | undefined {
  if (isList(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function isPrefix(start: Path, path: Path): boolean {
  return start.length <= path.length && start.every((segment, at) => segment === path[at]);
}

/** The layers of a member of a map: those that have it, and those that cut it. */
export function layersOf(layers: readonly Layer[], key: string): Layer[] {
  return layers.flatMap((layer): Layer[] => {
    const json = layer.json === undefined ? undefined : memberOf(layer.json, key);
    const cuts = layer.cuts.flatMap((cut) => cutBelow(cut, key));
    if (json === undefined && cuts.length === 0) return [];
    return [{ ...layer, json, path: [...layer.path, key], cuts }];
  });
}

function cutBelow(cut: Cut, key: string): Cut[] {
  const [first, ...rest] = cut.path;
  if (first === undefined) return [cut];
  return first === key ? [{ ...cut, path: rest }] : [];
}

/** The layers that show: what is no map replaces all that is below it. */
export function visible(layers: readonly Layer[]): readonly Layer[] {
  const lowest = layers.findLastIndex(({ json }) => json !== undefined && !isObject(json));
  return lowest <= 0 ? layers : layers.slice(lowest);
}

/** The members of the maps of all layers, without those that are not maps. */
export function keysOf(layers: readonly Layer[]): readonly string[] {
  return [...new Set(layers.flatMap(({ json }) => (isObject(json) ? Object.keys(json) : [])))];
}
