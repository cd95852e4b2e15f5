// The secrets that are known in this process, and where a text repeats one, or a line of one: as it is, JSON-escaped,
// percent-encoded or in base64 (ADR-0019). Knows nothing of documents.

export const SECRET_MASK = '(sensitive)';

/** A part of a text: its first position and the position after its last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A shorter secret may be part of any text by chance, and is kept by its type only. */
const SHORTEST = 8;
/** The same for one line of a secret of several lines, such as a private key. */
const SHORTEST_LINE = 16;
const HASH_BITS = 16;

/** Texts to look for. The time of a search depends on the length of the text, and not on the number of secrets. */
export class KnownSecrets {
  readonly #secrets = new Set<string>();
  /** Readings by their first characters, and by their length. */
  readonly #readings = new Map<string, Map<number, Set<string>>>();
  /** Rules out most positions without looking further. */
  #begun = new Uint8Array(2 ** HASH_BITS);

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    // A part of the mask would be found in what was masked already.
    if (secret.length < SHORTEST || this.#secrets.has(secret) || SECRET_MASK.includes(secret)) return;
    this.#secrets.add(secret);
    for (const part of [secret.trim(), ...longLinesOf(secret)])
      for (const reading of readingsOf(part)) if (reading.length >= SHORTEST) this.#addReading(reading);
  }

  #addReading(reading: string): void {
    const head = reading.slice(0, SHORTEST);
    const byLength = this.#readings.get(head) ?? new Map<number, Set<string>>();
    this.#readings.set(head, byLength);
    byLength.set(reading.length, (byLength.get(reading.length) ?? new Set()).add(reading));
    this.#begun[hashAt(reading, 0)] = 1;
  }

  remove(secret: string): void {
    const left = [...this.#secrets].filter((one) => one !== secret);
    this.clear();
    for (const one of left) this.add(one);
  }

  clear(): void {
    this.#secrets.clear();
    this.#readings.clear();
    this.#begun = new Uint8Array(2 ** HASH_BITS);
  }

  /** Where the text repeats a secret, in order and without overlaps. */
  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    if (this.#secrets.size === 0) return spans;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      if (this.#begun[hashAt(text, at)] === 0) continue;
      const end = at + this.#longestAt(text, at);
      const last = spans.at(-1);
      if (end === at) continue;
      if (last === undefined || at >= last.end) spans.push({ start: at, end });
      else if (end > last.end) spans[spans.length - 1] = { start: last.start, end };
    }
    return spans;
  }

  #longestAt(text: string, at: number): number {
    const byLength = this.#readings.get(text.slice(at, at + SHORTEST)) ?? [];
    let longest = 0;
    for (const [length, readings] of byLength)
      if (length > longest && readings.has(text.slice(at, at + length))) longest = length;
    return longest;
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

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + 4; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1);
  return hash >>> (32 - HASH_BITS);
}

/** The lines of a secret of several lines that no other text holds by chance. */
function longLinesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= SHORTEST_LINE);
}

/** The four readings; base64 at each offset inside other bytes, without the characters that depend on those. */
function readingsOf(secret: string): string[] {
  // Half a surrogate pair has no UTF-8 form.
  const bytes = Buffer.from(secret, 'utf8');
  const coded = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(bytes.toString('utf8')), ...coded];
}

/** One list per process: a filter that must be told its secrets by hand is one that misses some. */
export const knownSecrets = new KnownSecrets();
