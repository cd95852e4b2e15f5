// The presets of a stack: named parts of blocks, from all of its files, with what overlays lay over them.

import { isObject, mapObject, type Json, type Path } from '../../core/json.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { isName, OTHER_FORM } from '../../catalog/address.ts';
import { childKinds, topLevelKinds } from '../../catalog/lookup.ts';
import { PRESET, PRESETS, WITHOUT } from '../../catalog/reuse-keys.ts';
import { safeKey } from '../../schema/describe-value.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import type { Use } from '../use.ts';
import { NO_CUTS } from './cuts.ts';
import { layersByName, layersOf, type Layer } from './layers.ts';
import { presetsNamedIn } from './named-presets.ts';
import { overlayUse, type OverlayPart } from './overlay-parts.ts';
import { layersByRule, namesThere } from './overlay-rule.ts';
import type { Judging } from './judging.ts';

/** One preset: its layers, whose uses are those of overlays until a block uses it. */
interface Preset {
  readonly name: string;
  layers: readonly Layer[];
  /** Characters of its values. */
  readonly size: number;
  isUsed: boolean;
}

/** A longer text with names in it is not written out in a fix. */
const MAX_SHOWN = 120;

/** All presets, by name; what is wrong with their form is among the problems. */
export class Presets {
  readonly #presets = new Map<string, Preset>();
  readonly #files: readonly ParsedFile[];
  readonly #judging: Judging;

  constructor(files: readonly ParsedFile[], overlays: readonly OverlayPart[], judging: Judging) {
    this.#files = [...files, ...overlays.map(({ file }) => file)];
    this.#judging = judging;
    for (const file of files) this.#add(file, undefined);
    for (const part of overlays) this.#add(part.file, part);
    if (overlays.length > 0) this.#judge();
  }

  /** Overlays change presets that are there, and add others; so with the routes in them. */
  #judge(): void {
    const names = namesThere([...this.#presets].map(([name, { layers }]) => [name, layers]));
    for (const preset of this.#presets.values()) {
      preset.layers = layersByRule({ layers: preset.layers, childKeys: CHILD_KEYS, names }, this.#judging);
      for (const key of CHILD_KEYS) {
        const children = layersByName(layersOf(preset.layers, key));
        const beside = namesThere(children);
        for (const layers of children.values()) layersByRule({ layers, childKeys: [], names: beside }, this.#judging);
      }
    }
  }

  /** `part` is that of an overlay; undefined for a file of the manifest. */
  #add(file: ParsedFile, part: OverlayPart | undefined): void {
    const section = isObject(file.json) ? file.json[PRESETS] : undefined;
    if (section === undefined || file.unknownValues.has([PRESETS])) return;
    if (!isObject(section)) {
      this.#complain(file, [PRESETS], NOT_A_MAP);
      return;
    }
    for (const [name, json] of Object.entries(section)) this.#addPreset(file, name, json, part);
  }

  #addPreset(file: ParsedFile, name: string, json: Json, part: OverlayPart | undefined): void {
    const path = [PRESETS, name];
    const before = this.#presets.get(name);
    if (file.unknownValues.has(path)) return;
    if (!isName(name)) this.#complainOfName(file, path);
    if (!isObject(json)) this.#complain(file, path, NOT_A_MAP);
    for (const nested of reuseWithin(json, path)) this.#complainAtKey(file, nested, NESTED);
    if (before !== undefined && part === undefined) {
      this.#complainOfSecond(file, path, before);
      return;
    }
    const use = part && overlayUse(file, { file, path });
    const layer: Layer = { json: withoutReuse(json), file, path, cuts: NO_CUTS, use, isAdded: part?.isAdded === true };
    const layers = [...(before?.layers ?? []), layer];
    const size = (before?.size ?? 0) + JSON.stringify(json).length;
    this.#presets.set(name, { name, layers, size, isUsed: before?.isUsed ?? false });
  }

  #complainOfSecond(file: ParsedFile, path: Path, { name, layers: [first] }: Preset): void {
    this.#judging.diagnostics.push({
      ...buildSourceMap([file]).errorAtKey('duplicate-address', path, {
        message: `the preset ${name} is given in two files`,
        fix: 'rename or remove one of them',
      }),
      ...(first && { related: [{ message: 'first given here', range: buildSourceMap([first.file]).key(first.path) }] }),
    });
  }

  #complain(file: ParsedFile, path: Path, words: { readonly message: string; readonly fix: string }): void {
    this.#judging.diagnostics.push(buildSourceMap([file]).error('bad-preset', path, words));
  }

  #complainOfName(file: ParsedFile, path: Path): void {
    const words = {
      message: `"${safeKey(path.at(-1) ?? '')}" cannot be a name`,
      expected: OTHER_FORM,
      fix: 'choose another name',
    };
    this.#judging.diagnostics.push(buildSourceMap([file]).errorAtKey('bad-name', path, words));
  }

  #complainAtKey(file: ParsedFile, path: Path, words: { readonly message: string; readonly fix: string }): void {
    this.#judging.diagnostics.push(buildSourceMap([file]).errorAtKey('bad-preset', path, words));
  }

  /** The layers of a preset at a use, and the size of what they bring; undefined if there is none of that name. */
  use(name: string, use: Use): { readonly layers: readonly Layer[]; readonly size: number } | undefined {
    const preset = this.#presets.get(name);
    if (preset === undefined) return undefined;
    preset.isUsed = true;
    return { layers: preset.layers.map((layer) => ({ ...layer, use })), size: preset.size };
  }

  /** True where a preset of this name may exist although it is not known, in a part that could not be read. */
  mayHave(name: string): boolean {
    return this.#files.some(({ unknownValues }) => unknownValues.mayHave([PRESETS, name]));
  }

  /** The fix for a name that no preset has. */
  fixFor(name: string): string {
    const names = [...this.#presets.keys()];
    if (names.length === 0) return `give it under ${PRESETS}, or remove the line`;
    const parts = name.length <= MAX_SHOWN ? name.split(',').map((part) => part.trim()) : [];
    if (parts.length > 1 && parts.every((part) => this.#presets.has(part)))
      return `write preset: [${parts.join(', ')}]`;
    return didYouMean(name, names) ?? `use one of: ${names.slice(0, 10).map(safeKey).join(', ')}`;
  }

  /** A warning for each preset that no block names, where all blocks are known. */
  unused(): Diagnostic[] {
    const presets = [...this.#presets.values()].filter(({ isUsed }) => !isUsed);
    if (presets.length === 0 || this.#files.some(({ unknownValues }) => !unknownValues.isEmpty())) return [];
    const named = new Set(this.#files.flatMap(presetsNamedIn));
    return presets.filter(({ name }) => !named.has(name)).flatMap(unusedPreset);
  }
}

function unusedPreset({ name, layers: [first] }: Preset): Diagnostic[] {
  if (first === undefined) return [];
  const message = `no block uses the preset ${safeKey(name)}`;
  const fix = `use it with \`preset: ${safeKey(name)}\`, move it under add: of the overlay that uses it, or remove it`;
  const problem = buildSourceMap([first.file]).errorAtKey('unused-preset', first.path, { message, fix });
  return [{ ...problem, severity: 'warning' }];
}

const NOT_A_MAP = { message: 'a preset is a map of fields', fix: 'write the fields of a block below its name' };
const NESTED = {
  message: 'a preset uses no other preset and drops nothing',
  fix: 'use a list of presets where the block is: preset: [FIRST, SECOND]',
};

const CHILD_KEYS = [...new Set(topLevelKinds.flatMap((kind) => childKinds(kind).map((child) => child.manifestKey)))];

/** Paths of `preset` and `without` at the places of blocks inside a preset. */
function reuseWithin(json: Json, path: Path): Path[] {
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]): Path[] => {
    if (key === PRESET || key === WITHOUT) return [[...path, key]];
    if (!CHILD_KEYS.includes(key) || !isObject(value)) return [];
    return Object.entries(value).flatMap(([name, block]) => reuseWithin(block, [...path, key, name]));
  });
}

/** A preset without what it may not have, which is one mistake, however often it is used. */
function withoutReuse(json: Json): Json {
  if (!isObject(json)) return json;
  return mapObject<Json, Json>(json, (value, key) => {
    if (key === PRESET || key === WITHOUT) return undefined;
    return CHILD_KEYS.includes(key) && isObject(value) ? mapObject<Json, Json>(value, withoutReuse) : value;
  });
}
