// A manifest cut at random into presets and overlays that mean the same: members of maps are spread over layers, values that a higher
// layer replaces lie below them, and what no layer above replaces is dropped by `without`.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Kind } from '../../src/catalog/kind.ts';
import { childKinds, kindByManifestKey } from '../../src/catalog/lookup.ts';
import { SECTIONS_OF_NAMES } from '../../src/catalog/reuse-keys.ts';
import { isListByFrom } from '../../src/manifest/reuse/overlays.ts';
import type { Chance } from './chance.ts';
import { shuffled } from './chance.ts';
import type { Block } from './document.ts';
import type { LoadFiles } from './worlds.ts';

export interface Cut {
  readonly files: readonly LoadFiles[];
  readonly overlays: readonly LoadFiles[];
}

/** Another way to say the same, in two files and up to two overlays. */
export function cutAtRandom(doc: Block, chance: Chance): Cut {
  const cutter = new Cutter(chance);
  const documents = withAdditions(cutter.cut(doc), cutter.presets);
  const [manifest, ...overlays] = documents.map((document) => cutter.mixed(document));
  const presets = { version: doc['version'] ?? 1, presets: cutter.presets };
  const files = shuffled([fileOf('main.json', manifest ?? {}), fileOf('presets.json', cutter.mixed(presets))], chance);
  return { files, overlays: overlays.map((overlay, at) => fileOf(`overlay${at}.json`, overlay)) };
}

function fileOf(name: string, document: Json): LoadFiles {
  return { name, text: JSON.stringify(document, undefined, 1) };
}

/** What an overlay has and nothing below it stands under `add`; and one of them says which stack it is. */
function withAdditions(documents: readonly JsonObject[], presets: JsonObject): JsonObject[] {
  const laid = documents.map((document, at) => {
    if (at === 0) return document;
    const add: Block = {};
    const changes: Block = {};
    for (const [key, section] of Object.entries(document)) {
      const kind = kindByManifestKey(key);
      if (!isObject(section) || (kind === undefined && !SECTIONS_OF_NAMES.includes(key))) changes[key] = section;
      else
        for (const [name, block] of Object.entries(section)) {
          const all = documents.map((other) => memberOf(memberOf(other, key), name));
          const below = all.slice(0, at).filter((one) => one !== undefined);
          if (below.length === 0) put(add, key, name, block);
          else if (kind === undefined || !isObject(block)) put(changes, key, name, block);
          else {
            const parts = splitChildren(kind, block, [...below, ...presetsNamed(all, presets)]);
            put(changes, key, name, parts.changed);
            if (Object.keys(parts.added).length > 0) put(add, key, name, parts.added);
          }
        }
    }
    return Object.keys(add).length === 0 ? changes : { ...changes, add };
  });
  const [first, ...overlays] = laid;
  const last = overlays.at(-1);
  const isNamed = last === undefined || overlays.some((one) => one['stack'] !== undefined);
  return isNamed ? laid : [first!, ...overlays.slice(0, -1), { ...last, stack: first?.['stack'] ?? null }];
}

function memberOf(json: Json | undefined, name: string): Json | undefined {
  return json !== undefined && isObject(json) && Object.hasOwn(json, name) ? json[name] : undefined;
}

/** The presets that lie under a block. */
function presetsNamed(layers: readonly (Json | undefined)[], presets: JsonObject): Json[] {
  const named = layers.map((layer) => memberOf(layer, 'preset')).findLast((names) => names !== undefined) ?? [];
  return [named].flat().flatMap((name) => memberOf(presets, String(name)) ?? []);
}

/** The part of a block that changes what is below, and the children that are new. */
function splitChildren(kind: Kind, block: JsonObject, below: readonly Json[]) {
  const changed: Block = { ...block };
  const added: Block = {};
  for (const { manifestKey: key } of childKinds(kind)) {
    const section = block[key];
    if (section === undefined || !isObject(section)) continue;
    delete changed[key];
    for (const [name, inner] of Object.entries(section)) {
      const isThere = below.some((layer) => memberOf(memberOf(layer, key), name) !== undefined);
      put(isThere ? changed : added, key, name, inner);
    }
    if (Object.keys(section).length === 0) changed[key] = section;
  }
  return { changed, added };
}

/** One layer of a block: written in a file, or a part of a preset, which has no presets of its own. */
type LayerType = 'written' | 'preset';

interface BlockLayer {
  /** Which of the given layers it is; undefined for a preset of this block. */
  readonly at: number | undefined;
  readonly type: LayerType;
}

/** A key that no field has. */
const DROPPED = 'dropped_key';

class Cutter {
  readonly #chance: Chance;
  readonly presets: Record<string, Json> = {};
  readonly #byText = new Map<string, string>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** The document of the manifest, and those of its overlays. */
  cut(doc: Block): JsonObject[] {
    const documents = Array.from({ length: 1 + this.#chance(3) }, (): Block => ({}));
    const types = documents.map((): LayerType => 'written');
    for (const [key, section] of Object.entries(doc)) {
      const kind = kindByManifestKey(key);
      // What is taken from another stack goes to the stack that the manifest names, and to no other.
      if (key === 'stack' && takesFromStacks(doc)) documents[0]![key] = section;
      else if (isListByFrom(key, section)) this.#spreadEntries(section, documents, key);
      else if (kind === undefined || !isObject(section)) this.#spread(section, documents, key);
      else if (Object.keys(section).length === 0) documents[0]![key] = section;
      else
        for (const [name, block] of Object.entries(section)) {
          const parts = this.#block(kind, block as JsonObject, types);
          for (const [at, part] of parts.entries()) if (part !== undefined) put(documents[at]!, key, name, part);
        }
    }
    return documents;
  }

  /** Keys of every object in another order; lists stay. */
  mixed(value: Json): Json {
    if (!isObject(value)) return Array.isArray(value) ? value.map((item: Json) => this.mixed(item)) : value;
    const entries = shuffled(Object.entries(value), this.#chance);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.mixed(item)]));
  }

  /** The parts of a block, one for each layer. */
  #block(kind: Kind, block: JsonObject, outer: readonly LayerType[]): (Block | undefined)[] {
    // Presets lie below all that is written.
    const bottom = outer.indexOf('written');
    const layers = outer.flatMap((type, at): BlockLayer[] => [
      ...Array.from({ length: at === bottom ? this.#chance(4) : 0 }, () => ({
        at: undefined,
        type: 'preset' as const,
      })),
      { at, type },
    ]);
    const parts = layers.map((): Block => ({}));
    const children = new Map(childKinds(kind).map((child) => [child.manifestKey, child]));
    for (const [key, value] of Object.entries(block)) {
      const child = children.get(key);
      if (child === undefined || !isObject(value) || Object.keys(value).length === 0) this.#spread(value, parts, key);
      else
        for (const [name, inner] of Object.entries(value)) {
          const types = layers.map(({ type }) => type);
          for (const [at, part] of this.#block(child, inner as JsonObject, types).entries())
            if (part !== undefined) put(parts[at]!, key, name, part);
        }
    }
    this.#addDropped(parts, layers);
    this.#namePresets(parts, layers);
    const joined = outer.map((_, at): Block | undefined => {
      const part = parts[layers.findIndex((layer) => layer.at === at)] ?? {};
      return Object.keys(part).length === 0 ? undefined : part;
    });
    if (!joined.some((part) => part !== undefined)) joined[this.#chance(joined.length)] = {};
    return joined;
  }

  /** A value over the layers: as a whole, over others that it replaces, or, for a map, by its members. */
  #spread(value: Json, parts: readonly Block[], key: string): void {
    const isSplit = isObject(value) && Object.keys(value).length > 0 && this.#chance(3) > 0;
    if (isSplit) {
      const inner = parts.map((): Block => ({}));
      for (const [name, item] of Object.entries(value)) this.#spread(item, inner, name);
      for (const [at, part] of inner.entries()) if (Object.keys(part).length > 0) parts[at]![key] = part;
      return;
    }
    const at = this.#chance(parts.length);
    parts[at]![key] = value;
    const replaced = [5, 'replaced', ['replaced'], { replaced: 1 }].slice(0, isObject(value) ? 3 : 4);
    if (at > 0 && this.#chance(4) === 0) parts[this.#chance(at)]![key] = replaced[this.#chance(replaced.length)]!;
  }

  /** The entries of a list over the documents; each may replace one with the same `from` in a document below. */
  #spreadEntries(list: readonly Json[], documents: readonly Block[], key: string): void {
    for (const entry of list) {
      const at = this.#chance(documents.length);
      addTo(documents[at]!, key, entry);
      const from = isObject(entry) ? (entry['from'] ?? null) : null;
      if (at > 0 && this.#chance(2) === 0) addTo(documents[this.#chance(at)]!, key, { from, replaced: true });
    }
  }

  /** A member of a lower layer that a written one drops. */
  #addDropped(parts: readonly Block[], layers: readonly BlockLayer[]): void {
    const dropping = layers.findLastIndex(({ type }) => type === 'written');
    const part = parts[dropping];
    if (dropping <= 0 || part === undefined || this.#chance(3) > 0) return;
    const below = parts[this.#chance(dropping)]!;
    const maps: [string, Json | undefined][] = Object.entries(below).filter(([, value]) => isObject(value));
    const [key, map] = maps[this.#chance(maps.length)] ?? ['', undefined];
    const isNested = isObject(map ?? null) && isPlainMap(parts, key) && this.#chance(2) === 0;
    if (isNested) below[key] = { ...(map as JsonObject), [DROPPED]: ['x'] };
    else below[DROPPED] = { a: 1 };
    part['without'] = [isNested ? `${key}.${DROPPED}` : DROPPED];
  }

  /** Any written layer may name the presets; what one below it names is replaced. */
  #namePresets(parts: readonly Block[], layers: readonly BlockLayer[]): void {
    const names = parts
      .filter((_, index) => layers[index]!.at === undefined)
      .map((preset) => this.#presetNamed(preset));
    if (names.length === 0) return;
    const written = parts.filter((_, index) => layers[index]!.type === 'written');
    const naming = this.#chance(written.length);
    written[naming]!['preset'] = names.length === 1 && this.#chance(2) === 0 ? names[0]! : names;
    if (naming > 0 && this.#chance(3) === 0) written[this.#chance(naming)]!['preset'] = ['replaced', names[0]!];
  }

  /** Equal presets are one. */
  #presetNamed(preset: Block): string {
    const text = JSON.stringify(preset);
    const name = this.#byText.get(text) ?? `p${this.#byText.size}`;
    this.#byText.set(text, name);
    this.presets[name] = preset;
    return name;
  }
}

function takesFromStacks({ moved }: Block): boolean {
  return Array.isArray(moved) && moved.some((entry: Json) => isObject(memberOf(entry, 'from') ?? null));
}

/** True for a map in every layer that has it, so that what is dropped in it is there. */
function isPlainMap(parts: readonly Block[], key: string): boolean {
  return parts.every((part) => part[key] === undefined || isObject(part[key]));
}

function addTo(holder: Block, key: string, entry: Json): void {
  const list = holder[key];
  holder[key] = [...(Array.isArray(list) ? (list as Json[]) : []), entry];
}

function put(holder: Block, key: string, name: string, part: Json): void {
  const section = holder[key];
  holder[key] = { ...(isObject(section) ? section : {}), [name]: part };
}
