// An opaque holder for a value that must never be printed. Every way of turning it into text gives a mask. Whatever was
// once held is known here, so that the output filter can look for it.

import { inspect } from 'node:util';

/** What stands wherever a secret would be shown. */
export const SECRET_MASK = '(sensitive)';

/** Holds one secret string. Only `reveal` gives it back; string conversion, JSON and inspection give a mask. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    remember(value);
  }

  /** The secret itself, in clear. Call it only where the value is sent or digested. */
  reveal(): string {
    // One that was made before the run is known to it from the moment that somebody can write it.
    remember(this.#value);
    return this.#value;
  }

  /** True when both hold the same text. */
  equals(other: Secret): boolean {
    return this.#value === other.#value;
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

/** Shorter ones cannot be told from other text (ADR-0019). */
const MIN_BYTES = 4;

/**
 * The text of every secret that was held, each once, in the order of their making. One list for the process: a door that
 * is told of its secrets by hand is a door that somebody forgets to tell. Nothing but the filter reads it (ADR-0019).
 */
let known: string[] = [];
let distinct = new Set<string>();

function remember(value: string): void {
  if (distinct.has(value)) return;
  if (value.trim() === '' || (value.length < MIN_BYTES && Buffer.byteLength(value) < MIN_BYTES)) return;
  distinct.add(value);
  known.push(value);
}

/** Makes a text that is no value of ours known as a secret, such as the password of a proxy. */
export function keepSecret(value: string): void {
  remember(value);
}

/** All secrets so far; the list only grows until `forgetSecrets` begins another. */
export function knownSecrets(): readonly string[] {
  return known;
}

/** Begins anew, for a run that has nothing to do with those before it. */
export function forgetSecrets(): void {
  known = [];
  distinct = new Set();
}
