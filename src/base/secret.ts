// An opaque holder for a value that must never be printed. Every way of turning it into text gives a mask.

import { inspect } from 'node:util';

/** What stands wherever a secret would be shown. */
export const SECRET_MASK = '(sensitive)';

/** Holds one secret string. Only `reveal` gives it back; string conversion, JSON and inspection give a mask. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, in clear. Call it only where the value is sent or digested. */
  reveal(): string {
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
