// Finds any of many texts inside a long one, in one pass: each position is looked up by its first characters, so that the time
// does not depend on the number of texts.

import { countWhile } from '../bisect.ts';

/** A part of a text: its first position and the position after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Matcher {
  readonly add: (text: string) => void;
  /** Where any of the texts occurs, in order; overlapping matches become one span. */
  readonly find: (text: string) => Span[];
}

/** A text to look for, and the longest other text that is a prefix of it. */
interface IndexedText {
  readonly text: string;
  shorter: IndexedText | undefined;
}

/** Texts that begin with the same characters. */
interface Group {
  readonly texts: Set<string>;
  /** Sorted by character code; built on first use. */
  sorted: IndexedText[] | undefined;
}

interface Index extends Matcher {
  readonly isEmpty: () => boolean;
}

/** Length of the prefix that an index uses. Shorter texts have an index of their own, which is usually empty. */
const WIDTH = 4;
const SHORT_WIDTH = 2;
const FILTER_BITS = 16;

/** A matcher without texts; texts shorter than two units are never found. */
export function createMatcher(): Matcher {
  const long = createIndex(WIDTH);
  const short = createIndex(SHORT_WIDTH);
  return {
    add: (text) => {
      if (text.length >= WIDTH) long.add(text);
      else if (text.length >= SHORT_WIDTH) short.add(text);
    },
    find: (text) => (short.isEmpty() ? long.find(text) : merge([...long.find(text), ...short.find(text)])),
  };
}

function createIndex(width: number): Index {
  const groups = new Map<number, Group>();
  // Rules out most positions without looking further.
  const begun = new Uint8Array(2 ** FILTER_BITS);
  return {
    isEmpty: () => groups.size === 0,
    add: (text) => {
      const hash = hashAt(text, 0, width);
      const group = groups.get(hash) ?? { texts: new Set<string>(), sorted: undefined };
      groups.set(hash, group);
      if (group.texts.has(text)) return;
      group.texts.add(text);
      group.sorted = undefined;
      begun[hash >>> (32 - FILTER_BITS)] = 1;
    },
    find: (text) => {
      const spans: Span[] = [];
      for (let at = 0; at + width <= text.length; at++) {
        const hash = hashAt(text, at, width);
        if (begun[hash >>> (32 - FILTER_BITS)] === 0) continue;
        const length = longestAt(groups.get(hash), text, at);
        if (length !== undefined) push(spans, { start: at, end: at + length });
      }
      return spans;
    },
  };
}

function hashAt(text: string, at: number, width: number): number {
  let hash = 0;
  for (let index = at; index < at + width; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
  return hash >>> 0;
}

/**
 * The length of the longest text that matches there. It is the last one that sorts before the text there, or a prefix of that
 * one, so few texts are compared.
 */
function longestAt(group: Group | undefined, text: string, at: number): number | undefined {
  if (group === undefined) return undefined;
  const sorted = (group.sorted ??= sortedEntries(group.texts));
  const there = text.slice(at);
  let entry = sorted[countWhile(sorted.length, (index) => (sorted[index]?.text ?? '') <= there) - 1];
  if (entry === undefined || there.startsWith(entry.text)) return entry?.text.length;
  const { text: before } = entry;
  const common = countWhile(before.length, (index) => there.startsWith(before.slice(0, index + 1)));
  while (entry !== undefined && entry.text.length > common) entry = entry.shorter;
  return entry?.text.length;
}

function sortedEntries(texts: ReadonlySet<string>): IndexedText[] {
  let last: IndexedText | undefined;
  return [...texts].sort().map((text) => {
    let shorter = last;
    while (shorter !== undefined && !text.startsWith(shorter.text)) shorter = shorter.shorter;
    last = { text, shorter };
    return last;
  });
}

/** Adds a span that begins no earlier than the last one. */
function push(spans: Span[], span: Span): void {
  const last = spans.at(-1);
  if (last === undefined || span.start >= last.end) spans.push(span);
  else if (span.end > last.end) spans[spans.length - 1] = { start: last.start, end: span.end };
}

/** Sorts spans and joins those that overlap. */
export function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) push(merged, span);
  return merged;
}
