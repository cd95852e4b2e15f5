// Where the comments of a text stand: before or beside which key or item, and at which depth. A formatter compares this before
// and after (ADR-0057). Knows no manifest.

import { Parser, type CST } from 'yaml';
import { sha256 } from '../../core/digest.ts';

export interface PlacedComment {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** What it says and where it stands, the same for two texts of one content however they are laid out. */
  readonly identity: string;
  /** It is the first on its line, has a blank line above it, and does not begin a block. */
  readonly isApart: boolean;
  /** Where its line begins. */
  readonly lineStart: number;
}

/** A key of a map or an item of a list. */
interface Entry {
  readonly offset: number;
  readonly path: string;
  /** The path of what it is in. */
  readonly parent: string;
  readonly depth: number;
  readonly isFlow: boolean;
}

interface Found {
  readonly entries: Entry[];
  readonly comments: { readonly offset: number; readonly text: string }[];
}

interface Level {
  /** A digest of the way to it: as long as any other, however long the keys are. */
  readonly path: string;
  readonly depth: number;
  readonly isFlow: boolean;
}

/** The comments in their order. */
export function placedComments(text: string): PlacedComment[] {
  const found: Found = { entries: [], comments: [] };
  for (const token of new Parser().parse(text)) collect(token, { path: '', depth: 0, isFlow: false }, found);
  const comments = found.comments.sort((a, b) => a.offset - b.offset);
  const entries = found.entries.sort((a, b) => a.offset - b.offset);
  const cursor = createCursor(text, entries);
  return comments.map((comment) => cursor.place(comment));
}

function collect(token: CST.Token | null | undefined, level: Level, found: Found): void {
  if (token === null || token === undefined) return;
  if (token.type === 'comment') found.comments.push({ offset: token.offset, text: token.source });
  if ('props' in token) collectAll(token.props, level, found);
  if ('start' in token) collectAll([token.start].flat(), level, found);
  if ('items' in token) token.items.forEach((item, index) => collectItem(item, { token, index, level }, found));
  if ('value' in token) collect(token.value, level, found);
  if ('end' in token) collectAll(token.end ?? [], level, found);
}

function collectAll(tokens: readonly CST.Token[], level: Level, found: Found): void {
  for (const token of tokens) collect(token, level, found);
}

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

interface ItemPlace {
  readonly token: Collection;
  readonly index: number;
  readonly level: Level;
}

function collectItem(
  { start, key, sep, value }: CST.CollectionItem,
  { token, index, level }: ItemPlace,
  found: Found,
): void {
  const isMap = token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{');
  const name = isMap ? `.${nameOf(key)}` : `.${index}`;
  const inner = {
    path: sha256(level.path + name),
    parent: level.path,
    depth: level.depth + 1,
    isFlow: level.isFlow || token.type === 'flow-collection',
  };
  const dash = token.type === 'block-seq' ? start.find(({ type }) => type === 'seq-item-ind') : undefined;
  const offset = (dash ?? key ?? value)?.offset;
  if (offset !== undefined) found.entries.push({ offset, ...inner });
  collectAll(start, level, found);
  collect(key, inner, found);
  collectAll(sep ?? [], inner, found);
  collect(value, inner, found);
}

/** A key as it is written but for quotes, in a form without the dots of a path. */
function nameOf(key: CST.Token | null | undefined): string {
  if (key === null || key === undefined || !('source' in key)) return '';
  const { source } = key;
  const isQuoted = source.length > 1 && `"'`.includes(source.charAt(0));
  return JSON.stringify(isQuoted ? source.slice(1, -1) : source).replaceAll('.', '\\u002e');
}

/** Where the last blank line above the first entry begins: what stands above it is about the file. */
function endOfHead(text: string, first: Entry | undefined): number {
  const above = text.slice(0, first?.offset ?? 0).split('\n');
  const last = above.slice(0, -1).findLastIndex((line) => line.trim() === '');
  return above.slice(0, Math.max(0, last)).reduce((length, line) => length + line.length + 1, 0);
}

/** Places comments that are given in their order. */
function createCursor(text: string, entries: readonly Entry[]) {
  let following = 0;
  let line = 1;
  let lineStart = 0;
  // The entries that the last one is in, and itself.
  const around: Entry[] = [];
  const columns = new Map<Entry, number>();
  const headEnd = endOfHead(text, entries[0]);

  function enter(entry: Entry): void {
    while ((around.at(-1)?.depth ?? 0) >= entry.depth) around.pop();
    around.push(entry);
    // Only those count; many of the others may be on one line.
    if (!entry.isFlow) columns.set(entry, entry.offset - (text.lastIndexOf('\n', entry.offset - 1) + 1));
  }

  function moveTo(offset: number): void {
    for (let entry = entries[following]; entry !== undefined && entry.offset < offset; entry = entries[following]) {
      enter(entry);
      following++;
    }
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
      line++;
      lineStart = end + 1;
    }
  }

  /** The depth of the entries beside which a comment in this column stands. */
  const depthAt = (column: number) =>
    around.findLast((entry) => !entry.isFlow && (columns.get(entry) ?? 0) <= column)?.depth ?? 0;

  function whereIs(column: number, before: string): { readonly place: string; readonly isFirst: boolean } {
    const [last, next] = [around.at(-1), entries[following]];
    const isBeside = before !== '';
    const isFirst = next !== undefined && last !== undefined && next.parent === last.path;
    if (isFirst) return { place: `before ${next.path} at ${next.depth}`, isFirst };
    if (isBeside && last !== undefined) return { place: `beside ${holder(last, before).path}`, isFirst };
    if (lineStart < headEnd) return { place: 'file', isFirst: true };
    const depth = Math.max(depthAt(column), next?.depth ?? 0);
    return { place: `before ${next?.path ?? 'the end'} at ${depth}`, isFirst: last === undefined };
  }

  /** Behind a bracket it is beside what the brackets are the value of. */
  const holder = (last: Entry, before: string) =>
    (/[}\]]$/.test(before) && around.findLast((entry) => !entry.isFlow)) || last;

  return {
    place({ offset, text: comment }: Found['comments'][number]): PlacedComment {
      moveTo(offset);
      const before = text.slice(lineStart, offset).trim();
      const { place, isFirst } = whereIs(offset - lineStart, before);
      const above = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
      const isApart = before === '' && !isFirst && lineStart > 0 && above.trim() === '';
      const identity = JSON.stringify([comment.trimEnd(), place]);
      return { text: comment, line, column: offset - lineStart + 1, identity, isApart, lineStart };
    },
  };
}
