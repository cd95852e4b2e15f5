// What overlays have to say of a manifest, all of them together, by the sections of the document. They are laid over each other in
// their order; what they lie over in the files of the manifest is not known here, only where it stands.
//
// The rule in each section:
//
//   a map       (kinds, variables, outputs, imports)   entry by entry: layers over that of the manifest
//   a list      (moved, removed)                       entries are added; one that repeats a `from` takes its place
//   a value     (version, stack)                       replaced
//
// So no release and no rename of the manifest is lost by one that an overlay adds. An overlay drops before it changes, and changes before it
// adds. What may be changed, and what added, is judged where the layers of an entry are together (`overlay-rule.ts`).

import { canonicalJson, isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { addTo } from '../../core/group.ts';
import { ADD, LISTS_BY_FROM, PRESETS, WITHOUT } from '../../catalog/reuse-keys.ts';
import type { ParsedFile } from '../text/parse.ts';
import type { Use } from '../use.ts';
import { NO_CUTS, type Cuts } from './cuts.ts';
import type { Layer } from './layers.ts';
import { overlayUse, type OverlayPart } from './overlay-parts.ts';
import { complain, type ValueInFile } from './judging.ts';
import type { Reuse } from './reuse-problems.ts';
import { cutsFrom } from './without.ts';

/** An entry of a list whose entries are known by their `from`. */
export interface ListEntry extends ValueInFile {
  readonly json: Json;
  /** Undefined for an entry of the manifest, and for one that takes no other's place. */
  readonly use: Use | undefined;
}

/** What overlays have to say of one section. */
export interface SectionOverlays {
  /** False once what the files of the manifest have there is dropped or replaced. */
  readonly showsFiles: boolean;
  /** The last overlay that has the section; undefined if overlays only drop parts of it. */
  readonly file: ParsedFile | undefined;
  /** A value in the place of the section. */
  readonly value: Json | undefined;
  /** Layers over the entries of a map, by name. */
  readonly layers: ReadonlyMap<string, readonly Layer[]>;
  /** Entries of a list, by their `from`; each takes the place of what the files have under the same. */
  readonly entries: ReadonlyMap<string, readonly ListEntry[]>;
}

/** By the key of the section. */
export type OverlaySections = ReadonlyMap<string, SectionOverlays>;

/** Where the entries of the manifest's files stand: by section, and in it by name, or by the `from` of a list's entry. */
export type EntriesInFiles = ReadonlyMap<string, ReadonlyMap<string, ValueInFile>>;

export function entriesIn(files: readonly ParsedFile[]): EntriesInFiles {
  const sections = new Map<string, Map<string, ValueInFile>>();
  for (const file of files)
    for (const [section, value] of Object.entries(isObject(file.json) ? file.json : {})) {
      const entries = sections.get(section) ?? new Map<string, ValueInFile>();
      sections.set(section, entries);
      noteEntries(entries, file, namesIn(section, value));
    }
  return sections;
}

/** Of two entries of one name, which is a mistake, the first counts. */
function noteEntries(entries: Map<string, ValueInFile>, file: ParsedFile, named: readonly NamedPath[]): void {
  for (const [name, path] of named) if (!entries.has(name)) entries.set(name, { file, path });
}

type NamedPath = readonly [name: string, path: Path];

function namesIn(section: string, value: Json): NamedPath[] {
  if (isObject(value)) return Object.keys(value).map((name) => [name, [section, name]]);
  if (!isListByFrom(section, value)) return [];
  return value.flatMap((entry, index) => {
    const from = fromOf(entry);
    return from === undefined ? [] : [[from, [section, String(index)]] as const];
  });
}

/** What a list's entry is about, as a key; undefined for one without `from`, which is like no other. */
export function fromOf(entry: Json): string | undefined {
  const from = isObject(entry) ? entry['from'] : undefined;
  return from === undefined ? undefined : canonicalJson(from);
}

export function isListByFrom(section: string, value: Json): value is readonly Json[] {
  return LISTS_BY_FROM.includes(section) && isList(value);
}

/** Lays the overlays over each other. */
export function overlaySections(
  overlays: readonly OverlayPart[],
  below: EntriesInFiles,
  reuse: Reuse,
): OverlaySections {
  const sections = new Map<string, OverSection>();
  const sectionNamed = (key: string) => {
    const known = sections.get(key) ?? new OverSection(key, below.get(key), reuse);
    sections.set(key, known);
    return known;
  };
  for (const part of overlays) {
    const { file } = part;
    const { json, cuts } = readOverlay(part, reuse);
    for (const [key, inner] of cuts.below) sectionNamed(key).drop(file, inner);
    // What could not be read replaces nothing.
    for (const [key, value] of Object.entries(json))
      if (!file.unknownValues.has([key])) sectionNamed(key).lay(part, value);
  }
  return sections;
}

interface ReadOverlay {
  /** Without `presets` and `without`. */
  readonly json: JsonObject;
  /** What its top level drops, by paths from the top of the manifest. */
  readonly cuts: Cuts;
}

function readOverlay({ file, isAdded }: OverlayPart, reuse: Reuse): ReadOverlay {
  const top = { file, path: [] };
  if (!isObject(file.json) && !file.unknownValues.has([])) complain(reuse, top, 'wrong-type', NOT_AN_OVERLAY);
  const { [PRESETS]: _, [WITHOUT]: without, ...json } = isObject(file.json) ? file.json : {};
  if (without !== undefined && isAdded) complain(reuse, { file, path: [WITHOUT] }, 'bad-without', NOT_IN_ADDITIONS);
  const isDropping = without !== undefined && !isAdded;
  return { json, cuts: isDropping ? cutsFrom(without, top, { mayDropNothing: false }, reuse) : NO_CUTS };
}

const NOT_IN_ADDITIONS = {
  message: 'what an overlay adds drops nothing of the manifest',
  fix: `move without to the top of the overlay, out of ${ADD}:`,
};

const NOT_AN_OVERLAY = {
  message: 'the overlay must be an object',
  expected: 'sections as in a manifest: variables, kinds, outputs, presets; without, add',
  fix: 'write the parts of the manifest that differ',
};

/** A section while overlays are laid over it. */
class OverSection implements SectionOverlays {
  readonly #key: string;
  readonly #below: ReadonlyMap<string, ValueInFile> | undefined;
  readonly #reuse: Reuse;
  #unnamed = 0;
  showsFiles = true;
  file: ParsedFile | undefined;
  value: Json | undefined;
  readonly layers = new Map<string, [Layer, ...Layer[]]>();
  readonly entries = new Map<string, [ListEntry, ...ListEntry[]]>();

  constructor(key: string, below: ReadonlyMap<string, ValueInFile> | undefined, reuse: Reuse) {
    this.#key = key;
    this.#below = below;
    this.#reuse = reuse;
  }

  /** Drops the section, or some of its entries. */
  drop(file: ParsedFile, { here, below }: Cuts): void {
    if (here !== undefined) {
      here.hasDropped ||= this.#isThere();
      this.#clear();
      return;
    }
    for (const [name, cuts] of below) this.#addLayer({ file, isAdded: false }, name, undefined, cuts);
  }

  lay(part: OverlayPart, value: Json): void {
    const { file, isAdded } = part;
    if (isListByFrom(this.#key, value)) this.#addEntries(part, value);
    else if (isObject(value) && !LISTS_BY_FROM.includes(this.#key)) this.#addMap(part, value);
    else if (isAdded && this.#isThere()) {
      complain(this.#reuse, { file, path: [this.#key] }, 'overlay-repeats', {
        message: `the overlay adds ${this.#key}, which is there`,
        fix: `move it out of ${ADD}:, to the top of the overlay`,
      });
      return;
    } else {
      this.#clear();
      this.value = value;
    }
    this.file = file;
  }

  /** True for a section that has something which can be dropped. */
  #isThere(): boolean {
    return (this.showsFiles && this.#below !== undefined) || this.file !== undefined;
  }

  #clear(): void {
    this.showsFiles = false;
    this.file = undefined;
    this.value = undefined;
    this.layers.clear();
    this.entries.clear();
  }

  #addMap(part: OverlayPart, entries: JsonObject): void {
    if (this.value !== undefined) this.#clear();
    for (const [name, json] of Object.entries(entries)) this.#addLayer(part, name, json, NO_CUTS);
  }

  #addLayer({ file, isAdded }: OverlayPart, name: string, json: Json | undefined, cuts: Cuts): void {
    const path = [this.#key, name];
    addTo(this.layers, name, { json, file, path, cuts, use: overlayUse(file, { file, path }), isAdded });
  }

  #addEntries({ file, isAdded }: OverlayPart, list: readonly Json[]): void {
    if (this.value !== undefined) this.#clear();
    const added = list.map((json, index) => ({ json, path: [this.#key, String(index)], from: this.#keyOf(json) }));
    const replaced = new Map(added.map(({ from }) => [from, this.#replacedBy(from)]));
    for (const { from, json, path } of added) {
      const over = replaced.get(from);
      if (isAdded && over !== undefined) complain(this.#reuse, { file, path }, 'overlay-repeats', REPEATED_ENTRY);
      addTo(this.entries, from, { file, json, path, use: over && overlayUse(file, over) });
    }
  }

  #keyOf(entry: Json): string {
    this.#unnamed += 1;
    return fromOf(entry) ?? `without from ${this.#unnamed}`;
  }

  /** Takes away what an overlay below has under the same key; what the files have is left out by who reads them. */
  #replacedBy(from: string): ValueInFile | undefined {
    const [below] = this.entries.get(from) ?? [];
    this.entries.delete(from);
    return below ?? (this.showsFiles ? this.#below?.get(from) : undefined);
  }
}

const REPEATED_ENTRY = {
  message: 'the overlay adds an entry whose `from` is there',
  fix: `move it out of ${ADD}:, to the same list at the top of the overlay, where it takes the place of the other`,
};
