// Reads the plain subset of YAML and JSON in one pass, which covers nearly every valid manifest (ADR-0029). It declines
// everything else, which the YAML library then reads; it must decline every text in which the library finds an error.

import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { valueAt } from '../../core/value.ts';
import type { Offsets } from './lines.ts';
import { CHARACTER, Cursor, decline, unlessDeclined } from './plain-cursor.ts';

interface PlainLimits {
  readonly depth: number;
  readonly nodes: number;
}

/** The values of a plain text, and where the keys of map entries are; undefined for any other text. */
export function readPlain(text: string, limits: PlainLimits) {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  const reader = new PlainReader(text, limits);
  const json = unlessDeclined(() => reader.readDocument());
  return json && { json, keyAt: (path: readonly string[]) => reader.keyAt(json, path) };
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

class PlainReader {
  readonly #cursor: Cursor;
  readonly #limits: PlainLimits;
  /** Where the keys of each map are, in order. */
  readonly #starts = new Map<JsonObject, number[]>();
  readonly #indexes = new Map<JsonObject, ReadonlyMap<string, number>>();
  #nodes = 0;
  #depth = 0;

  constructor(text: string, limits: PlainLimits) {
    this.#cursor = new Cursor(text);
    this.#limits = limits;
  }

  readDocument(): JsonObject {
    const cursor = this.#cursor;
    cursor.nextLine();
    if (cursor.indent === 0 && cursor.match(/---\n/y) !== undefined) cursor.nextLine();
    if (cursor.indent > 0 || cursor.isAtEnd()) decline();
    const isFlow = cursor.code() === CHARACTER.brace;
    const json = isFlow ? this.#flowMap(true) : this.#map(0);
    if (isFlow) cursor.endLine();
    return cursor.isAtEnd() ? json : decline();
  }

  keyAt(json: JsonObject, path: readonly string[]): Offsets | undefined {
    const container = valueAt(json, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    const start = isObject(container) ? this.#indexOf(container).get(name) : undefined;
    return start === undefined ? undefined : this.#cursor.keyRange(start, name);
  }

  #indexOf(container: JsonObject): ReadonlyMap<string, number> {
    const known = this.#indexes.get(container);
    if (known !== undefined) return known;
    const starts = this.#starts.get(container) ?? [];
    const made = new Map(Object.keys(container).map((name, position) => [name, starts[position] ?? 0]));
    this.#indexes.set(container, made);
    return made;
  }

  /** Enters a nested value and checks the depth. */
  #enter(): void {
    this.#count();
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) decline();
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) decline();
  }

  /** A map whose entries begin at the column; the cursor is at the first. */
  #map(column: number): JsonObject {
    this.#enter();
    const cursor = this.#cursor;
    const made: Record<string, Json> = {};
    const starts: number[] = [];
    do {
      starts.push(cursor.at);
      const name = this.#key(KEY, made);
      made[name] = this.#entry(column);
    } while (cursor.indent === column && !cursor.isAtEnd() && !cursor.isDash());
    if (cursor.indent > column) decline();
    this.#starts.set(made, starts);
    this.#depth -= 1;
    return made;
  }

  #key(pattern: RegExp, made: JsonObject): string {
    const found = this.#cursor.match(pattern) ?? decline();
    const name = found[1] ?? found[2] ?? found[3] ?? '';
    const isOdd = name.length > MAX_KEY || !/^[A-Za-z_][\x20-\x7e]*$/.test(name) || NO_KEY.test(name);
    return isOdd || Object.hasOwn(made, name) ? decline() : name;
  }

  /** The value after the key of an entry at the column. */
  #entry(column: number): Json {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    const code = cursor.code();
    if (code === CHARACTER.pipe) return this.#blockText(column);
    const isBelow = code === CHARACTER.newline || code === CHARACTER.hash || cursor.isAtEnd();
    if (!isBelow) return this.#inline();
    if (code === CHARACTER.hash && cursor.text.charCodeAt(cursor.at - 1) !== CHARACTER.blank) decline();
    cursor.at = cursor.lineEnd();
    cursor.endLine();
    const { indent } = cursor;
    if (!cursor.isAtEnd() && indent >= column && cursor.isDash()) return this.#list(indent);
    if (!cursor.isAtEnd() && indent > column) return this.#map(indent);
    this.#count();
    return null;
  }

  #list(column: number): Json[] {
    this.#enter();
    const cursor = this.#cursor;
    const made: Json[] = [];
    do {
      const dash = cursor.at;
      cursor.at += 1;
      cursor.skipBlanks();
      made.push(cursor.isAt(KEY) ? this.#map(column + cursor.at - dash) : this.#inline());
    } while (cursor.indent === column && !cursor.isAtEnd() && cursor.isDash());
    if (cursor.indent > column) decline();
    this.#depth -= 1;
    return made;
  }

  /** A value that ends on the same line. */
  #inline(): Json {
    const value = this.#value(false) ?? this.#plain();
    this.#cursor.endLine();
    return value;
  }

  /** A quoted text or a value in brackets. */
  #value(isWide: boolean): Json | undefined {
    const code = this.#cursor.code();
    if (code === CHARACTER.brace) return this.#flowMap(isWide);
    if (code === CHARACTER.bracket) return this.#flowList(isWide);
    if (code !== CHARACTER.quote && code !== CHARACTER.apostrophe) return undefined;
    this.#count();
    const [token, double, single] = this.#cursor.match(QUOTED) ?? decline();
    if (double === undefined) return single ?? decline();
    return double.includes('\\') ? String(JSON.parse(token)) : double;
  }

  #plain(): Json {
    this.#count();
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
    this.#count();
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
    cursor.at = start;
    cursor.nextLine();
    if (indent.length <= column || cursor.indent > column) decline();
    return lines.join('\n') + (chomp === '-' ? '' : '\n');
  }

  #flowMap(isWide: boolean): JsonObject {
    const made: Record<string, Json> = {};
    const starts: number[] = [];
    this.#items(CHARACTER.closingBrace, isWide, () => {
      starts.push(this.#cursor.at);
      const name = this.#key(FLOW_KEY, made);
      this.#cursor.gap(isWide);
      made[name] = this.#flowValue(isWide);
    });
    this.#starts.set(made, starts);
    return made;
  }

  #flowList(isWide: boolean): Json[] {
    const made: Json[] = [];
    this.#items(CHARACTER.closingBracket, isWide, () => void made.push(this.#flowValue(isWide)));
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
    this.#depth -= 1;
  }

  #flowValue(isWide: boolean): Json {
    const value = this.#value(isWide);
    if (value !== undefined) return value;
    this.#count();
    const [text] = this.#cursor.match(FLOW_PLAIN) ?? decline();
    return resolved(trimEnd(text));
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
