// Digests: plain ones for comparison, slow salted ones for values that hold a secret. Pure: same input, same text.

import { createHash, createHmac, scryptSync } from 'node:crypto';

/** `sha256:` and 64 hex digits of the text. */
export function sha256(text: string): string {
  return `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/** 12 base64url characters of SHA-256: enough to notice a change, short enough for a marker. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 12);
}

const cache = new Map<string, string>();

/** 16 base64url characters of scrypt (N = 8192): salted per object and slow to guess, for text that holds a secret. */
export function secretDigest(text: string, salt: string): string {
  const key = sha256(`${salt}\n${text}`);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = scryptSync(text, salt, 12, { N: 8192, r: 8, p: 1 }).toString('base64url');
  cache.set(key, made);
  return made;
}

/** 16 base64url characters of HMAC-SHA-256: equal texts look equal only under one key. */
export function keyedDigest(text: string, key: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64url').slice(0, 16);
}
