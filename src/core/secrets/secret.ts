// An opaque holder for a value that must never be printed. Every conversion to text gives a mask.

import { inspect } from 'node:util';
import { knownSecrets, SECRET_MASK } from './known.ts';

/** Properties of a secret other than its text. */
interface SecretTraits {
  /** Where apply finds it: `ADDRESS#PATH` in the manifest, `live:ID#PATH` in a live object. */
  readonly origin?: string | undefined;
  /** Opaque only because of its place, and perhaps no secret at all: it is not looked for in texts. */
  readonly isCover?: boolean;
}

/** Holds one secret string. Only `reveal` returns it; conversion to text, JSON and inspection give a mask. */
export class Secret {
  readonly #value: string;
  readonly #isCover: boolean;
  /** Where apply finds it. */
  readonly origin: string | undefined;

  constructor(value: string, { origin, isCover = false }: SecretTraits = {}) {
    this.#value = value;
    this.#isCover = isCover;
    this.origin = origin;
    this.#register();
  }

  #register(): void {
    if (!this.#isCover) knownSecrets.add(this.#value);
  }

  /** The secret itself, in clear text. Call it only where the value is sent, digested or compared. */
  reveal(): string {
    // A secret made before this run is known from its first use on.
    this.#register();
    return this.#value;
  }

  /** The same secret, found at another place. */
  at(origin: string): Secret {
    return new Secret(this.#value, { origin, isCover: this.#isCover });
  }

  /** A secret derived from this one, with the same origin. */
  map(change: (text: string) => string): Secret {
    return new Secret(change(this.#value), { origin: this.origin, isCover: this.#isCover });
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
