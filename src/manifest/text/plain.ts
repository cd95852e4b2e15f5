// Reads the plain subset of YAML and JSON in one pass, which covers nearly every valid manifest (ADR-0029). It declines
// everything else, which the YAML library then reads; it must decline every text in which the library finds an error.

import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import type { Offsets } from './lines.ts';
import { CHARACTER, Cursor, decline, unlessDeclined } from './plain-cursor.ts';

/** The values of a plain text, and where they and the keys of map entries are; undefined for any other text. */
export function readPlain(text: string, maxDepth: number) {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  const reader = new PlainReader(text, maxDepth);
  const json = unlessDeclined(() => reader.readDocument());
  return (
    json && {
      json,
      keyAt: (path: Path) => reader.keyAt(json, path),
      valueAt: (path: Path) => reader.valueAt(json, path),
    }
  );
}

const KEY = /(?:([A-Za-z_][A-Za-z0-9_./-]*)|"([^"\\\n]*)"|'([^'\n]*)'):(?=[ \n]|$)/y;
/** In brackets, a quoted key needs no blank after its colon. */
const FLOW_KEY = /(?:([A-Za-z_][A-Za-z0-9_./-]*):(?= )|"([^"\\\n]*)" *:)/y;
/** Keys that YAML does not read as text, and a name that objects must not have. */
const NO_KEY = /^(?:null|true|false|__proto__)$/i;
const MAX_KEY = 1000;
const QUOTED = /"((?:[^"\\\n]|\\[\\"/nt])*)"|'([^'\n]*)'(?!')/y;
const PLAIN_START = /[A-Za-z0-9_/.$(+]|-(?![- \n]|$)/y;
/** Three dots at the start of a line end the document, even in brackets. */
const FLOW_PLAIN = /(?!\.\.\.)(?:-?[0-9]|[A-Za-z_/.$(])(?:[^,[\]{}#:"'\n]|:(?![ ,[\]{}"'\n]))*/y;
const BLOCK_TEXT = /\|(-?) *\n( *)(?=[^ \n])/y;

/** Where the entries of a map or a list are, in their order. */
interface Places {
  readonly keys: number[];
  readonly starts: number[];
  readonly ends: number[];
}

class PlainReader {
  readonly #cursor: Cursor;
  readonly #maxDepth: number;
  readonly #places = new Map<JsonObject | readonly Json[], Places>();
  readonly #indexes = new Map<JsonObject, ReadonlyMap<string, number>>();
  /** Where the document begins. */
  #start = 0;
  /** Where the value ends that was read last. */
  #end = 0;
  #depth = 0;

  constructor(text: string, maxDepth: number) {
    this.#cursor = new Cursor(text);
    this.#maxDepth = maxDepth;
  }

  readDocument(): JsonObject {
    const cursor = this.#cursor;
    cursor.nextLine();
    if (cursor.indent === 0 && cursor.match(/---\n/y) !== undefined) cursor.nextLine();
    if (cursor.indent > 0 || cursor.isAtEnd()) decline();
    this.#start = cursor.at;
    const isFlow = cursor.code() === CHARACTER.brace;
    const json = isFlow ? this.#flowMap(true) : this.#map(0);
    if (isFlow) cursor.endLine();
    return cursor.isAtEnd() ? json : decline();
  }

  keyAt(json: JsonObject, path: Path): Offsets | undefined {
    const container = valueAt(json, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    const index = isObject(container) ? this.#indexIn(container, name) : undefined;
    const start = index === undefined ? undefined : this.#placesIn(container)?.keys[index];
    return start === undefined ? undefined : this.#cursor.keyRange(start, name);
  }

  valueAt(json: JsonObject, path: Path): Offsets | undefined {
    const name = path.at(-1);
    if (name === undefined) return [this.#start, this.#end];
    const container = valueAt(json, path.slice(0, -1));
    const index = isObject(container) ? this.#indexIn(container, name) : Number(name);
    const { starts, ends } = this.#placesIn(container) ?? {};
    const [start, end] = index === undefined ? [] : [starts?.[index], ends?.[index]];
    return start === undefined || end === undefined ? undefined : [start, end];
  }

  #placesIn(container: Json | undefined): Places | undefined {
    return isObject(container) || isList(container) ? this.#places.get(container) : undefined;
  }

  #indexIn(container: JsonObject, name: string): number | undefined {
    const known = this.#indexes.get(container);
    if (known !== undefined) return known.get(name);
    const made = new Map(Object.keys(container).map((key, position) => [key, position]));
    this.#indexes.set(container, made);
    return made.get(name);
  }

  #placesOf(container: JsonObject | readonly Json[]): Places {
    const places: Places = { keys: [], starts: [], ends: [] };
    this.#places.set(container, places);
    return places;
  }

  /** Enters a nested value and checks the depth. */
  #enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) decline();
  }

  /** A map whose entries begin at the column; the cursor is at the first. */
  #map(column: number): JsonObject {
    this.#enter();
    const cursor = this.#cursor;
    const made: Record<string, Json> = {};
    const places = this.#placesOf(made);
    do {
      places.keys.push(cursor.at);
      const name = this.#key(KEY, made);
      made[name] = this.#entry(column, places);
      places.ends.push(this.#end);
    } while (cursor.indent === column && !cursor.isAtEnd() && !cursor.isDash());
    if (cursor.indent > column) decline();
    this.#depth -= 1;
    return made;
  }

  #key(pattern: RegExp, made: JsonObject): string {
    const found = this.#cursor.match(pattern) ?? decline();
    const name = found[1] ?? found[2] ?? found[3] ?? '';
    const isOdd = name.length > MAX_KEY || !/^[A-Za-z_][\x20-\x7e]*$/.test(name) || NO_KEY.test(name);
    return isOdd || Object.hasOwn(made, name) ? decline() : name;
  }

  /** The value after the key of an entry at the column; notes where it begins. */
  #entry(column: number, { starts }: Places): Json {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    starts.push(cursor.at);
    this.#end = cursor.at;
    const code = cursor.code();
    if (code === CHARACTER.pipe) return this.#blockText(column);
    const isBelow = code === CHARACTER.newline || code === CHARACTER.hash || cursor.isAtEnd();
    if (!isBelow) return this.#inline();
    if (code === CHARACTER.hash && cursor.text.charCodeAt(cursor.at - 1) !== CHARACTER.blank) decline();
    cursor.at = cursor.lineEnd();
    cursor.endLine();
    const { indent } = cursor;
    const isAList = !cursor.isAtEnd() && indent >= column && cursor.isDash();
    const isMap = !cursor.isAtEnd() && indent > column && !isAList;
    if (!isAList && !isMap) return null;
    starts[starts.length - 1] = cursor.at;
    return isAList ? this.#list(indent) : this.#map(indent);
  }

  #list(column: number): Json[] {
    this.#enter();
    const cursor = this.#cursor;
    const made: Json[] = [];
    const places = this.#placesOf(made);
    do {
      const dash = cursor.at;
      cursor.at += 1;
      cursor.skipBlanks();
      places.starts.push(cursor.at);
      made.push(cursor.isAt(KEY) ? this.#map(column + cursor.at - dash) : this.#inline());
      places.ends.push(this.#end);
    } while (cursor.indent === column && !cursor.isAtEnd() && cursor.isDash());
    if (cursor.indent > column) decline();
    this.#depth -= 1;
    return made;
  }

  /** A value that ends on the same line. */
  #inline(): Json {
    const value = this.#value(false) ?? this.#plain();
    this.#end = this.#cursor.at;
    this.#cursor.endLine();
    return value;
  }

  /** A quoted text or a value in brackets. */
  #value(isWide: boolean): Json | undefined {
    const code = this.#cursor.code();
    if (code === CHARACTER.brace) return this.#flowMap(isWide);
    if (code === CHARACTER.bracket) return this.#flowList(isWide);
    if (code !== CHARACTER.quote && code !== CHARACTER.apostrophe) return undefined;
    const [token, double, single] = this.#cursor.match(QUOTED) ?? decline();
    if (double === undefined) return single ?? decline();
    return double.includes('\\') ? String(JSON.parse(token)) : double;
  }

  #plain(): Json {
    const cursor = this.#cursor;
    if (!cursor.isAt(PLAIN_START)) decline();
    const line = cursor.text.slice(cursor.at, cursor.lineEnd());
    const comment = line.indexOf(' #');
    const text = trimEnd(comment < 0 ? line : line.slice(0, comment));
    if (text.includes(': ') || text.endsWith(':')) decline();
    cursor.at += text.length;
    return resolved(text);
  }

  /** `|` and `|-` with lines of the same or more indentation. */
  #blockText(column: number): string {
    const cursor = this.#cursor;
    const [, chomp, indent = ''] = cursor.match(BLOCK_TEXT) ?? decline();
    const lines: string[] = [];
    let start = cursor.at - indent.length;
    while (start < cursor.text.length) {
      const end = cursor.lineEnd(start);
      const line = cursor.text.slice(start, end);
      const first = line.search(/[^ ]/);
      if (first >= 0 && first < indent.length) break;
      if ((first < 0 && line !== '') || end === cursor.text.length) decline();
      lines.push(line.slice(indent.length));
      start = end + 1;
    }
    while (lines.at(-1) === '') lines.pop();
    this.#end = start;
    cursor.at = start;
    cursor.nextLine();
    if (indent.length <= column || cursor.indent > column) decline();
    return lines.join('\n') + (chomp === '-' ? '' : '\n');
  }

  #flowMap(isWide: boolean): JsonObject {
    const made: Record<string, Json> = {};
    const places = this.#placesOf(made);
    this.#items(CHARACTER.closingBrace, isWide, () => {
      places.keys.push(this.#cursor.at);
      const name = this.#key(FLOW_KEY, made);
      this.#cursor.gap(isWide);
      made[name] = this.#flowValue(isWide, places);
    });
    return made;
  }

  #flowList(isWide: boolean): Json[] {
    const made: Json[] = [];
    const places = this.#placesOf(made);
    this.#items(CHARACTER.closingBracket, isWide, () => void made.push(this.#flowValue(isWide, places)));
    return made;
  }

  #items(closing: number, isWide: boolean, read: () => void): void {
    this.#enter();
    const cursor = this.#cursor;
    cursor.at += 1;
    let isLast = cursor.gap(isWide) === closing;
    while (!isLast) {
      read();
      isLast = cursor.gap(isWide) === closing;
      if (isLast) break;
      if (cursor.code() !== CHARACTER.comma) decline();
      cursor.at += 1;
      if (cursor.gap(isWide) === closing) decline();
    }
    cursor.at += 1;
    this.#end = cursor.at;
    this.#depth -= 1;
  }

  #flowValue(isWide: boolean, { starts, ends }: Places): Json {
    const start = this.#cursor.at;
    starts.push(start);
    const value = this.#value(isWide);
    const text = value === undefined ? trimEnd((this.#cursor.match(FLOW_PLAIN) ?? decline())[0]) : '';
    ends.push(value === undefined ? start + text.length : this.#cursor.at);
    return value ?? resolved(text);
  }
}

/** Without trailing blanks; other white space is part of the text. */
function trimEnd(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === CHARACTER.blank) end--;
  return text.slice(0, end);
}

/** The value of an unquoted text by the core schema; declines numbers that are not in JSON notation. */
function resolved(text: string): Json {
  if (/^[-+.0-9]/.test(text)) {
    const number = Number(text);
    if (Number.isNaN(number)) return /^[-+]?\.(?:inf|nan)$/i.test(text) ? decline() : text;
    return String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : decline();
  }
  if (!/^(?:true|false|null)$/i.test(text)) return text;
  if (text === 'null') return null;
  return text === 'true' || (text === 'false' ? false : decline());
}
