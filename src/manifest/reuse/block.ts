// One block of a manifest with what lies below it: its presets, and in an overlay the block of the manifest.

import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import type { Diagnostic, ProblemText, SourceRange } from '../../core/diagnostic.ts';
import type { Code } from '../../core/codes.ts';
import type { Kind } from '../../catalog/kind.ts';
import { PRESET, WITHOUT } from '../../catalog/reuse-keys.ts';
import { childKinds } from '../../catalog/lookup.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import { keysOf, layersOf, mergeLayers, visible, type Cut, type DroppedBy, type Layer } from './layers.ts';
import type { Presets } from './presets.ts';
import { MAX_EXPANDED, MAX_USES } from './limits.ts';

/** A block without `preset` and `without`, and where its values come from. */
export interface PlainBlock {
  /** Undefined if it was dropped. */
  readonly json: Json | undefined;
  readonly layers: readonly Layer[];
  /** Blocks inside it, by manifest key and name. */
  readonly children: ReadonlyMap<string, ReadonlyMap<string, PlainBlock>>;
  /** True when a preset of it is not known, so that it may have any field. */
  readonly isOpen: boolean;
}

/** A value of a file. */
type PlaceInFile = Pick<Layer, 'file' | 'path'>;

/** What the blocks of a stack share. */
export interface Reuse {
  readonly presets: Presets;
  readonly diagnostics: Diagnostic[];
  /** Every entry of `without`. */
  readonly drops: DroppedBy[];
  /** Uses of presets so far, and the characters that they brought. */
  spent: { uses: number; characters: number };
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
  const opened = { isOpen: false };
  const layers = visible(written.flatMap((layer) => withPresets(layer, opened, reuse)));
  const childKeys = new Map(childKinds(kind).map((child) => [child.manifestKey, child]));
  const own = layers.map((layer) => ({
    ...layer,
    json: withoutKeys(layer.json, [...childKeys.keys()]),
    // What is dropped below a child is dropped there.
    cuts: layer.cuts.filter(({ path: [first = '', ...rest] }) => !childKeys.has(first) || rest.length === 0),
  }));
  const merged = mergeLayers(own);
  const children = new Map<string, Map<string, PlainBlock>>();
  const sections: Record<string, Json> = {};
  for (const [key, child] of childKeys) {
    const section = visible(layersOf(layers, key));
    if (section.every(({ json }) => json === undefined)) continue;
    const top = section.findLast(({ json }) => json !== undefined);
    if (!isObject(top?.json)) {
      // Its form is judged as it is.
      if (top?.json !== undefined) sections[key] = top.json;
      continue;
    }
    const blocks = expandSection(child, section, reuse);
    children.set(key, blocks);
    sections[key] = jsonOf(blocks);
  }
  const json = isObject(merged) ? { ...merged, ...sections } : merged;
  return { json, layers, children, isOpen: opened.isOpen };
}

function expandSection(kind: Kind, section: readonly Layer[], reuse: Reuse): Map<string, PlainBlock> {
  const names = keysOf(section);
  return new Map(names.map((name) => [name, expandBlock(kind, layersOf(section, name), reuse)]));
}

function jsonOf(blocks: ReadonlyMap<string, PlainBlock>): JsonObject {
  return Object.fromEntries(
    [...blocks].flatMap(([name, { json }]): [string, Json][] => (json === undefined ? [] : [[name, json]])),
  );
}

function withoutKeys(json: Json | undefined, keys: readonly string[]): Json | undefined {
  if (!isObject(json) || !keys.some((key) => Object.hasOwn(json, key))) return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key)));
}

/** A written layer on top of its presets; presets bring layers that are finished. */
function withPresets(layer: Layer, opened: { isOpen: boolean }, reuse: Reuse): Layer[] {
  const { json } = layer;
  if (!isObject(json) || layer.use?.kind === 'preset') return [layer];
  const { [PRESET]: preset, [WITHOUT]: without, ...own } = json;
  if (preset === undefined && without === undefined) return [layer];
  const below = preset === undefined ? [] : presetLayers(preset, layer, opened, reuse);
  const cuts = without === undefined ? [] : cutsOf(without, layer, reuse);
  return [...below, { ...layer, json: own, cuts: [...layer.cuts, ...cuts] }];
}

function presetLayers(given: Json, layer: Layer, opened: { isOpen: boolean }, reuse: Reuse): Layer[] {
  const names = isList(given) ? given : [given];
  return names.flatMap((name, index): readonly Layer[] => {
    const path = [...layer.path, PRESET, ...(isList(given) ? [String(index)] : [])];
    if (layer.file.unknownValues.has(path)) {
      opened.isOpen = true;
      return [];
    }
    if (typeof name !== 'string') {
      complain(reuse, { file: layer.file, path }, 'wrong-type', NOT_A_NAME);
      opened.isOpen = true;
      return [];
    }
    const used = reuse.presets.use(name, { kind: 'preset', name, range: () => rangeOf(layer.file, path) });
    if (used !== undefined && spend(reuse, used.size, { file: layer.file, path })) return used.layers;
    opened.isOpen = true;
    if (used === undefined && !reuse.presets.mayHave(name))
      complain(reuse, { file: layer.file, path }, 'unknown-preset', {
        message: `there is no preset ${JSON.stringify(name)}`,
        fix: reuse.presets.fixFor(name),
      });
    return [];
  });
}

const NOT_A_NAME: ProblemText = {
  message: 'preset is neither a name nor a list of names',
  expected: 'the name of a preset, or a list of names',
  fix: 'write preset: NAME',
};

/** False once the presets of a stack are used too often, or bring too much. */
function spend(reuse: Reuse, size: number, at: { readonly file: ParsedFile; readonly path: Path }): boolean {
  const { spent } = reuse;
  const hadRoom = spent.uses <= MAX_USES && spent.characters <= MAX_EXPANDED;
  spent.uses += 1;
  spent.characters += size;
  const hasRoom = spent.uses <= MAX_USES && spent.characters <= MAX_EXPANDED;
  if (hadRoom && !hasRoom)
    complain(reuse, at, 'too-many-uses', {
      message: `the presets of this stack are used more than ${MAX_USES} times, or bring more than 16 MiB`,
      fix: 'split the stack, or make smaller presets',
    });
  return hasRoom;
}

/** What a block drops from the layers below it. */
export function cutsOf(given: Json, { file, path: place }: Pick<Layer, 'file' | 'path'>, reuse: Reuse): Cut[] {
  const path = [...place, WITHOUT];
  if (file.unknownValues.has(path)) return [];
  if (!isList(given)) {
    complain(reuse, { file, path }, 'wrong-type', { ...NOT_PATHS, message: 'without is not a list of paths' });
    return [];
  }
  return given.flatMap((text, index): Cut[] => {
    const at = [...path, String(index)];
    if (file.unknownValues.has(at)) return [];
    if (typeof text !== 'string' || text === '') {
      complain(reuse, { file, path: at }, 'wrong-type', { ...NOT_PATHS, message: 'this is not a path' });
      return [];
    }
    const entry: DroppedBy = { file, path: at, text, hasDropped: false };
    reuse.drops.push(entry);
    return [{ path: text.split('.'), entry }];
  });
}

const NOT_PATHS = { expected: 'a list of paths, such as [oauth.provider.github.teams]', fix: 'write without: [PATH]' };

export function complain(reuse: Reuse, { file, path }: PlaceInFile, code: Code, words: ProblemText): void {
  reuse.diagnostics.push(buildSourceMap([file]).error(code, path, words));
}

function rangeOf(file: ParsedFile, path: Path): SourceRange {
  return buildSourceMap([file]).value(path);
}
