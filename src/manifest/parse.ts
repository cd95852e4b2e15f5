// YAML or JSON text → plain JSON and the source range of every key and value. Knows nothing of what the document means.

import type { Alias, CST, Document, Node, Pair, Scalar } from 'yaml';
import { Composer, isAlias, isMap, isPair, isScalar, isSeq, Lexer, Parser } from 'yaml';
import type { Diagnostic, SourceRange } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { gate } from './gate.ts';
import type { Lines } from './lines.ts';
import { linesOf } from './lines.ts';

export interface ParsedFile {
  readonly name: string;
  /** The document; null when it could not be read. */
  readonly json: Json;
  /** Range of the value at a path; segments are joined with NUL. */
  readonly valueRanges: ReadonlyMap<string, SourceRange>;
  /** Range of the key of a map entry at a path. */
  readonly keyRanges: ReadonlyMap<string, SourceRange>;
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_NODES = 100_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 64;

/** Path segments as one map key. */
export function pathKey(path: readonly string[]): string {
  return path.join('\0');
}

/** Parses one file; every problem is positioned, and the parser's own texts are not shown. */
export function parseFile(name: string, source: string): ParsedFile {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const lines = linesOf(name, text);
  const refused = gate(text, lines);
  const nothing = { name, json: null, valueRanges: new Map(), keyRanges: new Map() };
  if (refused.length > 0) return { ...nothing, diagnostics: refused };
  const { tokens, tooDeepAt } = tokensOf(text);
  if (tooDeepAt !== undefined) return { ...nothing, diagnostics: [tooDeep(tooDeepAt, lines)] };
  const documents = [...new Composer(OPTIONS).compose(tokens)];
  const [document] = documents;
  if (document === undefined || document.contents === null) {
    return {
      ...nothing,
      diagnostics: [
        lines.error('empty-file', 0, 0, {
          message: 'the file holds no manifest',
          fix: 'remove the file, or write `version: 1` and `stack: NAME` into it',
        }),
      ],
    };
  }
  const problems = documents.flatMap((one) => syntaxProblems(one, lines));
  const second = documents[1];
  if (second !== undefined) {
    const at = second.range[0];
    problems.push(
      lines.error('several-documents', at, at + 3, {
        message: 'the file holds more than one YAML document',
        fix: 'put each document into a file of its own; several files form one stack',
      }),
    );
  }
  if (problems.length > 0) return { ...nothing, diagnostics: problems };
  const reader = new Reader(document, lines);
  const json = reader.read(document.contents, []);
  return { name, json, valueRanges: reader.valueRanges, keyRanges: reader.keyRanges, diagnostics: reader.diagnostics };
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  strict: true,
  logLevel: 'silent',
} as const;

interface Tokens {
  readonly tokens: readonly CST.Token[];
  /** Where the text becomes deeper than it may be; it is not read any further. */
  readonly tooDeepAt?: number;
}

/**
 * The tokens of a text. They are made one after the other, without recursion, so that a text which is too deep is known
 * before the composer, which calls itself for each level and could exhaust the stack of the process, sees any of it.
 */
function tokensOf(text: string): Tokens {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH && levelsOf(parser.stack) > MAX_DEPTH) return { tokens: [], tooDeepAt: at };
  }
  tokens.push(...parser.end());
  return { tokens };
}

function levelsOf(stack: readonly CST.Token[]): number {
  return stack.filter(({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection').length;
}

function tooDeep(at: number, lines: Lines): Diagnostic {
  return lines.error('too-deep', at, at + 1, {
    message: `the file is nested deeper than ${MAX_DEPTH} levels`,
    fix: 'a manifest needs far fewer levels; check for unclosed brackets',
  });
}

/** Our words for the parser's error codes. */
const WORDS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used for indentation; YAML wants spaces',
  BAD_INDENT: 'the indentation does not fit',
  MULTILINE_IMPLICIT_KEY: 'a key runs over several lines',
  MISSING_CHAR: 'a character is missing here, such as a closing quote, bracket or ":"',
  UNEXPECTED_TOKEN: 'this does not fit here',
  BLOCK_AS_IMPLICIT_KEY: 'a key is nested on the line of another key',
  BAD_ALIAS: 'the alias cannot be used',
  TAG_RESOLVE_FAILED: 'tags such as !name are not supported',
  BAD_SCALAR_START: 'a plain value cannot start with this character; quote it',
  BAD_DQ_ESCAPE: 'the escape inside the double quotes is not known',
  BAD_DIRECTIVE: 'the directive is not supported',
};

function syntaxProblems(document: Document, lines: Lines): Diagnostic[] {
  return [...document.errors, ...document.warnings].map((problem) => {
    const code = problem.code === 'TAG_RESOLVE_FAILED' ? 'unknown-tag' : 'yaml-syntax';
    return lines.error(code, problem.pos[0], problem.pos[1], {
      message: WORDS[problem.code] ?? 'this is not valid YAML',
      fix:
        code === 'unknown-tag'
          ? 'write the value itself; use ${var.NAME} or ${file:PATH} for values from elsewhere'
          : 'correct the line; an editor with YAML support shows the structure',
    });
  });
}

class Reader {
  readonly valueRanges = new Map<string, SourceRange>();
  readonly keyRanges = new Map<string, SourceRange>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: Document;
  readonly #lines: Lines;
  #nodes = 0;
  #aliases = 0;

  constructor(document: Document, lines: Lines) {
    this.#document = document;
    this.#lines = lines;
  }

  read(node: unknown, path: readonly string[]): Json {
    const range = rangeOf(node);
    if (range !== undefined && !this.valueRanges.has(pathKey(path)))
      this.valueRanges.set(pathKey(path), this.#lines.range(range[0], range[1]));
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || path.length > MAX_DEPTH)
      return this.#refuse(node, 'too-large', 'the document is too large or too deep once its aliases are expanded');
    if (isAlias(node)) return this.#readAlias(node, path);
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, [...path, String(index)]));
    if (isMap(node)) return this.#readMap(node.items, path);
    return isScalar(node) ? this.#readScalar(node) : null;
  }

  #readAlias(node: Alias, path: readonly string[]): Json {
    this.#aliases += 1;
    if (this.#aliases > MAX_ALIASES)
      return this.#refuse(node, 'too-many-aliases', 'the document uses more than 100 aliases');
    const target = node.resolve(this.#document);
    const outer = rangeOf(target);
    const own = rangeOf(node);
    if (outer !== undefined && own !== undefined && outer[0] <= own[0] && own[1] <= outer[1]) {
      return this.#refuse(node, 'circular-alias', 'the alias refers to the block that it stands in');
    }
    return this.read(target, path);
  }

  #readMap(pairs: readonly Pair[], path: readonly string[]): Json {
    const seen = new Map<string, Node>();
    const entries: [string, Json][] = [];
    for (const pair of pairs.filter((item) => isPair(item))) {
      const key = this.#readKey(pair, seen);
      if (key === undefined) continue;
      const inner = [...path, key];
      const range = rangeOf(pair.key);
      if (range !== undefined) this.keyRanges.set(pathKey(inner), this.#lines.range(range[0], range[1]));
      entries.push([key, this.read(pair.value, inner)]);
    }
    return Object.fromEntries(entries);
  }

  /** The key as text; undefined when it was refused. */
  #readKey(pair: Pair, seen: Map<string, Node>): string | undefined {
    const node = pair.key;
    if (!isScalar(node) || typeof node.value !== 'string') {
      this.#refuse(node, 'bad-key', 'a key must be text', 'put the key in quotes');
      return undefined;
    }
    const key = node.value.normalize('NFC');
    if (key === '<<') {
      this.#refuse(
        node,
        'merge-key',
        'merge keys (<<) are not part of YAML 1.2',
        'repeat the fields, or use an alias for a whole block',
      );
      return undefined;
    }
    if (key === '__proto__') {
      this.#refuse(node, 'bad-key', '__proto__ cannot be a key');
      return undefined;
    }
    const first = seen.get(key);
    const range = rangeOf(first);
    if (first !== undefined && range !== undefined) {
      const own = rangeOf(node) ?? range;
      const related = [{ message: 'first given here', range: this.#lines.range(range[0], range[1]) }];
      this.diagnostics.push({
        ...this.#lines.error('duplicate-key', own[0], own[1], {
          message: `the key "${key}" is given twice`,
          fix: 'keep one of the two',
        }),
        related,
      });
      return undefined;
    }
    seen.set(key, node);
    return key;
  }

  #readScalar(node: Scalar): Json {
    const { value } = node;
    if (typeof value === 'number') {
      if (!Number.isFinite(value))
        return this.#refuse(node, 'bad-number', 'infinity and NaN are not numbers of a manifest');
      if (Number.isInteger(value) && !Number.isSafeInteger(value))
        return this.#refuse(node, 'bad-number', 'the number is too large to be kept exactly', 'quote it if it is text');
      return value;
    }
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    return this.#refuse(node, 'bad-number', 'this kind of value is not supported', 'quote it if it is text');
  }

  #refuse(
    node: unknown,
    code: 'too-large' | 'too-many-aliases' | 'circular-alias' | 'bad-key' | 'merge-key' | 'bad-number',
    message: string,
    fix?: string,
  ): null {
    const [start, end] = rangeOf(node) ?? [0, 0];
    const already =
      (code === 'too-large' || code === 'too-many-aliases') && this.diagnostics.some((one) => one.code === code);
    if (!already)
      this.diagnostics.push(this.#lines.error(code, start, end, { message, ...(fix !== undefined && { fix }) }));
    return null;
  }
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range as readonly unknown[];
  return typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined;
}
