// The secrets that are known in this process, and where a text repeats one, or a line of one: as it is, JSON-escaped,
// percent-encoded or in base64 (ADR-0019). Knows nothing of documents.

import { percentDecoded } from './percent.ts';
import { joinSpans, TextSearch, type Span } from './text-search.ts';

export const SECRET_MASK = '(sensitive)';

/** Shorter secrets are not searched for in text, where they would match by chance: only their type protects them. */
const SHORTEST = 8;
/** The same for one line of a secret of several lines, such as a private key. */
const SHORTEST_LINE = 16;

/** Texts to look for. The time of a search depends on the length of the text, and hardly on the number of secrets. */
export class KnownSecrets {
  readonly #secrets = new Set<string>();
  /** Each is larger than the next one. */
  #searches: TextSearch[] = [];
  /** Readings that no search has yet. */
  #added: string[] = [];

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    // A part of the mask would be found in what was masked already.
    if (secret.length < SHORTEST || this.#secrets.has(secret) || SECRET_MASK.includes(secret)) return;
    this.#secrets.add(secret);
    for (const part of [withoutBlanks(secret), ...longLinesOf(secret)])
      for (const reading of readingsOf(part)) if (reading.length >= SHORTEST) this.#added.push(reading);
  }

  remove(secret: string): void {
    const left = [...this.#secrets].filter((one) => one !== secret);
    this.clear();
    for (const one of left) this.add(one);
  }

  clear(): void {
    this.#secrets.clear();
    this.#searches = [];
    this.#added = [];
  }

  /** Where the text repeats a secret, in order and without overlaps. */
  spansIn(text: string): Span[] {
    if (this.#secrets.size === 0) return [];
    const searches = this.#prepared();
    const decoded = percentDecoded(text);
    const found = searches.map((search) => search.spansIn(text));
    if (decoded === undefined) return joinSpans(found);
    const inCodes = searches.flatMap((search) => search.spansIn(decoded.text));
    const { startOf } = decoded;
    return joinSpans([...found, inCodes.map(({ start, end }) => ({ start: startOf(start), end: startOf(end) }))]);
  }

  /**
   * Searches for all readings. What was added goes into a new one, together with those before it that are not larger: so there are
   * few, and a reading is put into a larger one each time that it is moved.
   */
  #prepared(): readonly TextSearch[] {
    if (this.#added.length === 0) return this.#searches;
    let newest = new TextSearch([...new Set(this.#added)]);
    this.#added = [];
    for (
      let last = this.#searches.at(-1);
      last !== undefined && last.size <= newest.size;
      last = this.#searches.at(-1)
    ) {
      newest = new TextSearch([...last.texts, ...newest.texts]);
      this.#searches.pop();
    }
    this.#searches.push(newest);
    return this.#searches;
  }

  holds(text: string): boolean {
    return this.spansIn(text).length > 0;
  }

  /** The text with the mask in place of every secret. */
  mask(text: string): string {
    let [safe, from] = ['', 0];
    for (const { start, end } of this.spansIn(text)) {
      safe += text.slice(from, start) + SECRET_MASK;
      from = end;
    }
    return from === 0 ? text : safe + text.slice(from);
  }
}

/** Blanks around a secret do not count, unless too little would be left; blanks alone are in every text. */
function withoutBlanks(secret: string): string {
  const trimmed = secret.trim();
  return trimmed.length >= SHORTEST || trimmed === '' ? trimmed : secret;
}

/** The lines of a secret of several lines that no other text holds by chance. */
function longLinesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= SHORTEST_LINE);
}

/** The readings besides percent codes, which are decoded; base64 at each offset inside other bytes, without the characters that depend on those. */
function readingsOf(secret: string): string[] {
  // Half a surrogate pair has no UTF-8 form.
  const bytes = Buffer.from(secret, 'utf8');
  const coded = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [secret, JSON.stringify(secret).slice(1, -1), ...coded];
}

/** One list per process: a filter that must be told its secrets by hand is one that misses some. */
export const knownSecrets = new KnownSecrets();
