// The comments of a text, and the keys and items among which they stand, as the parser's tokens have them. Knows no manifest.

import { Parser, type CST } from 'yaml';
import { sha256 } from '../../core/digest.ts';

/** A key of a map or an item of a list. */
export interface Entry {
  readonly offset: number;
  readonly path: string;
  /** The path of what it is in. */
  readonly parent: string;
  readonly depth: number;
  readonly isFlow: boolean;
}

export interface Comment {
  readonly offset: number;
  readonly text: string;
}

interface Found {
  readonly entries: Entry[];
  readonly comments: Comment[];
}

interface Level {
  /** A digest of the way to it: as long as any other, however long the keys are. */
  readonly path: string;
  readonly depth: number;
  readonly isFlow: boolean;
}

/** Comments and entries, each in the order of the text. */
export function commentsAndEntries(text: string): Found {
  const found: Found = { entries: [], comments: [] };
  for (const token of new Parser().parse(text)) collect(token, { path: '', depth: 0, isFlow: false }, found);
  found.comments.sort(byOffset);
  found.entries.sort(byOffset);
  return found;
}

const byOffset = (a: { readonly offset: number }, b: { readonly offset: number }) => a.offset - b.offset;

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
