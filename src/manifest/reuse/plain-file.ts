// A file of the manifest as it is without presets and overlays: plain JSON, and for every value the place where it stands.

import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import type { PlainBlock } from './block.ts';
import type { Use } from '../use.ts';
import { isPrefix, layerAt, type Layer } from './layers.ts';

/** The entries of a document that are made of layers, by section and name. */
type PlainEntries = ReadonlyMap<string, ReadonlyMap<string, PlainBlock>>;

/** A plain document: what it has of its file as it is, and the entries that are made of layers. */
interface PlainDocument {
  /** Names the file in problems of files, and is where `${file:}` begins. */
  readonly file: ParsedFile;
  /** Without the entries that are made of layers. */
  readonly rest: JsonObject;
  readonly entries: PlainEntries;
}

export function plainFile(document: PlainDocument): ParsedFile {
  const { file, entries } = document;
  const json = jsonOf(document);
  const found = (path: Path) => {
    const [section] = path;
    // An overlay has replaced what the file has there.
    return section === undefined || Object.hasOwn(json, section) ? locate(entries, path) : undefined;
  };
  const rangeOf = (range: 'valueRange' | 'keyRange') => (path: Path) => {
    const place = found(path);
    return place === 'as it is' ? file[range](path) : place && place.file[range](place.path);
  };
  return {
    name: file.name,
    json,
    valueRange: rangeOf('valueRange'),
    keyRange: rangeOf('keyRange'),
    numberText: (path) => {
      const place = found(path);
      return place === 'as it is' ? file.numberText(path) : place?.file.numberText(place.path);
    },
    usesAt: (path) => {
      const place = found(path);
      return place === 'as it is' || place?.use === undefined ? [] : [place.use];
    },
    unknownValues: unknownIn(document, json),
    diagnostics: file.diagnostics,
  };
}

function jsonOf({ file, rest, entries }: PlainDocument): JsonObject {
  const document: Record<string, Json> = { ...rest };
  for (const [section, blocks] of entries) {
    const before = document[section];
    const members = new Map(isObject(before) ? Object.entries(before) : []);
    for (const [name, { json }] of blocks) if (json !== undefined) members.set(name, json);
    document[section] = Object.fromEntries(inOrderOf(file, section, members));
  }
  return document;
}

/** The members of a section in the order in which the file has them; others come last. */
function inOrderOf(file: ParsedFile, section: string, members: ReadonlyMap<string, Json>): [string, Json][] {
  const written = isObject(file.json) ? file.json[section] : undefined;
  const names = new Set([...(isObject(written) ? Object.keys(written) : []), ...members.keys()]);
  return [...names].flatMap((name): [string, Json][] => {
    const json = members.get(name);
    return json === undefined ? [] : [[name, json]];
  });
}

/** Where a value of a plain document stands. */
interface FoundPlace {
  readonly file: ParsedFile;
  readonly path: Path;
  readonly use: Use | undefined;
}

/** The place of a value; undefined for one that is nowhere, such as a field that is missing. */
function locate(entries: PlainEntries, path: Path): FoundPlace | 'as it is' | undefined {
  const [section = '', name = '', ...rest] = path;
  const block = path.length < 2 ? undefined : entries.get(section)?.get(name);
  if (block === undefined) return 'as it is';
  const { layers, below } = innermost(block, rest);
  const layer = layerAt(layers, below) ?? (below.length === 0 ? blockLayer(layers) : undefined);
  return layer && { file: layer.file, path: [...layer.path, ...below], use: useOf(layer, layers) };
}

/** An overlay lies over the innermost block of the manifest that has the value; what it adds is laid over nothing. */
function useOf({ use }: Layer, layers: readonly Layer[]): Use | undefined {
  const written = layers.find((layer) => layer.use === undefined && layer.json !== undefined);
  if (use?.kind !== 'overlay') return use;
  if (written === undefined) return undefined;
  const { file, path } = written;
  return { ...use, range: () => file.keyRange(path) ?? use.range() };
}

/** The block of a child, if the path leads into one, and the path below it. */
function innermost(block: PlainBlock, path: Path): { readonly layers: readonly Layer[]; readonly below: Path } {
  const [key = '', name = '', ...rest] = path;
  const child = path.length < 2 ? undefined : block.children.get(key)?.get(name);
  return child === undefined ? { layers: block.layers, below: path } : innermost(child, rest);
}

/** The layer that is a block of its own, for problems about the whole block. */
function blockLayer(layers: readonly Layer[]): Layer | undefined {
  return layers.findLast(({ json }) => json !== undefined);
}

/** What is unknown of the file and of all layers, at the places where it is used. */
function unknownIn({ file, entries }: PlainDocument, json: Json): UnknownValues {
  const unknown = new UnknownValues((path) => valueAt(json, path) !== undefined);
  unknown.takeOver(file.unknownValues, (path) => {
    const [section = '', name = ''] = path;
    const isLayered = path.length >= 2 && entries.get(section)?.has(name) === true;
    return isLayered ? undefined : { path, isThere: false };
  });
  for (const [section, blocks] of entries)
    for (const [name, block] of blocks) takeOverBlock(unknown, block, [section, name]);
  return unknown;
}

function takeOverBlock(unknown: UnknownValues, block: PlainBlock, at: Path): void {
  if (block.isOpen) unknown.addOpen(at);
  for (const { file, path: place } of block.layers) {
    if (file.unknownValues.isEmpty()) continue;
    unknown.takeOver(file.unknownValues, (path) =>
      isPrefix(place, path) ? { path: [...at, ...path.slice(place.length)], isThere: false } : undefined,
    );
  }
  for (const [key, children] of block.children)
    for (const [name, child] of children)
      if (child.isOpen) unknown.addOpen([...at, key, name]);
      else takeOverBlock(unknown, child, [...at, key, name]);
}
