// Presets and overlays → plain files. This is the one stage between the texts of a manifest and everything that judges them:
// schema, rules, policies, plans and digests see documents in which neither is left (record 0055).
//
// Layers of a block, from the bottom to the top:
//
//   the presets that the block names, in their order: the topmost of the following that has `preset`
//   the manifest's block
//   the first overlay's block; then the next overlay's
//
// A block's `without` drops paths from everything below the block, and that at the top of an overlay from everything below the
// overlay. A problem names the place where a value stands, and how it came to where it is used.
//
// Where a file uses neither, it is the plain file, at no cost.

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByManifestKey } from '../../catalog/lookup.ts';
import { LISTS_BY_FROM, PRESETS, WITHOUT } from '../../catalog/reuse-keys.ts';
import type { Drop } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import { expandBlock, expandValue, usesReuse, type PlainBlock } from './block.ts';
import { NO_CUTS } from './cuts.ts';
import type { Layer } from './layers.ts';
import {
  entriesIn,
  fromOf,
  isListByFrom,
  overlaySections,
  type EntriesInFiles,
  type ListEntry,
  type OverlaySections,
  type SectionOverlays,
} from './overlays.ts';
import { plainFile, type PlainDocument } from './plain-file.ts';
import { Presets } from './presets.ts';
import { complain, type Reuse } from './reuse-problems.ts';
import { dropsByTarget, dropsNothing } from './without.ts';

/** The files of a manifest, and what is laid over them, in this order. */
interface ReuseInput {
  readonly files: readonly ParsedFile[];
  readonly overlays: readonly ParsedFile[];
}

interface PlainManifest {
  readonly files: readonly ParsedFile[];
  /** What `without` has dropped of them, by the `pathKey` of its path. */
  readonly drops: ReadonlyMap<string, Drop>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plain files of a manifest. */
export function plainManifest({ files, overlays }: ReuseInput): PlainManifest {
  if (overlays.length === 0 && !files.some(hasReuse)) return { files, drops: new Map(), diagnostics: [] };
  const reuse: Reuse = {
    presets: new Presets(files, overlays),
    diagnostics: [],
    drops: [],
    spent: { uses: 0, characters: 0 },
  };
  const written = entriesIn(overlays.length === 0 ? [] : files);
  const sections = overlaySections(overlays, written, reuse);
  const plain = files.map((file) => plainOf(file, sections, reuse));
  const added = addedBy({ files, overlays }, sections, written, reuse);
  const all = added === undefined ? plain : [...plain, added];
  return {
    files: all,
    drops: dropsByTarget(reuse),
    diagnostics: [
      ...overlays.flatMap(problemsOfText),
      ...reuse.presets.diagnostics,
      ...reuse.diagnostics,
      ...dropsNothing(reuse, all),
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

/** An overlay need not say what a manifest has to. */
function problemsOfText({ diagnostics }: ParsedFile): readonly Diagnostic[] {
  return diagnostics.map((problem) => (problem.code === 'empty-file' ? { ...problem, ...EMPTY } : problem));
}

const EMPTY = {
  message: 'the overlay is empty',
  fix: 'write the parts of the manifest that differ, or leave the overlay out',
};

/** A file of the manifest with what the overlays lay over its entries. */
function plainOf(file: ParsedFile, sections: OverlaySections, reuse: Reuse): ParsedFile {
  if (!isObject(file.json)) return file;
  const { [PRESETS]: _, [WITHOUT]: misplaced, ...json } = file.json;
  if (misplaced !== undefined) complain(reuse, { file, path: [WITHOUT] }, 'bad-without', ONLY_IN_OVERLAYS);
  const document = newDocument(file);
  for (const [section, value] of Object.entries(json)) {
    const over = sections.get(section);
    if (over?.showsFiles === false) continue;
    if (over !== undefined && isListByFrom(section, value))
      document.lists.set(section, keptOf(file, section, value, over));
    else if (isObject(value)) layEntries(document, { section, members: value, over }, reuse);
    // A map lies over something that is none, which is replaced.
    else if (over?.file === undefined) document.rest[section] = value;
  }
  return plainFile(document);
}

const ONLY_IN_OVERLAYS = {
  message: 'without stands at the top of an overlay, or in a block',
  fix: 'move it into the block that drops something, or into an overlay',
};

/** A document while it is put together. */
interface OpenDocument extends PlainDocument {
  readonly rest: Record<string, Json>;
  readonly blocks: Map<string, ReadonlyMap<string, PlainBlock>>;
  readonly lists: Map<string, readonly ListEntry[]>;
}

function newDocument(file: ParsedFile): OpenDocument {
  return { file, rest: {}, blocks: new Map(), lists: new Map() };
}

/** The entries of a list that no overlay repeats. */
function keptOf(file: ParsedFile, section: string, list: readonly Json[], { entries }: SectionOverlays): ListEntry[] {
  return list.flatMap((json, index) => {
    const from = fromOf(json);
    if (from !== undefined && entries.has(from)) return [];
    return [{ file, path: [section, String(index)], json, use: undefined }];
  });
}

/** A map of a file, and what overlays say of it. */
interface WrittenMap {
  readonly section: string;
  readonly members: JsonObject;
  readonly over: SectionOverlays | undefined;
}

/** The entries of a map: those that are made of layers, and the others as they are. */
function layEntries(document: OpenDocument, { section, members, over }: WrittenMap, reuse: Reuse): void {
  const { file } = document;
  const kind = kindByManifestKey(section);
  const asTheyAre: [string, Json][] = [];
  const blocks = new Map<string, PlainBlock>();
  for (const [name, json] of Object.entries(members)) {
    const above = over?.layers.get(name) ?? [];
    const isLayered = above.length > 0 || (kind !== undefined && usesReuse(kind, json));
    const own: Layer = { json, file, path: [section, name], cuts: NO_CUTS, use: undefined };
    if (isLayered) blocks.set(name, expand(section, [own, ...above], reuse));
    else asTheyAre.push([name, json]);
  }
  if (blocks.size > 0) document.blocks.set(section, blocks);
  document.rest[section] = Object.fromEntries(asTheyAre);
}

function expand(section: string, layers: readonly Layer[], reuse: Reuse): PlainBlock {
  const kind = kindByManifestKey(section);
  return kind === undefined ? expandValue(layers) : expandBlock(kind, layers, reuse);
}

/** What overlays add that no file of the manifest has, as one more file; undefined without overlays. */
function addedBy(
  { files, overlays }: ReuseInput,
  sections: OverlaySections,
  written: EntriesInFiles,
  reuse: Reuse,
): ParsedFile | undefined {
  const [first] = overlays;
  if (first === undefined) return undefined;
  const document = newDocument(topOf(first, { files, overlays }, sections));
  for (const [section, over] of sections) {
    if (over.file === undefined) continue;
    if (over.value !== undefined) document.rest[section] = over.value;
    else if (LISTS_BY_FROM.includes(section)) document.lists.set(section, [...over.entries.values()].flat());
    else
      addEntries(
        document,
        { section, layers: over.layers, below: over.showsFiles ? written.get(section) : undefined },
        reuse,
      );
  }
  return plainFile(document);
}

/** A map of overlays, and the entries of the files below that it lies over. */
interface AddedMap {
  readonly section: string;
  readonly layers: SectionOverlays['layers'];
  readonly below: ReadonlyMap<string, unknown> | undefined;
}

/** The entries of a map that no file below has. */
function addEntries(document: OpenDocument, { section, layers, below }: AddedMap, reuse: Reuse): void {
  // Also one without entries is judged by its name.
  if (below === undefined || below.size === 0) document.rest[section] = {};
  const added = [...layers].filter(([name]) => below?.has(name) !== true);
  const blocks = added.map(([name, inner]) => [name, expand(section, inner, reuse)] as const);
  if (blocks.length > 0) document.blocks.set(section, new Map(blocks));
}

/** All overlays as one file, which stands where the manifest does. */
function topOf(first: ParsedFile, { files, overlays }: ReuseInput, sections: OverlaySections): ParsedFile {
  const fileOf = ([section = '']: readonly string[]) => sections.get(section)?.file ?? first;
  const unknownValues = new UnknownValues(() => false);
  for (const { unknownValues: own } of overlays) unknownValues.takeOver(own, (path) => ({ path, isThere: false }));
  return {
    name: files[0]?.name ?? first.name,
    json: {},
    valueRange: (path) => fileOf(path).valueRange(path),
    keyRange: (path) => fileOf(path).keyRange(path),
    numberText: (path) => fileOf(path).numberText(path),
    unknownValues,
    diagnostics: [],
  };
}

/** A preset whose name is misspelled where it is used is not unused. */
function unused({ diagnostics, presets }: Reuse): Diagnostic[] {
  return diagnostics.some(({ code }) => code === 'unknown-preset') ? [] : presets.unused();
}
