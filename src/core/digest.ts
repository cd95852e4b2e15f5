// Digests: plain ones for comparison, slow salted ones for values that hold a secret. Pure: same input, same text.

import { hash, scryptSync } from 'node:crypto';

/** `sha256:` and 64 hex digits of the text. */
export function sha256(text: string): string {
  return `sha256:${hash('sha256', text, 'hex')}`;
}

/** 12 base64url characters of SHA-256: enough to notice a change, short enough for a marker. */
export function shortDigest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTHS.plain);
}

/** What kind of secret a digested value holds. */
export type Secrecy =
  /** None. */
  | 'plain'
  /** Only values of fields that are always secret. */
  | 'secret'
  /** A secret in some other field, too. */
  | 'hidden';

/** Size of slow digests in bytes. */
const BYTES = { secret: 12, hidden: 15 } as const;
/** Length of digests in characters. */
export const DIGEST_LENGTHS = { plain: 12, secret: 16, hidden: 20 } as const;

/** The secrecy of the digested value, derived from the digest's length (ADR-0018). */
export function secrecyOfDigest(digest: string): Secrecy {
  const { length } = bareDigest(digest);
  return length === DIGEST_LENGTHS.hidden ? 'hidden' : length === DIGEST_LENGTHS.secret ? 'secret' : 'plain';
}

/** The digest without its suffix, which says where secrets are. */
export function bareDigest(digest: string): string {
  const end = digest.indexOf(':');
  return end < 0 ? digest : digest.slice(0, end);
}

/** The suffix of a digest in a marker, which says where in the value secrets are; empty if there are none. */
export function secretsAt(places: readonly string[]): string {
  return places.length === 0 ? '' : `:${places.map(tagOf).sort().join('')}`;
}

/** True when the digest says that there is a secret at this place. */
export function hasSecretAt(digest: string, place: string): boolean {
  const tags = digest.slice(bareDigest(digest).length + 1).match(/.{4}/g);
  return tags?.some((tag) => tag === tagOf(place)) === true;
}

function tagOf(place: string): string {
  return shortDigest(place).slice(0, 4);
}

/** 12 base64url characters; 16 or 20, slow and salted, for a value with a secret. */
export function digestOfValue(text: string, secrecy: Secrecy, salt: string): string {
  return secrecy === 'plain' ? shortDigest(text) : secretDigest(text, salt, BYTES[secrecy]);
}

const cache = new Map<string, string>();

/** Base64url characters of scrypt (N = 8192): salted per object and slow to brute-force, for text that holds a secret. */
export function secretDigest(text: string, salt: string, bytes: number = BYTES.secret): string {
  const key = sha256(`${bytes}\n${salt}\n${text}`);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = scryptSync(text, salt, bytes, { N: 8192, r: 8, p: 1 }).toString('base64url');
  cache.set(key, made);
  return made;
}
