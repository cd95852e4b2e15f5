// Formats the text of a manifest: the order of keys, quotes and indentation (ADR-0038). Comments and blank lines stay, and so
// does the meaning: a text that would not parse to the same values is never returned.

import type { Node, Scalar, Tags, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds, kindByManifestKey } from '../../catalog/lookup.ts';
import { FIRST_IN_BLOCK, FIRST_KEYS, LAST_AT_TOP, placeOfKey } from '../../catalog/order.ts';
import { ADD } from '../../catalog/reuse-keys.ts';
import { fieldOf, fieldsIn } from '../../catalog/walk.ts';
import type { Result } from '../../core/diagnostic.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import { groupBy } from '../../core/group.ts';
import { canonicalJson } from '../../core/json.ts';
import { placedComments, type PlacedComment } from './comments.ts';
import { parseDocuments } from './parse.ts';

const WIDTH = 120;
/** A longer comment is quoted in part. */
const MAX_COMMENT = 80;

/** The formatted text; no value with errors where it cannot be read, and with a warning where it is left alone. */
export function formatManifest(name: string, source: string): Result<string> {
  const [file, ...others] = parseDocuments(name, source);
  const problems = [file, ...others].flatMap(({ diagnostics }) => diagnostics);
  if (problems.length > 0) return { diagnostics: problems };
  const text = source.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const shape = formatted(text);
  if ('anchor' in shape) return leftAlone(name, ANCHORS, placeAt(text, shape.anchor));
  if ('comment' in shape) return leftAlone(name, movedComment(shape.comment), shape.comment);
  const { made } = shape;
  const again = formatted(made);
  const isStable = 'made' in again && again.made === made;
  if (!isStable || canonicalJson(parseDocuments(name, made)[0].json) !== canonicalJson(file.json))
    return leftAlone(name, UNKEPT, { line: 1, column: 1, text: '' });
  return { value: source.includes('\r\n') ? made.replaceAll('\n', '\r\n') : made, diagnostics: [] };
}

/** The text in its form, or what is in the way: an anchor or alias by its offset, or a comment that would move. */
type Shape = { readonly made: string } | { readonly anchor: number } | { readonly comment: PlacedComment };

function formatted(text: string): Shape {
  const customTags = (tags: Tags) => tags.map(written);
  // Keys that are given twice were refused; the library would compare each with each.
  const document = parseDocument(text, { version: '1.2', keepSourceTokens: true, uniqueKeys: false, customTags });
  const shared: Node[] = [];
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor !== undefined) shared.push(node);
      if (isCollection(node) && node.flow === true) layOut(node);
    },
  });
  const [first] = shared;
  if (first !== undefined) return { anchor: first.range?.[0] ?? 0 };
  if (isMap(document.contents)) sortManifest(document.contents);
  return withComments(text, document.toString({ lineWidth: WIDTH }));
}

/** The formatted text with the blank lines above comments that it lost; or the first comment of the source that it has elsewhere. */
function withComments(source: string, made: string): Shape {
  const written = groupBy(placedComments(made), ({ identity }) => identity);
  const lost: number[] = [];
  for (const comment of placedComments(source)) {
    const same = written.get(comment.identity)?.shift();
    if (same === undefined) return { comment };
    if (comment.isApart && !same.isApart) lost.push(same.lineStart);
  }
  const starts = [0, ...lost.sort((a, b) => a - b)];
  return { made: starts.map((start, index) => made.slice(start, starts[index + 1])).join('\n') };
}

interface Obstacle {
  readonly why: string;
  readonly fix: string;
}

const ANCHORS: Obstacle = { why: 'has anchors or aliases', fix: 'write the value at each place' };
const UNKEPT: Obstacle = { why: 'has a form that cannot be kept', fix: 'please report this' };

function movedComment({ text }: PlacedComment): Obstacle {
  return {
    why: `has a comment that would move to another place (${truncateMiddle(text, MAX_COMMENT)})`,
    fix: 'move the comment to a line of its own above what it is about, indented like that',
  };
}

function leftAlone(name: string, { why, fix }: Obstacle, { line, column, text }: TextPlace): Result<never> {
  const range = { file: name, line, column, endLine: line, endColumn: column + text.length };
  const message = `${name} ${why}; it is left as it is`;
  return { diagnostics: [{ code: 'not-formatted', severity: 'warning', message, range, fix }] };
}

type TextPlace = Pick<PlacedComment, 'line' | 'column' | 'text'>;

function placeAt(text: string, offset: number): TextPlace {
  const above = text.slice(0, offset).split('\n');
  return { line: above.length, column: (above.at(-1)?.length ?? 0) + 1, text: '*' };
}

/** The general keys, and the fields of each block. The order of kinds and of blocks is the user's. */
function sortManifest(document: YAMLMap): void {
  const before = document.items[0]?.key;
  const comment = isNode(before) ? (before.commentBefore ?? '') : '';
  const endOfHead = comment.indexOf('\n\n');
  // Without a blank line below it, it is about the file as well as about the key.
  if (comment === '' || endOfHead >= 0) sortMap(document, FIRST_KEYS, LAST_AT_TOP);
  const after = document.items[0]?.key;
  if (before !== after && isNode(before) && isNode(after) && comment !== '') {
    const own = after.commentBefore ?? '';
    after.commentBefore = `${comment.slice(0, endOfHead)}\n${own === '' ? '' : `\n${own}`}`;
    before.commentBefore = comment.slice(endOfHead + 2);
  }
  sortSections(document);
}

/** The sections of a manifest, and of what an overlay adds. */
function sortSections(document: YAMLMap): void {
  for (const { key, value } of document.items) {
    const name = textOf(key);
    const kind = kindByManifestKey(name);
    if (kind !== undefined) sortBlocks(kind, value);
    else if (name === ADD && isMap(value)) {
      sortMap(value, FIRST_KEYS);
      sortSections(value);
    }
  }
}

function sortBlocks(kind: Kind, blocks: unknown): void {
  if (isMap(blocks)) for (const { value } of blocks.items) sortBlock(value, kind);
}

function sortBlock(block: unknown, kind: Kind): void {
  if (!isMap(block)) return;
  sortMap(block, [...FIRST_IN_BLOCK, ...Object.keys(kind.fields)]);
  for (const { key, value } of block.items) {
    const child = childKinds(kind).find(({ manifestKey }) => manifestKey === textOf(key));
    if (child === undefined) sortFields(value, fieldsIn(fieldOf(kind.fields, textOf(key))));
    else sortBlocks(child, value);
  }
}

/** The fields in the value of a key, which may be a list of objects. */
function sortFields(value: unknown, fields: Fields): void {
  const names = Object.keys(fields);
  if (names.length === 0) return;
  for (const map of isSeq(value) ? value.items : [value]) {
    if (!isMap(map)) continue;
    sortMap(map, names);
    for (const { key, value: inner } of map.items) sortFields(inner, fieldsIn(fieldOf(fields, textOf(key))));
  }
}

/**
 * These names first, in their order, and what comes last; others stay between them. A block keeps its order if it begins with a
 * comment, or if it, or one in it, ends with one: the parser does not tell it from one of what is beside it.
 */
function sortMap(map: YAMLMap, first: readonly string[], last: readonly string[] = []): void {
  const inside = [map, ...map.items.map(({ value }) => value)];
  if (Boolean(map.commentBefore) || inside.some((one) => isCollection(one) && Boolean(one.comment))) return;
  const place = placeOfKey(first, last);
  const before = map.items[0]?.key;
  map.items.sort((a, b) => place(textOf(a.key)) - place(textOf(b.key)));
  const after = map.items[0]?.key;
  // A block does not begin with a blank line.
  if (before !== after && isNode(after)) after.spaceBefore = false;
}

function textOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

/** On one line with a space inside braces and none inside brackets; as a block when that is too long. */
function layOut(node: YAMLMap | YAMLSeq): void {
  const usual = node.toString.bind(node);
  node.toString = (context, ...rest) => {
    if (context === undefined) return usual();
    const text = usual({ ...context, flowCollectionPadding: isMap(node) ? ' ' : '' }, ...rest);
    if (context.inFlow === true || !text.includes('\n')) return text;
    node.flow = false;
    return usual(context, ...rest);
  };
}

/** Scalars are written as they were, but for quotes. */
function written(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || tag.stringify === undefined) return tag;
  const { stringify } = tag;
  return {
    ...tag,
    stringify: (node, context, ...rest) => sourceOf(node, context.indent) ?? stringify(node, context, ...rest),
  };
}

/** The text of a scalar with its further lines indented; undefined for blocks, which the library writes. */
function sourceOf({ srcToken: token, value }: Scalar, indent: string): string | undefined {
  if (token?.type === 'single-quoted-scalar' && !/["\\\n]/.test(`${String(value)}${token.source}`))
    return `"${String(value)}"`;
  if (token === undefined || token.type === 'block-scalar' || !('source' in token) || token.source === '')
    return undefined;
  const [first = '', ...more] = token.source.split('\n').map((line) => line.trim());
  return [first, ...more.map((line) => (line === '' ? '' : `${indent}${line}`))].join('\n');
}
