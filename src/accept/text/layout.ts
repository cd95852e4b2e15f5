// Where the values of a text stand, and how they are written. The only file here that knows the YAML library.

import { CST, isAlias, isMap, isScalar, isSeq, Lexer, type ParsedNode, type YAMLSeq } from 'yaml';
import { compose } from '../../manifest/text/compose.ts';

/** How a value is written. */
type Style =
  | 'block-map'
  | 'flow-map'
  | 'block-list'
  | 'flow-list'
  | 'plain'
  | 'single-quoted'
  | 'double-quoted'
  /** With `|` or `>` and lines below it. */
  | 'block-text'
  /** Nothing is written. */
  | 'empty';

/** A value in a text; offsets count from the beginning of the text. */
export interface Spot {
  readonly style: Style;
  readonly start: number;
  /** Behind its last character; lines behind a block do not belong to it. */
  readonly end: number;
  /** Behind the colon or dash that it belongs to; undefined for the document, and in a flow list. */
  readonly after: number | undefined;
  /** True for an alias, and for what has an anchor or a tag: what it says counts elsewhere, too, or depends on more than its text. */
  readonly isShared: boolean;
  /** Of a map. */
  readonly entries: readonly Entry[];
  /** Of a list. */
  readonly items: readonly Spot[];
}

export interface Entry {
  readonly key: string;
  readonly start: number;
  readonly value: Spot;
}

export interface Comment {
  /** Of its number sign. */
  readonly start: number;
  readonly end: number;
  /** True for one on a line of its own; another one ends the line of something. */
  readonly isAlone: boolean;
}

/** The value of the first document; undefined where the text cannot be read. */
export function layoutOf(text: string): Spot | undefined {
  const documents = compose(text, { keepSourceTokens: true });
  const [document] = 'is' in documents ? [] : documents;
  if (document === undefined || document.errors.length > 0 || document.contents === null) return undefined;
  return spotOf(text, document.contents, undefined);
}

/** The comments of a text, in their order. */
export function commentsOf(text: string): readonly Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  let isAlone = true;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    // Marks of the library, which the text does not have.
    if (type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar') continue;
    const end = at + lexeme.length;
    if (type === 'comment') comments.push({ start: at, end, isAlone });
    isAlone = lexeme.endsWith('\n') || (type === 'space' && isAlone);
    at = end;
  }
  return comments;
}

function spotOf(text: string, node: ParsedNode, after: number | undefined): Spot {
  const [start] = node.range;
  const isShared = isAlias(node) || node.anchor !== undefined || node.tag !== undefined;
  const style = styleOf(node);
  if (style === 'empty' && after !== undefined) return { ...emptySpot(after), isShared };
  const bare = { style, start, after, isShared, entries: [], items: [] };
  if (isMap(node)) {
    const entries = node.items.flatMap(({ key, value, srcToken }): Entry[] => {
      if (!isScalar(key)) return [];
      const colon = behindMark('map-value-ind', srcToken?.sep) ?? key.range[1];
      const name = (typeof key.value === 'string' ? key.value : key.source).normalize('NFC');
      const spot = value === null ? emptySpot(colon) : spotOf(text, value, colon);
      return [{ key: name, start: key.range[0], value: spot }];
    });
    return { ...bare, entries, end: endOf(node, entries.at(-1)?.value) };
  }
  if (isSeq(node)) {
    const dashes = style === 'block-list' ? dashesOf(node) : [];
    const items = node.items.map((item, index) => spotOf(text, item, dashes[index]));
    return { ...bare, items, end: endOf(node, items.at(-1)) };
  }
  return { ...bare, end: withoutBreaks(text, start, node.range[1]) };
}

function emptySpot(at: number): Spot {
  return { style: 'empty', start: at, end: at, after: at, isShared: false, entries: [], items: [] };
}

function styleOf(node: ParsedNode): Style {
  if (isMap(node)) return node.flow === true ? 'flow-map' : 'block-map';
  if (isSeq(node)) return node.flow === true ? 'flow-list' : 'block-list';
  if (!isScalar(node)) return 'plain';
  if (node.type === 'QUOTE_SINGLE') return 'single-quoted';
  if (node.type === 'QUOTE_DOUBLE') return 'double-quoted';
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') return 'block-text';
  return node.range[0] === node.range[1] ? 'empty' : 'plain';
}

/** A block ends with its last value, and not with the lines behind it. */
function endOf(node: ParsedNode, last: Spot | undefined): number {
  const isFlow = (isMap(node) || isSeq(node)) && node.flow === true;
  return isFlow || last === undefined ? node.range[1] : last.end;
}

/** Behind the dash of each item, by the parser's own offsets: a comment may hold dashes and colons, too. */
function dashesOf({ srcToken }: YAMLSeq.Parsed): number[] {
  const items = srcToken?.type === 'block-seq' ? srcToken.items : [];
  return items.flatMap(({ start }) => behindMark('seq-item-ind', start) ?? []);
}

function behindMark(type: CST.SourceToken['type'], tokens: readonly CST.SourceToken[] = []): number | undefined {
  const mark = tokens.find((token) => token.type === type);
  return mark && mark.offset + mark.source.length;
}

function withoutBreaks(text: string, start: number, given: number): number {
  let end = given;
  while (end > start && '\r\n'.includes(text.charAt(end - 1))) end--;
  return end;
}
