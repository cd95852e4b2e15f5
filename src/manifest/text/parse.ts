// YAML or JSON text → plain JSON and the source range of every key and value. Knows nothing of the document's meaning.
// Reads as much of invalid text as is unambiguous; the rest is marked as unknown.

import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { isObject, type Json, type Path } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import { readPlain } from './plain.ts';
import { preflight, type PreflightResult } from './preflight.ts';
import { linesOf, type Lines, type Offsets } from './lines.ts';
import { entriesIn, type EntryText, type TextRange } from './recover.ts';
import { pathKey, UnknownValues } from '../unknown-values.ts';
import type { Use } from '../use.ts';
import { isEmpty, MAX_DEPTH, type Composed } from './compose.ts';
import { ParseCost, Reader } from './yaml.ts';

export interface ParsedFile {
  readonly name: string;
  /** The document as far as it could be read; null in place of unreadable parts. */
  readonly json: Json;
  readonly valueRange: (path: Path) => SourceRange | undefined;
  /** Range of the key of a map entry. */
  readonly keyRange: (path: Path) => SourceRange | undefined;
  /** The source text of the number at a path, if it is not in JSON notation. */
  readonly numberText: (path: Path) => string | undefined;
  /** How the value at a path came there, where a preset or overlay brought it. */
  readonly usesAt?: (path: Path) => readonly Use[];
  readonly unknownValues: UnknownValues;
  readonly diagnostics: readonly Diagnostic[];
}

const PLAIN_DEPTH = MAX_DEPTH - 4;

/** Maximum number of documents read from one file; it should have one. */
const MAX_DOCUMENTS = 10;

/** Parses a file with one document that is not a manifest. The caller reports an empty one. */
export function parseFile(name: string, source: string): ParsedFile {
  const [file] = parseDocuments(name, source);
  return { ...file, diagnostics: file.diagnostics.filter(({ code }) => code !== 'empty-file') };
}

/**
 * Parses the documents of one file. Every problem has a position, and the parser's own messages are not shown. A second
 * document is a problem, and is read like a separate file.
 */
export function parseDocuments(name: string, source: string): readonly [ParsedFile, ...ParsedFile[]] {
  const bare = source.startsWith('\ufeff') ? source.slice(1) : source;
  const lines = linesOf(name, bare);
  const gated = preflight(bare, lines);
  const plain = gated.diagnostics.length === 0 ? readPlain(gated.text, PLAIN_DEPTH) : undefined;
  return plain === undefined ? composeDocuments(name, gated, lines) : [plainFile(name, plain, lines)];
}

/** A file that the YAML library need not read. */
function plainFile(
  name: string,
  { json, keyAt, valueAt: placeAt }: NonNullable<ReturnType<typeof readPlain>>,
  lines: Lines,
): ParsedFile {
  const rangeAt = (offsets: Offsets | undefined) => offsets && lines.range(offsets[0], offsets[1]);
  return {
    name,
    json,
    valueRange: (path) => rangeAt(placeAt(path)),
    keyRange: (path) => rangeAt(keyAt(path)),
    numberText: () => undefined,
    unknownValues: new UnknownValues((path) => valueAt(json, path) !== undefined),
    diagnostics: [],
  };
}

/** The same, parsed by the YAML library. */
function composeDocuments(
  name: string,
  { text, isRejected, diagnostics }: PreflightResult,
  lines: Lines,
): readonly [ParsedFile, ...ParsedFile[]] {
  const spent = new ParseCost();
  const newReader = () => new Reader(text, lines, spent);
  const reader = newReader();
  reader.diagnostics.push(...diagnostics);
  const documents = isRejected ? [] : documentsIn(text, reader);
  const [first, ...others] = documents;
  const json = first === undefined ? reader.giveUp([]) : readDocument(first, reader);
  const made = others.map((one): ParsedFile => {
    const own = newReader();
    return parsed(name, readDocument(one, own), own);
  });
  return [parsed(name, json, reader), ...made];
}

function parsed(name: string, json: Json, reader: Reader): ParsedFile {
  const { lines, valueRanges, keyRanges, numberTexts, unknownValues, diagnostics } = reader;
  const rangeAt = (offsets: Offsets | undefined) => offsets && lines.range(offsets[0], offsets[1]);
  return {
    name,
    json,
    valueRange: (path) => rangeAt(valueRanges.get(pathKey(path))),
    keyRange: (path) => rangeAt(keyRanges.get(pathKey(path))),
    numberText: (path) => numberTexts.get(pathKey(path)),
    unknownValues,
    diagnostics,
  };
}

interface LocatedDocument extends TextRange {
  readonly document: Composed;
}

/** The documents and their texts; none if the text is empty, which is reported to the reader. */
function documentsIn(text: string, reader: Reader): LocatedDocument[] {
  const { lines } = reader;
  const documents = reader.composeAll({ start: 0, end: text.length });
  if (documents === undefined) return [];
  const starts = documents.map(({ range: [start] }, index) => (index === 0 ? 0 : start));
  const placed = documents.map((document, index): LocatedDocument => {
    const start = contentStart(text, starts[index] ?? 0);
    return { document, start, end: Math.max(start, starts[index + 1] ?? text.length) };
  });
  const full = placed.filter(({ document }) => !isEmpty(document));
  if (full.length === 0) {
    const words = {
      message: 'the file contains no manifest',
      fix: 'remove the file, or write `version: 1` and `stack: NAME` into it',
    };
    if (documents.every((one) => one.errors.length === 0))
      reader.diagnostics.push(lines.error('empty-file', 0, 0, words));
    else for (const one of documents) reader.report(one, 0, []);
    return [];
  }
  const at = starts[1];
  if (at !== undefined) {
    const words = {
      message: 'the file contains more than one YAML document',
      fix: 'put each document into its own file; several files form one stack',
    };
    reader.diagnostics.push(lines.error('several-documents', at, at + 3, words));
  }
  if (full.length > MAX_DOCUMENTS) reader.unknownValues.addOpen([]);
  return full.slice(0, MAX_DOCUMENTS);
}

const EMPTY_LINE = /[ \t]*(?:#[^\n]*|\r)?\n/y;
const START_LINE = /---[ \t]*(?:#[^\n]*|\r)?\n/y;

/** Where a document's text begins, after the line that starts it; empty lines and comments may stand before that line. */
function contentStart(text: string, start: number): number {
  let at = start;
  for (let end = endOfMatch(EMPTY_LINE, text, at); end !== undefined; end = endOfMatch(EMPTY_LINE, text, at)) at = end;
  return endOfMatch(START_LINE, text, at) ?? start;
}

/** Where a match that begins exactly there ends. */
function endOfMatch(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** A valid document is read as a whole; an invalid one section by section, which are cut into blocks. */
function readDocument({ document, start, end }: LocatedDocument, reader: Reader): Json {
  if (reader.isReadable(document)) return reader.readFrom(document, 0, []);
  const sections = entriesIn(reader.text, { start, end });
  const before = reader.diagnostics.length;
  const read = sections.flatMap((section) => readSection(section, reader));
  if (sections.length > 0) reader.valueRanges.set(pathKey([]), [start, end]);
  if (reader.diagnostics.length === before) {
    reader.report(document, 0, []);
    reader.unknownValues.addOpen([]);
  }
  return sections.length === 0 ? reader.giveUp([]) : Object.fromEntries(read);
}

type Entries = readonly (readonly [string, Json])[];

/** A section with its blocks; one that has none is a block itself. */
function readSection(section: EntryText, reader: Reader): Entries {
  const { bodyStart, start, end } = section;
  if (reader.isFull) return [];
  const blocks = bodyStart === undefined ? [] : entriesIn(reader.text, { start: bodyStart, end });
  if (blocks.length === 0) return readBlock(section, [], reader);
  const name = readKey(section, [], reader);
  if (name === undefined) return [];
  if (section.hasStray) reader.unknownValues.addOpen([]);
  reader.valueRanges.set(pathKey([name]), [bodyStart ?? start, end]);
  return [[name, Object.fromEntries(blocks.flatMap((block) => readBlock(block, [name], reader)))]];
}

/** A block that is invalid is unknown; its name is known. */
function readBlock(block: EntryText, path: Path, reader: Reader): Entries {
  if (reader.isFull) return [];
  const document = reader.composeAt(block);
  const isValid = document !== undefined && reader.isReadable(document);
  const json = isValid ? reader.readFrom(document, block.start, path) : undefined;
  if (isObject(json)) return Object.entries(json);
  const name = readKey(block, path, reader);
  if (name === undefined || block.hasStray) reader.unknownValues.addOpen(path);
  const inner = name === undefined ? path : [...path, name];
  if (document !== undefined) reader.report(document, block.start, inner);
  return name === undefined ? [] : [[name, reader.giveUp(inner)]];
}

/** The key of an entry, read as an entry without a value; undefined when it is not usable. */
function readKey({ start, keyEnd }: EntryText, path: Path, reader: Reader): string | undefined {
  const document = reader.composeAt({ start, end: keyEnd });
  const json = document && reader.readFrom(document, start, path);
  return isObject(json) ? Object.keys(json)[0] : undefined;
}
