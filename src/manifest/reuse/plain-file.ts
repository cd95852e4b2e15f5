// A file of the manifest as it is without presets and overlays: plain JSON, and for every value the place where it stands.

import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import type { PlainBlock } from './block.ts';
import type { Use } from '../use.ts';
import { placeInside, plainJson } from './layers.ts';
import type { ListEntry } from './overlays.ts';
import type { ValueInFile } from './judging.ts';

/** A plain document: what it has of its file as it is, and what other files have a say in. */
export interface PlainDocument {
  /** Names the file in problems of files, and is where `${file:}` begins. */
  readonly file: ParsedFile;
  /** Without the entries that are made of layers, and the lists. */
  readonly rest: JsonObject;
  /** The entries of sections that are made of layers, by section and name. */
  readonly blocks: ReadonlyMap<string, ReadonlyMap<string, PlainBlock>>;
  /** Lists with entries of several files, by section. */
  readonly lists: ReadonlyMap<string, readonly ListEntry[]>;
}

export function plainFile(document: PlainDocument): ParsedFile {
  const { file } = document;
  const json = jsonOf(document);
  const found = (path: Path) => {
    const [section] = path;
    // An overlay has replaced what the file has there.
    return section === undefined || Object.hasOwn(json, section) ? locate(document, path) : undefined;
  };
  const rangeOf = (range: 'valueRange' | 'keyRange') => (path: Path) => {
    const place = found(path);
    return place && place.file[range](place.path);
  };
  return {
    name: file.name,
    json,
    valueRange: rangeOf('valueRange'),
    keyRange: rangeOf('keyRange'),
    numberText: (path) => {
      const place = found(path);
      return place?.file.numberText(place.path);
    },
    usesAt: (path) => found(path)?.uses ?? [],
    unknownValues: unknownIn(document, json),
    diagnostics: file.diagnostics,
  };
}

function jsonOf({ file, rest, blocks, lists }: PlainDocument): JsonObject {
  const document: Record<string, Json> = { ...rest };
  for (const [section, entries] of lists) document[section] = entries.map(({ json }) => json);
  for (const [section, named] of blocks) {
    const before = document[section];
    const members = new Map(isObject(before) ? Object.entries(before) : []);
    for (const [name, { placed }] of named) if (placed !== undefined) members.set(name, plainJson(placed));
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

/** Where a value of a plain document stands, and what brought it there. */
interface FoundPlace extends ValueInFile {
  readonly uses: readonly Use[];
}

/** The place of a value; undefined for one that is nowhere, such as a field that is missing. */
function locate({ file, blocks, lists }: PlainDocument, path: Path): FoundPlace | undefined {
  const [section = '', name = '', ...rest] = path;
  const block = path.length < 2 ? undefined : blocks.get(section)?.get(name);
  if (block !== undefined) return placeInBlock(block, rest);
  const list = path.length < 2 ? undefined : lists.get(section);
  if (list === undefined) return { file, path, uses: [] };
  const entry = list[Number(name)];
  return entry && { file: entry.file, path: [...entry.path, ...rest], uses: usesOf(entry.use) };
}

function placeInBlock({ placed, layers }: PlainBlock, below: Path): FoundPlace | undefined {
  const place = placed && placeInside(placed, below);
  if (place !== undefined) return { file: place.layer.file, path: place.path, uses: usesOf(place.layer.use) };
  // A problem of a whole block that was dropped is told where it was written.
  const written = below.length > 0 ? undefined : layers.findLast(({ json }) => json !== undefined);
  return written && { file: written.file, path: written.path, uses: usesOf(written.use) };
}

function usesOf(use: Use | undefined): readonly Use[] {
  return use === undefined ? [] : [use];
}

/** What is unknown of the file and of all layers, at the places where it is used. */
function unknownIn(document: PlainDocument, json: Json): UnknownValues {
  const { file, blocks, lists } = document;
  const unknown = new UnknownValues((path) => valueAt(json, path) !== undefined);
  unknown.takeOver(file.unknownValues, (path) => {
    const [section = '', name = ''] = path;
    const isElsewhere = path.length >= 2 && (lists.has(section) || blocks.get(section)?.has(name) === true);
    return isElsewhere ? undefined : { path, isThere: false };
  });
  for (const [section, named] of blocks)
    for (const [name, block] of named) takeOverBlock(unknown, block, [section, name]);
  for (const [section, entries] of lists)
    for (const [index, entry] of entries.entries()) takeOverValue(unknown, entry, [section, String(index)]);
  return unknown;
}

function takeOverBlock(unknown: UnknownValues, block: PlainBlock, at: Path): void {
  if (block.isOpen) unknown.addOpen(at);
  for (const layer of block.layers) takeOverValue(unknown, layer, at);
  for (const { path, block: child } of block.children) takeOverBlock(unknown, child, [...at, ...path]);
}

function takeOverValue(unknown: UnknownValues, { file, path: place }: ValueInFile, at: Path): void {
  if (file.unknownValues.isEmpty()) return;
  unknown.takeOver(file.unknownValues, (path) =>
    isPrefix(place, path) ? { path: [...at, ...path.slice(place.length)], isThere: false } : undefined,
  );
}

function isPrefix(start: Path, path: Path): boolean {
  return start.length <= path.length && start.every((segment, at) => segment === path[at]);
}
