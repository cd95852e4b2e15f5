// The YAML library, and what of its documents becomes values and source ranges; of their meaning, only addresses of blocks.

import type { Alias, CST, Node, Pair, Scalar } from 'yaml';
import { Composer, Document, isAlias, isMap, isPair, isScalar, isSeq, Lexer, Parser, visit } from 'yaml';
import { countWhile } from '../../core/bisect.ts';
import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import type { Json, Path } from '../../core/json.ts';
import { addressAt } from '../../catalog/address.ts';
import { safeKey } from '../../schema/describe-value.ts';
import type { Lines } from './lines.ts';
import type { Delimited, Offsets } from './nodes.ts';
import { BINARY, delimitedAt, hasOtherTag, hasUnknownTag, isMerge, keyOf, rangeOf, sourceOf } from './nodes.ts';
import type { TextRange } from './recover.ts';
import type { ParseCost } from '../values/parse-cost.ts';
import type { RejectedValue } from './syntax.ts';
import { isLocal, isOnlyUnclosed, MAX_ALIASES, REJECTED_VALUES, spoils, syntaxDiagnostics } from './syntax.ts';
import { unclosedIn } from './unclosed.ts';
import { pathKey, UnknownValues } from '../unknown-values.ts';

export const MAX_NODES = 100_000;
export const MAX_DEPTH = 64;
/** What may be spent on the pieces of a text that is not valid: pieces that are broken themselves, and characters. */
const MAX_BROKEN = 100;
const MAX_RECOMPOSED = 8 * 1024 * 1024;

/** A document as the library gives it. */
export type Composed = Document.Parsed;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

interface ComposedText {
  readonly documents: readonly Composed[];
  /** Where the text becomes deeper than it may be; it is not read any further. */
  readonly tooDeepAt?: number;
}

/**
 * The documents of a text. The tokens are made one after the other, without recursion, so that a text which is too deep is
 * known before the composer, which calls itself for each level and could exhaust the stack of the process, sees any of it.
 */
export function compose(text: string): ComposedText {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH && levelsOf(parser.stack) > MAX_DEPTH) return { documents: [], tooDeepAt: at };
  }
  tokens.push(...parser.end());
  const composed = [...new Composer({ ...OPTIONS, customTags: [BINARY] }).compose(tokens)];
  return { documents: composed.filter((one) => one instanceof Document) };
}

function levelsOf(stack: readonly CST.Token[]): number {
  return stack.filter(({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection').length;
}

/** True when there is nothing in it, or `null`. */
export function isEmpty({ contents }: Composed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

/** Reads values out of one document; what it finds in several pieces of its text adds up. */
export class Reader {
  readonly valueRanges = new Map<string, SourceRange>();
  readonly keyRanges = new Map<string, SourceRange>();
  readonly numberTexts = new Map<string, string>();
  readonly unknownValues = new UnknownValues(
    (path) => this.valueRanges.has(pathKey(path)) || this.keyRanges.has(pathKey(path)),
  );
  readonly diagnostics: Diagnostic[] = [];
  readonly text: string;
  readonly lines: Lines;
  readonly spent: ParseCost;
  /** Offsets of what spoils the text that it stands in, ascending. */
  #spoils: readonly number[];
  #document: Composed | undefined;
  #offset = 0;

  constructor(text: string, lines: Lines, hidden: readonly number[], spent: ParseCost) {
    this.text = text;
    this.lines = lines;
    this.#spoils = hidden;
    this.spent = spent;
  }

  /** True when no more pieces are looked at. */
  hasStopped(): boolean {
    return this.spent.isStopped;
  }

  /** The document of one piece; undefined when it holds none. What it costs is bounded: then the reader stops, and says so. */
  recompose({ start, end }: TextRange): Composed | undefined {
    if (this.spent.isStopped) return undefined;
    if (this.spent.broken >= MAX_BROKEN || this.spent.recomposed + end - start > MAX_RECOMPOSED) {
      this.spent.isStopped = true;
      const { file } = this.lines.range(start, start);
      const message = `the rest of ${file} was not checked, because it has too many errors`;
      const fix = 'correct the problems above, or split the file';
      this.diagnostics.push(this.lines.error('yaml-syntax', start, start, { message, fix }));
      return undefined;
    }
    this.spent.recomposed += end - start;
    return compose(this.text.slice(start, end)).documents[0];
  }

  /** Notes that the value is not known. */
  giveUp(path: Path): null {
    this.unknownValues.add(path);
    return null;
  }

  /** True when every problem of the text leaves no doubt about the rest of it. */
  isReadable({ errors, warnings, contents }: Composed): boolean {
    const problems = [...errors, ...warnings];
    if (problems.every(isLocal)) return true;
    return delimitedAt(contents).some(({ isFlow }) => isFlow) && isOnlyUnclosed(problems, this.text);
  }

  /** What the parser says of a piece of the text. */
  report(documents: readonly Composed[], offset: number, path: Path, most = Infinity): void {
    for (const document of documents) {
      const unclosedAt = unclosedIn(document.errors, delimited(document), this.text.slice(offset));
      const problems = [...document.errors, ...document.warnings].slice(0, most);
      this.#tell(path, ...syntaxDiagnostics(problems, { lines: this.lines, offset, unclosedAt, text: this.text }));
    }
  }

  #tell(path: Path, ...problems: readonly Diagnostic[]): void {
    const address = addressAt(path);
    this.diagnostics.push(...problems.map((one) => (address === undefined ? one : { ...one, address })));
  }

  /** The value of a document whose text begins at the offset. */
  readFrom(document: Composed, offset: number, path: Path): Json {
    this.report([document], offset, path);
    const local = [...document.errors, ...document.warnings].filter(spoils).map(({ pos }) => pos[0] + offset);
    if (local.length > 0) this.#spoils = [...this.#spoils, ...local].sort((a, b) => a - b);
    this.#document = document;
    this.#offset = offset;
    return this.#read(document.contents, path);
  }

  /** Notes a key that is known without its value; undefined when it cannot be used. */
  noteKey(key: { readonly text: string; readonly start: number; readonly end: number }, path: Path): Path | undefined {
    this.#offset = 0;
    return this.#keyAt(key.text, [key.start, key.end], path);
  }

  #range([start, end]: Offsets): SourceRange {
    return this.lines.range(start + this.#offset, end + this.#offset);
  }

  #read(node: unknown, path: Path): Json {
    const range = rangeOf(node);
    if (range !== undefined && !this.valueRanges.has(pathKey(path)))
      this.valueRanges.set(pathKey(path), this.#range(range));
    this.spent.nodes += 1;
    if (this.spent.nodes > MAX_NODES || path.length > MAX_DEPTH)
      return this.#refuse(node, path, REJECTED_VALUES.tooLarge);
    if (isAlias(node)) return this.#readAlias(node, path);
    if (hasUnknownTag(node)) return this.giveUp(path);
    if (hasOtherTag(node)) return this.#refuse(node, path, REJECTED_VALUES.tag);
    if (isSeq(node)) return node.items.map((item, index) => this.#read(item, [...path, String(index)]));
    if (isTemplate(node)) return this.#refuse(node, path, REJECTED_VALUES.template);
    if (isMap(node)) return this.#readMap(node.items, path);
    return isScalar(node) ? this.#readScalar(node, path) : null;
  }

  #readAlias(node: Alias, path: Path): Json {
    const target = this.#targetOf(node);
    // The anchor may be in a part of the text that was not valid.
    if (target === REJECTED_VALUES.noAnchor && this.text.includes(`&${node.source}`)) return this.giveUp(path);
    return 'code' in target ? this.#refuse(node, path, target) : this.#read(target, path);
  }

  #targetOf(node: Alias): Node | RejectedValue {
    this.spent.aliases += 1;
    if (this.spent.aliases > MAX_ALIASES) return REJECTED_VALUES.tooManyAliases;
    const target = this.#document === undefined ? undefined : node.resolve(this.#document);
    if (target === undefined) return REJECTED_VALUES.noAnchor;
    const [start, end] = rangeOf(target) ?? [0, 0];
    const [from, to] = rangeOf(node) ?? [0, Infinity];
    return start <= from && to <= end ? REJECTED_VALUES.circular : target;
  }

  #readMap(items: readonly Pair[], path: Path): Json {
    const pairs = items.filter((item) => isPair(item));
    const entries = pairs.filter((pair) => !isMerge(pair)).flatMap((pair) => this.#readPair(pair, path));
    for (const merge of pairs.filter(isMerge))
      for (const pair of this.#mergedBy(merge, path))
        if (!this.keyRanges.has(pathKey([...path, keyOf(pair.key) ?? '']))) entries.push(...this.#readPair(pair, path));
    return Object.fromEntries(entries);
  }

  #readPair(pair: Pair, path: Path): [string, Json][] {
    const inner = this.#readKey(pair, path);
    const name = inner?.at(-1);
    return inner === undefined || name === undefined ? [] : [[name, this.#read(pair.value, inner)]];
  }

  /** What a merge key stands for: it is refused, and what was meant is judged all the same. */
  #mergedBy({ key, value }: Pair, path: Path): readonly Pair[] {
    this.#complain(rangeOf(key) ?? [0, 0], path, REJECTED_VALUES.merge);
    const target = isAlias(value) ? this.#targetOf(value) : value;
    if (isMap(target)) return target.items.filter((item) => isPair(item) && !isMerge(item));
    if (target !== REJECTED_VALUES.circular) this.unknownValues.addOpen(path);
    return [];
  }

  /** The path of the entry; undefined when its key was refused. */
  #readKey({ key: node }: Pair, path: Path): Path | undefined {
    const range = rangeOf(node) ?? [0, 0];
    const isText = isScalar(node) && typeof node.value === 'string';
    if (!isText) this.#complain(range, path, REJECTED_VALUES.key);
    const text = isText ? String(node.value) : sourceOf(node);
    if (text !== undefined && !this.#isSpoiled(range)) return this.#keyAt(text, range, path);
    this.unknownValues.addOpen(path);
    return undefined;
  }

  #keyAt(text: string, range: Offsets, path: Path): Path | undefined {
    const key = text.normalize('NFC');
    const refusal = key === '<<' ? REJECTED_VALUES.merge : key === '__proto__' ? REJECTED_VALUES.proto : undefined;
    if (refusal !== undefined) {
      this.#complain(range, path, refusal);
      if (refusal === REJECTED_VALUES.merge) this.unknownValues.addOpen(path);
      return undefined;
    }
    const inner = [...path, key];
    const first = this.keyRanges.get(pathKey(inner));
    if (first === undefined) {
      this.keyRanges.set(pathKey(inner), this.#range(range));
      return inner;
    }
    const twice = {
      code: 'duplicate-key',
      message: `the key "${safeKey(key)}" is given twice`,
      fix: 'keep one of the two',
    } as const;
    this.#complain(range, inner, twice, [{ message: 'first given here', range: first }]);
    // Its content may be meant for the first.
    this.unknownValues.addOpen(inner);
    return undefined;
  }

  #readScalar(node: Scalar, path: Path): Json {
    const { value, source = '' } = node;
    if (this.#isSpoiled(rangeOf(node) ?? [0, 0])) return this.giveUp(path);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return this.#refuse(node, path, REJECTED_VALUES.infinite);
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return this.#refuse(node, path, REJECTED_VALUES.inexact);
      if (String(value) !== source) this.numberTexts.set(pathKey(path), source);
      return value;
    }
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    return this.#refuse(node, path, REJECTED_VALUES.tag);
  }

  /** True when a character that cannot be read stands in the range, or an escape or a start that means nothing. */
  #isSpoiled([start, end]: Offsets): boolean {
    const before = countWhile(this.#spoils.length, (index) => (this.#spoils[index] ?? 0) < start + this.#offset);
    return (this.#spoils[before] ?? Infinity) < end + this.#offset;
  }

  #refuse(node: unknown, path: Path, refusal: RejectedValue): null {
    const isCounted = refusal === REJECTED_VALUES.tooLarge || refusal === REJECTED_VALUES.tooManyAliases;
    if (!isCounted || !this.diagnostics.some((one) => one.code === refusal.code))
      this.#complain(rangeOf(node) ?? [0, 0], path, refusal);
    return this.giveUp(path);
  }

  #complain(range: Offsets, path: Path, { code, ...words }: RejectedValue, related?: Diagnostic['related']): void {
    const made = this.lines.error(code, range[0] + this.#offset, range[1] + this.#offset, words);
    this.#tell(path, { ...made, ...(related !== undefined && { related }) });
  }
}

/** Quoted texts, and blocks and lists in brackets. */
function delimited(document: Composed): Delimited[] {
  const found: Delimited[] = [];
  visit(document, (_, node) => void found.push(...delimitedAt(node)));
  return found;
}

/** `{{ x }}`, which is a block with a block for its only key. */
function isTemplate(node: unknown): boolean {
  const [only, ...rest] = isMap(node) ? node.items : [];
  return rest.length === 0 && isPair(only) && isMap(only.key) && only.key.flow === true && only.value === null;
}
