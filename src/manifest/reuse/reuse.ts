// Presets and overlays → plain files. This is the one stage between the texts of a manifest and everything that judges them:
// schema, rules, policies, plans and digests see documents in which neither is left (record 0055).
//
// Layers of a block, from the bottom to the top:
//
//   the presets that the block names, in their order: the topmost of the following that has `preset`
//   the manifest's block
//   the first overlay's block, and then what it adds to it; then the next overlay's
//
// A block's `without` drops paths from everything below the block, and that at the top of an overlay from everything below the
// overlay. A problem names the place where a value stands, and how it came to where it is used.
//
// Where a file uses neither, it is the plain file, at no cost.

import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByManifestKey } from '../../catalog/lookup.ts';
import { LISTS_BY_FROM, PRESETS, SECTIONS_OF_NAMES, WITHOUT } from '../../catalog/reuse-keys.ts';
import type { Drop } from '../source-map.ts';
import type { ParsedFile } from '../text/parse.ts';
import { UnknownValues } from '../unknown-values.ts';
import { childKeysOf, expandBlock, expandValue, usesReuse, type PlainBlock } from './block.ts';
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
import { partsOf, type OverlayPart } from './overlay-parts.ts';
import { layersByRule, NamesThere, namesThere } from './overlay-rule.ts';
import { plainFile, type PlainDocument } from './plain-file.ts';
import { Presets } from './presets.ts';
import { complain, type Judging } from './judging.ts';
import type { Reuse } from './reuse-problems.ts';
import { sensitiveTaken } from './sensitive-taken.ts';
import { stackUnsaid } from './stack-unsaid.ts';
import { inheritedFiles } from './taken-from-stacks.ts';
import { dropsByTarget, dropsNothing } from './without.ts';

/** The files of a manifest, and what is laid over them, in this order. */
interface ReuseInput {
  readonly files: readonly ParsedFile[];
  readonly overlays: readonly ParsedFile[];
  /** True when other files of the manifest could not be read. */
  readonly isPartial?: boolean;
}

interface PlainManifest {
  readonly files: readonly ParsedFile[];
  /** Of an environment: see `Manifest`. */
  readonly baseStacks: readonly string[];
  /** What `without` has dropped of them, by the `pathKey` of its path. */
  readonly drops: ReadonlyMap<string, Drop>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The plain files of a manifest. */
export function plainManifest(input: ReuseInput): PlainManifest {
  const { overlays } = input;
  if (overlays.length === 0 && !input.files.some(hasReuse))
    return { files: input.files, baseStacks: [], drops: new Map(), diagnostics: [] };
  const { files, baseStacks } = inheritedFiles(input.files, overlays);
  const written = entriesIn(overlays.length === 0 ? [] : files);
  const judging = judgingOf({ ...input, files }, written);
  const parts = partsOf(overlays, judging);
  const presets = new Presets(files, parts, judging);
  const reuse: Reuse = { ...judging, presets, drops: [], spent: { uses: 0, characters: 0 } };
  const sections = overlaySections(parts, written, reuse);
  const laid: LaidOver = { sections, names: namesBySection(sections, written) };
  const plain = files.map((file) => plainOf(file, laid, reuse));
  const added = addedBy({ files, overlays: parts }, laid, written, reuse);
  const all = added === undefined ? plain : [...plain, added];
  const drops = dropsByTarget(reuse);
  return {
    files: all,
    baseStacks,
    drops,
    diagnostics: [
      ...overlays.flatMap(problemsOfText),
      ...reuse.diagnostics,
      ...dropsNothing(reuse, all),
      ...unused(reuse),
      ...stackUnsaid(files, overlays),
      ...sensitiveTaken({ written: [...files, ...parts.map(({ file }) => file)], plain: all, drops }),
    ],
  };
}

/** What is not known of the files and overlays together. */
function judgingOf({ files, overlays, isPartial = false }: ReuseInput, written: EntriesInFiles): Judging {
  const isThere = ([section = '', name = '', ...rest]: Path) =>
    rest.length === 0 && written.get(section)?.has(name) === true;
  const unknown = new UnknownValues(isThere);
  for (const { unknownValues } of [...files, ...overlays])
    unknown.takeOver(unknownValues, (path) => ({ path, isThere: isThere(path) }));
  if (isPartial) unknown.addOpen([]);
  return { diagnostics: [], mayHave: (path) => unknown.mayHave(path) };
}

/** What overlays lay over the files. */
interface LaidOver {
  readonly sections: OverlaySections;
  /** The names that are there, by section. */
  readonly names: ReadonlyMap<string, NamesThere>;
}

function namesBySection(sections: OverlaySections, written: EntriesInFiles): LaidOver['names'] {
  return new Map(
    [...sections].map(([key, { layers, showsFiles }]) => {
      const below = showsFiles ? [...(written.get(key)?.keys() ?? [])] : [];
      const added = namesThere(layers);
      return [key, new NamesThere(() => new Set([...below, ...added.all()]))];
    }),
  );
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
function plainOf(file: ParsedFile, laid: LaidOver, reuse: Reuse): ParsedFile {
  if (!isObject(file.json)) return file;
  const { [PRESETS]: _, [WITHOUT]: misplaced, ...json } = file.json;
  if (misplaced !== undefined) complain(reuse, { file, path: [WITHOUT] }, 'bad-without', ONLY_IN_OVERLAYS);
  const document = newDocument(file);
  for (const [section, value] of Object.entries(json)) {
    const over = laid.sections.get(section);
    if (over?.showsFiles === false) continue;
    if (over !== undefined && isListByFrom(section, value))
      document.lists.set(section, keptOf(file, section, value, over));
    else if (isObject(value))
      layEntries(document, { section, members: value, over, names: laid.names.get(section) }, reuse);
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
  readonly names: NamesThere | undefined;
}

/** The entries of a map: those that are made of layers, and the others as they are. */
function layEntries(document: OpenDocument, { section, members, over, names }: WrittenMap, reuse: Reuse): void {
  const { file } = document;
  const kind = kindByManifestKey(section);
  const asTheyAre: [string, Json][] = [];
  const blocks = new Map<string, PlainBlock>();
  for (const [name, json] of Object.entries(members)) {
    const above = over?.layers.get(name) ?? [];
    const isLayered = above.length > 0 || (kind !== undefined && usesReuse(kind, json));
    const own: Layer = { json, file, path: [section, name], cuts: NO_CUTS, use: undefined };
    if (isLayered) blocks.set(name, expand({ section, names }, [own, ...above], reuse));
    else asTheyAre.push([name, json]);
  }
  if (blocks.size > 0) document.blocks.set(section, blocks);
  document.rest[section] = Object.fromEntries(asTheyAre);
}

function expand({ section, names }: EntryOf, written: readonly Layer[], reuse: Reuse): PlainBlock {
  const kind = kindByManifestKey(section);
  // The name of any other section is wrong, which is said of it.
  const isKnown = kind !== undefined || SECTIONS_OF_NAMES.includes(section);
  const childKeys = kind === undefined ? [] : childKeysOf(kind);
  const layers = isKnown && names !== undefined ? layersByRule({ layers: written, childKeys, names }, reuse) : written;
  return kind === undefined ? expandValue(layers) : expandBlock(kind, layers, reuse);
}

/** Where an entry stands. */
type EntryOf = Pick<WrittenMap, 'section' | 'names'>;

interface GivenFiles {
  readonly files: readonly ParsedFile[];
  readonly overlays: readonly OverlayPart[];
}

/** What overlays add that no file of the manifest has, as one more file; undefined without overlays. */
function addedBy(given: GivenFiles, laid: LaidOver, written: EntriesInFiles, reuse: Reuse): ParsedFile | undefined {
  const [first] = given.overlays;
  if (first === undefined) return undefined;
  const document = newDocument(topOf(first.file, given, laid.sections));
  for (const [section, over] of laid.sections) {
    if (over.file === undefined) continue;
    if (over.value !== undefined) document.rest[section] = over.value;
    else if (LISTS_BY_FROM.includes(section)) document.lists.set(section, [...over.entries.values()].flat());
    else
      addEntries(
        document,
        {
          ...{ section, names: laid.names.get(section), layers: over.layers },
          below: over.showsFiles ? written.get(section) : undefined,
        },
        reuse,
      );
  }
  return plainFile(document);
}

/** A map of overlays, and the entries of the files below that it lies over. */
interface AddedMap extends EntryOf {
  readonly layers: SectionOverlays['layers'];
  readonly below: ReadonlyMap<string, unknown> | undefined;
}

/** The entries of a map that no file below has. */
function addEntries(document: OpenDocument, { section, names, layers, below }: AddedMap, reuse: Reuse): void {
  // Also one without entries is judged by its name.
  if (below === undefined || below.size === 0) document.rest[section] = {};
  const added = [...layers].filter(([name]) => below?.has(name) !== true);
  const blocks = added.map(([name, inner]) => [name, expand({ section, names }, inner, reuse)] as const);
  if (blocks.length > 0) document.blocks.set(section, new Map(blocks));
}

/** All overlays as one file, which stands where the manifest does. */
function topOf(first: ParsedFile, { files, overlays }: GivenFiles, sections: OverlaySections): ParsedFile {
  const fileOf = ([section = '']: readonly string[]) => sections.get(section)?.file ?? first;
  const unknownValues = new UnknownValues(() => false);
  for (const { file } of overlays) unknownValues.takeOver(file.unknownValues, (path) => ({ path, isThere: false }));
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
