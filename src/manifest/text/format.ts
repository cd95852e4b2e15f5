// Formats the text of a manifest: the order of keys, quotes and indentation (ADR-0038). Comments and blank lines stay, and so
// does the meaning: a text that would not parse to the same values is never returned.

import type { Node, Scalar, Tags, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, Lexer, parseDocument, visit } from 'yaml';
import type { Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds, kindByManifestKey } from '../../catalog/lookup.ts';
import { FIRST_IN_BLOCK, FIRST_KEYS, placeOfKey } from '../../catalog/order.ts';
import { fieldOf, fieldsIn } from '../../catalog/walk.ts';
import type { Result } from '../../core/diagnostic.ts';
import { canonicalJson } from '../../core/json.ts';
import { parseDocuments } from './parse.ts';

const WIDTH = 120;

/** The formatted text; no value with errors where it cannot be read, and with a warning where it is left alone. */
export function formatManifest(name: string, source: string): Result<string> {
  const [file, ...others] = parseDocuments(name, source);
  const problems = [file, ...others].flatMap(({ diagnostics }) => diagnostics);
  if (problems.length > 0) return { diagnostics: problems };
  const text = source.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const made = formatted(text);
  if (made === undefined) return leftAlone(name, 'has anchors or aliases', 'write the value at each place');
  const isSame = canonicalJson(parseDocuments(name, made)[0].json) === canonicalJson(file.json);
  if (!isSame || commentsIn(made) !== commentsIn(text) || formatted(made) !== made)
    return leftAlone(name, 'has a form or comments that cannot be kept', 'move the comments, or please report this');
  return { value: source.includes('\r\n') ? made.replaceAll('\n', '\r\n') : made, diagnostics: [] };
}

/** Undefined with anchors or aliases. */
function formatted(text: string): string | undefined {
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
  if (shared.length > 0) return undefined;
  if (isMap(document.contents)) sortManifest(document.contents);
  return document.toString({ lineWidth: WIDTH });
}

function leftAlone(name: string, why: string, fix: string): Result<never> {
  const message = `${name} ${why}; it is left as it is`;
  return { diagnostics: [{ code: 'not-formatted', severity: 'warning', message, fix }] };
}

/** Every comment of a text, in an order that does not depend on its place. */
function commentsIn(text: string): string {
  const isComment = (lexeme: string, at: number, all: readonly string[]) =>
    lexeme.startsWith('#') && all[at - 1] !== '\u001f';
  return [...new Lexer().lex(text)].filter(isComment).sort().join('\n');
}

/** The general keys, and the fields of each block. The order of kinds and of blocks is the user's. */
function sortManifest(document: YAMLMap): void {
  const before = document.items[0]?.key;
  sortMap(document, FIRST_KEYS);
  const after = document.items[0]?.key;
  // What stands above the first key is about the file.
  if (before !== after && isNode(before) && isNode(after)) {
    after.commentBefore = [before.commentBefore ?? '', after.commentBefore ?? ''].filter(Boolean).join('\n');
    before.commentBefore = null;
  }
  for (const { key, value } of document.items) {
    const kind = kindByManifestKey(textOf(key));
    if (kind !== undefined) sortBlocks(kind, value);
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
function sortMap(map: YAMLMap, first: readonly string[]): void {
  const inside = [map, ...map.items.map(({ value }) => value)];
  if (Boolean(map.commentBefore) || inside.some((one) => isCollection(one) && Boolean(one.comment))) return;
  const place = placeOfKey(first);
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
