// Where the comments of a text stand: before or beside which key or item, and at which depth. A formatter compares this before
// and after (ADR-0057). Knows no manifest.

import { commentsAndEntries, type Comment, type Entry } from './comment-tokens.ts';

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

/** The comments in their order. */
export function placedComments(text: string): PlacedComment[] {
  const { comments, entries } = commentsAndEntries(text);
  const cursor = new CommentCursor(text, entries);
  return comments.map((comment) => cursor.place(comment));
}

/** Where a comment stands, in words that two layouts of one content share. */
interface Place {
  readonly place: string;
  /** It begins a block or the file. */
  readonly isFirst: boolean;
}

/** Places comments that are given in the order of the text: it only moves forward, so that a text is read once. */
class CommentCursor {
  readonly #text: string;
  readonly #entries: readonly Entry[];
  /** What stands above this offset is about the file. */
  readonly #headEnd: number;
  readonly #trail = new EntryTrail();
  /** Index of the first entry behind the cursor. */
  #following = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string, entries: readonly Entry[]) {
    this.#text = text;
    this.#entries = entries;
    this.#headEnd = endOfHead(text, entries[0]);
  }

  place({ offset, text: comment }: Comment): PlacedComment {
    this.#passEntries(offset);
    this.#passLines(offset);
    const lineStart = this.#lineStart;
    const before = this.#text.slice(lineStart, offset).trim();
    const { place, isFirst } = this.#placeOf(offset - lineStart, before);
    return {
      text: comment,
      line: this.#line,
      column: offset - lineStart + 1,
      identity: JSON.stringify([comment.trimEnd(), place]),
      isApart: before === '' && !isFirst && this.#hasBlankLineAbove(),
      lineStart,
    };
  }

  #passEntries(offset: number): void {
    for (let entry = this.#next(); entry !== undefined && entry.offset < offset; entry = this.#next()) {
      this.#trail.enter(entry, this.#columnOf(entry));
      this.#following++;
    }
  }

  #passLines(offset: number): void {
    for (let end = this.#lineEnd(); end >= 0 && end < offset; end = this.#lineEnd()) {
      this.#line++;
      this.#lineStart = end + 1;
    }
  }

  #placeOf(column: number, before: string): Place {
    const next = this.#next();
    const { last } = this.#trail;
    const isFirstOfBlock = next !== undefined && last !== undefined && next.parent === last.path;
    if (isFirstOfBlock) return { place: `before ${next.path} at ${next.depth}`, isFirst: true };
    if (before !== '' && last !== undefined)
      return { place: `beside ${this.#trail.besideWhat(last, before).path}`, isFirst: false };
    if (this.#lineStart < this.#headEnd) return { place: 'file', isFirst: true };
    const depth = Math.max(this.#trail.depthAt(column), next?.depth ?? 0);
    return { place: `before ${next?.path ?? 'the end'} at ${depth}`, isFirst: last === undefined };
  }

  #next(): Entry | undefined {
    return this.#entries[this.#following];
  }

  /** Only block entries have one that counts: many flow entries may share a line. */
  #columnOf({ offset, isFlow }: Entry): number {
    return isFlow ? 0 : offset - (this.#text.lastIndexOf('\n', offset - 1) + 1);
  }

  #lineEnd(): number {
    return this.#text.indexOf('\n', this.#lineStart);
  }

  #hasBlankLineAbove(): boolean {
    if (this.#lineStart === 0) return false;
    const startAbove = this.#text.lastIndexOf('\n', this.#lineStart - 2) + 1;
    return this.#text.slice(startAbove, this.#lineStart).trim() === '';
  }
}

/** The entry that was passed last, behind all that it is in. */
class EntryTrail {
  readonly #around: { readonly entry: Entry; readonly column: number }[] = [];

  get last(): Entry | undefined {
    return this.#around.at(-1)?.entry;
  }

  enter(entry: Entry, column: number): void {
    while ((this.last?.depth ?? 0) >= entry.depth) this.#around.pop();
    this.#around.push({ entry, column });
  }

  /** The depth of the entries beside which a comment in this column stands. */
  depthAt(column: number): number {
    return this.#around.findLast((step) => !step.entry.isFlow && step.column <= column)?.entry.depth ?? 0;
  }

  /** Behind a bracket a comment is beside what the brackets are the value of. */
  besideWhat(last: Entry, before: string): Entry {
    if (!/[}\]]$/.test(before)) return last;
    return this.#around.findLast((step) => !step.entry.isFlow)?.entry ?? last;
  }
}

/** Where the last blank line above the first entry begins. */
function endOfHead(text: string, first: Entry | undefined): number {
  const above = text.slice(0, first?.offset ?? 0).split('\n');
  const last = above.slice(0, -1).findLastIndex((line) => line.trim() === '');
  return above.slice(0, Math.max(0, last)).reduce((length, line) => length + line.length + 1, 0);
}
