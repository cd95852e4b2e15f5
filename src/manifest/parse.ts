// YAML or JSON text → plain JSON and the source range of every key and value. Knows nothing of what the document means.
// A text that is not valid is read as far as it can be told what was meant; the rest is noted as not known.

import type { Diagnostic, SourceRange } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { gate } from './gate.ts';
import { linesOf } from './lines.ts';
import type { EntryText, Piece } from './recover.ts';
import { entriesIn } from './recover.ts';
import type { Unread } from './unread.ts';
import { pathKey } from './unread.ts';
import type { Composed } from './yaml.ts';
import { compose, isEmpty, MAX_DEPTH, Reader } from './yaml.ts';

export interface ParsedFile {
  readonly name: string;
  /** The document as far as it could be read; null stands for what could not. */
  readonly json: Json;
  /** Range of the value at a path, by `pathKey`. */
  readonly valueRanges: ReadonlyMap<string, SourceRange>;
  /** Range of the key of a map entry at a path. */
  readonly keyRanges: ReadonlyMap<string, SourceRange>;
  /** Numbers as they are written, where that is not how JSON writes them. */
  readonly numberTexts: ReadonlyMap<string, string>;
  readonly unread: Unread;
  readonly diagnostics: readonly Diagnostic[];
  /** Characters that were composed again to tell valid pieces of an invalid text apart: what that cost. */
  readonly recomposed: number;
}

/** Blocks inside each other that are taken apart when they are not valid. */
const MAX_SPLITS = 6;

type Path = readonly string[];

/** Parses one file; every problem is positioned, and the parser's own texts are not shown. */
export function parseFile(name: string, source: string): ParsedFile {
  const bare = source.startsWith('\ufeff') ? source.slice(1) : source;
  const lines = linesOf(name, bare);
  const { text, isRefused, hidden, diagnostics } = gate(bare, lines);
  const reader = new Reader(text, lines, hidden);
  reader.diagnostics.push(...diagnostics);
  const json = isRefused ? reader.giveUp([]) : readText(text, reader);
  const { valueRanges, keyRanges, numberTexts, unread, recomposed } = reader;
  return { name, json, valueRanges, keyRanges, numberTexts, unread, diagnostics: reader.diagnostics, recomposed };
}

function readText(text: string, reader: Reader): Json {
  const { lines } = reader;
  const { documents, tooDeepAt } = compose(text);
  if (tooDeepAt !== undefined) {
    reader.diagnostics.push(
      lines.error('too-deep', tooDeepAt, tooDeepAt + 1, {
        message: `the file is nested deeper than ${MAX_DEPTH} levels`,
        fix: 'a manifest needs far fewer levels; check for unclosed brackets',
      }),
    );
    return reader.giveUp([]);
  }
  const [document, second] = documents;
  if (document === undefined || isEmpty(document)) {
    const words = {
      message: 'the file holds no manifest',
      fix: 'remove the file, or write `version: 1` and `stack: NAME` into it',
    };
    if (documents.every((one) => one.errors.length === 0))
      reader.diagnostics.push(lines.error('empty-file', 0, 0, words));
    else reader.report(documents, 0);
    return reader.giveUp([]);
  }
  if (second !== undefined) {
    const at = second.range[0];
    const words = {
      message: 'the file holds more than one YAML document',
      fix: 'put each document into a file of its own; several files form one stack',
    };
    reader.diagnostics.push(lines.error('several-documents', at, at + 3, words));
    reader.unread.addOpen([]);
  }
  const before = reader.diagnostics.length;
  const made = readPiece({ start: 0, end: second === undefined ? text.length : second.range[0] }, [], reader, document);
  // It stopped before it found what is wrong.
  if (reader.hasStopped() && reader.diagnostics.length === before + 1) reader.report([document], 0, 1);
  return made;
}

/** One value that is all of a piece of the text. */
function readPiece(piece: Piece, path: Path, reader: Reader, known?: Composed): Json {
  const document = known ?? reader.recompose(piece);
  if (reader.hasStopped()) return reader.giveUp(path);
  if (document !== undefined && reader.isReadable(document)) return reader.readFrom(document, piece.start, path);
  const block = path.length < MAX_SPLITS ? entriesIn(reader.text, piece) : undefined;
  const before = reader.diagnostics.length;
  if (block === undefined) {
    reader.report(document === undefined ? [] : [document], piece.start);
    return reader.giveUp(path);
  }
  const first = block.entries[0]?.start ?? piece.start;
  reader.valueRanges.set(pathKey(path), reader.lines.range(first, piece.end));
  if (block.hasStray) reader.unread.addOpen(path);
  const made = readEntries(block.entries, path, reader);
  if (reader.diagnostics.length === before && !reader.hasStopped()) {
    reader.report(document === undefined ? [] : [document], piece.start);
    reader.unread.addOpen(path);
  }
  return made;
}

/** Entries of one block; of many, those that are not valid are found by halves. */
function readEntries(entries: readonly EntryText[], path: Path, reader: Reader): JsonObject {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return {};
  const piece = { start: first.start, end: last.end };
  const document = reader.recompose(piece);
  if (reader.hasStopped()) {
    reader.unread.addOpen(path);
    return {};
  }
  if (document !== undefined && reader.isReadable(document)) {
    const made = reader.readFrom(document, piece.start, path);
    return isObject(made) ? made : {};
  }
  if (entries.length === 1) return readBroken(first, path, reader, document);
  const before = reader.diagnostics.length;
  const middle = entries.length >> 1;
  const made = {
    ...readEntries(entries.slice(0, middle), path, reader),
    ...readEntries(entries.slice(middle), path, reader),
  };
  if (reader.diagnostics.length === before && !reader.hasStopped()) {
    reader.report(document === undefined ? [] : [document], piece.start);
    reader.unread.addOpen(path);
  }
  return made;
}

/** An entry that is not valid: what lies below its key may be. */
function readBroken(entry: EntryText, path: Path, reader: Reader, document: Composed | undefined): JsonObject {
  const { key, bodyStart, start, end } = entry;
  reader.broken += 1;
  const inner = key === undefined ? undefined : reader.noteKey(key, path);
  if (key === undefined) reader.unread.addOpen(path);
  const name = inner?.at(-1);
  if (inner !== undefined && name !== undefined && bodyStart !== undefined) {
    const block = entriesIn(reader.text, { start: bodyStart, end });
    if (block !== undefined) return { [name]: readPiece({ start: bodyStart, end }, inner, reader) };
  }
  reader.report(document === undefined ? [] : [document], start);
  return inner === undefined || name === undefined ? {} : { [name]: reader.giveUp(inner) };
}
