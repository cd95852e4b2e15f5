// One block of a manifest with what lies below it: its presets, and in an overlay the block of the manifest.

import { isObject, type Json, type Path } from '../../core/json.ts';
import type { Kind } from '../../catalog/kind.ts';
import { PRESET, WITHOUT } from '../../catalog/reuse-keys.ts';
import { childKinds } from '../../catalog/lookup.ts';
import { NO_CUTS } from './cuts.ts';
import { cutsFrom } from './without.ts';
import {
  layersByName,
  layersOf,
  mergeLayers,
  shownLayers,
  withMember,
  type Layer,
  type PlacedValue,
} from './layers.ts';
import { layersByRule, namesThere } from './overlay-rule.ts';
import { layersOfPresets } from './uses.ts';
import type { Reuse } from './reuse-problems.ts';

/** A block without `preset` and `without`, and where its values come from. */
export interface PlainBlock {
  /** Undefined if it was dropped. */
  readonly placed: PlacedValue | undefined;
  readonly layers: readonly Layer[];
  /** Blocks inside it. */
  readonly children: readonly ChildBlock[];
  /** True when a preset of it is not known, so that it may have any field. */
  readonly isOpen: boolean;
}

interface ChildBlock {
  /** Manifest key of its kind, and its name. */
  readonly path: Path;
  readonly block: PlainBlock;
}

/** True for a block that has, or in which a child has, one of the two keys. */
export function usesReuse(kind: Kind, block: Json): boolean {
  if (!isObject(block)) return false;
  if (Object.hasOwn(block, PRESET) || Object.hasOwn(block, WITHOUT)) return true;
  return childKinds(kind).some((child) => {
    const section = block[child.manifestKey];
    return isObject(section) && Object.values(section).some((inner) => usesReuse(child, inner));
  });
}

/** The plain block of written layers, from the bottom to the top. */
export function expandBlock(kind: Kind, written: readonly Layer[], reuse: Reuse): PlainBlock {
  const { layers, isOpen } = layOnPresets(shownLayers(written), reuse);
  const own = mergeLayers(overManifest(layers).map((layer) => withoutKeys(layer, childKeysOf(kind))));
  const sections = childKinds(kind).flatMap(
    (child) => expandSection(child, { layers: shownLayers(layersOf(layers, child.manifestKey)), isOpen }, reuse) ?? [],
  );
  const placed = sections.reduce((block, { key, section }) => block && withMember(block, key, section), own);
  return { placed, layers, children: sections.flatMap(({ blocks }) => blocks), isOpen };
}

/** The value of layers that are no block. */
export function expandValue(written: readonly Layer[]): PlainBlock {
  return { placed: mergeLayers(overManifest(shownLayers(written))), layers: written, children: [], isOpen: false };
}

/** The blocks of a child's section. */
interface PlainSection {
  readonly key: string;
  readonly section: PlacedValue;
  readonly blocks: readonly ChildBlock[];
}

/** Undefined if no layer has it. */
function expandSection(kind: Kind, { layers, isOpen }: LaidOnPresets, reuse: Reuse): PlainSection | undefined {
  const key = kind.manifestKey;
  const layer = layers.findLast(({ json }) => json !== undefined);
  if (layer?.json === undefined) return undefined;
  const { path, json } = layer;
  // Its form is judged as it is.
  if (!isObject(json)) return { key, section: { layer, path, value: json }, blocks: [] };
  const byName = layersByName(layers);
  const names = namesThere(byName);
  const judging = isOpen ? { ...reuse, mayHave: () => true } : reuse;
  const blocks = [...byName].map(([name, inner]) => {
    const allowed = layersByRule({ layers: inner, childKeys: childKeysOf(kind), names }, judging);
    return { path: [key, name], block: expandBlock(kind, allowed, reuse) };
  });
  const members = blocks.flatMap(({ path: [, name = ''], block: { placed } }) =>
    placed === undefined ? [] : [[name, placed] as const],
  );
  return { key, section: { layer, path, value: new Map(members) }, blocks };
}

export function childKeysOf(kind: Kind): string[] {
  return childKinds(kind).map((child) => child.manifestKey);
}

function withoutKeys(layer: Layer, keys: readonly string[]): Layer {
  const { json } = layer;
  if (!isObject(json) || !keys.some((key) => Object.hasOwn(json, key))) return layer;
  return { ...layer, json: Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key))) };
}

/** The use of an overlay is the block that it lies over; what it adds lies over nothing. */
function overManifest(layers: readonly Layer[]): readonly Layer[] {
  if (!layers.some(({ use }) => use?.kind === 'overlay')) return layers;
  const below = layers.find(({ use, json }) => use === undefined && json !== undefined);
  const rangeBelow = below && (() => below.file.keyRange(below.path));
  return layers.map((layer) => {
    const { use } = layer;
    if (use?.kind !== 'overlay') return layer;
    return { ...layer, use: rangeBelow && { ...use, range: () => rangeBelow() ?? use.range() } };
  });
}

/** Layers on top of presets, and whether one of these is not known. */
interface LaidOnPresets {
  readonly layers: readonly Layer[];
  readonly isOpen: boolean;
}

/**
 * The presets of a block lie under all that is written of it. `preset` is a value like any other, so that an overlay that has it
 * replaces the names of the manifest.
 */
function layOnPresets(written: readonly Layer[], reuse: Reuse): LaidOnPresets {
  const blocks = written.map((layer) =>
    layer.use?.kind === 'preset' || !isObject(layer.json) ? undefined : layer.json,
  );
  const naming = blocks.findLastIndex((block) => block !== undefined && Object.hasOwn(block, PRESET));
  if (naming < 0 && !blocks.some((block) => block !== undefined && Object.hasOwn(block, WITHOUT)))
    return { layers: written, isOpen: false };
  const bottom = blocks.findIndex((block) => block !== undefined);
  const named = written[naming];
  const presets = named === undefined ? { layers: [], isOpen: false } : layersOfPresets(named, reuse);
  const layers = written.flatMap((layer, at): Layer[] => {
    const block = blocks[at];
    if (block === undefined) return [layer];
    const { [PRESET]: _, [WITHOUT]: without, ...json } = block;
    // What a block above drops inside this one, it drops from below this one.
    const outer = layer.cuts === NO_CUTS ? [] : [{ ...layer, json: undefined }];
    const cuts = without === undefined ? NO_CUTS : cutsFrom(without, layer, { mayDropNothing: at < naming }, reuse);
    return [...outer, ...(at === bottom ? presets.layers : []), { ...layer, json, cuts }];
  });
  return { layers, isOpen: presets.isOpen };
}
