// An opaque holder for a value that must never be printed. Every way of turning it into text gives a mask. Whatever was
// once held is known here, so that the output filter can look for it.

import { inspect } from 'node:util';

/** What stands wherever a secret would be shown. */
export const SECRET_MASK = '(sensitive)';

/** What a secret is besides its text. */
interface SecretTraits {
  /** Where the applier finds it: `ADDRESS#PATH` in the manifest, `live:ID#PATH` in a live object. */
  readonly origin?: string | undefined;
  /** Opaque because of where it stands, and perhaps no secret at all: the output filter does not look for it. */
  readonly isCover?: boolean;
  /** Shown by the service in an object that may be anybody's. */
  readonly isStrange?: boolean;
}

/** Holds one secret string. Only `reveal` gives it back; string conversion, JSON and inspection give a mask. */
export class Secret {
  readonly #value: string;
  readonly #isCover: boolean;
  #isStrange: boolean;
  /** Where the applier finds it. */
  readonly origin: string | undefined;

  constructor(value: string, { origin, isCover = false, isStrange = false }: SecretTraits = {}) {
    this.#value = value;
    this.#isCover = isCover;
    this.#isStrange = isStrange;
    this.origin = origin;
    if (!isCover) registerSecret(value, isStrange);
  }

  /** Notes that the object which holds it is ours. */
  claim(): void {
    this.#isStrange = false;
    if (!this.#isCover) registerSecret(this.#value, false);
  }

  /** The secret itself, in clear. Call it only where the value is sent, digested or compared. */
  reveal(): string {
    // One that was made before the run is known to it from the moment that somebody can write it.
    if (!this.#isCover) registerSecret(this.#value, this.#isStrange);
    return this.#value;
  }

  /** The same secret, found at another place. */
  at(origin: string): Secret {
    return new Secret(this.#value, { origin, isCover: this.#isCover, isStrange: this.#isStrange });
  }

  /** A secret made of this one, found where this one is found. */
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

/** A secret shorter than this may be a part of anything. */
const SHORTEST_PART = 8;

/** Whether a text has one of the secrets inside, in whatever case the service writes it. */
export function repeatsOf(secrets: readonly Secret[]): (text: string) => boolean {
  const parts = secrets.map((secret) => secret.reveal().toLowerCase()).filter((text) => text.length >= SHORTEST_PART);
  if (parts.length === 0) return () => false;
  return (text) => {
    const found = text.toLowerCase();
    return parts.some((part) => found.includes(part));
  };
}

/** Shorter ones cannot be told from other text (ADR-0019). */
const MIN_BYTES = 4;

/**
 * The text of every secret that was held, each once, in the order of their making. One list for the process: a door that
 * is told of its secrets by hand is a door that somebody forgets to tell. Nothing but the filter reads it (ADR-0019).
 */
let known = emptyLists();

interface Lists {
  readonly all: string[];
  /** Those that are not only a value of an object that may be anybody's. */
  readonly ours: string[];
  readonly isKnown: Set<string>;
  readonly isOurs: Set<string>;
}

function emptyLists(): Lists {
  return { all: [], ours: [], isKnown: new Set(), isOurs: new Set() };
}

/** Makes a text known as a secret, also one that is no value of ours, such as the password of a proxy. */
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

/** What is known so far; the lists only grow until `clearSecrets` begins others. */
export function secretsOfRun(): Readonly<Lists> {
  return known;
}

/** Begins anew, for a run that has nothing to do with those before it. */
export function clearSecrets(): void {
  known = emptyLists();
}
