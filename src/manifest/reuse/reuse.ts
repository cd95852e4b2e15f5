// Presets and overlays → plain files. This is the one stage between the texts of a manifest and everything that judges them:
// schema, rules, policies, plans and digests see documents in which neither is left (record 0055).
//
// Layers of a block, from the bottom to the top:
//
//   the presets of the manifest's block, in their order
//   the manifest's block
//   the presets of the first overlay's block, and that block; then the next overlay
//
// A block's `without` drops paths from everything below the block. A problem names the place where a value stands, and how it came
// to where it is used.
//
// Where a file uses neither, it is the plain file, at no cost.

import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { kindByManifestKey } from '../../catalog/lookup.ts';
import type { Kind } from '../../catalog/kind.ts';
import { PRESETS, WITHOUT } from '../../catalog/reuse-keys.ts';
import { buildSourceMap } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import { complain, cutsOf, expandBlock, usesReuse, type PlainBlock, type Reuse } from './block.ts';
import { mergeLayers, type Cut, type Layer } from './layers.ts';
import { plainFile } from './plain-file.ts';
import { Presets } from './presets.ts';

/** The files of a manifest, and what is laid over them, in this order. */
interface ReuseInput {
  readonly files: readonly ParsedFile[];
  readonly overlays: readonly ParsedFile[];
}

interface PlainManifest {
  readonly files: readonly ParsedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The plain files of a manifest. */
export function plainManifest(input: ReuseInput): PlainManifest {
  const { files, overlays } = input;
  if (overlays.length === 0 && !files.some(hasReuse)) return { files, diagnostics: [] };
  const reuse: Reuse = {
    presets: new Presets(files, overlays),
    diagnostics: [],
    drops: [],
    spent: { uses: 0, characters: 0 },
  };
  const laid = overlays.map((file) => overlayOf(file, reuse));
  const plain = files.map((file) => plainOf(file, laid, reuse));
  const added = addedBy(laid, files, reuse);
  return {
    files: added === undefined ? plain : [...plain, added],
    diagnostics: [
      ...overlays.flatMap((file) => file.diagnostics),
      ...reuse.presets.diagnostics,
      ...reuse.diagnostics,
      ...dropsNothing(reuse),
      ...unused(reuse),
    ],
  };
}

function hasReuse({ json }: ParsedFile): boolean {
  if (!isObject(json)) return false;
  if (Object.hasOwn(json, PRESETS) || Object.hasOwn(json, WITHOUT)) return true;
  return Object.entries(json).some(([key, section]) => {
    const kind = kindByManifestKey(key);
    return kind !== undefined && isObject(section) && Object.values(section).some((block) => usesReuse(kind, block));
  });
}

/** A file that is laid over the manifest. */
interface Overlay {
  readonly file: ParsedFile;
  /** Without `presets` and `without`. */
  readonly json: JsonObject;
  /** What its top level drops, by paths from the top of the manifest. */
  readonly cuts: readonly Cut[];
}

function overlayOf(file: ParsedFile, reuse: Reuse): Overlay {
  if (!isObject(file.json) && !file.unknownValues.has([]))
    complain(reuse, { file, path: [] }, 'wrong-type', NOT_AN_OVERLAY);
  const { [PRESETS]: _, [WITHOUT]: without, ...json } = isObject(file.json) ? file.json : {};
  return { file, json, cuts: without === undefined ? [] : cutsOf(without, { file, path: [] }, reuse) };
}

const NOT_AN_OVERLAY = {
  message: 'the overlay must be an object',
  expected: 'sections as in a manifest: variables, kinds, outputs, presets, without',
  fix: 'write the parts of the manifest that differ',
};

/** A file of the manifest with what the overlays lay over its entries. */
function plainOf(file: ParsedFile, overlays: readonly Overlay[], reuse: Reuse): ParsedFile {
  if (!isObject(file.json)) return file;
  const { [PRESETS]: _, [WITHOUT]: misplaced, ...json } = file.json;
  if (misplaced !== undefined) complain(reuse, { file, path: [WITHOUT] }, 'bad-without', ONLY_IN_OVERLAYS);
  const rest: Record<string, Json> = {};
  const entries = new Map<string, Map<string, PlainBlock>>();
  for (const [section, value] of Object.entries(json)) {
    if (mapsOver(section, overlays).isReplaced) continue;
    if (!isObject(value)) {
      // A list or a single value is replaced.
      if (!overlays.some((overlay) => replacesSection(overlay, section))) rest[section] = value;
      continue;
    }
    const members: Record<string, Json> = {};
    const blocks = new Map<string, PlainBlock>();
    for (const [name, entry] of Object.entries(value)) {
      const plain = plainEntry({ file, section, name, entry }, overlays, reuse);
      if (plain === undefined) members[name] = entry;
      else blocks.set(name, plain);
    }
    if (blocks.size > 0) entries.set(section, blocks);
    rest[section] = members;
  }
  return plainFile({ file, rest, entries });
}

const ONLY_IN_OVERLAYS = {
  message: 'without stands at the top of an overlay, or in a block',
  fix: 'move it into the block that drops something, or into an overlay',
};

function replacesSection({ json, cuts }: Overlay, section: string): boolean {
  const isDropped = cuts.some(({ path, entry }) => {
    const isAll = path.length === 1 && path[0] === section;
    if (isAll) entry.hasDropped = true;
    return isAll;
  });
  return isDropped || Object.hasOwn(json, section);
}

/** What overlays have to say of a section. */
interface SectionOverlays {
  /** True where one has a list or a single value, which replaces all below it. */
  readonly isReplaced: boolean;
  /** Those above it. */
  readonly overlays: readonly Overlay[];
}

function mapsOver(section: string, overlays: readonly Overlay[]): SectionOverlays {
  const replacing = overlays.findLastIndex(({ json }) => {
    const value = json[section];
    return value !== undefined && !isObject(value);
  });
  return { isReplaced: replacing >= 0, overlays: overlays.slice(replacing + 1) };
}

interface WrittenEntry {
  readonly file: ParsedFile;
  readonly section: string;
  readonly name: string;
  readonly entry: Json;
}

/** The entry of layers; undefined where it is as it is written. */
function plainEntry(written: WrittenEntry, overlays: readonly Overlay[], reuse: Reuse): PlainBlock | undefined {
  const { file, section, name, entry } = written;
  const kind = kindByManifestKey(section);
  const path = [section, name];
  const above = overlays.flatMap((overlay) => overlayLayer(overlay, path, () => rangeOfKey(file, path)));
  if (above.length === 0 && (kind === undefined || !usesReuse(kind, entry))) return undefined;
  const own: Layer = { json: entry, file, path, cuts: [], use: undefined };
  return layered(kind, [own, ...above], reuse);
}

function layered(kind: Kind | undefined, layers: readonly Layer[], reuse: Reuse): PlainBlock {
  if (kind !== undefined) return expandBlock(kind, layers, reuse);
  return { json: mergeLayers(layers), layers, children: new Map(), isOpen: false };
}

/** What an overlay has to say of an entry. */
function overlayLayer({ file, json, cuts }: Overlay, path: Path, range: () => SourceRange): Layer[] {
  const [section = '', name = ''] = path;
  const entries = json[section];
  const entry = isObject(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
  const own = cuts.flatMap((cut): Cut[] => {
    const [first, second, ...rest] = cut.path;
    if (first !== section || (second !== undefined && second !== name)) return [];
    return [{ ...cut, path: rest }];
  });
  if (entry === undefined && own.length === 0) return [];
  return [{ json: entry, file, path, cuts: own, use: { kind: 'overlay', name: file.name, range } }];
}

function rangeOfKey(file: ParsedFile, path: Path): SourceRange {
  return buildSourceMap([file]).key(path);
}

/** What overlays add that no file of the manifest has, as one more file; undefined if they add nothing. */
function addedBy(overlays: readonly Overlay[], files: readonly ParsedFile[], reuse: Reuse): ParsedFile | undefined {
  const [first] = overlays;
  if (first === undefined) return undefined;
  const top = topOf(first, overlays, files[0]?.name ?? first.file.name);
  const rest: Record<string, Json> = {};
  const entries = new Map<string, Map<string, PlainBlock>>();
  for (const section of new Set(overlays.flatMap(({ json }) => Object.keys(json)))) {
    const last = overlays.findLast(({ json }) => Object.hasOwn(json, section));
    const value = last?.json[section];
    if (value === undefined) continue;
    if (!isObject(value)) {
      rest[section] = value;
      continue;
    }
    const shown = mapsOver(section, overlays);
    const below = shown.isReplaced ? [] : files;
    // Also one without entries is judged by its name.
    if (!below.some(({ json }) => isObject(json) && Object.hasOwn(json, section))) rest[section] = {};
    const added = addedTo(section, shown.overlays, below, reuse);
    if (added.length > 0) entries.set(section, new Map(added));
  }
  return plainFile({ file: top, rest, entries });
}

/** The entries of a section that no file below has. */
function addedTo(
  section: string,
  overlays: readonly Overlay[],
  below: readonly ParsedFile[],
  reuse: Reuse,
): readonly (readonly [string, PlainBlock])[] {
  const names = namesIn(overlays, section).filter((name) => !below.some((file) => hasEntry(file, section, name)));
  return names.map((name) => {
    const path = [section, name];
    const layers = overlays.flatMap((overlay) => overlayLayer(overlay, path, () => rangeOfKey(overlay.file, path)));
    return [name, layered(kindByManifestKey(section), layers, reuse)] as const;
  });
}

/** All overlays as one file: of lists and single values, the last one counts. */
function topOf(first: Overlay, overlays: readonly Overlay[], name: string): ParsedFile {
  const fileOf = ([section = '']: Path) =>
    (overlays.findLast(({ json }) => Object.hasOwn(json, section)) ?? first).file;
  const unknownValues = new UnknownValues(() => false);
  for (const { file } of overlays) unknownValues.takeOver(file.unknownValues, (path) => ({ path, isThere: false }));
  return {
    name,
    json: {},
    valueRange: (path) => fileOf(path).valueRange(path),
    keyRange: (path) => fileOf(path).keyRange(path),
    numberText: (path) => fileOf(path).numberText(path),
    unknownValues,
    diagnostics: [],
  };
}

function namesIn(overlays: readonly Overlay[], section: string): readonly string[] {
  const names = overlays.flatMap(({ json }) => {
    const entries = json[section];
    return isObject(entries) ? Object.keys(entries) : [];
  });
  return [...new Set(names)];
}

function hasEntry({ json }: ParsedFile, section: string, name: string): boolean {
  const entries = isObject(json) ? json[section] : undefined;
  return isObject(entries) && Object.hasOwn(entries, name);
}

/** A preset whose name is misspelled where it is used is not unused. */
function unused({ diagnostics, presets }: Reuse): Diagnostic[] {
  return diagnostics.some(({ code }) => code === 'unknown-preset') ? [] : presets.unused();
}

/** An entry of `without` that drops nothing is a mistake: what it names is misspelled, or is gone already. */
function dropsNothing({ drops }: Reuse): Diagnostic[] {
  return drops
    .filter(({ hasDropped }) => !hasDropped)
    .map(({ file, path, text }) =>
      buildSourceMap([file]).error('bad-without', path, {
        message: `${JSON.stringify(text)} drops nothing`,
        fix: 'name a path that a preset, or the manifest below an overlay, has; or remove it',
      }),
    );
}
