// An opaque holder for a value that must never be printed. Every conversion to text gives a mask. Every value that was ever
// held is registered here for the output filter.

import { inspect } from 'node:util';

/** What is shown in place of a secret. */
export const SECRET_MASK = '(sensitive)';

/** Properties of a secret other than its text. */
interface SecretTraits {
  /** Where apply finds it: `ADDRESS#PATH` in the manifest, `live:ID#PATH` in a live object. */
  readonly origin?: string | undefined;
  /** Opaque only because of its position, and perhaps not a secret at all: the output filter does not look for it. */
  readonly isCover?: boolean;
  /** Returned by the service in an object of unknown ownership. */
  readonly isStrange?: boolean;
}

/** Holds one secret string. Only `reveal` returns it; conversion to text, JSON and inspection give a mask. */
export class Secret {
  readonly #value: string;
  readonly #isCover: boolean;
  #isStrange: boolean;
  /** Where apply finds it. */
  readonly origin: string | undefined;

  constructor(value: string, { origin, isCover = false, isStrange = false }: SecretTraits = {}) {
    this.#value = value;
    this.#isCover = isCover;
    this.#isStrange = isStrange;
    this.origin = origin;
    if (!isCover) registerSecret(value, isStrange);
  }

  /** Records that the object which holds it is ours. */
  claim(): void {
    this.#isStrange = false;
    if (!this.#isCover) registerSecret(this.#value, false);
  }

  /** The secret itself, in clear text. Call it only where the value is sent, digested or compared. */
  reveal(): string {
    // A secret made before this run is registered as soon as somebody can print it.
    if (!this.#isCover) registerSecret(this.#value, this.#isStrange);
    return this.#value;
  }

  /** The same secret, found at another place. */
  at(origin: string): Secret {
    return new Secret(this.#value, { origin, isCover: this.#isCover, isStrange: this.#isStrange });
  }

  /** A secret derived from this one, with the same origin. */
  map(change: (text: string) => string): Secret {
    return new Secret(change(this.#value), { origin: this.origin, isCover: this.#isCover, isStrange: this.#isStrange });
  }

  toString(): string {
    return SECRET_MASK;
  }

  toJSON(): string {
    return SECRET_MASK;
  }

  [inspect.custom](): string {
    return SECRET_MASK;
  }
}

/** A shorter secret may occur in any text by chance. */
const SHORTEST_PART = 8;

/** Returns a test whether a text contains one of the secrets, ignoring case. */
export function repeatsOf(secrets: readonly Secret[]): (text: string) => boolean {
  const parts = secrets.map((secret) => secret.reveal().toLowerCase()).filter((text) => text.length >= SHORTEST_PART);
  if (parts.length === 0) return () => false;
  return (text) => {
    const found = text.toLowerCase();
    return parts.some((part) => found.includes(part));
  };
}

/** Shorter secrets cannot be told from other text (ADR-0019). */
const MIN_BYTES = 4;

/**
 * Every secret text, once, in order of creation. One list per process: a filter that must be told its secrets by hand is one
 * that somebody forgets to tell. Only the filter reads it (ADR-0019).
 */
let known = emptyLists();

interface Lists {
  readonly all: string[];
  /** Without those that were only seen in objects of unknown ownership. */
  readonly ours: string[];
  readonly isKnown: Set<string>;
  readonly isOurs: Set<string>;
}

function emptyLists(): Lists {
  return { all: [], ours: [], isKnown: new Set(), isOurs: new Set() };
}

/** Registers a text as a secret, including texts that are not values of ours, such as a proxy's password. */
export function registerSecret(value: string, isStrange = false): void {
  if (value.trim() === '' || (value.length < MIN_BYTES && Buffer.byteLength(value) < MIN_BYTES)) return;
  note(value, known.all, known.isKnown);
  if (!isStrange) note(value, known.ours, known.isOurs);
}

function note(value: string, list: string[], distinct: Set<string>): void {
  if (distinct.has(value)) return;
  distinct.add(value);
  list.push(value);
}

/** The secrets registered so far; the lists only grow until `clearSecrets` replaces them. */
export function secretsOfRun(): Readonly<Lists> {
  return known;
}

/** Forgets all secrets, before an unrelated run. */
export function clearSecrets(): void {
  known = emptyLists();
}
