// The YAML library: turns its documents into values and source ranges. Of their meaning, it knows only addresses of blocks.

import type { Alias, Node, Pair, ParsedNode, Scalar } from 'yaml';
import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { countWhile } from '../../core/bisect.ts';
import { groupBy } from '../../core/group.ts';
import type { Json, Path } from '../../core/json.ts';
import { lazy } from '../../core/lazy.ts';
import { addressAt } from '../../catalog/address.ts';
import { safeKey } from '../../schema/describe-value.ts';
import { compose, LIMITS, MAX_DEPTH, type Composed } from './compose.ts';
import type { Lines, Offsets } from './lines.ts';
import type { TextRange } from './recover.ts';
import { MAX_ALIASES, REJECTED_VALUES, type RejectedValue } from './rejected-values.ts';
import { openersIn, type Delimited } from './openers.ts';
import { syntaxDiagnostics } from './syntax.ts';
import { pathKey, UnknownValues } from '../unknown-values.ts';

/** A YAML tag for values that JSON does not have, such as `!!binary`. */
const OTHER_TAG = /^tag:yaml\.org,2002:(?!(?:str|int|float|bool|null|map|seq)$)/;

/** Maximum number of values that the aliases of one file stand for. */
const MAX_EXPANDED = 100_000;

/** Maximum number of problems in the text of one file; it is not read beyond them. */
const MAX_PROBLEMS = 100;

/** What was spent on one file, in all of its documents. */
export class ParseCost {
  /** Values that aliases stand for. */
  expanded = 0;
  aliases = 0;
  problems = 0;
}

/** Reads values from a document, and collects the results from several pieces of its text. */
export class Reader {
  /** Offsets in the whole file; positions are worked out for what is reported. */
  readonly valueRanges = new Map<string, Offsets>();
  readonly keyRanges = new Map<string, Offsets>();
  readonly numberTexts = new Map<string, string>();
  readonly unknownValues = new UnknownValues(
    (path) => this.valueRanges.has(pathKey(path)) || this.keyRanges.has(pathKey(path)),
  );
  readonly diagnostics: Diagnostic[] = [];
  readonly text: string;
  readonly lines: Lines;
  readonly spent: ParseCost;
  #anchors: () => Anchors = () => new Map();
  #offset = 0;
  /** Aliases around the value that is being read. */
  #aliasesAround = 0;

  constructor(text: string, lines: Lines, spent: ParseCost) {
    this.text = text;
    this.lines = lines;
    this.spent = spent;
  }

  /** The documents in a piece of the text; undefined when it is nested too deep, which is reported. */
  composeAll({ start, end }: TextRange): readonly Composed[] | undefined {
    const composed = compose(this.text.slice(start, end));
    if (!('is' in composed)) return composed;
    const at = start + composed.at;
    this.#tell([], [this.lines.error(composed.is, at, at + 1, LIMITS[composed.is])]);
    return undefined;
  }

  /** The document of one piece; undefined when it is nested too deep, which is reported. */
  composeAt(piece: TextRange): Composed | undefined {
    return this.composeAll(piece)?.[0];
  }

  /** Marks the value as unknown. */
  giveUp(path: Path): null {
    this.unknownValues.add(path);
    return null;
  }

  isReadable({ errors, warnings }: Composed): boolean {
    return errors.length + warnings.length === 0;
  }

  /** Reports the parser's problems for a piece of the text. */
  report(document: Composed, offset: number, path: Path): void {
    if (this.isFull) return;
    const problems = [...document.errors, ...document.warnings].slice(0, MAX_PROBLEMS + 1);
    const openers = () => openersIn(delimitedIn(document, offset), this.text);
    const piece = { lines: this.lines, offset, openers, text: this.text };
    this.#tell(path, syntaxDiagnostics(problems, piece));
  }

  /** True once the text has so many problems that the rest of it is not read. */
  get isFull(): boolean {
    return this.spent.problems > MAX_PROBLEMS;
  }

  #tell(path: Path, problems: readonly Diagnostic[]): void {
    const address = addressAt(path);
    const room = Math.max(0, MAX_PROBLEMS - this.spent.problems);
    const isStopped = this.isFull;
    this.spent.problems += problems.length;
    for (const problem of problems.slice(0, room))
      this.diagnostics.push(address === undefined ? problem : { ...problem, address });
    const next = problems[room];
    if (next !== undefined && !isStopped) this.#stopAt(next);
  }

  /** Says once that the rest is not read; nothing in the file is known then. */
  #stopAt({ range }: Diagnostic): void {
    const message = `the file has more than ${MAX_PROBLEMS} errors, and is not checked any further`;
    const fix = 'correct the problems above, then check it again';
    this.diagnostics.push({ code: 'yaml-syntax', severity: 'error', message, fix, ...(range && { range }) });
    this.giveUp([]);
  }

  /** The value of a document whose text begins at the offset. */
  readFrom(document: Composed, offset: number, path: Path): Json {
    this.#anchors = lazy(() => anchorsIn(document));
    this.#offset = offset;
    return this.#read(document.contents, path);
  }

  #inFile([start, end]: Offsets): Offsets {
    return [start + this.#offset, end + this.#offset];
  }

  #read(node: ParsedNode | null, path: Path): Json {
    if (node === null || this.isFull) return null;
    const key = pathKey(path);
    if (!this.valueRanges.has(key)) this.valueRanges.set(key, this.#inFile([node.range[0], endOf(node)]));
    if (this.#aliasesAround > 0) this.spent.expanded += 1;
    if (this.spent.expanded > MAX_EXPANDED || path.length > MAX_DEPTH)
      return this.#refuse(node, path, REJECTED_VALUES.tooLarge);
    if (isAlias(node)) return this.#readAlias(node, path);
    if (OTHER_TAG.test(node.tag ?? '')) return this.#refuse(node, path, REJECTED_VALUES.tag);
    if (isSeq(node)) return node.items.map((item, index) => this.#read(item, [...path, String(index)]));
    if (isTemplate(node)) return this.#refuse(node, path, REJECTED_VALUES.template);
    return isMap(node) ? this.#readMap(node.items, path) : this.#readScalar(node, path);
  }

  #readAlias(node: Alias.Parsed, path: Path): Json {
    const target = this.#targetOf(node);
    // The anchor may be in an invalid part of the text.
    if (target === REJECTED_VALUES.noAnchor && this.text.includes(`&${node.source}`)) return this.giveUp(path);
    if ('code' in target) return this.#refuse(node, path, target);
    this.#aliasesAround += 1;
    const json = this.#read(target, path);
    this.#aliasesAround -= 1;
    return json;
  }

  #targetOf(node: Alias.Parsed): ParsedNode | RejectedValue {
    this.spent.aliases += 1;
    if (this.spent.aliases > MAX_ALIASES) return REJECTED_VALUES.tooManyAliases;
    const target = anchoredBefore(node, this.#anchors());
    if (target === undefined) return REJECTED_VALUES.noAnchor;
    const [start, end] = target.range;
    const [from, to] = node.range;
    return start <= from && to <= end ? REJECTED_VALUES.circular : target;
  }

  #readMap(pairs: readonly ParsedPair[], path: Path): Json {
    return Object.fromEntries(
      pairs.flatMap((pair): [string, Json][] => {
        const name = this.#readKey(pair, path);
        return name === undefined ? [] : [[name, this.#read(pair.value, [...path, name])]];
      }),
    );
  }

  /** The name of the entry; undefined when its key was rejected. */
  #readKey({ key: node }: ParsedPair, path: Path): string | undefined {
    const own = textOf(node);
    if (own === undefined) this.#complain(node.range, path, REJECTED_VALUES.key);
    // A number or boolean keeps its source text; quotes make it a string.
    const text = own ?? (isScalar(node) && node.value !== null ? node.source : undefined);
    if (text !== undefined) return this.#nameAt(text, node.range, path);
    this.unknownValues.addOpen(path);
    return undefined;
  }

  #nameAt(text: string, range: Offsets, path: Path): string | undefined {
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
      this.keyRanges.set(pathKey(inner), this.#inFile(range));
      return key;
    }
    this.#complain(range, inner, {
      code: 'duplicate-key',
      message: `the key "${safeKey(key)}" is given twice`,
      fix: 'keep one of the two',
      related: [{ message: 'first given here', range: this.lines.range(first[0], first[1]) }],
    });
    // Its content may have been intended for the first one.
    this.unknownValues.addOpen(inner);
    return undefined;
  }

  #readScalar(node: Scalar.Parsed, path: Path): Json {
    const { value, source } = node;
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

  #refuse(node: ParsedNode, path: Path, refusal: RejectedValue): null {
    const isCounted = refusal === REJECTED_VALUES.tooLarge || refusal === REJECTED_VALUES.tooManyAliases;
    const isSaid = isCounted && this.diagnostics.some((one) => one.code === refusal.code);
    if (!isSaid) this.#complain(node.range, path, refusal);
    return this.giveUp(path);
  }

  #complain([start, end]: Offsets, path: Path, { code, ...words }: RejectedValue): void {
    this.#tell(path, [this.lines.error(code, start + this.#offset, end + this.#offset, words)]);
  }
}

/** Where a value ends; a block ends with its last value, and not with the lines behind it. */
function endOf(node: ParsedNode): number {
  let last: ParsedNode = node;
  while (isCollection(last) && last.flow !== true) {
    const item = last.items.at(-1);
    const inner: ParsedNode | undefined = isPair(item) ? (item.value ?? item.key) : item;
    if (inner === undefined) break;
    last = inner;
  }
  return last.range[1];
}

/** Quoted texts, and blocks and lists in brackets, of a document whose text begins at the offset. */
function delimitedIn(document: Composed, offset: number): Delimited[] {
  const found: Delimited[] = [];
  visit(document, (_, node) => {
    const isFlow = isCollection(node) && node.flow === true;
    const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE');
    if (!(isFlow || isQuoted) || !node.range) return;
    const [start, end] = node.range;
    found.push({ range: [start + offset, end + offset], isFlow });
  });
  return found;
}

/** The nodes of each anchor, in their order: an alias means the last one before it. */
type Anchors = ReadonlyMap<string, readonly ParsedNode[]>;

function anchorsIn(document: Composed): Anchors {
  const anchored: ParsedNode[] = [];
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined && isParsed(node)) anchored.push(node);
    },
  });
  return groupBy(anchored, ({ anchor }) => anchor);
}

function anchoredBefore({ source, range: [at] }: Alias.Parsed, anchors: Anchors): ParsedNode | undefined {
  const same = anchors.get(source) ?? [];
  return same[countWhile(same.length, (index) => (same[index]?.range[0] ?? at) < at) - 1];
}

/** True for nodes that a parser made: all of them here. */
function isParsed(node: Node): node is ParsedNode {
  return node.range !== undefined && node.range !== null;
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>;

/** The text of a key, if it is text. */
function textOf(key: ParsedNode): string | undefined {
  return isScalar(key) && typeof key.value === 'string' ? key.value.normalize('NFC') : undefined;
}

/** `{{ x }}`, which YAML reads as a map whose only key is a map. */
function isTemplate(node: ParsedNode): boolean {
  const [only, ...rest] = isMap(node) ? node.items : [];
  return rest.length === 0 && isMap(only?.key) && only.key.flow === true && only.value === null;
}
