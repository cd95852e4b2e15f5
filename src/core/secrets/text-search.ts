// Finds many texts in another one in a single pass, whatever they have in common (Aho and Corasick, 1975). Knows nothing of
// secrets.
//
// The texts are a tree of characters, and each node also knows its longest proper ending that begins another text. With `abcd` and
// `bce`, the search of `abce` goes a, ab, abc; no text goes on with `e` there, so it goes on from `bc`, and finds `bce`. It never
// goes back in the text that it searches.

/** A part of a text: its first position and the position after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const ROOT = 0;
const HASH_BITS = 16;
/** How many first characters decide whether a text may begin somewhere. */
const HEAD = 4;

export class TextSearch {
  readonly texts: readonly string[];
  /** Number of characters of all texts. */
  readonly size: number;
  /** By node: its first child, and the character that leads there. */
  readonly #child: Int32Array;
  readonly #character: Uint16Array;
  /** Further children, by node and character. */
  readonly #otherChildren = new Map<number, number>();
  /** By node: the node of its longest ending that begins a text. */
  readonly #ending: Int32Array;
  /** By node: the length of the longest text that ends there, or 0. */
  readonly #longest: Int32Array;
  #nodes = 1;
  /** By the hash of a head: rules out most positions without looking further. */
  readonly #begun = new Uint8Array(2 ** HASH_BITS);

  /** For texts of at least four characters. */
  constructor(texts: readonly string[]) {
    this.texts = texts;
    this.size = texts.reduce((sum, text) => sum + text.length, 0);
    this.#child = new Int32Array(this.size + 1);
    this.#character = new Uint16Array(this.size + 1);
    this.#ending = new Int32Array(this.size + 1);
    this.#longest = new Int32Array(this.size + 1);
    for (const text of texts) this.#begun[hashAt(text, 0)] = 1;
    this.#grow();
  }

  /** Adds the first character of every text, then the second: an ending is shorter than its node, so it is there already. */
  #grow(): void {
    let growing = this.texts.map((text) => ({ text, node: ROOT }));
    for (let depth = 0; growing.length > 0; depth++) {
      for (const branch of growing) branch.node = this.#childFor(branch.node, branch.text.charCodeAt(depth));
      for (const { text, node } of growing) if (text.length === depth + 1) this.#longest[node] = text.length;
      growing = growing.filter(({ text }) => text.length > depth + 1);
    }
  }

  #childFor(node: number, character: number): number {
    const known = this.#childOf(node, character);
    if (known !== undefined) return known;
    const made = this.#nodes++;
    const ending = node === ROOT ? ROOT : this.#next(this.#ending[node] ?? ROOT, character);
    if (this.#child[node] === ROOT) {
      this.#child[node] = made;
      this.#character[node] = character;
    } else this.#otherChildren.set(edge(node, character), made);
    this.#ending[made] = ending;
    this.#longest[made] = this.#longest[ending] ?? 0;
    return made;
  }

  #childOf(node: number, character: number): number | undefined {
    const first = this.#child[node];
    if (first === ROOT) return undefined;
    return this.#character[node] === character ? first : this.#otherChildren.get(edge(node, character));
  }

  /** The node of the longest ending of a node and a character that begins a text. */
  #next(from: number, character: number): number {
    for (let node = from; ; node = this.#ending[node] ?? ROOT) {
      const child = this.#childOf(node, character);
      if (child !== undefined) return child;
      if (node === ROOT) return ROOT;
    }
  }

  /** Where the text holds one of the texts, in order; what overlaps is one span. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    const begun = this.#begun;
    const last = text.length - HEAD;
    let node = ROOT;
    for (let at = 0; at < text.length; at++) {
      if (node === ROOT && (at > last || begun[hashAt(text, at)] === 0)) continue;
      node = this.#next(node, text.charCodeAt(at));
      const length = this.#longest[node] ?? 0;
      if (length > 0) addSpan(spans, { start: at + 1 - length, end: at + 1 });
    }
    return spans;
  }
}

function edge(node: number, character: number): number {
  return node * 0x10000 + character;
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + HEAD; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
  return hash >>> (32 - HASH_BITS);
}

/** Adds a span that ends behind all others. */
function addSpan(spans: Span[], { start, end }: Span): void {
  let first = start;
  for (let last = spans.at(-1); last !== undefined && last.end > first; last = spans.at(-1)) {
    first = Math.min(first, last.start);
    spans.pop();
  }
  spans.push({ start: first, end });
}

/** The spans of several searches, in order; what overlaps is one span. */
export function joinSpans(lists: readonly (readonly Span[])[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of lists.flat().sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    if (last === undefined || start >= last.end) spans.push({ start, end });
    else if (end > last.end) spans[spans.length - 1] = { start: last.start, end };
  }
  return spans;
}
